import { type View } from '../../wire/tableView.ts';

export type DisplayStatus =
  | { readonly kind: 'open'; readonly left: number }
  | { readonly kind: 'shut' }
  | { readonly kind: 'won'; readonly winner: 'player' | 'banker' | 'tie' }
  | { readonly kind: 'void' | 'shoe' | 'soon' | 'dealer' | 'closed' | 'stopped' | 'cannot-record' };

/** The status at a server time. Bets show as closed at the deadline. [READING 15] */
export function displayStatus({ phase, round, stopped, shoe, attended }: View, now: number): DisplayStatus {
  if (stopped !== null) return { kind: stopped.kind === 'cannot-record' ? 'cannot-record' : 'stopped' };
  if (phase === 'closed') return { kind: 'closed' };
  if (phase === 'betting' || phase === 'closing') {
    const left = Math.max(0, (round?.deadline ?? round?.closesAt ?? now) - now);
    return left === 0 && phase === 'closing' ? { kind: 'shut' } : { kind: 'open', left };
  }
  if (phase === 'dealing') return { kind: 'shut' };
  // After a round its result is shown for as long as its shoe is in place.
  if (phase === 'idle' && attended && shoe === null) return { kind: 'dealer' };
  if (phase === 'idle' && (shoe === null || !shoe.ready)) return { kind: 'shoe' };
  if (round === null) return { kind: 'soon' };
  if (round.voidBy !== null) return { kind: 'void' };
  return round.winner === null ? { kind: 'soon' } : { kind: 'won', winner: round.winner };
}

/** The dealer has to call the close: the betting time is over, or there is none because patrons bet with chips. */
export const isOpenUntilDealerCall = ({ attended, bets }: View, status: DisplayStatus): boolean =>
  status.kind === 'open' && attended && (status.left === 0 || bets === 'chips');

/** Side bets with a counter. Bets on single totals have none: they are too many. */
export const sideBetsWithCounter = ({ layout }: View): readonly View['layout'][number][] =>
  layout.filter(({ wager }) => !['player', 'banker', 'tie'].includes(wager) && !wager.includes('-wins-on-'));

/** The current page of a rotation; each page is shown for 8 s. */
export const rotatingPageIndex = (pages: number, now: number): number => Math.floor(now / 8_000) % Math.max(1, pages);

/** Lowest minimum and highest maximum of the main bets, or of all others. */
export function mainOrSideLimitsRange({ layout }: View, isMain: boolean): readonly [number, number] | undefined {
  const spots = layout.filter(({ wager }) => (wager === 'player' || wager === 'banker') === isMain);
  if (spots.length === 0) return undefined;
  return [Math.min(...spots.map(({ minimum }) => minimum)), Math.max(...spots.map(({ maximum }) => maximum))];
}
