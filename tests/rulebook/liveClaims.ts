import { expect, test } from 'vitest';
import { type Card, type DeckId, cardsOfDeck, rankOf, suitOf } from '../../src/rules/card.ts';
import { decidedWagers } from '../../src/rules/decidedWagers.ts';
import { type Facts } from '../../src/rules/facts.ts';
import { type Game, wagerOf } from '../../src/rules/game.ts';
import { type Side } from '../../src/rules/hand.ts';
import { nextSlot } from '../../src/rules/play.ts';
import { settle, wagerOutcomeOf } from '../../src/rules/settle.ts';
import { type Wager } from '../../src/rules/wager.ts';
import { stakeResult, wagerResults } from '../../src/table/payouts.ts';
import { publicView } from '../../src/table/views/publicView.ts';
import { metersOf } from '../table/meters.ts';
import { cardsIn, natural, readyTable } from '../table/tableScenario.ts';
import { completed, countedFacts, everyOutcome, ranksOf } from './deals.ts';
import { dealt } from './rows.ts';

// Claims about the money of a wager and about the table of a game, each under its own row.

const pictures: { readonly [rank: string]: string } = { J: 'S', Q: 'L', K: 'F' };

/** The same cards in another deck: a picture for a picture, the first four suits for clubs to spades. */
export const inDeck = (deck: DeckId, text: string): string =>
  deck === 'french'
    ? text
    : text.replaceAll(/([^ ])([CDHS])/g, (_, rank: string, suit: string) => {
        return `${pictures[rank] ?? rank}${'CDHS'.indexOf(suit) + 1}`;
      });

/**
 * Result of a stake of 100.00: "8 to 1", "push" or "loses", with nothing else returned or kept. A table pays the same
 * as the rules.
 */
export function resultOf(game: Game, wager: string, facts: Facts): string {
  const stake = 100_00;
  const settled = settle(game, wager, facts, stake);
  if ('refused' in settled) throw new Error(settled.message);
  const atTable = stakeResult(wager, stake, { results: wagerResults(game, [wager], facts) });
  const otherAtTable = Object.entries(settled).filter(
    ([field, value]) => atTable[field as keyof typeof settled] !== value,
  );
  if (otherAtTable.length > 0)
    throw new Error(`a table pays ${JSON.stringify(atTable)}, not ${JSON.stringify(settled)}`);
  const { result, won: win, commission, returned } = settled;
  if (result === 'win') {
    expect(returned).toBe(stake + win);
    expect(commission === 0 || win + commission === stake).toBe(true);
    return win === stake / 2 ? '1 to 2' : `${win / stake} to 1`;
  }
  expect([win, commission]).toEqual([0, 0]);
  expect(returned).toBe(result === 'push' ? stake : 0);
  return result === 'push' ? 'push' : 'loses';
}

export const won = (side: Side, facts: Facts): boolean =>
  side === 'player' ? facts.playerTotal > facts.bankerTotal : facts.bankerTotal > facts.playerTotal;
export const tied = (facts: Facts): boolean => facts.playerTotal === facts.bankerTotal;

/**
 * What the row says of a wager, over all final totals and numbers of cards; undefined where it says nothing. Totals,
 * lead and naturals are counted from the cards, not taken from the facts that settle the wager.
 */
export function settlesAs(
  id: string,
  game: Game,
  wagers: readonly string[],
  expected: ((facts: Facts) => string | undefined) & { readonly brings?: readonly string[] },
): void {
  test(`[${id}] ${game.id}: what ${wagers.join(' and ')} brings, over all final totals and numbers of cards`, () => {
    const seen = new Set<string>();
    for (const { cards, facts } of everyOutcome(game.deck)) {
      const result = expected({ ...facts, ...countedFacts(cards) });
      if (result === undefined) continue;
      for (const wager of wagers) expect(resultOf(game, wager, facts), JSON.stringify(facts)).toBe(result);
      seen.add(result);
    }
    expect(seen.size).toBeGreaterThan(0);
    if (expected.brings) expect([...seen].toSorted()).toEqual(expected.brings.toSorted());
  });
}

