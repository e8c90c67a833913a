import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseGame } from '../../src/games/parseGame.ts';
import { games } from '../../src/games/registry.ts';
import { type Composition, parseComposition, freshShoe } from '../../src/odds/composition.ts';
import { countSixCardDraws, factDistributionOf } from '../../src/odds/distribution.ts';
import { fractionToNumber, formatFraction } from '../../src/odds/fraction.ts';
import { oddsOf, parSheetOf } from '../../src/odds/sheet.ts';
import { type Card, type DeckId, cardsOfDeck } from '../../src/rules/card.ts';
import { parseDeal } from '../../src/rules/deal.ts';
import { type FactName, type Facts, factNames } from '../../src/rules/facts.ts';
import { type Game, wagerIdsOf } from '../../src/rules/game.ts';
import { nextSlot } from '../../src/rules/play.ts';
import { type Wager, payLineFor, netPerUnitOf } from '../../src/rules/wager.ts';

const game = (id: string): Game => games.find((one) => one.id === id)!;

/** Every ordered draw of six physical cards, played through the real rules. */
function forEveryDraw(deck: DeckId, cards: readonly Card[], visit: (facts: Facts, drawCount: number) => void): void {
  const left = [...cards];
  const walk = (dealt: readonly Card[]): void => {
    if (nextSlot(dealt) === undefined) {
      const deal = parseDeal(dealt, { deck, decks: 10 });
      if ('refused' in deal) throw new Error(deal.message);
      let drawCount = 1;
      for (let out = dealt.length; out < 6; out++) drawCount *= cards.length - out;
      visit(deal.facts, drawCount);
      return;
    }
    for (let index = 0; index < left.length; index++) {
      const [card] = left.splice(index, 1) as [Card];
      walk([...dealt, card]);
      left.splice(index, 0, card);
    }
  };
  walk([]);
}

const shoeFrom = (deck: DeckId, cards: readonly Card[]): Composition => {
  const counts: Record<string, number> = {};
  for (const card of cards) counts[card] = (counts[card] ?? 0) + 1;
  const shoe = parseComposition(counts, deck);
  if ('refused' in shoe) throw new Error(shoe.message);
  return shoe;
};

const key = (facts: Facts, names: readonly FactName[]): string => names.map((name) => facts[name]).join(' ');

const smallShoes = (maxCards: number) =>
  fc.constantFrom<DeckId>('french', 'french', 'elements').chain((deck) =>
    fc.record({
      deck: fc.constant(deck),
      // Few identities, so that pairs and repeated cards are common.
      cards: fc
        .uniqueArray(fc.constantFrom(...cardsOfDeck(deck)), { minLength: 2, maxLength: 6 })
        .chain((some) => fc.array(fc.constantFrom(...some), { minLength: 6, maxLength: maxCards })),
    }),
  );

test('from any small shoe, the joint distribution of any facts is that of all draws through the real rules', () => {
  fc.assert(
    fc.property(smallShoes(8), fc.subarray([...factNames], { minLength: 1 }), ({ deck, cards }, names) => {
      const counted = new Map<string, number>();
      forEveryDraw(deck, cards, (facts, drawCount) => {
        counted.set(key(facts, names), (counted.get(key(facts, names)) ?? 0) + drawCount);
      });
      const shoe = shoeFrom(deck, cards);
      const found = new Map<string, number>();
      for (const { facts, ways: drawCount } of factDistributionOf(shoe, new Set(names))) {
        found.set(key(facts, names), (found.get(key(facts, names)) ?? 0) + Number(drawCount));
      }
      expect(found).toEqual(counted);
      expect([...found.values()].reduce((sum, drawCount) => sum + drawCount, 0)).toBe(Number(countSixCardDraws(shoe)));
    }),
    { numRuns: 60 },
  );
});

/** An invented game: its one wager mixes totals, pairs and colours. */
const mixed: Wager = {
  name: 'Mixed',
  by: 'house rule',
  lines: [
    { when: { winner: 'banker', bankerTotal: [6, 7], playerPair: true }, pays: [50, 1], by: 'a' },
    { when: { tigerPair: ['double', 'twin'], winner: 'tie' }, pays: 'push', by: 'b' },
    { when: { playerColour: 'red', bankerCards: 3, margin: [1, 2] }, pays: [3, 2], commission: [1, 20], by: 'c' },
    { when: { bankerPreciousPair: ['fours', 'diamond-fours'], playerNatural: true }, pays: [9, 1], by: 'd' },
  ],
};
const designed: Game = { ...game('tiger'), id: 'designed', wagers: { ...game('tiger').wagers, mixed } };

