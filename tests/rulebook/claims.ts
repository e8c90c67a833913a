import { expect, test } from 'vitest';
import { findGame, isInForce } from '../../src/games/registry.ts';
import { type Card, type DeckId, cardsOfDeck, parseCard, pointsOf, rankOf, suitOf } from '../../src/rules/card.ts';
import { parseDeal } from '../../src/rules/deal.ts';
import { type Facts } from '../../src/rules/facts.ts';
import { type Game, wagerOf } from '../../src/rules/game.ts';
import { type Side, totalOf } from '../../src/rules/hand.ts';
import { handsOf, nextSlot } from '../../src/rules/play.ts';
import { type Wager } from '../../src/rules/wager.ts';
import { decidedWagers } from '../../src/rules/decidedWagers.ts';
import { wagerOutcomeOf } from '../../src/rules/settle.ts';
import { allCardsOfShoe, parseShoeDecks } from '../../src/rules/shoe.ts';
import { completed, countedFacts, everyOutcome, firstFour, ranksOf, twoCards } from './deals.ts';
import { resultOf, tierOf } from './liveClaims.ts';

// Claims of all five books, each under its own row.

/** [title] The game is in the registry from its first day on, and an earlier round cannot use it. */
export function inForceFrom(id: string, game: string, version: string, from: string, justBefore: string): void {
  test(`[${id}] ${game} is version ${version}, in force from ${from}`, () => {
    const found = findGame(game, from);
    expect(found).toMatchObject({ id: game, version, effective: from });
    expect(isInForce(found as Game, from)).toBe(true);
    expect(isInForce(found as Game, justBefore)).toBe(false);
    for (const before of [justBefore, `${from.slice(0, 8)}01`, '2016-12-31T23:59:59', '1999-01-01', '0001-01-01']) {
      expect(findGame(game, before), before).toMatchObject({ refused: 'game-not-in-force' });
    }
    for (const later of [`${from.slice(0, 10)}T23:59:59`, '2022-01-01', '2999-12-31T00:00:00']) {
      expect(findGame(game, later), later).toBe(found);
    }
  });
}

/** [3.3] Point values of all cards, in every suit. */
export function points(book: string, deck: DeckId): void {
  test(`[${book} 3.3.1] an ace counts one, two to nine their number`, () => {
    const worth = cardsOfDeck(deck).filter((card) => 'A23456789'.includes(rankOf(card)));
    expect(worth).toHaveLength(deck === 'french' ? 36 : 45);
    for (const card of worth) expect(pointsOf(card)).toBe(valueOf(card));
  });
  test(`[${book} 3.3.2] ten and the three pictures count zero`, () => {
    const pictures = deck === 'french' ? 'TJQK' : 'TSLF';
    const zeros = cardsOfDeck(deck).filter((card) => pictures.includes(rankOf(card)));
    expect(zeros).toHaveLength(deck === 'french' ? 16 : 20);
    for (const card of zeros) expect(pointsOf(card)).toBe(0);
  });
}

/** The value of a card by its rank: an ace one, two to nine their number, all others nothing. */
const valueOf = (card: Card): number => 'A23456789'.indexOf(rankOf(card)) + 1;
const sumOf = (hand: readonly Card[]): number => hand.reduce((sum, card) => sum + valueOf(card), 0);

/** [3.4] Totals of all hands of two and three ranks. */
export function totals(book: string, deck: DeckId): void {
  const ranks = ranksOf(deck);
  const hands = ranks.flatMap((a) => ranks.flatMap((b) => [[a, b], ...ranks.map((c) => [a, b, c])]));
  test(`[${book} 3.4.1] a sum up to nine is the total`, () => {
    const small = hands.filter((hand) => sumOf(hand) <= 9);
    expect(small.length).toBeGreaterThan(100);
    for (const hand of small) expect(totalOf(hand)).toBe(sumOf(hand));
  });
  test(`[${book} 3.4.2] a sum of ten or more counts as its last digit`, () => {
    const large = hands.filter((hand) => sumOf(hand) >= 10);
    expect(new Set(large.map(sumOf)).size).toBe(18);
    for (const hand of large) expect(String(totalOf(hand)), hand.join(' ')).toBe(String(sumOf(hand)).slice(-1));
    expect([totalOf([ranks[8]!, ranks[0]!]), totalOf([ranks[8]!, ranks[8]!, ranks[8]!])]).toEqual([0, 7]);
  });
}

