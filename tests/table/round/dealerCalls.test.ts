import { expect, test } from 'vitest';
import { type Actor } from '../../../src/access/actor.ts';
import { supportRoles } from '../../../src/access/roles.ts';
import { games } from '../../../src/games/registry.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { publicView } from '../../../src/table/views/publicView.ts';
import { ranksOf } from '../../rulebook/deals.ts';
import { type TableScenario, dealer, floor, readyTable, shuffler } from '../tableScenario.ts';

// The two calls of the dealer at a live table, which open and close bets.

/** Actors that may not run an attended table: the system, terminals, and staff outside the pit. */
const others: readonly Actor[] = [
  floor,
  shuffler,
  { terminal: 'T1' },
  { terminal: 'T2' },
  ...supportRoles.map((role) => ({ person: 'x1', role })),
];

const liveGames = games.filter(({ book }) => book !== 'ETG');

for (const { id: game, book, deck } of liveGames) {
  const late = { refused: 'bets-closed', by: `${book} 5.6` };
  const tooEarly = { refused: 'not-now', by: `${book} 3.2` };
  const card = { slot: 'P1', card: ranksOf(deck)[8]! } as const;

  for (const bets of ['terminals', 'chips'] as const) {
    test(`[${book} 3.1] at ${game} with ${bets} bets open only by the call of the dealer, and the command of any other actor is refused`, () => {
      const scenario = readyTable(game, { bets });
      for (let round = 1; round <= 2; round++) {
        scenario.wait(3_600_000);
        for (const other of others) {
          expect(scenario.refusal('OpenBets', {}, other), JSON.stringify(other)).toMatchObject({
            refused: 'not-your-role',
          });
        }
        expect(publicView(scenario.table!)).toMatchObject({ phase: 'idle', call: null });
        expect(scenario.do('OpenBets', {})).toMatchObject([
          { type: 'BetsOpened', at: scenario.at, actor: dealer, number: round },
        ]);
        expect(publicView(scenario.table!)).toMatchObject({ phase: 'betting', call: 'Place your bets, please' });
        scenario.do('VoidRound', { reason: 'opened by mistake' });
      }
    });

    test(`[${book} 3.2] at ${game} with ${bets} betting goes on until the call of the dealer, at any time and whatever other actors send`, () => {
      const scenario = readyTable(game, { bets }).bets();
      const { closesAt } = scenario.table!.round!;
      const opened = scenario.at;
      let stake = 500;
      for (const at of [0, 1, 19_999, 20_000, 20_001, 20_499, 20_500, 20_501, 60_000, 86_400_000].map(
        (elapsed) => opened + elapsed,
      )) {
        scenario.at = at;
        for (const other of others) {
          expect(scenario.refusal('CallClose', {}, other), JSON.stringify(other)).toMatchObject({
            refused: 'not-your-role',
          });
        }
        for (const actor of [dealer, floor]) {
          expect(scenario.refusal('CloseBets', {}, actor), String(at)).toMatchObject(tooEarly);
        }
        expect(scenario.refusal('DealCard', card), String(at)).toMatchObject(tooEarly);
        expect(publicView(scenario.table!)).toMatchObject({ phase: 'betting', call: 'Place your bets, please' });
        expect(buildDealerView(scenario.table!).next).toContain('CallClose');
        stake += 100;
        if (bets === 'terminals') {
          expect(scenario.slip('T1', { player: stake })).toMatchObject([
            { type: 'SlipSet', debit: stake === 600 ? 600 : 100 },
          ]);
        }
      }
      expect(scenario.table!.round!.closesAt).toBe(closesAt);
      const [called] = scenario.do('CallClose', {});
      expect(called).toMatchObject({ type: 'ClosingCalled', actor: dealer, deadline: scenario.at, by: `${book} 3.2` });
      if (bets === 'terminals') {
        expect(scenario.refusal('DealCard', card)).toMatchObject(tooEarly);
        scenario.wait(500).do('CloseBets', {});
      }
      expect(scenario.do('DealCard', card)).toMatchObject([{ type: 'CardDealt' }]);
    });
  }

  /** Everything about the close that follows from its deadline. */
  const expectClosedAfter = (scenario: TableScenario, deadline: number, grace: number): void => {
    const slip = { round: scenario.round, slip: { player: 500 }, credit: 9000 };
    const last = deadline + grace;
    scenario.at = Math.max(scenario.at, last - 1);
    if (scenario.at < last) {
      for (const actor of [dealer, floor]) {
        expect(scenario.refusal('CloseBets', {}, actor)).toMatchObject({
          refused: 'close-too-early',
          until: last,
          by: `${book} 3.2`,
        });
      }
    }
    scenario.at = last;
    expect(scenario.do('SetSlip', slip, { terminal: 'T1' })).toMatchObject([{ type: 'SlipSet' }]);
    expect(scenario.refusal('DealCard', card)).toMatchObject(tooEarly);
    for (const afterwards of [1, 60_000]) {
      scenario.at = last + afterwards;
      expect(scenario.refusal('SetSlip', slip, { terminal: 'T2' })).toMatchObject({ ...late, until: last });
      expect(scenario.refusal('DealCard', card)).toMatchObject(tooEarly);
      // Time alone records no closing, not even with an event in between.
      scenario.do('AddNote', { text: 'a late slip' });
    }
    expect(scenario.refusal('DealCard', card)).toMatchObject(tooEarly);
    expect(scenario.do('CloseBets', {})).toMatchObject([{ type: 'BetsClosed', by: `${book} 3.2` }]);
    expect(scenario.do('DealCard', card)).toMatchObject([{ type: 'CardDealt' }]);
    expect(scenario.table!.round!.slips).toEqual({ T1: { player: 500 } });
  };

  test.each([0, 500, 2_000])(
    `[${book} 3.2] at ${game} a call keeps the promised betting time, whatever notice it gives, with a grace time of %i ms`,
    (grace) => {
      for (const extension of [0, 7_000]) {
        for (const elapsed of [0, 5_000, 19_999, 20_000, 26_999, 27_001, 90_000]) {
          for (const notice of [undefined, 0, 1, 3_000, 20_000]) {
            const scenario = readyTable(game, { grace }).bets();
            const promised = scenario.at + 20_000 + extension;
            if (extension > 0) scenario.do('ExtendBets', { time: extension });
            const [called] = scenario.wait(elapsed).do('CallClose', notice === undefined ? {} : { notice });
            const deadline = Math.max(promised, scenario.at + (notice ?? 0));
            expect(called, `${elapsed} ${notice}`).toMatchObject({ type: 'ClosingCalled', deadline });
            expect(publicView(scenario.table!).round).toMatchObject({ deadline });
            expectClosedAfter(scenario, deadline, grace);
          }
        }
      }
    },
  );
}
