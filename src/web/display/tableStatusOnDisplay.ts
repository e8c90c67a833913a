import { type PublicTableView } from '../../wire/tableView.ts';
import { type PublicTableStatus, tableStatusInRound } from '../shared/text/tableStatus.ts';

export function tableStatusOnDisplay(
  { phase, round, stopped, shoe, attended }: PublicTableView,
  now: number,
): PublicTableStatus {
  const closesAt = round?.deadline ?? round?.closesAt ?? null;
  const inRound = tableStatusInRound({ phase, stopped: stopped?.kind ?? null, closesAt }, now);
  if (inRound !== undefined) return inRound;
  // The result of the last round stays on screen until the next bets open. A change of the shoe removes it earlier.
  if (phase === 'idle' && attended && shoe === null) return { kind: 'dealer' };
  if (phase === 'idle' && (shoe === null || !shoe.ready)) return { kind: 'shoe' };
  if (round === null) return { kind: 'soon' };
  if (round.voidBy !== null) return { kind: 'void' };
  return round.winner === null ? { kind: 'soon' } : { kind: 'won', winner: round.winner };
}

/**
 * Side bets that have a counter on the display. Bets on exact totals have no counters, since there are too many of
 * them.
 */
export const sideBetsWithCounter = ({ layout }: PublicTableView): readonly PublicTableView['layout'][number][] =>
  layout.filter(({ wager }) => !['player', 'banker', 'tie'].includes(wager) && !wager.includes('-wins-on-'));

/** Index of the counter page to show at the time `now`, in ms. Each page is shown for 8 s. */
export const counterPageIndex = (pages: number, now: number): number => Math.floor(now / 8_000) % Math.max(1, pages);

/**
 * Table limits for the header, in minor units: the lowest minimum and the highest maximum of a group of spots. With
 * `isMain` the group is Player and Banker. Otherwise it is all other spots, including Tie. Undefined if the group has
 * no spot.
 */
export function mainOrSideLimitsRange(
  { layout }: PublicTableView,
  isMain: boolean,
): readonly [number, number] | undefined {
  const spots = layout.filter(({ wager }) => (wager === 'player' || wager === 'banker') === isMain);
  if (spots.length === 0) return undefined;
  return [Math.min(...spots.map(({ minimum }) => minimum)), Math.max(...spots.map(({ maximum }) => maximum))];
}
