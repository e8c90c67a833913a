import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseGame } from '../../src/games/parseGame.ts';
import { sandsSuper } from '../../src/games/sandsSuper.ts';
import { games } from '../../src/games/registry.ts';
import { type Card, type DeckId, cardsOfDeck, pointsOf, suitOf } from '../../src/rules/card.ts';
import { decidedWagers } from '../../src/rules/decidedWagers.ts';
import { parseDeal } from '../../src/rules/deal.ts';
import { type Facts, factNames, factValues } from '../../src/rules/facts.ts';
import { type Game, wagerIdsOf } from '../../src/rules/game.ts';
import { nextSlot } from '../../src/rules/play.ts';
import { type WagerResultKind, wagerOutcomeOf } from '../../src/rules/settle.ts';
import { type Wager, payLineIndexFor } from '../../src/rules/wager.ts';
import { everyFacts } from '../rulebook/deals.ts';
import { sampleOf, times } from '../times.ts';

/** All possible results of each wager, from every completion with the given cards. */
function resultsByForce(game: Game, dealt: readonly Card[], cards: readonly Card[], thirds: readonly Card[]) {
  const results = new Map(wagerIdsOf(game).map((id) => [id, new Set<WagerResultKind>()]));
  const open = new Set(results.keys());
  const playOut = (soFar: readonly Card[]): void => {
    if (open.size === 0) return;
    const slot = nextSlot(soFar);
    if (slot !== undefined) {
      for (const card of slot.endsWith('3') ? thirds : cards) playOut([...soFar, card]);
      return;
    }
    const deal = parseDeal(soFar, { deck: game.deck, decks: 10 });
    if ('refused' in deal) throw new Error(deal.message);
    for (const id of open) {
      const found = results.get(id)!.add(wagerOutcomeOf(game.wagers[id]!, deal.facts).result);
      // With two possible results a wager is not certain.
      if (found.size > 1) open.delete(id);
    }
  };
  playOut(dealt);
  const only = (result: WagerResultKind) => wagerIdsOf(game).filter((id) => [...results.get(id)!].join('') === result);
  const [won, lost] = [only('win'), only('lose')];
  return { established: won.length + lost.length > 0, won, lost };
}

/** One card for every rank and colour. */
const classesOf = (deck: DeckId): readonly Card[] =>
  deck === 'elements'
    ? cardsOfDeck(deck).slice(0, 13)
    : cardsOfDeck(deck).filter((card) => 'DS'.includes(suitOf(card)));

const onePerPoint = (deck: DeckId): readonly Card[] => cardsOfDeck(deck).slice(0, 10);

/** Third cards that keep, raise and wrap totals: a 10, a 2, a 6 and a 9, and one of another point. */
function thirdsOf(deck: DeckId): readonly Card[] {
  const all = onePerPoint(deck);
  const needed = [9, 1, 5, 8].map((index) => all[index]!);
  const others = all.filter((card) => !needed.includes(card));
  return [...needed, ...sampleOf('third cards', others, 1)];
}

const prefixes = (lengths: readonly number[], of: readonly Game[] = games) =>
  fc.constantFrom(...of).chain((game) =>
    fc
      .tuple(
        fc.constantFrom(...lengths),
        fc.array(fc.constantFrom(...cardsOfDeck(game.deck)), { minLength: 6, maxLength: 6 }),
      )
      .map(([length, six]) => {
        const cards: Card[] = [];
        for (const card of six.slice(0, length)) if (nextSlot(cards) !== undefined) cards.push(card);
        return { game, cards };
      }),
  );

test('[ETG 5.9] certain agrees with every completion by all cards of the deck, after four, five and six cards', () => {
  fc.assert(
    fc.property(prefixes([4, 5, 6]), ({ game, cards }) => {
      const all = cardsOfDeck(game.deck);
      expect(decidedWagers(game, wagerIdsOf(game), cards)).toEqual(resultsByForce(game, cards, all, all));
    }),
    { numRuns: times(150) },
  );
});

test('[ETG 5.9] certain agrees with every completion by all cards of the deck, after three cards', () => {
  fc.assert(
    fc.property(prefixes([3]), ({ game, cards }) => {
      const all = cardsOfDeck(game.deck);
      expect(decidedWagers(game, wagerIdsOf(game), cards)).toEqual(resultsByForce(game, cards, all, all));
    }),
    { numRuns: times(30) },
  );
});

