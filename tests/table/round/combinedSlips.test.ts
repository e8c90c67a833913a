import { expect, test } from 'vitest';
import { games } from '../../../src/games/registry.ts';
import { versionedGameId, wagerIdsOf } from '../../../src/rules/game.ts';
import { readyTable } from '../tableScenario.ts';

/** A Player natural with a pair, a Banker win on 6, and a tie on naturals with two pairs. */
const dealsFor = (deck: string): readonly string[] =>
  deck === 'elements'
    ? ['91 21 92 42', '21 T3 22 64 T1', '41 42 44 45']
    : ['9S 2C 9H 4D', '2C KD 2D 6S KH', '4C 4D 4H 4S'];

/** All slips of some wagers; of many wagers each alone, all, all but each one, and by three deals each two. */
function combinationsOf(ids: readonly string[], deal: number): readonly (readonly string[])[] {
  if (ids.length <= 8) {
    return Array.from({ length: 2 ** ids.length - 1 }, (_, n) => ids.filter((_id, bit) => ((n + 1) >> bit) % 2 === 1));
  }
  const pairs = ids.flatMap((id, n) => ids.slice(0, n).map((one) => [one, id]));
  return [
    ids,
    ...ids.flatMap((id) => [[id], ids.filter((one) => one !== id)]),
    ...pairs.filter((_, n) => n % 3 === deal),
  ];
}

const upTo9 = (family: string, first: number): readonly string[] =>
  Array.from({ length: 10 - first }, (_, n) => `${family}-wins-on-${first + n}`);

/** The wagers that 3.5 of a live book names. */
const independentWagers: { readonly [book: string]: readonly string[] } = {
  BAC: 'banker player tie player-pair banker-pair'.split(' '),
  SUP: [
    'player banker tie player-red banker-red player-black banker-black sands-six',
    'player-precious-pair banker-precious-pair',
    ...upTo9('tie', 0),
    ...upTo9('player', 1),
    ...upTo9('banker', 1),
  ].flatMap((wagers) => wagers.split(' ')),
  ELM: 'player banker player-pair banker-pair tie fortune-six'.split(' '),
  FAB: 'player banker player-precious-pair banker-precious-pair tie player-fabulous-4 banker-fabulous-4'.split(' '),
};

for (const game of games) {
  const rows = game.book === 'ETG' ? ['READING 35'] : ['READING 35', `${game.book} 3.5`];
  test.each(rows)(
    `[%s] in ${game.id} wagers may be combined in any way, and a slip settles as the sum of its wagers`,
    () => {
      const named = independentWagers[game.book] ?? wagerIdsOf(game);
      expect(wagerIdsOf(game).toSorted()).toEqual(named.toSorted());
      for (const [deal, cards] of dealsFor(game.deck).entries()) {
        const slips = combinationsOf(named, deal);
        const scenario = readyTable(versionedGameId(game)).bets();
        for (const [n, wagers] of slips.entries()) {
          const slip = Object.fromEntries(wagers.map((wager) => [wager, 1000]));
          expect(scenario.slip(`T${n}`, slip)).toMatchObject([{ type: 'SlipSet', slip, debit: 1000 * wagers.length }]);
        }
        scenario.close().deal(cards).settle();
        const alone: { readonly [wager: string]: number } = Object.fromEntries(
          slips.flatMap((wagers, n) => (wagers.length === 1 ? [[wagers[0]!, scenario.balance(`T${n}`)]] : [])),
        );
        expect(Object.keys(alone)).toHaveLength(named.length);
        for (const [n, wagers] of slips.entries()) {
          const sum = wagers.reduce((all, wager) => all + alone[wager]!, 0);
          expect(scenario.balance(`T${n}`), wagers.join()).toBe(sum);
        }
      }
    },
  );
}

test.each(['super-six', 'super-6'])('[ETG 1.1.15] %s is accepted and paid without a main wager', (game) => {
  const scenario = readyTable(game).playRound('2H 4D TD 2D AH', { T7: { [game]: 1000 } });
  expect(scenario.table!.round!.slips).toEqual({ T7: { [game]: 1000 } });
  expect(scenario.balance('T7')).toBe(15_000);
});

test.each([
  ['ETG 1.1.2', 'big-tiger', '4C KH 7D JH AD 6C', 50, 20],
  ['ETG 1.1.14', 'small-tiger', '4C TD 6D 6C 5C', 22, 12],
] as const)('[%s] %s is staked alone or beside Tiger, and each is paid by itself', (_, wager, cards, odds, ofTiger) => {
  for (const game of ['tiger', 'tiger-no-commission']) {
    const slips = { T1: { [wager]: 1000 }, T2: { tiger: 1000 }, T3: { [wager]: 1000, tiger: 1000 } };
    const scenario = readyTable(game).playRound(cards, slips);
    expect(['T1', 'T2', 'T3'].map((terminal) => scenario.balance(terminal) / 1000)).toEqual([
      odds,
      ofTiger,
      odds + ofTiger,
    ]);
  }
});
