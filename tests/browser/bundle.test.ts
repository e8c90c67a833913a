import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { games } from '../../src/games/registry.ts';
import { screens } from '../../src/server/assets.ts';
import { house } from '../server/house.ts';
import { freshPage } from './browser.ts';
import { sumOf, weigh } from './weight.ts';

test('a page takes the types of the messages alone: their declarations stay with the server', async () => {
  const folder = join(await screens(), 'assets');
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'));
  const text = scripts.map((script) => readFileSync(join(folder, script), 'utf8')).join('\n');
  expect(text).toContain('hello');
  for (const word of ['additionalProperties', 'minor units', 'typebox']) expect(text).not.toContain(word);
});

test.each([
  ['en', 180_000],
  ['zh', 320_000],
] as const)('the first load of a terminal in %s is at most %d bytes, fonts included', async (language, most) => {
  const open = await house({ screens: await screens() });
  for (const { id } of games) {
    const { page } = await freshPage(1366, 768);
    await page.addInitScript((chosen) => localStorage.setItem('punto.language', chosen), language);
    const weights = await weigh(page, `${open.address}#/table/${id}`);
    const told = [...weights].map(([path, size]) => `${path} ${size}`).join('\n');
    expect([...weights.keys()].filter((path) => path.endsWith('.css')).length, told).toBeGreaterThan(1);
    expect(sumOf(weights), `${id}\n${told}`).toBeLessThanOrEqual(most);
    await page.context().close();
  }
  await open.close();
});
