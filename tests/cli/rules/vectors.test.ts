import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { games } from '../../../src/games/registry.ts';
import { parseDeal } from '../../../src/rules/deal.ts';
import { versionedGameId } from '../../../src/rules/game.ts';
import { nextSlot } from '../../../src/rules/play.ts';
import { isRefused } from '../../../src/base/refusal.ts';
import { payLineIndexFor } from '../../../src/rules/wager.ts';
import { BAC } from '../../rulebook/BAC.rows.ts';
import { ELM } from '../../rulebook/ELM.rows.ts';
import { ETG } from '../../rulebook/ETG.rows.ts';
import { FAB } from '../../rulebook/FAB.rows.ts';
import { SUP } from '../../rulebook/SUP.rows.ts';
import { cardsFrom, rowsIn } from '../../rulebook/rows.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto } from '../support/punto.ts';
import { agrees, vectorLines } from './vectors.ts';

const folder = temporaryFolder('vectors');
beforeAll(async () => void (await punto(['vectors', '--out', join(folder, 'a')])));

const families = ['canonical', 'games', 'deals', 'partial', 'counts', 'roads', 'chains', 'shoes'] as const;

const textOf = (file: string, run = 'a'): string => readFileSync(join(folder, run, file), 'utf8');
const linesIn = (family: string): readonly string[] => vectorLines(family, textOf(`${family}.jsonl`));
const parsedIn = (family: string): readonly unknown[] => linesIn(family).map((line) => JSON.parse(line) as unknown);

type Dealt = { readonly game: string; readonly cards: readonly string[]; readonly refused?: string };

test.for(families)('Punto agrees with every line of %s', (family) => {
  const lines = linesIn(family);
  expect(lines.length).toBeGreaterThan(9);
  expect(lines.filter((line) => !agrees(family, line))).toEqual([]);
});

/** Lines that state a valid case: any changed digit makes them wrong. */
const affirms: { readonly [family: string]: (line: string) => boolean } = {
  chains: (line) => line.includes('"whole":true') && line.includes('"entries":[{'),
  deals: (line) => !line.includes('"refused"'),
  canonical: (line) => /\d/.test(line.replace(/"hash":.*/, '')),
};

test.for(families)('a changed digit anywhere in a line of %s is detected', (family) => {
  const lines = linesIn(family).filter(affirms[family] ?? (() => true));
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 9 }), (which, where, by) => {
      const line = lines[which % lines.length]!;
      // A claim that does not hold may be wrong in more than one way: only those that hold are changed.
      const end = family === 'shoes' ? line.indexOf('"claims"') : line.length;
      const digits = [...line.slice(0, end).matchAll(/\d/g)].map(({ index }) => index);
      const index = digits[where % digits.length]!;
      const digit = (Number(line[index]) + by) % 10;
      const changed = `${line.slice(0, index)}${digit}${line.slice(index + 1)}`;
      let isJson = true;
      try {
        JSON.parse(changed);
      } catch {
        isJson = false;
      }
      expect(isJson && agrees(family, changed), changed).toBe(false);
    }),
    { numRuns: family === 'counts' ? 60 : 200 },
  );
});

test('an inverted verdict is detected, in chains and in claims of shoes', () => {
  for (const line of linesIn('chains')) {
    const turned = line.includes('"whole":true')
      ? line.replace('"whole":true,"bad":null', '"whole":false,"bad":1')
      : line.replace(/"whole":false,"bad":\d+/, '"whole":true,"bad":null');
    expect(turned).not.toBe(line);
    expect(agrees('chains', turned)).toBe(false);
  }
  for (const line of linesIn('shoes')) {
    for (const [from, to] of [
      ['"holds":true', '"holds":false'],
      ['"holds":false', '"holds":true'],
    ] as const) {
      expect(line).toContain(from);
      expect(agrees('shoes', line.replace(from, to))).toBe(false);
    }
  }
});

test('a truncated file is detected', () => {
  const text = textOf('roads.jsonl');
  expect(() => vectorLines('roads', text.slice(0, -10))).toThrow('not whole');
  expect(() => vectorLines('roads', text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1))).toThrow('not whole');
  expect(() => vectorLines('deals', text)).toThrow('not whole');
});

