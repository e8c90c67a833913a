import { beforeAll, expect, test } from 'vitest';
import { games } from '../../src/games/registry.ts';
import { freshShoe } from '../../src/odds/composition.ts';
import { oddsOf } from '../../src/odds/sheet.ts';
import { cardsOfDeck } from '../../src/rules/card.ts';
import { type Facts } from '../../src/rules/facts.ts';
import { payLineFor, netPerUnitOf } from '../../src/rules/wager.ts';
import { completed } from '../rulebook/deals.ts';
import { type Counts, countByRanks, edgeOf, percent, drawsOf } from './counts.ts';

// Published or independently counted figures, reproduced by full enumeration through the rules that settle rounds.
// Eight decks hold 32 cards of a rank, six 24; eight 65-card decks hold 40, as ten decks do.
let counts: Counts;
let elements: Counts;
beforeAll(() => {
  elements = countByRanks('elements', [40, 30]);
  counts = countByRanks('french', [32, 24, 40]);
});
const [eight, six, ten] = [0, 1, 2];

const won = (winner: Facts['winner']) => (facts: Facts) => facts.winner === winner;
const bankerSix = (cards: number) => (facts: Facts) =>
  facts.winner === 'banker' && facts.bankerTotal === 6 && facts.bankerCards === cards;

test('the published eight-deck counts of Banker, Player and Tie', () => {
  expect(drawsOf(counts, eight)).toBe(4_998_398_275_503_360n);
  expect(drawsOf(counts, eight, won('banker'))).toBe(2_292_252_566_437_888n);
  expect(drawsOf(counts, eight, won('player'))).toBe(2_230_518_282_592_256n);
  expect(drawsOf(counts, eight, won('tie'))).toBe(475_627_426_473_216n);
});

test('the published six-deck counts', () => {
  expect(drawsOf(counts, six, won('banker'))).toBe(403_095_751_234_560n);
  expect(drawsOf(counts, six, won('player'))).toBe(392_220_492_728_832n);
  expect(drawsOf(counts, six, won('tie'))).toBe(83_552_962_932_288n);
});

test('the total of a ten-deck shoe, which equals that of eight 65-card decks, and counts of six of those', () => {
  expect(drawsOf(counts, ten)).toBe(19_206_486_926_827_200n);
  expect(drawsOf(elements, 0)).toBe(19_206_486_926_827_200n);
  expect(['player', 'banker', 'tie'].map((wager) => edges('sands-elements', wager, 6, [1])[0])).toEqual([
    '1.235547',
    '1.457446',
    '14.375430',
  ]);
});

test('the published counts of two-card and three-card Banker sixes and of ties at six', () => {
  expect(drawsOf(counts, eight, bankerSix(2))).toBe(186_173_936_904_192n);
  expect(drawsOf(counts, eight, bankerSix(3))).toBe(83_058_367_551_488n);
  expect(drawsOf(counts, eight, (facts) => facts.winner === 'tie' && facts.playerTotal === 6)).toBe(
    96_170_001_308_416n,
  );
  const { wagers } = oddsOf(
    games.find(({ id }) => id === 'tiger')!,
    freshShoe({ deck: 'french', decks: 8 }),
  );
  const paid = (wager: string) => wagers[wager]!.outcomes.slice(1).map(({ count }) => count);
  expect(paid('tiger')).toEqual([186_173_936_904_192n, 83_058_367_551_488n]);
  expect(paid('tiger-tie')).toEqual([96_170_001_308_416n]);
});

const edges = (game: string, wager: string, decimals: number, shoes: readonly number[]): readonly string[] => {
  const found = games.find(({ id }) => id === game)!;
  const from = found.deck === 'elements' ? elements : counts;
  return shoes.map((shoe) => {
    const counted = edgeOf(from, shoe, found.wagers[wager]!, decimals);
    // The exact odds give the same by another method.
    const decks = found.deck === 'elements' ? [8, 6][shoe]! : [8, 6, 10][shoe]!;
    const { houseEdge } = oddsOf(found, freshShoe({ deck: found.deck, decks })).wagers[wager]!;
    expect((100 * houseEdge).toFixed(decimals)).toBe(counted);
    return counted;
  });
};