/** [2.1] Four to ten decks, each card once a deck. */
export function shoes(id: string, deck: DeckId, size: number): void {
  test(`[${id}] a shoe is four to ten decks of ${size} cards`, () => {
    for (let decks = 4; decks <= 10; decks++) {
      const shoe = parseShoeDecks(deck, decks);
      if ('refused' in shoe) throw new Error(shoe.message);
      const cards = allCardsOfShoe(shoe);
      expect(cards).toHaveLength(size * decks);
      const copies = new Map<Card, number>();
      for (const card of cards) copies.set(card, (copies.get(card) ?? 0) + 1);
      expect(copies.size).toBe(size);
      // Every suit with every rank.
      expect(new Set([...copies.keys()].map(rankOf)).size).toBe(13);
      expect(new Set([...copies.keys()].map(suitOf)).size).toBe(size / 13);
      expect([...copies.values()].every((n) => n === decks)).toBe(true);
    }
    const others = Array.from({ length: 200 }, (_, n) => n - 50).filter((decks) => decks < 4 || decks > 10);
    for (const decks of [...others, 3.999, 4.5, 9.5, 10.001, Number.NaN, Infinity, '8', null, [8]]) {
      expect(parseShoeDecks(deck, decks), String(decks)).toMatchObject({ refused: 'bad-decks' });
      expect(parseDeal([], { deck, decks: decks as number })).toMatchObject({ refused: 'bad-decks' });
    }
  });
  test(`[${id}] a deck has no card but its ${size}: a joker is refused, as is every other text of two characters`, () => {
    for (const joker of ['Joker', 'JOKER', 'joker', 'JK', 'RJ', 'BJ', '*', 'X', 'W1', '🃏', '']) {
      expect(parseCard(joker, deck), joker).toHaveProperty('refused');
      expect(parseDeal([cardsOfDeck(deck)[0]!, joker], { deck, decks: 8 }), joker).toHaveProperty('refused');
    }
    const characters = Array.from({ length: 0x7f - 0x21 }, (_, n) => String.fromCharCode(0x21 + n));
    const accepted = characters.flatMap((rank) =>
      characters.map((suit) => rank + suit).filter((text) => typeof parseCard(text, deck) === 'string'),
    );
    for (const text of accepted) expect(parseCard(text, deck)).toBe(text.toUpperCase());
    expect(new Set(accepted.map((text) => text.toUpperCase()))).toEqual(new Set(cardsOfDeck(deck)));
    expect(new Set(cardsOfDeck(deck)).size).toBe(size);
  });
}

/** [3.6, 3.7] Two hands, filled in turn. */
export function dealingOrder(ids: { hands: string; player: string; banker: string }, deck: DeckId): void {
  // Six cards, all different: Player 1 + 2 draws a third card, Banker 0 draws one too.
  const [a, two, three, , , , , , , ten, jack] = ranksOf(deck) as [Card, Card, Card, ...Card[]];
  const cards = [a, ten!, two, jack!, three, cardsOfDeck(deck)[13 + 3]!] as readonly Card[];
  const deal = completed(cards, deck);
  test(`[${ids.hands}] a round has a Player hand and a Banker hand and no other`, () => {
    expect(Object.keys(deal.hands)).toEqual(['player', 'banker']);
    for (const { hands, cards: all } of everyOutcome(deck)) {
      expect([...hands.player, ...hands.banker].toSorted()).toEqual(all.toSorted());
    }
  });
  test(`[${ids.player}] the first and the third card are the Player's first two`, () => {
    expect([0, 2].map((index) => nextSlot(cards.slice(0, index)))).toEqual(['P1', 'P2']);
    expect(deal.hands.player).toEqual([cards[0], cards[2], cards[4]]);
    for (const { hands, cards: all } of everyOutcome(deck)) {
      expect(hands.player.slice(0, 2)).toEqual([all[0], all[2]]);
    }
  });
  test(`[${ids.banker}] the second and the fourth card are the Banker's first two`, () => {
    expect([1, 3].map((index) => nextSlot(cards.slice(0, index)))).toEqual(['B1', 'B2']);
    expect(deal.hands.banker).toEqual([cards[1], cards[3], cards[5]]);
    for (const { hands, cards: all } of everyOutcome(deck)) {
      expect(hands.banker.slice(0, 2)).toEqual([all[1], all[3]]);
    }
  });
}

