import { type StakeResultView, type PublicTableView } from '../../../../wire/tableView.ts';

export type SpotResult =
  /** `open`: the wager is not decided, or the round is void and this terminal had no stake on the wager. */
  | 'open'
  | 'won'
  | 'lost'
  /** `back`: the stake was returned, by a push or a void round. */
  | 'back'
  /** `hit`: the wager won, and this terminal had no stake on it. */
  | 'hit'
  /** `idle`: the wager did not win, and this terminal had no stake on it. */
  | 'idle';

/**
 * True when a result is shown without celebration: the patron gets back no more than the stake, or the amount is not
 * known yet.
 */
export const isWithoutCelebration = (stake: number, sum: { readonly net: number } | null): boolean =>
  sum === null ? stake > 0 : sum.net <= 0;

/**
 * The result of a spot once the round is decided: the result of this terminal's stake or, without a stake, the result
 * of the wager.
 */
export function spotResultOf(
  wager: string,
  paid: StakeResultView | undefined,
  { won, voidBy }: Pick<NonNullable<PublicTableView['round']>, 'won' | 'voidBy'>,
): SpotResult {
  if (paid !== undefined) return { win: 'won', lose: 'lost', push: 'back', void: 'back' }[paid.result] as SpotResult;
  if (voidBy !== null || won === null) return 'open';
  return won.includes(wager) ? 'hit' : 'idle';
}
