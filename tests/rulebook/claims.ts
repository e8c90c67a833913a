import { expect, test } from 'vitest';
import { findGame, isInForce } from '../../src/games/registry.ts';
import { type Card, type DeckId, cardsOf, pointsOf, rankOf, suitOf } from '../../src/rules/card.ts';
import { dealOf } from '../../src/rules/deal.ts';
import { type Facts } from '../../src/rules/facts.ts';
import { type Game, wagerOf } from '../../src/rules/game.ts';
import { type Side, totalOf } from '../../src/rules/hand.ts';
import { handsOf, nextSlot } from '../../src/rules/play.ts';
import { wagerOutcomeOf } from '../../src/rules/settle.ts';
import { cardsIn, shoeOf } from '../../src/rules/shoe.ts';
import { completed, countedFacts, everyOutcome, firstFour, ranksOf } from './deals.ts';

// Claims of all five books, each under its own row.

/** [title] The game is in the registry from its first day on, and an earlier round cannot use it. */
export function inForceFrom(id: string, game: string, version: string, from: string, justBefore: string): void {
  test(`[${id}] ${game} is version ${version}, in force from ${from}`, () => {
    const found = findGame(game, from);
    expect(found).toMatchObject({ id: game, version, effective: from });
    expect(isInForce(found as Game, from)).toBe(true);
    expect(isInForce(found as Game, justBefore)).toBe(false);
    expect(findGame(game, justBefore)).toMatchObject({ refused: 'game-not-in-force' });
  });
}

/** [3.3] Point values of all cards, in every suit. */
export function points(book: string, deck: DeckId): void {
  test(`[${book} 3.3.1] an ace counts one, two to nine their number`, () => {
    const worth = cardsOf(deck).filter((card) => 'A23456789'.includes(rankOf(card)));
    expect(worth).toHaveLength(deck === 'french' ? 36 : 45);
    for (const card of worth) expect(pointsOf(card)).toBe('A23456789'.indexOf(rankOf(card)) + 1);
  });
  test(`[${book} 3.3.2] ten and the three pictures count zero`, () => {
    const pictures = deck === 'french' ? 'TJQK' : 'TSLF';
    const zeros = cardsOf(deck).filter((card) => pictures.includes(rankOf(card)));
    expect(zeros).toHaveLength(deck === 'french' ? 16 : 20);
    for (const card of zeros) expect(pointsOf(card)).toBe(0);
  });
}

/** [3.4] Totals of all hands of two and three ranks. */
export function totals(book: string, deck: DeckId): void {
  const ranks = ranksOf(deck);
  const hands = ranks.flatMap((a) => ranks.flatMap((b) => [[a, b], ...ranks.map((c) => [a, b, c])]));
  const sumOf = (hand: readonly Card[]): number => hand.reduce((sum, card) => sum + pointsOf(card), 0);
  test(`[${book} 3.4.1] a sum up to nine is the total`, () => {
    const small = hands.filter((hand) => sumOf(hand) <= 9);
    expect(small.length).toBeGreaterThan(100);
    for (const hand of small) expect(totalOf(hand)).toBe(sumOf(hand));
  });
  test(`[${book} 3.4.2] a sum of ten or more counts as its last digit`, () => {
    const large = hands.filter((hand) => sumOf(hand) >= 10);
    expect(new Set(large.map(sumOf)).size).toBe(18);
    for (const hand of large) expect(String(sumOf(hand)).endsWith(String(totalOf(hand)))).toBe(true);
    expect(totalOf([ranks[8]!, ranks[8]!, ranks[8]!])).toBe(7);
  });
}

/** [2.1] Four to ten decks, each card once a deck. */
export function shoes(id: string, deck: DeckId, size: number): void {
  test(`[${id}] a shoe is four to ten decks of ${size} cards`, () => {
    for (let decks = 4; decks <= 10; decks++) {
      const shoe = shoeOf(deck, decks);
      if ('refused' in shoe) throw new Error(shoe.message);
      const cards = cardsIn(shoe);
      expect(cards).toHaveLength(size * decks);
      const copies = new Map<Card, number>();
      for (const card of cards) copies.set(card, (copies.get(card) ?? 0) + 1);
      expect(copies.size).toBe(size);
      // Every suit with every rank.
      expect(new Set([...copies.keys()].map(rankOf)).size).toBe(13);
      expect(new Set([...copies.keys()].map(suitOf)).size).toBe(size / 13);
      expect([...copies.values()].every((n) => n === decks)).toBe(true);
    }
    for (const decks of [0, 3, 11, 4.5, -8, Number.NaN, '8', null]) {
      expect(shoeOf(deck, decks)).toMatchObject({ refused: 'bad-decks' });
    }
    expect(dealOf(['Joker'], { deck, decks: 8 })).toMatchObject({ refused: 'unknown-card' });
  });
}

/** [3.6, 3.7] Two hands, filled in turn. */
export function dealingOrder(ids: { hands: string; player: string; banker: string }, deck: DeckId): void {
  // Six cards, all different: Player 1 + 2 draws a third card, Banker 0 draws one too.
  const [a, two, three, , , , , , , ten, jack] = ranksOf(deck) as [Card, Card, Card, ...Card[]];
  const cards = [a, ten!, two, jack!, three, cardsOf(deck)[13 + 3]!] as readonly Card[];
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
  });
  test(`[${ids.banker}] the second and the fourth card are the Banker's first two`, () => {
    expect([1, 3].map((index) => nextSlot(cards.slice(0, index)))).toEqual(['B1', 'B2']);
    expect(deal.hands.banker).toEqual([cards[1], cards[3], cards[5]]);
  });
}

/** [1.1] The initial deal is two and two cards; facts about it do not change with third cards. */
export function initialDeal(id: string, deck: DeckId): void {
  const cards = cardsOf(deck);
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
            for (const one of facts) expect(one[`${side}Natural`]).toBe(totalOf(hand) >= 8);
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
        const sum = hands[side].reduce((all, card) => all + ('A23456789'.indexOf(rankOf(card)) + 1), 0);
        expect(facts[`${side}Total`]).toBe(sum % 10);
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
    const cards = cardsOf(deck);
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
