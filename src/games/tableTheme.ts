import { type ValueOf, object, oneOf, textLike } from '../base/schema.ts';
import { type Game } from '../rules/game.ts';

// How a table looks. It changes no spot, no odds and no limit.

const felt = oneOf(['emerald', 'petrol', 'plum', 'umber']);

export const look = object('a look: felt and emblem', {
  felt,
  /** Printed on the felt; nothing where it is empty. */
  emblem: textLike('a text of up to 12 characters', /^.{0,12}$/u),
});
export type Look = ValueOf<typeof look>;

const felts: { readonly [book: string]: Look['felt'] } = { SUP: 'petrol', ELM: 'plum', FAB: 'umber' };

/** How a table of this game looks unless its property says otherwise: one felt for each family of books. */
export const usualLook = ({ book }: Game): Look => ({ felt: felts[book] ?? 'emerald', emblem: '' });
