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
  const typed: { [name: string]: [string, string[]] } = {
    rebuild: ['held', ['Enter', 'a', 'c', '4', 'd', '3', 'h', '2']],
    fix: ['third', ['w', '1', '1', '3', '8']],
    wrongsheet: ['wrong', ['w', '2']],
    'wrong-chips': ['chips-dealing', ['w', '4']],
    late: ['chips-dealing', ['w', '4', '1', '6', 'Enter', '2', '2', '0', '0']],
    page: ['third', ['p']],
    relief: ['betting', ['r', 'd', '-', '2', '0', '9', 'Tab', '1', '2']],
    which: ['third', ['w', '2', '3']],
    refer: ['third', ['w', '6', '1']],
    since: ['third', ['w', '5', '1', '4']],
    note: ['held', ['m']],
    'shoe-end': ['idle', ['n', '8', '8', '7']],
    'shoe-sealed': ['idle', ['n', 'u', '8', '8', '1']],
    clauses: ['held', ['?']],
    locked: ['betting', ['z']],
  };
  const names = [
    ...Object.keys(states).map((n) => [n, n, []] as const),
    ...Object.entries(typed).map(([n, [s, k]]) => [n, s, k] as const),
  ];
  const zh = process.env['ZH'] === '1';
  if (zh) {
    await fed.page.locator('.language').click();
  }
  for (const [name, state, keys] of names) {
    const view = states[state]!;
    if (only && !only.includes(name)) continue;
    await fed.page.keyboard.press('Escape');
    await fed.page.waitForTimeout(50);
    await fed.page.keyboard.press('Escape');
    await fed.show(view(Date.now()));
    if (keys.length) {
      await fed.ready();
      await fed.type(...keys);
      await fed.settled();
    }
    for (const [w, h] of (process.env['SIZES'] ?? '1366x768').split(',').map((s) => s.split('x').map(Number))) {
      await fed.page.setViewportSize({ width: w!, height: h! });
      await fed.settled();
      await fed.page.screenshot({ path: `${out}/${name}-${w}${zh ? '-zh' : ''}.png` });
    }
  }
  console.log(fed.complaints);
  await fed.leave();
});