test('a wager that mixes totals with pairs and colours has the right odds, and covariance with every other', () => {
  expect(parseGame(designed)).toBe(designed);
  const ids = wagerIdsOf(designed);
  fc.assert(
    fc.property(
      smallShoes(8).filter(({ deck }) => deck === 'french'),
      ({ deck, cards }) => {
        const nets = (facts: Facts) =>
          ids.map((id) => netPerUnitOf(payLineFor(designed.wagers[id]!, facts))).map(([over, under]) => over / under);
        let draws = 0;
        const sums = ids.map(() => 0);
        const products = ids.map(() => ids.map(() => 0));
        forEveryDraw(deck, cards, (facts, drawCount) => {
          draws += drawCount;
          const round = nets(facts);
          round.forEach((a, i) => {
            sums[i]! += drawCount * a;
            round.forEach((b, j) => (products[i]![j]! += drawCount * a * b));
          });
        });
        const sheet = parSheetOf(designed, shoeFrom(deck, cards));
        expect(Number(sheet.deals)).toBe(draws);
        ids.forEach((a, i) => {
          expect(fractionToNumber(sheet.wagers[a]!.expected)).toBeCloseTo(sums[i]! / draws, 10);
          ids.forEach((b, j) => {
            const covariance = products[i]![j]! / draws - (sums[i]! / draws) * (sums[j]! / draws);
            expect(sheet.covariance[a]![b]!).toBeCloseTo(covariance, 8);
          });
          expect(sheet.covariance[a]![a]!).toBeCloseTo(fractionToNumber(sheet.wagers[a]!.variance), 10);
        });
      },
    ),
    { numRuns: 15 },
  );
});

test('the eight-deck counts are the published ones, and the sheet is exact beyond 2^53', () => {
  const { deals, wagers } = oddsOf(game('baccarat'), freshShoe({ deck: 'french', decks: 8 }));
  expect(deals).toBe(4_998_398_275_503_360n);
  expect(wagers['player']!.outcomes.map(({ count }) => count)).toEqual([
    2_292_252_566_437_888n,
    475_627_426_473_216n,
    2_230_518_282_592_256n,
  ]);
  expect(formatFraction(wagers['tie']!.expected)).toMatch(/^-\d+\/\d+$/);
  const largest = oddsOf(game('sands-elements'), freshShoe({ deck: 'elements', decks: 10 }));
  expect(largest.deals).toBe(650n * 649n * 648n * 647n * 646n * 645n);
  for (const { outcomes } of Object.values(largest.wagers)) {
    expect(outcomes.reduce((sum, { count }) => sum + count, 0n)).toBe(largest.deals);
  }
});

const edge = (id: string, wager: string, decks: number, digits: number): string => {
  const { deck } = game(id);
  return (100 * oddsOf(game(id), freshShoe({ deck, decks })).wagers[wager]!.houseEdge).toFixed(digits);
};

// House edge in percent with four to ten decks.
test.for([
  ['baccarat', 'player', '1.2421 1.2393 1.2374 1.2361 1.2351 1.2343 1.2337'],
  ['baccarat', 'banker', '1.0517 1.0542 1.0558 1.0570 1.0579 1.0586 1.0591'],
  ['no-commission', 'banker', '1.4482 1.4522 1.4548 1.4567 1.4581 1.4592 1.4601'],
  ['baccarat', 'tie', '14.5916 14.5001 14.4382 14.3934 14.3596 14.3332 14.3119'],
  ['baccarat', 'player-pair', '13.0435 11.9691 11.2540 10.7438 10.3614 10.0642 9.8266'],
  ['tiger', 'tiger-pair', '19.2582 18.0106 17.1737 16.5733 16.1217 15.7696 15.4874'],
  ['fabulous-4', 'player-precious-pair', '22.7703 21.7404 21.0549 20.5658 20.1993 19.9143 19.6865'],
  ['super-six', 'super-six', '13.9112 13.8737 13.8489 13.8312 13.8181 13.8078 13.7997'],
  ['tiger', 'tiger', '16.7825 16.7427 16.7163 16.6976 16.6836 16.6727 16.6640'],
  ['tiger', 'small-tiger', '14.3994 14.3725 14.3547 14.3420 14.3325 14.3252 14.3194'],
  ['tiger', 'big-tiger', '15.4018 15.3421 15.3025 15.2744 15.2533 15.2370 15.2239'],
  ['tiger', 'tiger-tie', '31.0854 30.9460 30.8527 30.7857 30.7354 30.6962 30.6648'],
  ['super-6', 'player-dragon-bonus', '2.6998 2.6803 2.6675 2.6584 2.6517 2.6464 2.6423'],
  ['super-6', 'banker-dragon-bonus', '9.4212 9.4017 9.3889 9.3798 9.3731 9.3678 9.3636'],
  ['sands-super', 'sands-six', '5.2021 5.1376 5.0946 5.0640 5.0410 5.0232 5.0089'],
  ['fabulous-4', 'banker', '1.5368 1.5410 1.5437 1.5457 1.5472 1.5483 1.5492'],
  ['fabulous-4', 'player', '1.6115 1.6085 1.6065 1.6051 1.6041 1.6033 1.6026'],
] as const)('%s %s has the house edges %s with four to ten decks', ([id, wager, expected]) => {
  expect([4, 5, 6, 7, 8, 9, 10].map((decks) => edge(id, wager, decks, 4)).join(' ')).toBe(expected);
});

