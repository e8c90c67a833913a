import { type Tile } from '../../../wire/tableView.ts';

/** The status of a table, as far as its tile shows it. */
export type TileStatus =
  | { readonly kind: 'open'; readonly left: number }
  | { readonly kind: 'shut' }
  | { readonly kind: 'won'; readonly winner: NonNullable<Tile['winner']> }
  | { readonly kind: 'void' | 'shoe' | 'soon' | 'dealer' | 'closed' | 'stopped' | 'cannot-record' };

/** The status at a server time. Bets show as closed at the deadline. [READING 15] */
export function tileStatus(tile: Tile, now: number): TileStatus {
  const { phase, stopped, closesAt, winner, voidBy, results, attended, ready } = tile;
  if (stopped !== null) return { kind: stopped === 'cannot-record' ? 'cannot-record' : 'stopped' };
  switch (phase) {
    case 'betting':
    case 'closing': {
      const left = Math.max(0, (closesAt ?? now) - now);
      return left === 0 && phase === 'closing' ? { kind: 'shut' } : { kind: 'open', left };
    }
    case 'dealing':
      return { kind: 'shut' };
    case 'closed':
      return { kind: 'closed' };
    case 'idle':
    case 'result':
    case 'paying':
      // A table with a dealer waits until the dealer is ready.
      if (phase === 'idle' && attended && !ready) return { kind: 'dealer' };
      if (voidBy !== null) return { kind: 'void' };
      if (phase === 'idle' && results.length === 0) return { kind: attended ? 'soon' : 'shoe' };
      return winner === null ? { kind: 'soon' } : { kind: 'won', winner };
  }
}

/** The dealer has to call the close: the betting time is over, or there is none because patrons bet with chips. */
export const isTileUntilCalled = ({ attended, bets }: Tile, status: TileStatus): boolean =>
  status.kind === 'open' && attended && (status.left === 0 || bets === 'chips');

/** Milliseconds as whole seconds, never negative. */
export const wholeSeconds = (time: number): number => Math.max(0, Math.ceil(time / 1000));

/** Wins of each hand in the shoe. */
export function countWins(results: readonly string[]): {
  readonly player: number;
  readonly tie: number;
  readonly banker: number;
} {
  const count = (letter: string): number => results.filter((code) => code.startsWith(letter)).length;
  return { player: count('P'), tie: count('T'), banker: count('B') };
}