test.for([
  ['baccarat', 'player', '1.235081', '1.237415'],
  ['baccarat', 'banker', '1.057906', '1.055849'],
  ['baccarat', 'tie', '14.359629', '14.438160'],
  ['baccarat', 'player-pair', '10.361446', '11.254019'],
  ['baccarat', 'banker-pair', '10.361446', '11.254019'],
  ['no-commission', 'banker', '1.458104', '1.454808'],
  ['super-six', 'super-six', '13.818055', '13.848878'],
  ['super-6', 'super-6', '13.818055', '13.848878'],
  ['fortune-six', 'fortune-six', '16.683572', '16.716333'],
  ['tiger', 'tiger', '16.683572', '16.716333'],
  ['tiger', 'small-tiger', '14.332546', '14.354668'],
  ['tiger', 'big-tiger', '15.253317', '15.302513'],
  ['tiger', 'tiger-tie', '30.735410', '30.852661'],
  ['tiger', 'tiger-pair', '16.121722', '17.173661'],
  ['super-6', 'player-dragon-bonus', '2.651675', '2.667513'],
  ['super-6', 'banker-dragon-bonus', '9.373074', '9.388930'],
  ['fabulous-4', 'player', '1.604073', '1.606530'],
  ['fabulous-4', 'banker', '1.547183', '1.543742'],
  ['fabulous-4', 'player-fabulous-4', '12.082750', '12.162346'],
  ['fabulous-4', 'banker-fabulous-4', '15.025688', '15.075139'],
] as const)('the house edge of %s %s is %s %% with eight decks, %s %% with six', ([game, wager, ...expected]) => {
  expect(edges(game, wager, 6, [eight, six])).toEqual(expected);
});

test.for([
  ['player', '1.233686'],
  ['banker', '1.460075'],
  ['tie', '14.311943'],
  ['fortune-six', '16.664021'],
  ['player-pair', '9.826590'],
  ['banker-pair', '9.826590'],
] as const)('the house edge of sands-elements %s is %s %% with eight 65-card decks', ([wager, expected]) => {
  expect(edges('sands-elements', wager, 6, [0])).toEqual([expected]);
});

test('the house edges of Sands Six and of all Wins On wagers', () => {
  expect(edges('sands-super', 'sands-six', 4, [eight])).toEqual(['5.0410']);
  const winsOn = (kind: string, from: number) =>
    Array.from(
      { length: 10 - from },
      (_, n) => edges('sands-super', `${kind}-wins-on-${n + from}`, 2, [eight])[0],
    ).join(' ');
  expect(winsOn('player', 1)).toBe('25.57 28.16 35.77 12.08 23.82 24.94 26.53 22.16 26.41');
  expect(winsOn('banker', 1)).toBe('26.62 27.59 25.59 15.03 30.63 35.36 30.81 25.79 29.56');
  expect(winsOn('tie', 0)).toBe('41.44 38.07 39.56 32.78 26.66 35.69 30.74 26.74 44.01 43.73');
});

test('the house edges of the wagers on suits: Red, Black and Precious Pair', () => {
  const cards = cardsOfDeck('french');
  const edge = (game: string, id: string): string => {
    const wager = games.find((one) => one.id === game)!.wagers[id]!;
    let net = 0;
    for (const a of cards) {
      for (const b of cards) {
        const four = id.startsWith('player') ? ([a, '8C', b, 'KC'] as const) : (['8C', a, 'KC', b] as const);
        const [over, under] = netPerUnitOf(payLineFor(wager, completed(four, 'french').facts));
        net += 8 * (a === b ? 7 : 8) * (over / under);
      }
    }
    return percent(BigInt(-net), 416n * 415n, 4);
  };
  for (const side of ['player', 'banker']) {
    expect(edge('sands-super', `${side}-red`)).toBe('25.1807');
    expect(edge('sands-super', `${side}-black`)).toBe('25.1807');
    expect(edge('sands-super', `${side}-precious-pair`)).toBe('20.1993');
    expect(edge('fabulous-4', `${side}-precious-pair`)).toBe('20.1993');
  }
});
