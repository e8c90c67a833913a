import { type RulingOptionView } from '../../../../wire/staff/dealerView.ts';

/** Key of the name of a ruling. Between rounds a void only locks the shoe. */
export const rulingKey = ({ ruling, round }: Pick<RulingOptionView, 'ruling' | 'round'>): string =>
  ruling === 'void' && round === 'unchanged' ? 'lock' : ruling;