// Published figures for wagers outside the ten games, defined by pay lines alone.
const elsewhere: { readonly [name: string]: Wager['lines'] } = {
  'tie at 9 to 1': [{ when: { winner: 'tie' }, pays: [9, 1], by: '' }],
  'banker six at 12 to 1': [{ when: { winner: 'banker', bankerTotal: 6 }, pays: [12, 1], by: '' }],
  'banker six at 12 and 23 to 1': [
    { when: { winner: 'banker', bankerTotal: 6, bankerCards: 2 }, pays: [12, 1], by: '' },
    { when: { winner: 'banker', bankerTotal: 6 }, pays: [23, 1], by: '' },
  ],
  'tie at six, 45 to 1': [{ when: { winner: 'tie', bankerTotal: 6 }, pays: [45, 1], by: '' }],
  'either hand paired, 5 to 1': [{ when: { tigerPair: ['single', 'double', 'twin'] }, pays: [5, 1], by: '' }],
  'three-card seven, 40 to 1': [{ when: { winner: 'banker', bankerTotal: 7, bankerCards: 3 }, pays: [40, 1], by: '' }],
  'three-card eight, 25 to 1': [{ when: { winner: 'player', playerTotal: 8, playerCards: 3 }, pays: [25, 1], by: '' }],
  'banker, four pushes': [
    { when: { winner: 'tie' }, pays: 'push', by: '' },
    { when: { winner: 'banker', bankerTotal: 4 }, pays: 'push', by: '' },
    { when: { winner: 'banker' }, pays: [1, 1], by: '' },
  ],
};

test.for([
  ['tie at 9 to 1', '4.844032', '4.931289'],
  ['banker six at 12 to 1', '29.977169', '30.002214'],
  ['banker six at 12 and 23 to 1', '11.698473', undefined],
  ['tie at six, 45 to 1', '11.495247', undefined],
  ['either hand paired, 5 to 1', '13.709877', '14.536481'],
  ['three-card seven, 40 to 1', '7.611334', '7.606190'],
  ['three-card eight, 25 to 1', '10.187632', '10.207383'],
  ['banker, four pushes', '2.033161', '2.028926'],
] as const)('%s has a house edge of %s with eight decks and %s with six', ([name, eight, six]) => {
  const invented: Game = { ...game('baccarat'), wagers: { made: { name, by: '', lines: elsewhere[name]! } } };
  const edgeOf = (decks: number) =>
    (100 * oddsOf(invented, freshShoe({ deck: 'french', decks })).wagers['made']!.houseEdge).toFixed(6);
  expect(edgeOf(8)).toBe(eight);
  if (six !== undefined) expect(edgeOf(6)).toBe(six);
});

