import { beforeAll, expect, test } from 'vitest';
import { irregularityKinds } from '../../../src/games/irregularities.ts';
import { sampled } from '../../times.ts';
import { Crew } from './crew.ts';
import { type Case, byItself, cases, chipsOnly } from './irregularities.ts';

// Four people at once, from the report of an irregularity to the last patron's credit, by keys that are counted.

let crew: Crew;
beforeAll(async () => {
  crew = await Crew.gathered();
  await crew.shoe();
});

test('every irregularity of the book is among those that people report, or comes about by itself', () => {
  const all = [...cases.map(({ kind }) => kind), ...chipsOnly.map(([kind]) => kind), ...byItself];
  expect([...new Set(all)].toSorted()).toEqual(irregularityKinds.toSorted());
});

/** The keys that a dealer should need: one a call, two a card, two digits after the key of the list, and what is ruled. */
function keysOf({ dealt, goesOn, report, ruling }: Case): number {
  const cards = `${dealt ?? ''} ${goesOn?.cards ?? ''}`.split(' ').filter((card) => card !== '').length;
  const calls = goesOn === null ? 2 : 3;
  const ruled = ruling?.by === 'dealer' ? ruling.keys.length : 0;
  // S-1, Tab, six digits, Enter.
  const signed = ruling?.signed === 'pin' ? 11 : 0;
  return calls + 2 * cards + 1 + 2 + (report.more?.length ?? 0) + ruled + signed;
}

/** From the report to the last credit; gives how many keys the dealer pressed. */
async function run(one: Case): Promise<number> {
  const { dealer, patrons } = crew;
  const before = dealer.keys;
  if (one.dealt === null) await crew.opens(one.bets);
  else {
    await crew.bets(one.bets);
    await crew.deals(one.dealt);
  }
  const staked = one.bets.map((bets) => Object.values(bets).reduce((sum, stake) => sum + stake, 0));
  for (const [n, patron] of patrons.entries()) await patron.has(patron.credit - staked[n]!, 'with stakes on the table');
  await crew.reports(one.report.row, one.report.more ?? [], one.report.says);
  if (one.stopped !== null) await crew.stands(one.stopped);
  if (one.decided !== undefined) await crew.decides(one.decided, 'The camera was looked at');
  if (one.ruling) await crew.rules(one.ruling);
  if (one.goesOn !== null) {
    if (one.dealt === null) {
      await dealer.says('Bets are open');
      await dealer.type('Enter');
      await dealer.says('Player’s first card');
    }
    if (one.goesOn.cards !== '') await crew.deals(one.goesOn.cards);
    await crew.settles(one.goesOn.result);
  }
  await dealer.says(one.after);
  await crew.gains(one.gains);
  if (one.told) await crew.told(one.told.by, one.told.why);
  for (const [n, patron] of patrons.entries())
    for (const [wager, clause] of Object.entries(one.settled?.[n] ?? {}))
      expect(await patron.clauseOf(wager), wager).toBe(clause);
  if (one.ends === 'shoe ended') await crew.shoe();
  return dealer.keys - before;
}

/** One of each way of ending. */
const chosen = [...Map.groupBy(cases, ({ ends }) => ends)].flatMap(([ends, group]) =>
  sampled(`ends ${ends}`, group, 1),
);

test.each(chosen.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
  expect(await run(one), 'keys of the dealer').toBe(keysOf(one));
});

test('chips that are late, raised or taken back are not offered where patrons bet at terminals', async () => {
  const { dealer, patrons } = crew;
  await crew.bets([{ banker: 2_500 }, { player: 500 }]);
  for (const [kind, row] of chipsOnly) {
    await dealer.type('w');
    expect(await dealer.page.locator(`[data-kind=${kind}]`).isDisabled(), kind).toBe(true);
    await dealer.type(...Array.from(row));
    await dealer.sees('[data-testid=refusal]');
    await dealer.type('Escape');
  }
  // After the close a terminal puts no chip on the felt and takes none off.
  const [first] = patrons;
  await first.page.locator('[data-wager="tie"]').click({ force: true });
  await first.has(first.credit - 2_500, 'after the close');
  await crew.deals('2C 9S 4D TD');
  await crew.settles('Banker wins, 9 to 6');
  await crew.gains([2_375, -500]);
});

test('no page complained, and the record of all of it verifies', async () => {
  expect(await crew.leave()).toBeUndefined();
});
