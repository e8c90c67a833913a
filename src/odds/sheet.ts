import { assert } from '../base/assert.ts';
import { type FactName } from '../rules/facts.ts';
import { type Game, versionedGameId, chipStepOf, wagerIdsOf } from '../rules/game.ts';
import { hashOf } from '../base/canonicalJson.ts';
import { type Ratio, formatRatio } from '../base/ratio.ts';
import { type Wager, factsUsed, payLineFor, payLineIndexFor, netPerUnitOf } from '../rules/wager.ts';
import { type Composition } from './composition.ts';
import { type FactsCount, countSixCardDraws, factDistributionOf } from './distribution.ts';
import { type Fraction, fraction, gcd, fractionToNumber } from './fraction.ts';
import { factCategoryOf } from './countingPlan.ts';

/**
 * One outcome of a wager: the net win per unit staked, and the number of draws of six cards that lead to this outcome.
 */
type OddsOutcome = { readonly net: Ratio; readonly count: bigint };

/** After `rounds` rounds, the return per unit staked lies between `low` and `high` with a probability of 95 %. */
type Band = { readonly rounds: number; readonly low: number; readonly high: number };

export type WagerOdds = {
  readonly outcomes: readonly OddsOutcome[];
  readonly expected: Fraction;
  readonly variance: Fraction;
  readonly houseEdge: number;
  readonly rtp: number;
  readonly hitRate: number;
  readonly pushRate: number;
  readonly sd: number;
  /**
   * Volatility index v: after n rounds the return lies between `rtp` - v / √n and `rtp` + v / √n, with 90 % confidence.
   */
  readonly volatility: number;
  readonly bands: readonly Band[];
  /** The largest net win of a round per unit staked. */
  readonly largest: Ratio;
};

/** Odds of every wager of a game. `deals` is the number of ordered draws of six cards. */
export type GameOdds = { readonly deals: bigint; readonly wagers: { readonly [id: string]: WagerOdds } };

/** PAR sheet of a game: odds, covariances, and the round that costs the house most. */
export type ParSheet = GameOdds & {
  readonly game: Game;
  readonly name: string;
  readonly hash: string;
  readonly covariance: { readonly [a: string]: { readonly [b: string]: number } };
  /**
   * The round that pays most. `wagers` are the winning wagers; `net` is their net win together, with one unit staked on
   * each.
   */
  readonly worst: { readonly net: Fraction; readonly wagers: readonly string[] };
};

const confidence95 = 1.959963984540054;
const confidence90 = 1.6448536269514722;
const bandRounds = [1e3, 1e4, 1e5, 1e6, 1e7] as const;

export function oddsOf(game: Game, shoe: Composition): GameOdds {
  assert(game.deck === shoe.deck, `the shoe has the deck of ${game.id}`);
  const deals = countSixCardDraws(shoe);
  const odds = new Map<string, WagerOdds>();
  for (const { facts: usedFacts, ids } of factGroupsOf(game)) {
    const shares = factDistributionOf(shoe, usedFacts);
    for (const id of ids) odds.set(id, wagerOdds(game.wagers[id]!, shares, deals));
  }
  return { deals, wagers: Object.fromEntries(wagerIdsOf(game).map((id) => [id, odds.get(id)!])) };
}

type FactGroup = { readonly facts: ReadonlySet<FactName>; readonly ids: readonly string[] };

/**
 * Groups the wagers that are counted together. Wagers on the outcome form one group, wagers on the first four cards
 * another. Each mixed wager is counted alone.
 */
function factGroupsOf(game: Game): readonly FactGroup[] {
  const groups = new Map<string, { facts: Set<FactName>; ids: string[] }>();
  for (const [id, wager] of Object.entries(game.wagers)) {
    const usedFacts = factsUsed(wager);
    const category = factCategoryOf(usedFacts);
    const name = category === 'mixed' ? `mixed ${id}` : category;
    const group = groups.get(name) ?? { facts: new Set(), ids: [] };
    for (const fact of usedFacts) group.facts.add(fact);
    group.ids.push(id);
    groups.set(name, group);
  }
  return [...groups.values()];
}

function wagerOdds(wager: Wager, shares: readonly FactsCount[], deals: bigint): WagerOdds {
  const byLine = Array.from({ length: wager.lines.length + 1 }, () => 0n);
  for (const { facts, ways } of shares) byLine[payLineIndexFor(wager, facts)]! += ways;
  const byNet = new Map<string, { net: Ratio; count: bigint }>();
  byLine.forEach((count, line) => {
    if (count === 0n) return;
    const net = netPerUnitOf(wager.lines[line]);
    const existing = byNet.get(formatRatio(net));
    if (existing) existing.count += count;
    else byNet.set(formatRatio(net), { net, count });
  });
  return wagerOddsOf(
    [...byNet.values()].toSorted((a, b) => a.net[0] / a.net[1] - b.net[0] / b.net[1]),
    deals,
  );
}

