import { mkdirSync } from 'node:fs';
import { test } from 'vitest';
import { Fed } from './console.ts';
import { states } from './views.ts';

test('shots', async () => {
  const out = process.env['SHOTS'] ?? '/tmp/w/dealer-shots';
  mkdirSync(out, { recursive: true });
  const fed = await Fed.at('/dealer/L11', states['idle']!(Date.now()));
  await fed.page.waitForSelector('.console');
  const only = process.env['ONLY']?.split(',');
  for (const [name, view] of Object.entries(states)) {
    if (only && !only.includes(name)) continue;
    await fed.show(view(Date.now()));
    for (const [w, h] of (process.env['SIZES'] ?? '1366x768').split(',').map((s) => s.split('x').map(Number))) {
      await fed.page.setViewportSize({ width: w!, height: h! });
      await fed.settled();
      await fed.page.screenshot({ path: `${out}/${name}-${w}.png` });
    }
  }
  console.log(fed.complaints);
  await fed.leave();
});
