import { type LobbyTile } from '../../../wire/tableView.ts';
import { type PublicTableStatus, tableStatusInRound } from '../../shared/text/tableStatus.ts';

export function tileStatus(tile: LobbyTile, now: number): PublicTableStatus {
  const { phase, winner, voidBy, results, attended, ready } = tile;
  const inRound = tableStatusInRound(tile, now);
  if (inRound !== undefined) return inRound;
  // An attended table that is not ready waits for its dealer.
  if (phase === 'idle' && attended && !ready) return { kind: 'dealer' };
  if (voidBy !== null) return { kind: 'void' };
  if (phase === 'idle' && results.length === 0) return { kind: attended ? 'soon' : 'shoe' };
  return winner === null ? { kind: 'soon' } : { kind: 'won', winner };
}

/** Whole seconds of a duration in milliseconds, rounded up and never negative. */
export const secondsRoundedUp = (time: number): number => Math.max(0, Math.ceil(time / 1000));

/** Number of wins of Player, wins of Banker, and ties in the shoe. */
export function countWins(results: readonly string[]): {
  readonly player: number;
  readonly tie: number;
  readonly banker: number;
} {
  const count = (letter: string): number => results.filter((code) => code.startsWith(letter)).length;
  return { player: count('P'), tie: count('T'), banker: count('B') };
}