/** [1.1] The initial deal is two and two cards; facts about it do not change with third cards. */
export function initialDeal(id: string, deck: DeckId): void {
  const cards = cardsOfDeck(deck);
  const traits = ['Pair', 'PreciousPair', 'Colour'] as const;
  test(`[${id}] naturals, pairs, tiers and colours are those of the first four cards, whatever third cards follow`, () => {
    // Every rank and suit opens a hand that draws, paired and not; third cards repeat the first or are any other.
    let drawn = 0;
    for (const first of cards) {
      for (const second of [first, cards[0]!, cards[14]!, cards[cards.length - 1]!]) {
        for (const other of [first, cards[3]!]) {
          const four = [first, other, second, other] as const;
          const facts = [first, cards[8]!, cards[16]!].flatMap((third) => {
            const dealtOut: Card[] = [...four];
            while (nextSlot(dealtOut) !== undefined) dealtOut.push(third);
            drawn += dealtOut.length - 4;
            return [completed(dealtOut, deck).facts];
          });
          for (const side of ['player', 'banker'] as const) {
            const hand = side === 'player' ? [first, second] : [other, other];
            expect(facts[0]![`${side}Pair`]).toBe(rankOf(hand[0]!) === rankOf(hand[1]!));
            for (const one of facts) expect(one[`${side}Natural`]).toBe(sumOf(hand) % 10 >= 8);
            for (const trait of traits) {
              expect(new Set(facts.map((one) => one[`${side}${trait}`])).size).toBe(1);
            }
          }
          expect(new Set(facts.map(({ tigerPair }) => tigerPair)).size).toBe(1);
        }
      }
    }
    expect(drawn).toBeGreaterThan(500);
  });
  test(`[${id}] the state with two cards each comes after the fourth card and ends with the fifth`, () => {
    for (const { cards: all } of everyOutcome(deck)) {
      const sizes = all
        .map((_, index) => handsOf(all.slice(0, index + 1)))
        .map(({ player, banker }) => [player.length, banker.length].join());
      expect(sizes.indexOf('2,2')).toBe(3);
      expect(sizes.lastIndexOf('2,2')).toBe(3);
    }
  });
}

/** [1.1] A total comes from the cards alone. */
export function freshTotals(id: string, deck: DeckId): void {
  test(`[${id}] the totals of a round follow from its cards alone`, () => {
    for (const { cards, hands, facts } of everyOutcome(deck)) {
      expect([facts.playerTotal, facts.bankerTotal]).toEqual([totalOf(hands.player), totalOf(hands.banker)]);
      expect(completed(cards, deck).facts).toEqual(facts);
      for (const side of ['player', 'banker'] as const) {
        expect(facts[`${side}Total`]).toBe(sumOf(hands[side]) % 10);
      }
    }
  });
}

/** [3.9.1, 3.10] The higher total wins, equal totals tie, over all hundred pairs of final totals. */
export function winner(ids: { winner: string; tie: string }, deck: DeckId): void {
  const deals = everyOutcome(deck);
  test(`[${ids.winner}] the higher final total wins`, () => {
    expect(new Set(deals.map(({ facts }) => `${facts.playerTotal} ${facts.bankerTotal}`)).size).toBe(100);
    for (const { cards, facts } of deals) {
      const { playerTotal: p, bankerTotal: b } = countedFacts(cards);
      if (p !== b) expect(facts.winner).toBe(p > b ? 'player' : 'banker');
      expect(facts.margin).toBe(Math.max(p, b) - Math.min(p, b));
    }
  });
  test(`[${ids.tie}] equal final totals are a tie, at each of the ten totals`, () => {
    const ties = deals.filter(({ facts }) => facts.playerTotal === facts.bankerTotal);
    expect(new Set(ties.map(({ facts }) => facts.playerTotal)).size).toBe(10);
    for (const { cards, facts } of deals) {
      const { playerTotal: p, bankerTotal: b } = countedFacts(cards);
      expect(facts.winner === 'tie').toBe(p === b);
    }
  });
}

