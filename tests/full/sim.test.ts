import { expect, test } from 'vitest';
import { games } from '../../src/games/registry.ts';
import { outcomeCellCount } from '../../src/odds/distribution.ts';
import { type Card, cardsOfDeck } from '../../src/rules/card.ts';
import { type FactName, factNames } from '../../src/rules/facts.ts';
import { type Game, wagerIdsOf } from '../../src/rules/game.ts';
import { type Wager, factsUsed, payLineIndexFor } from '../../src/rules/wager.ts';
import { derivedRoadNames } from '../../src/roads/derived.ts';
import { Roads } from '../../src/roads/roads.ts';
import { FrequencyTest, poissonPValue, normalUpperTail } from '../../src/sim/frequencyTest.ts';
import { simulationKernelFor } from '../../src/sim/kernel.ts';
import { type SimulationParameters, dealsOfShoe, kernelSimulator, rulesSimulator } from '../../src/sim/play.ts';
import { shuffleKeyOf, shuffledCardIndexes } from '../../src/sim/shuffle.ts';
import { kernelTablesFor } from '../../src/sim/kernelTables.ts';
import { times } from '../times.ts';

const game = (id: string): Game => games.find((one) => one.id === id)!;

/** A wager on hands and outcome together. */
const mixed: Wager = {
  name: 'Mixed',
  by: 'house rule',
  lines: [
    { when: { winner: 'banker', bankerTotal: [6, 7], playerPair: true }, pays: [50, 1], by: 'a' },
    { when: { playerColour: 'red', bankerCards: 3, margin: [1, 2] }, pays: [3, 2], by: 'b' },
  ],
};
const designed: Game = { ...game('tiger'), id: 'designed', wagers: { ...game('tiger').wagers, mixed } };

for (const one of [...games, designed]) {
  test(`${one.id}: the kernel and the rules agree round by round, for several decks, cuts and seeds`, () => {
    const usedFacts = new Set<FactName>(Object.values(one.wagers).flatMap((wager) => [...factsUsed(wager)]));
    for (const [decks, cut, seed] of [
      [8, 14, 'a'],
      [4, 6, 'b'],
      [5, 7, 'c'],
      [10, 104, 'd'],
    ] as const) {
      const simulation: SimulationParameters = { game: one, decks, cut, seed };
      const tables = kernelTablesFor(one);
      const cards = tables.cards.length * decks;
      const kernel = simulationKernelFor(tables, {
        key: shuffleKeyOf(seed),
        cards,
        maxCardsOutAtStart: cards - cut,
        keepTrace: true,
      });
      for (const shoe of [0, 1, 2, 1_000_003]) {
        const rounds = kernel.play(shoe, 1);
        const deals = [...dealsOfShoe(simulation, shuffleKeyOf(seed), shoe)];
        expect(rounds).toBe(deals.length);
        deals.forEach(({ facts }, n) => {
          const counter = kernel.trace[n]!;
          const counted = tables.factsOf(Math.trunc(counter / outcomeCellCount), counter % outcomeCellCount);
          for (const name of factNames)
            if (usedFacts.has(name)) expect(counted[name], `${name} of round ${n}`).toBe(facts[name]);
          for (const id of wagerIdsOf(one))
            expect(payLineIndexFor(one.wagers[id]!, counted)).toBe(payLineIndexFor(one.wagers[id]!, facts));
        });
      }
    }
  });
}

test('the counts of shoes do not depend on batches, nor on the kernel that plays them', () => {
  for (const one of [game('sands-super'), designed]) {
    const simulation: SimulationParameters = { game: one, decks: 8, cut: 14, seed: 'any' };
    const whole = kernelSimulator(simulation).play(10, 30);
    const slow = rulesSimulator(simulation).play(10, 30);
    const player = kernelSimulator(simulation);
    const batches = [player.play(10, 7), player.play(17, 23)];
    expect(slow).toEqual(whole);
    expect(batches[0]!.rounds + batches[1]!.rounds).toBe(whole.rounds);
    expect(batches[0]!.counts.map((count, slot) => count + batches[1]!.counts[slot]!)).toEqual(whole.counts);
  }
});