test('every line of every wager of all ten games is reached by a deal, and each wager loses in one', () => {
  const deals = (parsedIn('deals') as readonly Dealt[]).filter(({ refused }) => refused === undefined);
  for (const game of games) {
    const facts = deals
      .filter((deal) => deal.game === versionedGameId(game))
      .map(({ cards }) => {
        const deal = parseDeal(cards, { deck: game.deck, decks: 8 });
        if (isRefused(deal)) throw new Error(deal.message);
        return deal.facts;
      });
    for (const [id, wager] of Object.entries(game.wagers)) {
      const reached = new Set(facts.map((one) => payLineIndexFor(wager, one)));
      expect(reached.size, `${game.id} ${id}`).toBe(wager.lines.length + 1);
    }
  }
});

test('the vectors contain all deals of the rulebook tests, complete or partial', () => {
  const settledCards = (family: string): ReadonlySet<string> =>
    new Set((parsedIn(family) as readonly Dealt[]).map(({ game, cards }) => `${game} ${cards.join(' ')}`));
  const [deals, partial] = [settledCards('deals'), settledCards('partial')];
  let completeDeals = 0;
  for (const [game, table] of [...BAC, ...SUP, ...ELM, ...FAB, ...ETG]) {
    for (const { cards } of rowsIn(table)) {
      const name = `${versionedGameId(game)} ${cards.join(' ')}`;
      if (nextSlot(cardsFrom(cards, game.deck)) === undefined) {
        expect(deals.has(name), name).toBe(true);
        completeDeals++;
      } else expect(partial.has(name), name).toBe(true);
    }
  }
  expect(completeDeals).toBeGreaterThan(500);
});

test('the vectors contain true and false claims of shoes, and every kind of damaged chain', () => {
  type Claims = { readonly size: number; readonly claims: readonly { readonly holds: boolean }[] };
  for (const { size, claims } of parsedIn('shoes') as readonly Claims[]) {
    expect(claims.filter(({ holds }) => holds).length).toBe(Math.min(size, size === 416 ? 9 : size === 520 ? 5 : 13));
    expect(claims.filter(({ holds }) => !holds).length).toBeGreaterThan(4);
  }
  const chains = parsedIn('chains') as readonly { readonly whole: boolean }[];
  expect(chains.filter(({ whole: completeDeals }) => !completeDeals).length).toBe(9);
});

test('the vectors contain each refusal of a deal', () => {
  const codes = new Set((parsedIn('deals') as readonly Dealt[]).flatMap(({ refused }) => refused ?? []));
  expect([...codes].toSorted()).toEqual(['card-after-deal', 'incomplete-deal', 'unknown-card', 'wrong-deck']);
});

test('the vectors are reproducible, small, and come with their README', async () => {
  expect((await punto(['vectors', '--out', join(folder, 'b')])).status).toBe(0);
  const names = readdirSync(join(folder, 'a')).toSorted();
  expect(names).toEqual([...families.map((family) => `${family}.jsonl`), 'README.md'].toSorted());
  for (const name of names) expect(textOf(name, 'b')).toBe(textOf(name));
  expect(names.reduce((sum, name) => sum + textOf(name).length, 0)).toBeLessThan(3_000_000);
  const page = readFileSync(new URL('../../../docs/vectors.md', import.meta.url), 'utf8');
  expect(textOf('README.md')).toBe(page);
  for (const family of families) {
    expect(page).toContain(`## ${family}.jsonl`);
    // The README describes every field.
    const fields = new Set((parsedIn(family) as readonly object[]).flatMap((line) => Object.keys(line)));
    for (const field of fields) expect(page, `${family}: ${field}`).toContain(`\`${field}\``);
  }
});

test('vectors refuses a folder that is not empty, and a missing --out', async () => {
  const { status, stderr } = await punto(['vectors', '--out', join(folder, 'a')]);
  expect(status).toBe(1);
  expect(stderr).toMatch(/is not empty; choose a folder that is new or empty\. \(folder-not-empty\)\n$/);
  expect((await punto(['vectors'])).stderr).toMatch(/\(missing-argument\)\n$/);
  expect((await punto(['vectors', '--out', join(folder, 'a', 'deals.jsonl')])).stderr).toMatch(
    /\(unwritable-output\)\n$/,
  );
});