/** [1.1] The final totals decide whether a round is a tie; equal totals after four cards do not. */
export function finalTie(id: string, deck: DeckId): void {
  test(`[${id}] a round is a tie with equal final totals, and with no others, whatever the totals were after four cards`, () => {
    const seen = new Set<string>();
    for (const { cards, hands, facts } of everyOutcome(deck)) {
      const isLevel = sumOf(hands.player) % 10 === sumOf(hands.banker) % 10;
      expect(facts.winner === 'tie', cards.join(' ')).toBe(isLevel);
      const [p1, b1, p2, b2] = cards as [Card, Card, Card, Card];
      if (cards.length > 4) seen.add(`${sumOf([p1, p2]) % 10 === sumOf([b1, b2]) % 10} ${isLevel}`);
    }
    // Level after four cards and at the end, at one of these times, and at neither.
    expect(seen.size).toBe(4);
  });
}

/** A wager wins, pushes or loses exactly as the given predicates say, over all outcomes. */
export function winsIff(
  id: string,
  game: Game,
  wager: string,
  wins: (facts: Facts) => boolean,
  pushes: (facts: Facts) => boolean = () => false,
): void {
  test(`[${id}] ${game.id}: when ${wager} wins, over all final totals and numbers of cards`, () => {
    const found = wagerOf(game, wager);
    if ('refused' in found) throw new Error(found.message);
    const results = new Set<string>();
    for (const { cards, facts } of everyOutcome(game.deck)) {
      const { result } = wagerOutcomeOf(found, facts);
      const counted = { ...facts, ...countedFacts(cards) };
      expect(result, JSON.stringify(facts)).toBe(wins(counted) ? 'win' : pushes(counted) ? 'push' : 'lose');
      results.add(result);
    }
    expect(results.has('win') && results.has('lose')).toBe(true);
  });
}

/** Pairs go by rank: all 169 pairs of ranks for one hand, in one suit and in two. */
export function pairByRank(id: string, deck: DeckId, side: Side): void {
  test(`[${id}] ${side} pair: of 169 pairs of ranks the 13 equal ones, whatever the suit of the second card`, () => {
    const cards = cardsOfDeck(deck);
    let pairs = 0;
    for (const a of ranksOf(deck)) {
      for (const b of cards) {
        const [x, , y] = firstFour(deck, 8, 8);
        const { facts } = completed(side === 'player' ? [a, x!, b, y!] : [x!, a, y!, b], deck);
        expect(facts[`${side}Pair`]).toBe(rankOf(a) === rankOf(b));
        pairs += Number(facts[`${side}Pair`]);
      }
    }
    expect(pairs).toBe(cards.length);
  });
}

/** [3.8] Every pair of ranks that opens a hand decides its pair wager, whatever third card follows. */
export function thirdCardsChangeNoPair(id: string, game: Game): void {
  test(`[${id}] at ${game.id} no third card makes or breaks a pair, whichever hand draws it`, () => {
    const ranks = ranksOf(game.deck);
    const drawn = { player: 0, banker: 0 };
    for (const a of ranks) {
      for (const b of ranks) {
        for (const third of [a, b, ranks[4]!]) {
          for (const four of [
            [a, ranks[9]!, b, ranks[10]!],
            [ranks[9]!, a, ranks[10]!, b],
            [ranks[6]!, a, ranks[9]!, b],
          ] as const) {
            const cards: Card[] = [...four];
            while (nextSlot(cards) !== undefined) cards.push(third);
            const { facts, hands } = completed(cards, game.deck);
            for (const side of ['player', 'banker'] as const) {
              const [first, second] = side === 'player' ? [four[0], four[2]] : [four[1], four[3]];
              const wins = rankOf(first) === rankOf(second);
              const { result } = wagerOutcomeOf(wagerOf(game, `${side}-pair`) as Wager, facts);
              expect(result, `${side} ${cards.join(' ')}`).toBe(wins ? 'win' : 'lose');
              drawn[side] += hands[side].length - 2;
            }
          }
        }
      }
    }
    expect(Math.min(drawn.player, drawn.banker)).toBeGreaterThan(100);
  });
}