test('a shoe depends on its seed and its number alone, and has each card once a deck', () => {
  const shoe = (seed: string, number: number) => shuffledCardIndexes(shuffleKeyOf(seed), number, 416, 52, 416).join();
  expect(shoe('s', 7)).toBe(shoe('s', 7));
  expect(shoe('s', 7)).not.toBe(shoe('s', 8));
  expect(shoe('s', 7)).not.toBe(shoe('t', 7));
  const counts = new Map<string, number>();
  for (const card of shoe('s', 7).split(',')) counts.set(card, (counts.get(card) ?? 0) + 1);
  expect([...counts.values()].every((count) => count === 8) && counts.size).toBe(52);
});

test('[READING 23] a round starts while at most cards minus cut are out', () => {
  for (const cut of [6, 14, 52]) {
    const simulation: SimulationParameters = { game: game('baccarat'), decks: 8, cut, seed: 'cut' };
    for (let shoe = 0; shoe < 20; shoe++) {
      const sizes = [...dealsOfShoe(simulation, shuffleKeyOf('cut'), shoe)].map(({ cards }) => cards.length);
      const before = sizes.slice(0, -1).reduce((sum, size) => sum + size, 0);
      const after = before + sizes.at(-1)!;
      expect(before <= 416 - cut && after > 416 - cut && after <= 416).toBe(true);
    }
  }
});

test('every card is equally likely in each of the first six positions, over 20,000 shoes', () => {
  const shoes = 20_000;
  const counted = Array.from({ length: 6 }, () => new Map<Card, number>());
  const deck = cardsOfDeck('french');
  for (let shoe = 0; shoe < shoes; shoe++) {
    shuffledCardIndexes(shuffleKeyOf('places'), shoe, 416, 52, 6).forEach((card, position) => {
      const name = deck[card]!;
      counted[position]!.set(name, (counted[position]!.get(name) ?? 0) + 1);
    });
  }
  const expected = shoes / 52;
  for (const position of counted) {
    const chiSquare = deck.reduce((sum, card) => sum + ((position.get(card) ?? 0) - expected) ** 2 / expected, 0);
    // 51 degrees of freedom: beyond 100 once in 20,000 times; the seed is fixed.
    expect(chiSquare).toBeLessThan(100);
  }
});

test('right rounds agree with the exact odds, and a wrong pay line does not', () => {
  const simulation: SimulationParameters = { game: game('tiger'), decks: 8, cut: 14, seed: 'evidence' };
  const player = kernelSimulator(simulation);
  const right = new FrequencyTest(player.slots);
  for (let batch = 0; batch < 220; batch++) right.add(player.play(batch * 1000, 1000), 1000);
  const evidence = right.evaluate();
  expect([evidence.agrees, evidence.shoes]).toEqual([true, 220_000]);
  expect(evidence.findings.reduce((sum, { count }) => sum + count, 0)).toBe(evidence.rounds * 8);

  // A program that counts one in five hundred Banker wins as a Player win is detected.
  const [banker, lost] = ['19/20', '-1'].map((net) =>
    player.slots.slots.findIndex(
      ({ wager, net: [over, under] }) => wager === 'banker' && (under === 1 ? `${over}` : `${over}/${under}`) === net,
    ),
  );
  const wrong = new FrequencyTest(player.slots);
  for (let batch = 0; batch < 220; batch++) {
    const { rounds, counts } = player.play(batch * 1000, 1000);
    const moved = Math.round(counts[banker!]! / 500);
    counts[banker!]! -= moved;
    counts[lost!]! += moved;
    wrong.add({ rounds, counts }, 1000);
  }
  const findings = wrong.evaluate();
  expect(findings.agrees).toBe(false);
  expect([findings.findings[banker!]!.off, findings.findings[lost!]!.off]).toEqual([true, true]);
});

test('no rounds prove nothing, and a few shoes agree', () => {
  const player = kernelSimulator({ game: game('sands-super'), decks: 8, cut: 14, seed: 'few' });
  const scale = new FrequencyTest(player.slots);
  expect(scale.evaluate()).toMatchObject({ rounds: 0, agrees: false });
  scale.add(player.play(0, 3), 3);
  expect(scale.evaluate().agrees).toBe(true);
});

