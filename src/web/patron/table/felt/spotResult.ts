import { type StakeResultView, type View } from '../../../../wire/tableView.ts';

// What became of a spot, for everyone and for this terminal.

export type Fate =
  /** Nothing is known yet. */
  | 'open'
  | 'won'
  | 'lost'
  /** The stake came back: a push, or a void round. */
  | 'back'
  /** It won, and this terminal had nothing on it. */
  | 'hit'
  /** It neither won nor was played here. */
  | 'idle';

/**
 * Whether a result is stated and not celebrated: what came to no more than was staked, and a stake that is not paid yet,
 * since nobody knows here what it comes to.
 */
export const isStated = (stake: number, sum: { readonly net: number } | null): boolean =>
  sum === null ? stake > 0 : sum.net <= 0;

/** Once the verdict stands: what this terminal was paid there, or else what the round has made of the wager. */
export function fateOf(
  wager: string,
  paid: StakeResultView | undefined,
  { won, voidBy }: Pick<NonNullable<View['round']>, 'won' | 'voidBy'>,
): Fate {
  if (paid !== undefined) return { win: 'won', lose: 'lost', push: 'back', void: 'back' }[paid.result] as Fate;
  if (voidBy !== null || won === null) return 'open';
  return won.includes(wager) ? 'hit' : 'idle';
}