/** A win of `odds` in the deals that the row names, and a loss in those that it says are lost; there are deals of each. */
export const payout = (odds: string, wins: (facts: Facts) => boolean, loses?: (facts: Facts) => boolean) =>
  Object.assign(
    (facts: Facts): string | undefined => (wins(facts) ? odds : loses?.(facts) === true ? 'loses' : undefined),
    { brings: loses ? [odds, 'loses'] : [odds] },
  );

/** [1.1] A natural is an eight or nine on two cards, on either hand. */
export function naturals(id: string, deck: DeckId): void {
  test.each(['player', 'banker'] as const)(
    `[${id}] the %s hand is a natural with eight or nine on two cards`,
    (side) => {
      const seen = new Set<string>();
      for (const { facts } of everyOutcome(deck)) {
        const [total, cards] = [facts[`${side}Total`], facts[`${side}Cards`]];
        expect(facts[`${side}Natural`]).toBe(total >= 8 && cards === 2);
        seen.add(`${total} on ${cards}`);
      }
      expect([...seen]).toEqual(expect.arrayContaining(['8 on 2', '9 on 2', '8 on 3', '9 on 3', '7 on 2']));
    },
  );
}

/**
 * [4.1] Pair wagers: every rank in any suits, on one hand, on the other, and on both; a rank shared across the table is
 * no pair.
 */
export function pairsPay(id: string, game: Game): void {
  test(`[${id}] ${game.id}: Player Pair and Banker Pair pay 11 to 1, each on its own hand`, () => {
    const ranks = ranksOf(game.deck);
    const results = (cards: readonly Card[]) => {
      const { facts } = completed(cards, game.deck);
      return ['player-pair', 'banker-pair'].map((wager) => resultOf(game, wager, facts));
    };
    for (const [n, a] of ranks.entries()) {
      const [b, c] = [ranks[(n + 1) % 13]!, ranks[(n + 2) % 13]!];
      for (const other of cardsOfDeck(game.deck).filter((card) => rankOf(card) === rankOf(a))) {
        expect(results([a, b, other, c]), other).toEqual(['11 to 1', 'loses']);
        expect(results([b, a, c, other]), other).toEqual(['loses', '11 to 1']);
      }
      expect(results([a, b, a, b]), a).toEqual(['11 to 1', '11 to 1']);
      expect(results([a, a, b, b]), a).toEqual(['loses', 'loses']);
    }
  });
}

/** [3.8] The pair wager of one hand: every two ranks that open it win or lose, whatever the other hand has. */
export function pairWins(id: string, game: Game, side: Side): void {
  test(`[${id}] ${game.id}: ${side}-pair wins with the 13 equal ones of 169 pairs of ranks, in any suits, and loses with all others`, () => {
    const [ten, jack] = [ranksOf(game.deck)[9]!, ranksOf(game.deck)[10]!];
    for (const a of ranksOf(game.deck)) {
      for (const b of cardsOfDeck(game.deck)) {
        for (const [x, y] of [
          [ten, ten],
          [ten, jack],
        ] as const) {
          const { facts } = completed(side === 'player' ? [a, x, b, y] : [x, a, y, b], game.deck);
          const wins = rankOf(a) === rankOf(b);
          expect(resultOf(game, `${side}-pair`, facts), `${a} ${b}`).toBe(wins ? '11 to 1' : 'loses');
        }
      }
    }
  });
}

/** [3.8] Wagers on pairs are decided by the first cards of their hand, and nothing after them changes that. */
export function decidedPairs(id: string, game: Game, [player, banker]: readonly [string, string]): void {
  test.each([
    ['4D KC', [], []],
    ['4D KC 4D', [player], []],
    ['4D KC 5D', [], [player]],
    ['4D KC 4D KH', [player, banker], []],
    ['4D KC 4D QH', [player], [banker]],
    ['AD KC 5D QH', [], [player, banker]],
    ['AD KC 5D QH AD', [], [player, banker]],
    ['2D KC 2H QH 5D', [player], [banker]],
  ] as const)(`[${id}] at ${game.id} after %s %j are won and %j lost`, (cards, winning, losing) => {
    const decided = decidedWagers(game, [player, banker], cardsIn(inDeck(game.deck, cards)));
    expect(decided).toMatchObject({ won: winning, lost: losing });
  });
}