/** [3.8] The second card of a hand decides its pair wager, in the wagers of both hands. */
export function secondCardDecides(id: string, game: Game, [player, banker]: readonly [string, string]): void {
  test(`[${id}] at ${game.id} the second card of a hand decides its wager, for every two ranks that open it`, () => {
    const [x, y] = twoCards(game.deck, 9);
    for (const a of ranksOf(game.deck)) {
      for (const b of ranksOf(game.deck)) {
        const decided = (...cards: readonly Card[]) => decidedWagers(game, [player, banker], cards);
        const [won, lost] = a === b ? [[player], []] : [[], [player]];
        expect(decided(a)).toMatchObject({ won: [], lost: [] });
        expect(decided(a, x)).toMatchObject({ won: [], lost: [] });
        expect(decided(a, x, b), `${a} ${b}`).toMatchObject({ won, lost });
        expect(decided(x, a, y), `${a} ${b}`).toMatchObject({ won: [], lost: [player] });
        expect(decided(x, a, y, b), `${a} ${b}`).toMatchObject(
          a === b ? { won: [banker], lost: [player] } : { won: [], lost: [player, banker] },
        );
      }
    }
  });
}

/** [1.1.6] Every two cards on either hand, and the Precious Pair wagers of both. */
export function preciousPairsByHand(id: string, game: Game): void {
  const hands = cardsOfDeck('french').flatMap((a) => cardsOfDeck('french').map((b) => [a, b] as const));
  test.each(['player', 'banker'] as const)(
    `[${id}] a pair of the %s falls into exactly one of four tiers and wins its own wager alone`,
    (side) => {
      const other = side === 'player' ? 'banker' : 'player';
      const found = hands.map(([a, b]) => {
        // Against an eight and a king, which end the round at four cards.
        const { facts } = completed(side === 'player' ? [a, '8S', b, 'KC'] : ['8S', a, 'KC', b], 'french');
        expect(resultOf(game, `${side}-precious-pair`, facts), `${a} ${b}`).toBe(tierOf(a, b)[1]);
        expect(resultOf(game, `${other}-precious-pair`, facts), `${a} ${b}`).toBe('loses');
        return facts[`${side}PreciousPair`];
      });
      expect(new Set(found)).toEqual(new Set(['none', 'other', 'diamonds', 'fours', 'diamond-fours']));
      expect(found.filter((tier) => tier !== 'none')).toHaveLength(4 * 4 * 13);
    },
  );
  test.each([
    ['player', 9],
    ['banker', 11],
  ] as const)(
    `[${id}] a third card of the %s, of the same rank or another, changes neither tier nor odds of its own wager`,
    (side, ranks) => {
      const drawnOn = new Set<Card>();
      for (const [a, b] of hands) {
        const [tier, odds] = tierOf(a, b);
        const other = cardsOfDeck('french').find((card) => rankOf(card) !== rankOf(a) && rankOf(card) !== rankOf(b))!;
        // Banker stands on 7 and Player draws on 0 to 5; Banker draws on 0 to 6 against a Player's third card of 6.
        const cards = side === 'player' ? [a, '7S', b, 'KC'] : ['2S', a, 'KC', b, '6S'];
        if (nextSlot(cards as Card[]) !== (side === 'player' ? 'P3' : 'B3')) continue;
        if (tier !== 'none') drawnOn.add(a);
        for (const third of tier === 'none' ? [a] : [a, b, other]) {
          const { facts, hands: dealtHands } = completed([...cards, third] as Card[], 'french');
          expect(dealtHands[side]).toEqual([a, b, third]);
          expect(facts[`${side}PreciousPair`], `${a} ${b} ${third}`).toBe(tier);
          expect(resultOf(game, `${side}-precious-pair`, facts), `${a} ${b} ${third}`).toBe(odds);
        }
      }
      // Fours and nines are naturals; Player stands on the 6 of threes and eights.
      expect(drawnOn.size).toBe(4 * ranks);
    },
  );
  test(`[${id}] cards of one rank on both hands are no pair of either`, () => {
    for (const card of cardsOfDeck('french')) {
      // Neither of the other two cards has the rank of the first two. Tens complete a round that has no natural.
      const [x, y] = 'A9T'.includes(rankOf(card)) ? (['8S', 'KC'] as const) : (['9S', 'TC'] as const);
      for (const cards of [
        [card, card, x, y],
        [card, x, y, card],
        [x, card, card, y],
        [x, y, card, card],
      ] as const) {
        const { facts } = completed(cards, 'french');
        for (const side of ['player', 'banker'] as const) {
          expect(facts[`${side}PreciousPair`], cards.join(' ')).toBe('none');
          expect(resultOf(game, `${side}-precious-pair`, facts), cards.join(' ')).toBe('loses');
        }
      }
    }
  });
}
