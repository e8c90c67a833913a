import { type Facts } from '../rules/facts.ts';

export type ShoeStatistics = {
  readonly rounds: number;
  readonly banker: number;
  readonly player: number;
  readonly tie: number;
  /** Number of rounds with at least one natural. [READING 38] */
  readonly naturals: number;
  readonly playerPairs: number;
  readonly bankerPairs: number;
  /** Banker wins with a total of six on two cards: Small Tiger. */
  readonly bankerSixOnTwo: number;
  /** Banker wins with a total of six on three cards: Big Tiger. */
  readonly bankerSixOnThree: number;
  readonly tieAtSix: number;
  /** Number of rounds with at least one pair: wins of Tiger Pair. */
  readonly tigerPairs: number;
  readonly longestBanker: number;
  readonly longestPlayer: number;
  /**
   * The current run of one winner; ties do not end it. `winner` is undefined until Player or Banker has won a round.
   */
  readonly run: { readonly winner: 'player' | 'banker' | undefined; readonly length: number };
};

export const noStatistics: ShoeStatistics = {
  rounds: 0,
  banker: 0,
  player: 0,
  tie: 0,
  naturals: 0,
  playerPairs: 0,
  bankerPairs: 0,
  bankerSixOnTwo: 0,
  bankerSixOnThree: 0,
  tieAtSix: 0,
  tigerPairs: 0,
  longestBanker: 0,
  longestPlayer: 0,
  run: { winner: undefined, length: 0 },
};

export function addRoundToStatistics(before: ShoeStatistics, facts: Facts): ShoeStatistics {
  const count = (fits: boolean): number => (fits ? 1 : 0);
  const bankerSix = facts.winner === 'banker' && facts.bankerTotal === 6;
  const run =
    facts.winner === 'tie'
      ? before.run
      : { winner: facts.winner, length: before.run.winner === facts.winner ? before.run.length + 1 : 1 };
  const longest = (winner: 'player' | 'banker', longestRun: number): number =>
    run.winner === winner ? Math.max(longestRun, run.length) : longestRun;
  return {
    rounds: before.rounds + 1,
    banker: before.banker + count(facts.winner === 'banker'),
    player: before.player + count(facts.winner === 'player'),
    tie: before.tie + count(facts.winner === 'tie'),
    naturals: before.naturals + count(facts.playerNatural || facts.bankerNatural),
    playerPairs: before.playerPairs + count(facts.playerPair),
    bankerPairs: before.bankerPairs + count(facts.bankerPair),
    bankerSixOnTwo: before.bankerSixOnTwo + count(bankerSix && facts.bankerCards === 2),
    bankerSixOnThree: before.bankerSixOnThree + count(bankerSix && facts.bankerCards === 3),
    tieAtSix: before.tieAtSix + count(facts.winner === 'tie' && facts.playerTotal === 6),
    tigerPairs: before.tigerPairs + count(facts.tigerPair !== 'none'),
    longestBanker: longest('banker', before.longestBanker),
    longestPlayer: longest('player', before.longestPlayer),
    run,
  };
}

export const statisticsOf = (rounds: readonly Facts[]): ShoeStatistics =>
  rounds.reduce(addRoundToStatistics, noStatistics);