test('a rare outcome that is far too frequent is reported, and a missing round fails the run', () => {
  const player = kernelSimulator({ game: game('tiger'), decks: 8, cut: 14, seed: 'rare' });
  const slot = (net: number) => player.slots.slots.findIndex((one) => one.wager === 'tiger-pair' && one.net[0] === net);
  const { rounds, counts } = player.play(0, 100);
  counts[slot(100)]! += 30;
  counts[slot(-1)]! -= 30;
  const scale = new FrequencyTest(player.slots);
  scale.add({ rounds, counts }, 100);
  expect(scale.evaluate()).toMatchObject({ agrees: false, variance: 'rounds' });
  const lost = new FrequencyTest(player.slots);
  counts[slot(-1)]! -= 1;
  lost.add({ rounds, counts }, 100);
  expect(() => lost.evaluate()).toThrow('every round settles every wager once');
});

test('the Poisson p-value', () => {
  // Twice the tail of a Poisson distribution: at least 5 of 1, none of 3, at most 2 of 3, far too many.
  expect(poissonPValue(5, 1)).toBeCloseTo(2 * 0.0036598468, 8);
  expect(poissonPValue(0, 3)).toBeCloseTo(2 * Math.exp(-3), 10);
  expect(poissonPValue(2, 3)).toBeCloseTo(2 * 0.4231900811, 8);
  expect(poissonPValue(10_000, 3)).toBe(0);
  expect(poissonPValue(3, 3)).toBe(1);
  expect(poissonPValue(0, 0)).toBe(1);
});

test('the tail of the normal distribution', () => {
  for (const [z, chance] of [
    [0, 0.5],
    [1, 0.15865525393],
    [1.959963984540054, 0.025],
    [2.999, 0.00135435],
    [3.001, 0.00134546],
    [4.4171734, 0.000005],
    [6, 9.865876e-10],
  ] as const) {
    expect(normalUpperTail(z) / chance).toBeCloseTo(1, 4);
  }
});

/** Big eye boy, small road and cockroach pig from the lengths of runs alone, independent of the code under test. */
function derivedByRuns(winners: string): readonly string[] {
  const runs = (winners.replaceAll('T', '').match(/B+|P+/g) ?? []).map((run) => run.length);
  return [1, 2, 3].map((back) => {
    let marks = '';
    runs.forEach((length, column) => {
      for (let row = 1; row <= length; row++) {
        const other = runs[row === 1 ? column - back - 1 : column - back];
        if (other === undefined) continue;
        marks += row === 1 ? (runs[column - 1] === other ? 'r' : 'b') : row === other + 1 ? 'b' : 'r';
      }
    });
    return marks;
  });
}

const shoes = times(20_000);

test(`the derived roads of ${shoes.toLocaleString('en')} dealt shoes match their runs`, () => {
  const tables = kernelTablesFor(game('baccarat'));
  const kernel = simulationKernelFor(tables, {
    key: shuffleKeyOf('roads'),
    cards: 416,
    maxCardsOutAtStart: 402,
    keepTrace: true,
  });
  const letters = { banker: 'B', player: 'P', tie: 'T' } as const;
  let longRuns = 0;
  for (let shoe = 0; shoe < shoes; shoe++) {
    const rounds = kernel.play(shoe, 1);
    const roads = new Roads();
    let winners = '';
    for (let n = 0; n < rounds; n++) {
      const facts = tables.factsOf(
        Math.trunc(kernel.trace[n]! / outcomeCellCount),
        kernel.trace[n]! % outcomeCellCount,
      );
      winners += letters[facts.winner];
      roads.add(facts);
    }
    const marks = derivedRoadNames.map((road) => roads.marksOf(road).join(''));
    const expected = derivedByRuns(winners);
    if (marks.join() !== expected.join()) expect(marks, winners).toEqual(expected);
    if (/B{7}|P{7}/.test(winners.replaceAll('T', ''))) longRuns++;
  }
  // Tails are common: four shoes in ten have a run longer than the board is high.
  expect(longRuns).toBeGreaterThan(0.4 * shoes);
});
