import { type LobbyTile } from '../../../wire/tableView.ts';

/** Status of a table as displays and tiles show it. `left`: milliseconds until bets close. */
export type PublicTableStatus =
  | { readonly kind: 'open'; readonly left: number }
  | { readonly kind: 'shut' }
  | { readonly kind: 'won'; readonly winner: NonNullable<LobbyTile['winner']> }
  | { readonly kind: 'void' | 'shoe' | 'soon' | 'dealer' | 'closed' | 'stopped' | 'cannot-record' };

/**
 * The status of a table at the server time `now`. Undefined between rounds and while a result is shown, because a
 * display then shows another status than a tile. From the deadline on, bets are shown as closed. [READING 15]
 */
export function tableStatusInRound(
  { phase, stopped, closesAt }: Pick<LobbyTile, 'phase' | 'stopped' | 'closesAt'>,
  now: number,
): PublicTableStatus | undefined {
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
      return undefined;
  }
}

/** True when bets stay open until the dealer's call, because the betting time is over or patrons bet with chips. */
export const isOpenUntilDealerCall = (
  { attended, bets }: Pick<LobbyTile, 'attended' | 'bets'>,
  status: PublicTableStatus,
): boolean => status.kind === 'open' && attended && (status.left === 0 || bets === 'chips');
