import { type View } from '../../wire/tableView.ts';

/** Status of the table as the display shows it. `left`: milliseconds until bets close. */
export type DisplayStatus =
  | { readonly kind: 'open'; readonly left: number }
  | { readonly kind: 'shut' }
  | { readonly kind: 'won'; readonly winner: 'player' | 'banker' | 'tie' }
  | { readonly kind: 'void' | 'shoe' | 'soon' | 'dealer' | 'closed' | 'stopped' | 'cannot-record' };

/** The status of a table at a time of the server. From the deadline on it shows that bets are closed. [READING 15] */
export function displayStatus({ phase, round, stopped, shoe, attended }: View, now: number): DisplayStatus {
  if (stopped !== null) return { kind: stopped.kind === 'cannot-record' ? 'cannot-record' : 'stopped' };
  if (phase === 'closed') return { kind: 'closed' };
  if (phase === 'betting' || phase === 'closing') {
    const left = Math.max(0, (round?.deadline ?? round?.closesAt ?? now) - now);
    return left === 0 && phase === 'closing' ? { kind: 'shut' } : { kind: 'open', left };
  }
  if (phase === 'dealing') return { kind: 'shut' };
  // The result of a round is shown until its shoe is removed or the next bets open.
  if (phase === 'idle' && attended && shoe === null) return { kind: 'dealer' };
  if (phase === 'idle' && (shoe === null || !shoe.ready)) return { kind: 'shoe' };
  if (round === null) return { kind: 'soon' };
  if (round.voidBy !== null) return { kind: 'void' };
  return round.winner === null ? { kind: 'soon' } : { kind: 'won', winner: round.winner };
}

/** True if bets stay open until the dealer calls: the betting time is over, or patrons bet with chips. */
export const isOpenUntilDealerCall = ({ attended, bets }: View, status: DisplayStatus): boolean =>
  status.kind === 'open' && attended && (status.left === 0 || bets === 'chips');

/** Side bets that have a counter on the display. Bets on exact totals have none, since there are too many. */
export const sideBetsWithCounter = ({ layout }: View): readonly View['layout'][number][] =>
  layout.filter(({ wager }) => !['player', 'banker', 'tie'].includes(wager) && !wager.includes('-wins-on-'));

/** Index of the counter page that is shown at a time. Pages rotate; each is shown for 8 s. */
export const rotatingPageIndex = (pages: number, now: number): number => Math.floor(now / 8_000) % Math.max(1, pages);

/** Lowest minimum and highest maximum of Player and Banker if `isMain`, else of all other wagers. */
export function mainOrSideLimitsRange({ layout }: View, isMain: boolean): readonly [number, number] | undefined {
  const spots = layout.filter(({ wager }) => (wager === 'player' || wager === 'banker') === isMain);
  if (spots.length === 0) return undefined;
  return [Math.min(...spots.map(({ minimum }) => minimum)), Math.max(...spots.map(({ maximum }) => maximum))];
}