/** [3.7] All ranks of the first four cards, and third cards that match either hand: Tiger Pair stays as it was. */
export function thirdCardsChangeNoTigerPair(id: string, game: Game): void {
  test(`[${id}] at ${game.id} the first four cards decide Tiger Pair, and no third card changes it`, () => {
    const ranks = ranksOf(game.deck);
    const wager = wagerOf(game, 'tiger-pair') as Wager;
    const wrong: string[] = [];
    const drawn = { player: 0, banker: 0 };
    const playFour = (p1: Card, b1: Card, p2: Card, b2: Card): void => {
      const four = [p1, b1, p2, b2];
      const pairs = Number(p1 === p2) + Number(b1 === b2);
      const odds = pairs === 2 ? (p1 === b1 ? 100 : 20) : pairs === 1 ? 4 : 0;
      const decided = decidedWagers(game, ['tiger-pair'], four);
      if (decided.won.length !== Number(odds > 0) || decided.lost.length !== Number(odds === 0))
        wrong.push(four.join(' '));
      // A third card that matches the first card of its own hand, its second card, or the other hand.
      for (const [player, banker] of [
        [p1, b1],
        [p2, b2],
        [b1, p1],
      ] as const) {
        const cards = [...four];
        for (let slot = nextSlot(cards); slot !== undefined; slot = nextSlot(cards)) {
          cards.push(slot === 'P3' ? player : banker);
          drawn[slot === 'P3' ? 'player' : 'banker'] += 1;
        }
        if (cards.length === 4) break;
        const { net } = wagerOutcomeOf(wager, completed(cards, game.deck).facts);
        if (net[0] / net[1] !== (odds > 0 ? odds : -1)) wrong.push(cards.join(' '));
      }
    };
    for (const p1 of ranks)
      for (const b1 of ranks) for (const p2 of ranks) for (const b2 of ranks) playFour(p1, b1, p2, b2);
    expect(wrong).toEqual([]);
    expect(Math.min(drawn.player, drawn.banker)).toBeGreaterThan(10_000);
  });
}

type ShoeFault = 'foreign-card' | 'extra-card' | 'missing-card' | 'unshuffled-cards';

/** [5.1.2, HOUSE 7] What earlier rounds left: results, money, meters and roads. */
export function earlierRoundsStand(id: string, game: Game, kind: ShoeFault = 'foreign-card'): void {
  test(`[${id}] at ${game.id} a find of the kind ${kind} changes no result, money, meter or road of the rounds before it`, () => {
    const slips = { T1: { player: 1000, tie: 500 }, T2: { banker: 2000 } };
    const scenario = readyTable(game.id)
      .playRound(inDeck(game.deck, natural), slips)
      .playRound(inDeck(game.deck, 'TC TD 9S 9D'), slips)
      .playRound(inDeck(game.deck, '2C 9S 4D TD'), slips);
    const left = () => ({
      results: structuredClone(scenario.events('RoundSettled')),
      money: [...scenario.balances],
      meters: metersOf(scenario.entries.map(({ event }) => event)),
      roads: publicView(scenario.table!).roads,
      statistics: publicView(scenario.table!).statistics,
    });
    const before = left();
    expect(before.results).toHaveLength(3);
    expect(Object.keys(before.meters.terminals)).toEqual(['T1', 'T2']);

    // Found between rounds: nothing moves at all.
    scenario.do('ReportIrregularity', { kind });
    expect(left()).toEqual(before);

    // Found in a round: only the void meter and the stakes taken in and returned of that round are added.
    const inRound = readyTable(game.id).playRound(inDeck(game.deck, natural), slips);
    const meters = metersOf(inRound.entries.map(({ event }) => event));
    const { roads, statistics } = publicView(inRound.table!);
    const balances = [...inRound.balances];
    const settled = structuredClone(inRound.events('RoundSettled'));
    inRound.bets(slips).close().deal(inDeck(game.deck, '9S 2C')).do('ReportIrregularity', { kind });
    inRound.doByTwo('VoidRound', { reason: 'a joker' });
    expect([...inRound.balances]).toEqual(balances);
    expect(inRound.events('RoundSettled')).toEqual(settled);
    expect(inRound.events('RoundResettled')).toEqual([]);
    expect(publicView(inRound.table!)).toMatchObject({ roads, statistics });
    const [t1, t2] = [meters.terminals['T1']!, meters.terminals['T2']!];
    expect(metersOf(inRound.entries.map(({ event }) => event)).terminals).toEqual({
      T1: { ...t1, coinIn: t1.coinIn + 1500, voided: 1500, roundsVoid: 1 },
      T2: { ...t2, coinIn: t2.coinIn + 2000, voided: 2000, roundsVoid: 1 },
    });
  });
}

