import { type RulingOptionView } from '../../../../wire/staff/dealerView.ts';

/**
 * Key of a ruling in the strings of ruling names. Between rounds a void only locks the shoe, so it has the key `lock`.
 */
export const rulingStringKey = ({ ruling, round }: Pick<RulingOptionView, 'ruling' | 'round'>): string =>
  ruling === 'void' && round === 'unchanged' ? 'lock' : ruling;