test('[ETG 5.9] certain agrees with every completion by rank and colour, after two cards', () => {
  fc.assert(
    fc.property(prefixes([2]), ({ game, cards }) => {
      const brute = resultsByForce(game, cards, classesOf(game.deck), onePerPoint(game.deck));
      expect(decidedWagers(game, wagerIdsOf(game), cards)).toEqual(brute);
    }),
    { numRuns: times(20) },
  );
});

for (const game of games) {
  test(`[${game.book === 'ETG' ? 'ETG 5.9' : 'HOUSE 6'}] ${game.id}: certain agrees with every completion by rank and colour, after none and one card`, () => {
    const ids = wagerIdsOf(game);
    const first: readonly Card[] = game.deck === 'french' ? ['QS'] : ['L3'];
    for (const cards of [[], ...first.map((card) => [card])]) {
      const brute = resultsByForce(game, cards, classesOf(game.deck), thirdsOf(game.deck));
      expect(decidedWagers(game, ids, cards)).toEqual(brute);
    }
  });
}

test('no wager of any game is decided before the first card', () => {
  const nothing = { established: false, won: [], lost: [] };
  for (const game of games) expect(decidedWagers(game, wagerIdsOf(game), []), game.id).toEqual(nothing);
});

test('[HOUSE 6] a black first card settles the Red wager of that hand at once', () => {
  const ids = wagerIdsOf(sandsSuper);
  expect(decidedWagers(sandsSuper, ids, ['QS'])).toEqual({ established: true, won: [], lost: ['player-red'] });
  expect(decidedWagers(sandsSuper, ids, ['QH', '4D'])).toEqual({
    established: true,
    won: [],
    lost: ['player-black', 'banker-black'],
  });
});

test('[ETG 5.9] only offered wagers count, and without any nothing is established', () => {
  fc.assert(
    fc.property(
      prefixes([0, 1, 2, 3, 4, 5, 6]).chain(({ game, cards }) =>
        fc.record({ game: fc.constant(game), cards: fc.constant(cards), offered: fc.subarray([...wagerIdsOf(game)]) }),
      ),
      ({ game, cards, offered }) => {
        const all = decidedWagers(game, wagerIdsOf(game), cards);
        const some = decidedWagers(game, offered, cards);
        const ofOffered = (ids: readonly string[]) => ids.filter((id) => offered.includes(id));
        expect([some.won, some.lost]).toEqual([ofOffered(all.won), ofOffered(all.lost)]);
        expect(some.established).toBe(some.won.length + some.lost.length > 0);
      },
    ),
    { numRuns: times(300) },
  );
  expect(decidedWagers(sandsSuper, [], ['9S', '2C', '9H', '4D'])).toEqual({ established: false, won: [], lost: [] });
});

test('[READING 10] only main wagers: 37.9 % of eight-deck deals are established after card four, 48.9 % after card five', () => {
  const game = games.find(({ id }) => id === 'tiger')!;
  // One card for each point value: 128 cards of a shoe are worth nothing, 32 each of the other values.
  const values = cardsOfDeck('french').slice(0, 10);
  const copies = (card: Card): number => (pointsOf(card) === 0 ? 128 : 32);
  for (const [offered, percentages] of [
    [
      ['player', 'banker', 'tie'],
      ['37.9', '48.9'],
    ],
    // Without Tie a deal that ends in a tie decides nothing.
    [
      ['player', 'banker'],
      ['34.3', '44.6'],
    ],
  ] as const) {
    const reached = [0, 0, 0, 0, 0, 0];
    const established = [0, 0, 0, 0, 0, 0];
    const playOut = (cards: readonly Card[], draws: number): void => {
      if (cards.length >= 4) {
        reached[cards.length]! += draws;
        if (decidedWagers(game, offered, cards).established) established[cards.length]! += draws;
        if (cards.length === 5 || nextSlot(cards) === undefined) return;
      }
      for (const card of values) {
        const out = cards.filter((one) => one === card).length;
        playOut([...cards, card], (draws * (copies(card) - out)) / (416 - cards.length));
      }
    };
    playOut([], 1);
    expect([4, 5].map((n) => ((100 * established[n]!) / reached[n]!).toFixed(1))).toEqual(percentages);
  }
});