/** Tier of two cards by their ranks and suits, and its odds. */
export function tierOf(a: Card, b: Card): readonly [tier: string, odds: string] {
  if (rankOf(a) !== rankOf(b)) return ['none', 'loses'];
  const diamonds = suitOf(a) === 'D' && suitOf(b) === 'D';
  if (rankOf(a) === '4') return diamonds ? ['diamond-fours', '30 to 1'] : ['fours', '15 to 1'];
  return diamonds ? ['diamonds', '12 to 1'] : ['other', '9 to 1'];
}

/** [1.1.6, 4.2] The Precious Pairs, of which two books say the same: every two cards on either hand. */
export function preciousPairs(book: 'SUP' | 'FAB', game: Game): void {
  const hands = cardsOfDeck('french').flatMap((a) => cardsOfDeck('french').map((b) => [a, b] as const));
  const tiers = [
    ['a', 'diamond-fours', 1],
    ['b', 'fours', 15],
    ['c', 'diamonds', 12],
    ['d', 'other', 180],
  ] as const;
  // Against an eight and a king, which end the round at four cards.
  const onPlayer = (a: Card, b: Card): Facts => dealt([a, '8S', b, 'KC'], 'french').facts;
  const onBanker = (a: Card, b: Card): Facts => dealt(['8S', a, 'KC', b], 'french').facts;

  for (const [n, [line, tier, count]] of tiers.entries()) {
    const ofTier = hands.filter(([a, b]) => tierOf(a, b)[0] === tier);
    test(`[${book} 1.1.6.${n + 1}] the tier ${tier} is that of ${count} pairs of cards on either hand`, () => {
      expect(ofTier).toHaveLength(count);
      expect(hands.filter(([a, b]) => onPlayer(a, b).playerPreciousPair === tier)).toEqual(ofTier);
      expect(hands.filter(([a, b]) => onBanker(a, b).bankerPreciousPair === tier)).toEqual(ofTier);
      // The eight and king on the other hand are no pair of any tier.
      expect(hands.filter(([a, b]) => onPlayer(a, b).bankerPreciousPair !== 'none')).toEqual([]);
      expect(hands.filter(([a, b]) => onBanker(a, b).playerPreciousPair !== 'none')).toEqual([]);
    });
    test(`[${book} 4.2.${line}] every pair of the tier ${tier} is paid on its own hand, and the wager on the other hand loses`, () => {
      for (const [a, b] of ofTier) {
        const [, odds] = tierOf(a, b);
        const results = (facts: Facts) =>
          ['player', 'banker'].map((side) => resultOf(game, `${side}-precious-pair`, facts));
        expect(results(onPlayer(a, b)), `${a} ${b}`).toEqual([odds, 'loses']);
        expect(results(onBanker(a, b)), `${a} ${b}`).toEqual(['loses', odds]);
      }
    });
  }
}

/** [3.8, 3.12] A Precious Pair depends on the two opening cards of its own hand, whichever hand takes the round. */
export function preciousPairByHand(id: string, game: Game): void {
  test.each(['player', 'banker'] as const)(
    `[${id}] a %s Precious Pair depends on its own hand, whichever hand wins`,
    (side) => {
      const results = new Set<string>();
      for (const a of cardsOfDeck('french')) {
        for (const b of cardsOfDeck('french')) {
          // The other hand is a natural eight, or draws from zero; or it is a pair, natural or drawing.
          for (const [x, y] of [
            ['8S', 'KC'],
            ['QS', 'JC'],
            ['9S', '9C'],
            ['4D', '4D'],
            ['QS', 'QC'],
          ] as const) {
            const { facts } = completed(side === 'player' ? [a, x, b, y] : [x, a, y, b], 'french');
            const wins = resultOf(game, `${side}-precious-pair`, facts) !== 'loses';
            expect(wins, `${a} ${b}`).toBe(rankOf(a) === rankOf(b));
            results.add(`${facts.winner} ${wins}`);
          }
        }
      }
      expect(results.size).toBe(6);
    },
  );
}
