import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';
import { type Game } from '../rules/game.ts';

// Theme of a table: how its felt looks. A theme changes no wager, odds or limits.

const felt = s.literals(['emerald', 'petrol', 'plum', 'umber']);

export const themeSchema = s.object('a theme: felt and emblem', {
  felt,
  /** Text printed on the felt; an empty text prints nothing. */
  emblem: s.stringMatching('a text of up to 12 characters', /^.{0,12}$/u),
});
export type TableTheme = Infer<typeof themeSchema>;

const felts: { readonly [book: string]: TableTheme['felt'] } = { SUP: 'petrol', ELM: 'plum', FAB: 'umber' };

/** The default theme of a game. The felt colour depends on the rulebook. */
export const defaultThemeOf = ({ book }: Game): TableTheme => ({ felt: felts[book] ?? 'emerald', emblem: '' });