const anyWhen = fc
  .subarray([...factNames], { maxLength: 3 })
  .chain((names) =>
    fc
      .tuple(...names.map((name) => fc.subarray([...factValues[name]] as unknown[], { minLength: 1 })))
      .map((lists) =>
        Object.fromEntries(names.map((name, n) => [name, lists[n]!.length === 1 ? lists[n]![0] : lists[n]])),
      ),
  );
const anyLine = fc.record({
  when: anyWhen,
  pays: fc.constantFrom<unknown>('push', [8, 1], [1, 2]),
  by: fc.constant('house rule'),
});

test('an invented game is accepted exactly when every line of it is the first match of some deal', () => {
  const frenchFacts: readonly Facts[] = everyFacts('french');
  let taken = 0;
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 1, maxLength: 4 }), (lines) => {
      const wager = { name: 'Made up', by: 'house rule', lines } as unknown as Wager;
      const reached = new Set(frenchFacts.map((facts) => payLineIndexFor(wager, facts)));
      const hidden = lines.findIndex((_, index) => !reached.has(index));
      const game: Game = { ...games[0]!, wagers: { 'made-up': wager } };
      const read = parseGame(game);
      if (hidden < 0) {
        expect(read).toBe(game);
        taken++;
      } else
        expect(read).toMatchObject({
          message: expect.stringContaining(`wagers.made-up.lines[${hidden}]: no deal`) as string,
        });
    }),
    { numRuns: times(50) },
  );
  expect(taken).toBeGreaterThan(0);
});

test('certain is right for a wager that mixes totals with pairs and colours', () => {
  const wager: Wager = {
    name: 'Mixed',
    by: 'house rule',
    lines: [
      { when: { winner: 'banker', bankerTotal: 6, playerPair: true }, pays: [50, 1], by: 'a' },
      { when: { tigerPair: ['double', 'twin'], winner: 'tie' }, pays: 'push', by: 'b' },
      { when: { playerColour: 'red', bankerCards: 3, margin: [1, 2] }, pays: [3, 1], by: 'c' },
    ],
  };
  const game: Game = { ...games[0]!, wagers: { mixed: wager } };
  expect(parseGame(game)).toBe(game);
  fc.assert(
    fc.property(prefixes([3, 4, 5], [game]), ({ cards }) => {
      const all = cardsOfDeck('french');
      expect(decidedWagers(game, ['mixed'], cards)).toEqual(resultsByForce(game, cards, all, all));
    }),
    { numRuns: times(25) },
  );
});

test('certain agrees with every completion for invented wagers of any lines', () => {
  fc.assert(
    fc.property(
      fc.array(anyLine, { minLength: 1, maxLength: 3 }),
      prefixes([3, 4, 5], [games[0]!]),
      (lines, { cards }) => {
        const wager = { name: 'Made up', by: 'house rule', lines } as unknown as Wager;
        const invented: Game = { ...games[0]!, wagers: { 'made-up': wager } };
        const all = classesOf('french');
        expect(decidedWagers(invented, ['made-up'], cards)).toEqual(
          resultsByForce(invented, cards, cardsOfDeck('french'), all.slice(0, 13)),
        );
      },
    ),
    { numRuns: times(60) },
  );
});

test('twins and doubles are distinguished before they are known', () => {
  const wager: Wager = {
    name: 'Twins',
    by: 'house rule',
    lines: [
      { when: { tigerPair: 'twin' }, pays: [100, 1], by: 'a' },
      { when: { tigerPair: 'double' }, pays: 'push', by: 'b' },
      { when: { tigerPair: 'none' }, pays: [1, 1], by: 'c' },
    ],
  };
  const invented: Game = { ...games[0]!, wagers: { twins: wager } };
  expect(decidedWagers(invented, ['twins'], ['9S', '9C', '9H'])).toEqual({ established: false, won: [], lost: [] });
  expect(decidedWagers(invented, ['twins'], ['9S', 'QC', '9H', '9D'])).toEqual({
    established: true,
    won: [],
    lost: ['twins'],
  });
  expect(decidedWagers(invented, ['twins'], ['9S', 'QC', '9H', 'QD'])).toEqual({
    established: false,
    won: [],
    lost: [],
  });
  expect(decidedWagers(invented, ['twins'], ['9S', '9C', '9H', '9D'])).toEqual({
    established: true,
    won: ['twins'],
    lost: [],
  });
});