function wagerOddsOf(outcomes: readonly OddsOutcome[], deals: bigint): WagerOdds {
  const unit = outcomes.reduce((all, { net }) => (all * BigInt(net[1])) / gcd(all, BigInt(net[1])), 1n);
  let [sum, squares] = [0n, 0n];
  for (const { net, count } of outcomes) {
    const scaled = (BigInt(net[0]) * unit) / BigInt(net[1]);
    sum += scaled * count;
    squares += scaled * scaled * count;
  }
  const expected = fraction(sum, unit * deals);
  const variance = fraction(squares * deals - sum * sum, unit * unit * deals * deals);
  const sd = Math.sqrt(fractionToNumber(variance));
  const houseEdge = -fractionToNumber(expected);
  const rtp = fractionToNumber(fraction(sum + unit * deals, unit * deals));
  const share = (fits: (net: Ratio) => boolean): number =>
    fractionToNumber(
      fraction(
        outcomes.reduce((all, { net, count }) => (fits(net) ? all + count : all), 0n),
        deals,
      ),
    );
  return {
    outcomes,
    expected,
    variance,
    houseEdge: houseEdge === 0 ? 0 : houseEdge,
    rtp,
    hitRate: share((net) => net[0] > 0),
    pushRate: share((net) => net[0] === 0),
    sd,
    volatility: confidence90 * sd,
    bands: bandRounds.map((rounds) => {
      const reach = (confidence95 * sd) / Math.sqrt(rounds);
      return { rounds, low: rtp - reach, high: rtp + reach };
    }),
    largest: outcomes.at(-1)!.net,
  };
}

export function parSheetOf(game: Game, shoe: Composition): ParSheet {
  const odds = oddsOf(game, shoe);
  const usedFacts = new Set(Object.values(game.wagers).flatMap((wager) => [...factsUsed(wager)]));
  const shares = mergeSharesByLines(game, factDistributionOf(shoe, usedFacts));
  const step = BigInt(chipStepOf(game));
  const ids = wagerIdsOf(game);
  const nets = new Map(ids.map((id) => [id, shares.map(({ facts }) => scaledNet(game.wagers[id]!, facts, step))]));
  return {
    ...odds,
    game,
    name: versionedGameId(game),
    hash: hashOf(game),
    covariance: covariancesOf(ids, nets, shares, odds.deals, step),
    worst: worstOf(ids, nets, shares, step),
  };
}

/** Merges deals if each wager is settled by the same pay line in all of them. */
function mergeSharesByLines(game: Game, shares: readonly FactsCount[]): readonly FactsCount[] {
  const wagers = Object.values(game.wagers);
  const merged = new Map<string, FactsCount>();
  for (const { facts, ways } of shares) {
    const lines = wagers.map((wager) => payLineIndexFor(wager, facts)).join();
    merged.set(lines, { facts, ways: ways + (merged.get(lines)?.ways ?? 0n) });
  }
  return [...merged.values()];
}

/** Net win per unit staked, times `step`. The product is a whole number. */
function scaledNet(wager: Wager, facts: FactsCount['facts'], step: bigint): bigint {
  const [over, under] = netPerUnitOf(payLineFor(wager, facts));
  return (BigInt(over) * step) / BigInt(under);
}

type Nets = ReadonlyMap<string, readonly bigint[]>;

function worstOf(ids: readonly string[], nets: Nets, shares: readonly FactsCount[], step: bigint): ParSheet['worst'] {
  let worst = { net: 0n, at: 0 };
  shares.forEach((_, at) => {
    const net = ids.reduce((sum, id) => (nets.get(id)![at]! > 0n ? sum + nets.get(id)![at]! : sum), 0n);
    if (net > worst.net) worst = { net, at };
  });
  return { net: fraction(worst.net, step), wagers: ids.filter((id) => nets.get(id)![worst.at]! > 0n) };
}

/** Covariance of each pair of wagers, computed exactly and converted to a double at the end. */
function covariancesOf(
  ids: readonly string[],
  nets: Nets,
  shares: readonly FactsCount[],
  deals: bigint,
  step: bigint,
): ParSheet['covariance'] {
  const sums = new Map(ids.map((id) => [id, sumOf(nets.get(id)!, shares)]));
  const table: { [a: string]: { [b: string]: number } } = {};
  for (const a of ids) table[a] = {};
  ids.forEach((a, place) => {
    const weighted = shares.map(({ ways }, at) => ways * nets.get(a)![at]!);
    for (const b of ids.slice(place)) {
      const of = nets.get(b)!;
      const joint = weighted.reduce((sum, weight, at) => sum + weight * of[at]!, 0n);
      const over = joint * deals - sums.get(a)! * sums.get(b)!;
      table[a]![b] = table[b]![a] = fractionToNumber(fraction(over, deals * deals * step * step));
    }
  });
  return table;
}

const sumOf = (nets: readonly bigint[], shares: readonly FactsCount[]): bigint =>
  shares.reduce((sum, { ways }, at) => sum + ways * nets[at]!, 0n);
