import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';
import { type Game } from '../rules/game.ts';

// How a table looks. It changes no spot, no odds and no limit.

const felt = s.literals(['emerald', 'petrol', 'plum', 'umber']);

export const themeSchema = s.object('a look: felt and emblem', {
  felt,
  /** Printed on the felt; nothing where it is empty. */
  emblem: s.stringMatching('a text of up to 12 characters', /^.{0,12}$/u),
});
export type TableTheme = Infer<typeof themeSchema>;

const felts: { readonly [book: string]: TableTheme['felt'] } = { SUP: 'petrol', ELM: 'plum', FAB: 'umber' };

/** How a table of this game looks unless its property says otherwise: one felt for each family of books. */
export const defaultTheme = ({ book }: Game): TableTheme => ({ felt: felts[book] ?? 'emerald', emblem: '' });
