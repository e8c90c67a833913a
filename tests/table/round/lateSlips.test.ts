import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRefused } from '../../../src/base/refusal.ts';
import { applyEventsWithPostings, tableDecider } from '../../../src/deciders/deciders.ts';
import { decide } from '../../../src/table/decide/decide.ts';
import { type TableCommand } from '../../../src/table/schema/commands.ts';
import { type Slip } from '../../../src/table/schema/fieldTypes.ts';
import { times } from '../../times.ts';
import { type Roll, randomCommand } from '../random.ts';
import { readyTable } from '../tableScenario.ts';

const books = [
  ['BAC', 'baccarat'],
  ['SUP', 'sands-super'],
  ['ELM', 'sands-elements'],
  ['FAB', 'fabulous-4'],
  ['ETG', 'tiger'],
] as const;

const sixCards = { french: '2C 3D 2H KS 6D 9H', elements: '21 32 23 F4 62 93' } as const;

test.each(
  books.flatMap(([book, game]) =>
    (book === 'ETG' ? ['ETG 5.4', 'ETG 5.5'] : [`${book} 5.6`, `${book} 5.7`]).map((row) => [row, game, book] as const),
  ),
)(
  '[%s] at %s no stake is placed, raised, lowered or taken off at any time from the close until the next round, and the accepted ones are settled',
  (_, game, book) => {
    const [raising, lowering, over] = book === 'ETG' ? ['5.5', '5.4', '3.2'] : ['5.6', '5.7', '3.2'];
    const scenario = readyTable(game).bets({ T7: { player: 1000 }, T8: { banker: 500, tie: 200 } });
    const { round, table } = scenario;
    const { slips } = table!.round!;
    const late: readonly (readonly [terminal: string, slip: Slip, refused: string, clause: string])[] = [
      ['T9', { player: 1000 }, 'bets-closed', raising],
      ['T7', { player: 1000, tie: 100 }, 'bets-closed', raising],
      ['T7', { player: 1500 }, 'late-raise', raising],
      ['T8', { banker: 500, tie: 300 }, 'late-raise', raising],
      ['T7', { player: 900 }, 'late-withdrawal', lowering],
      ['T8', { banker: 500 }, 'late-withdrawal', lowering],
      ['T8', {}, 'late-withdrawal', lowering],
    ];
    const balances = () => ['T7', 'T8', 'T9'].map((terminal) => scenario.balance(terminal));
    /** Slips until this time were accepted. */
    let until = 0;
    const expectRefusals = (moment: string): void => {
      const before = balances();
      for (const [terminal, slip, refused, clause] of late) {
        const refusal = scenario.refusal('SetSlip', { round, slip, credit: 9000 }, { terminal });
        if (moment === 'settled') expect(refusal).toMatchObject({ refused: 'bets-closed', by: `${book} ${over}` });
        else {
          expect(refusal, moment).toMatchObject({
            refused,
            by: `${book} ${clause}`,
            until,
            arrivedAt: scenario.at,
            ...(refused === 'late-raise' && { excess: terminal === 'T7' ? 500 : 100 }),
          });
        }
      }
      expect(balances(), moment).toEqual(before);
      expect(scenario.table!.round!.slips, moment).toEqual(slips);
    };
    scenario.wait(20_000).do('CallClose', {});
    until = scenario.at + 500;
    scenario.wait(501);
    expectRefusals('the grace time is over and the close not recorded');
    scenario.do('CloseBets', {});
    expectRefusals('no card is out');
    for (const [out, card] of sixCards[book === 'ELM' ? 'elements' : 'french'].split(' ').entries()) {
      scenario.wait(1000).deal(card);
      expectRefusals(`${out + 1} cards are out`);
    }
    expect(balances()).toEqual([-1000, -700, 0]);
    scenario.settle();
    const settled = balances();
    expect([settled[0], settled[2]]).toEqual([-1000, 0]);
    // The Banker stake of 5.00 came back with its win, less commission where there is one.
    expect(settled[1]).toBe(500 - 200 - (book === 'BAC' || book === 'ETG' ? 25 : 0));
    expectRefusals('settled');
    scenario.bets();
    for (const [terminal, slip] of late) {
      const refusal = scenario.refusal('SetSlip', { round, slip, credit: 9000 }, { terminal });
      expect(refusal).toMatchObject({ refused: 'bets-closed', by: `${book} ${over}` });
    }
    expect(balances()).toEqual(settled);
  },
);

const roll = fc.record({
  kind: fc.nat(1000),
  actor: fc.nat(1000),
  a: fc.nat(1000),
  b: fc.nat(100_000),
  wait: fc.oneof(fc.nat(3000), fc.constant(25_000), fc.constant(0)),
});

test('[ETG 5.4] a stake comes back before the settlement only by a void of five clauses, for an unreadable card or by a decision, whatever is commanded', () => {
  const clauses = ['ETG 5.1.1', 'ETG 5.2', 'ETG 5.3', 'ETG 5.8.1', 'ETG 5.9.1', 'HOUSE 9'];
  const found = new Set<string>();
  const play = (out: number, rolls: readonly Roll[]): void => {
    const slips = { 'seat-1.1': { player: 5000, tie: 100 }, 'seat-2.1': { banker: 2000 } };
    const scenario = readyTable('tiger').bets(slips).close();
    scenario.deal('2C 3D 2H KS 6D 9H'.split(' ').slice(0, out).join(' '));
    /** Why a settlement returns stakes: the clause of a void, a decision or the result. */
    const causes = new Map<string, string>();
    let { at } = scenario;
    let table = scenario.table!;
    for (const one of rolls) {
      if (table.phase === 'idle') return;
      at += one.wait;
      const credits = { 'seat-1.1': 10_000, 'seat-2.1': 10_000, 'seat-3.1': 10_000 };
      const command = { ...randomCommand(one, table, credits, undefined), at } as unknown as TableCommand;
      const decision = decide(command, table);
      if (isRefused(decision)) continue;
      const { entries, state } = applyEventsWithPostings(tableDecider, decision, structuredClone(table));
      table = state!;
      const isDecided = decision.some(({ type }) => type === 'ReferralDecided');
      for (const event of decision)
        if (event.type === 'RoundVoided' || event.type === 'SlipVoided')
          causes.set(event.settlement, isDecided ? 'decided' : event.by);
        else if (event.type === 'RoundSettled') causes.set(event.settlement, 'settled');
      for (const { event, postings } of entries) {
        if (!postings.some(({ from, to }) => from.includes('/stakes/') && to.includes('/terminal/'))) continue;
        const cause = event.type === 'SettlementPosted' ? causes.get(event.settlement) : event.type;
        expect([...clauses, 'decided', 'settled'], command.type).toContain(cause);
        found.add(cause!);
      }
    }
  };
  fc.assert(fc.property(fc.nat(6), fc.array(roll, { maxLength: 60, size: 'max' }), play), { numRuns: times(150) });
  expect(found.size).toBeGreaterThan(1);
});
