import { beforeAll, expect, test } from 'vitest';
import { irregularityKinds } from '../../../../src/games/irregularities.ts';
import { sampleOf } from '../../../times.ts';
import { Participants } from './participants.ts';
import { type Case, byItself, cases, chipsOnly } from './irregularities.ts';

// Four people at once, from the report of an irregularity to the last patron's credit, with all keys counted.

let crew: Participants;
beforeAll(async () => {
  crew = await Participants.start();
  await crew.changeShoe();
});

test('every irregularity of the rulebook has a case', () => {
  const all = [...cases.map(({ kind }) => kind), ...chipsOnly.map(([kind]) => kind), ...byItself];
  expect([...new Set(all)].toSorted()).toEqual(irregularityKinds.toSorted());
});

/** Keys that a dealer needs: one for each call, two for each card, two digits after the menu key, and the ruling. */
function keysOf({ dealt, goesOn, report, ruling }: Case): number {
  const cards = `${dealt ?? ''} ${goesOn?.cards ?? ''}`.split(' ').filter((card) => card !== '').length;
  const calls = goesOn === null ? 2 : 3;
  const ruled = ruling?.by === 'dealer' ? ruling.keys.length : 0;
  // S-1, Tab, six digits, Enter.
  const signed = ruling?.signed === 'pin' ? 11 : 0;
  return calls + 2 * cards + 1 + 2 + (report.more?.length ?? 0) + ruled + signed;
}

/** From the report to the last credit; returns the number of keys of the dealer. */
async function run(one: Case): Promise<number> {
  const { dealer, patrons } = crew;
  const before = dealer.keys;
  if (one.dealt === null) await crew.openBets(one.bets);
  else {
    await crew.placeBets(one.bets);
    await crew.dealCards(one.dealt);
  }
  const staked = one.bets.map((bets) => Object.values(bets).reduce((sum, stake) => sum + stake, 0));
  for (const [n, patron] of patrons.entries())
    await patron.expectCredit(patron.credit - staked[n]!, 'with stakes on the table');
  await crew.report(one.report.row, one.report.more ?? [], one.report.prompt);
  if (one.stopped !== null) await crew.expectStopped(one.stopped);
  if (one.decided !== undefined) await crew.decide(one.decided, 'The camera was looked at');
  if (one.ruling) await crew.rule(one.ruling);
  if (one.goesOn !== null) {
    if (one.dealt === null) {
      await dealer.expectPrompt('Bets are open');
      await dealer.type('Enter');
      await dealer.expectPrompt('Player’s first card');
    }
    if (one.goesOn.cards !== '') await crew.dealCards(one.goesOn.cards);
    await crew.settle(one.goesOn.result);
  }
  await dealer.expectPrompt(one.after);
  await crew.expectGains(one.gains);
  if (one.voidNotice) await crew.expectVoidNotice(one.voidNotice.by, one.voidNotice.why);
  for (const [n, patron] of patrons.entries())
    for (const [wager, clause] of Object.entries(one.settled?.[n] ?? {}))
      expect(await patron.clauseOf(wager), wager).toBe(clause);
  if (one.ends === 'shoe ended') await crew.changeShoe();
  return dealer.keys - before;
}

/** One case of each ending. */
const selectedCases = [...Map.groupBy(cases, ({ ends }) => ends)].flatMap(([ends, group]) =>
  sampleOf(`ends ${ends}`, group, 1),
);

test.each(selectedCases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
  expect(await run(one), 'keys of the dealer').toBe(keysOf(one));
});

test('reports of late, raised or withdrawn chips are disabled at a terminal table', async () => {
  const { dealer, patrons } = crew;
  await crew.placeBets([{ banker: 2_500 }, { player: 500 }]);
  for (const [kind, row] of chipsOnly) {
    await dealer.type('w');
    expect(await dealer.page.locator(`[data-kind=${kind}]`).isDisabled(), kind).toBe(true);
    await dealer.type(...Array.from(row));
    await dealer.waitFor('[data-testid=refusal]');
    await dealer.type('Escape');
  }
  // After the close a terminal places no chip and takes none back.
  const [first] = patrons;
  await first.page.locator('[data-wager="tie"]').click({ force: true });
  await first.expectCredit(first.credit - 2_500, 'after the close');
  await crew.dealCards('2C 9S 4D TD');
  await crew.settle('Banker wins, 9 to 6');
  await crew.expectGains([2_375, -500]);
});

test('no page logs an error, and the event log verifies', async () => {
  expect(await crew.leave()).toBeUndefined();
});