test('the published frequencies of each winning total of each hand, for eight decks', () => {
  const shoe = freshShoe({ deck: 'french', decks: 8 });
  const rate = (side: 'player' | 'banker', total: number): string => {
    const fits = factDistributionOf(shoe, new Set<FactName>(['winner', `${side}Total`])).filter(
      ({ facts }) => facts.winner === side && facts[`${side}Total`] === total,
    );
    return (Number(fits.reduce((sum, { ways: drawCount }) => sum + drawCount, 0n)) / Number(countSixCardDraws(shoe)))
      .toFixed(9)
      .slice(1);
  };
  const totals = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  expect(totals.map((total) => rate('banker', total)).join(' ')).toBe(
    '.004859781 .008939180 .014590230 .032682428 .043357075 .053863716 .076880493 .106016854 .117407667',
  );
  expect(totals.map((total) => rate('player', total)).join(' ')).toBe(
    '.004929418 .008868546 .012593319 .017238677 .024575528 .062551817 .081634947 .111200262 .122654096',
  );
});

test('n 65-card decks are 1.25 n ordinary ones for every wager that ignores suits', () => {
  for (const [elements, ordinary] of [
    [4, 5],
    [8, 10],
  ] as const) {
    const ours = oddsOf(game('sands-elements'), freshShoe({ deck: 'elements', decks: elements }));
    const theirs = oddsOf(game('fortune-six'), freshShoe({ deck: 'french', decks: ordinary }));
    expect(ours.deals).toBe(theirs.deals);
    for (const [id, { outcomes }] of Object.entries(ours.wagers)) expect(outcomes).toEqual(theirs.wagers[id]!.outcomes);
  }
});

// Hit rate in percent and standard deviation with eight decks.
test.for([
  ['baccarat', 'player', '44.6247', '0.9512'],
  ['baccarat', 'banker', '45.8597', '0.9274'],
  ['no-commission', 'banker', '45.8597', '0.9296'],
  ['baccarat', 'tie', '9.5156', '2.6409'],
  ['baccarat', 'banker-pair', '7.4699', '3.1549'],
  ['super-six', 'super-six', '5.3864', '3.6120'],
  ['fortune-six', 'fortune-six', '5.3864', '3.5956'],
  ['tiger', 'small-tiger', '3.7247', '4.3554'],
  ['tiger', 'big-tiger', '1.6617', '6.5194'],
  ['tiger', 'tiger-tie', '1.9240', '4.9452'],
  ['tiger', 'tiger-pair', '14.3817', '2.9872'],
  ['super-6', 'player-dragon-bonus', '28.9887', '2.4736'],
  ['super-6', 'banker-dragon-bonus', '28.2795', '2.3045'],
  ['sands-super', 'sands-six', '13.5656', '2.3970'],
  ['sands-super', 'player-red', '24.9398', '1.2980'],
  ['sands-super', 'banker-black', '24.9398', '1.2980'],
  ['sands-super', 'banker-precious-pair', '7.4699', '2.8682'],
  ['fabulous-4', 'banker', '42.5915', '0.9415'],
  ['fabulous-4', 'player', '44.6247', '0.9521'],
] as const)('%s %s hits %s %% of rounds with a deviation of %s', ([id, wager, hit, sd]) => {
  const odds = oddsOf(game(id), freshShoe({ deck: 'french', decks: 8 })).wagers[wager]!;
  expect([(100 * odds.hitRate).toFixed(4), odds.sd.toFixed(4)]).toEqual([hit, sd]);
});

test('the largest payouts: tiger with a twin pair and a three-card six, and one unit on every winning spot', () => {
  const { wagers, worst } = parSheetOf(game('tiger'), freshShoe({ deck: 'french', decks: 8 }));
  expect(wagers['tiger-pair']!.largest).toEqual([100, 1]);
  // Both hands paired alike, Banker wins with a three-card six: 100 + 50 + 20 + 19/20.
  expect(formatFraction(worst.net)).toBe('3419/20');
  expect(worst.wagers).toEqual(['banker', 'tiger', 'big-tiger', 'tiger-pair']);
});

test('parseComposition refuses a value that is no shoe', () => {
  for (const value of [
    null,
    [],
    7,
    'KD',
    { KD: -1 },
    { KD: 1.5 },
    { KD: 11 },
    { KD: '7' },
    { KD: 5 },
    { KD: 4, kd: 4 },
  ]) {
    expect(parseComposition(value, 'french')).toMatchObject({ refused: 'bad-shoe' });
  }
  expect(parseComposition({ ZZ: 8 }, 'french')).toMatchObject({ refused: 'unknown-card' });
  expect(parseComposition({ L3: 8 }, 'french')).toMatchObject({ refused: 'wrong-deck' });
  expect(parseComposition({ kd: 3, '10h': 3 }, 'french')).toMatchObject({ size: 6 });
});
