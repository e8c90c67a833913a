import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { games } from '../../../src/games/registry.ts';
import { chineseLettersOfEnglishScreens } from '../../../src/assets/fonts.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { freshPage } from '../support/browser.ts';
import { Stage, phases, record } from '../support/recordedViews.ts';
import { sumOf, weigh } from './pageWeight.ts';
import { screens } from '../support/screens.ts';

test('a page imports only the types of the messages, not their schemas', async () => {
  const folder = join(await screens(), 'assets');
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'));
  const text = scripts.map((script) => readFileSync(join(folder, script), 'utf8')).join('\n');
  expect(text).toContain('hello');
  for (const word of ['additionalProperties', 'minor units', 'typebox']) expect(text).not.toContain(word);
});

/** All scripts that a page may load, as one text. */
async function scriptsOf(page: string): Promise<string> {
  const folder = await screens();
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const found = new Map<string, string>();
  const follow = (text: string): void => {
    for (const [, name] of text.matchAll(/[/"'](?:assets\/|\.\/)([\w-]+\.js)/g)) {
      if (found.has(name!)) continue;
      const script = read(join('assets', name!));
      found.set(name!, script);
      follow(script);
    }
  };
  follow(read(page));
  return [...found.values()].join('\n');
}

test('staff and patron screens are separate bundles, and neither loads code of the other', async () => {
  for (const page of ['index.html', 'display.html']) {
    const text = await scriptsOf(page);
    expect(text.length, page).toBeGreaterThan(10_000);
    for (const word of ['x-punto-staff', 'staff-socket', 'ReconstructRound']) expect(text, page).not.toContain(word);
  }
  const staff = await scriptsOf('staff.html');
  for (const word of ['x-punto-staff', 'staff-socket', 'ReconstructRound']) expect(staff).toContain(word);
  for (const word of ['punto.secret', 'island', 'REPEAT BET']) expect(staff).not.toContain(word);
});

test.each([
  ['en', 180_000],
  ['zh', 320_000],
] as const)('the first load of a terminal in %s is at most %d bytes, fonts included', async (language, maxBytes) => {
  const open = await startTestServer({ screensFolder: await screens() });
  for (const id of ['tiger', 'sands-super', 'sands-elements']) {
    const { page } = await freshPage(1366, 768);
    await page.addInitScript((chosen) => localStorage.setItem('punto.language', chosen), language);
    const weights = await weigh(page, `${open.address}#/table/${id}`);
    const sizes = [...weights].map(([path, size]) => `${path} ${size}`).join('\n');
    expect([...weights.keys()].filter((path) => path.endsWith('.css')).length, sizes).toBeGreaterThan(1);
    expect(sumOf(weights), `${id}\n${sizes}`).toBeLessThanOrEqual(maxBytes);
  }
  await open.close();
});

test('the fonts of the screens contain every character that the screens show', async () => {
  const lettersIn = (text: string): string[] =>
    [...new Set(text)].filter((letter) => letter > ' ' && letter !== '\u00a0');
  const open = await startTestServer({ screensFolder: await screens(), tables: ['tiger'] });
  const { page } = await freshPage(1366, 768);
  /** Characters that look like the glyph for a missing character. */
  const unknown = (all: readonly string[]): Promise<readonly string[]> =>
    page.evaluate(async (letters) => {
      await Promise.all([...document.fonts].map((face) => face.load()));
      const canvas = new OffscreenCanvas(48, 48).getContext('2d', { willReadFrequently: true })!;
      canvas.font = `32px ${getComputedStyle(document.body).fontFamily}`;
      const glyphOf = (letter: string): string => {
        canvas.clearRect(0, 0, 48, 48);
        canvas.fillText(letter, 4, 36);
        return canvas.getImageData(0, 0, 48, 48).data.join();
      };
      const none = glyphOf('\u{10fffd}');
      return letters.filter((letter) => glyphOf(letter) === none);
    }, all);
  for (const [path, file, shown] of [
    ['', 'index.html', '.tile'],
    ['display/tiger', 'display.html', '.display'],
    ['sign-in', 'staff.html', '.signin'],
  ] as const) {
    await page.goto(`${open.address}${path}`);
    await page.waitForSelector(shown);
    const letters = lettersIn(await scriptsOf(file));
    expect(letters).toContain('庄');
    expect(await unknown(['犇', ...letters]), file).toEqual(['犇']);
  }
  await open.close();
});

test('the fonts of English screens contain the Chinese characters that they show', async () => {
  const open = await startTestServer({ screensFolder: await screens() });
  const { page } = await freshPage(1366, 768);
  const small = new Set(chineseLettersOfEnglishScreens());
  /** Chinese characters on the screen that are in no font of an English screen. */
  const missing = async (): Promise<string> => {
    const shown = await page.evaluate(() => document.body.textContent);
    return [...new Set(shown)].filter((letter) => letter >= '\u2e80' && !small.has(letter)).join('');
  };
  await page.goto(open.address);
  await page.waitForSelector('.tile');
  expect(await missing(), 'the lobby').toBe('');
  const stage = await Stage.on(page);
  await page.reload();
  for (const { id } of games) {
    const recording = await record(id);
    for (const phase of phases) {
      await stage.show(recording, phase);
      expect(await missing(), `${id}, ${phase}: add what is missing to src/assets/fonts.ts`).toBe('');
    }
  }
  await open.close();
});
