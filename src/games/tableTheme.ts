import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';
import { type Game } from '../rules/game.ts';

// Theme of a table. It changes no spot, odds or limit.

const felt = s.literals(['emerald', 'petrol', 'plum', 'umber']);

export const themeSchema = s.object('a look: felt and emblem', {
  felt,
  /** Printed on the felt; empty for none. */
  emblem: s.stringMatching('a text of up to 12 characters', /^.{0,12}$/u),
});
export type TableTheme = Infer<typeof themeSchema>;

const felts: { readonly [book: string]: TableTheme['felt'] } = { SUP: 'petrol', ELM: 'plum', FAB: 'umber' };

/** Default theme of a game: one felt per family of rulebooks. */
export const defaultTheme = ({ book }: Game): TableTheme => ({ felt: felts[book] ?? 'emerald', emblem: '' });
