import { type DeckId, decks } from '../../../../rules/card.ts';

/** After a phase change Enter is ignored for this time, since the person may have pressed it for the previous phase. */
export const enterGuardMs = 600;

export type KeyContext = {
  /** What the keys enter now: a card, the text of a field, the number of a list row, or nothing. */
  readonly expects: 'card' | 'field' | 'list' | 'nothing';
  readonly deck: DeckId;
  /** Rank of a half-typed card; empty while no rank is typed. */
  readonly typedRank: string;
  /** Time of the last phase change. Its clock is the clock of the argument `at` of `keyAction`. */
  readonly phaseSince: number;
};

/** Shortcuts by key. While a text field is active, they have no effect. */
const shortcuts = {
  W: 'wrong',
  P: 'call',
  R: 'relief',
  N: 'shoe',
  E: 'extend',
  X: 'cut',
  M: 'note',
  Z: 'lock',
  U: 'other',
  V: 'report',
  '?': 'clauses',
} as const;
export type ConsoleShortcutName = (typeof shortcuts)[keyof typeof shortcuts];

export type KeyAction =
  | { readonly type: 'typed'; readonly rank: string }
  | { readonly type: 'card'; readonly card: string }
  | { readonly type: 'next' }
  | { readonly type: 'back' }
  | { readonly type: 'escape' }
  | { readonly type: 'tab'; readonly by: 1 | -1 }
  | { readonly type: 'move'; readonly by: 1 | -1; readonly carry: boolean }
  | { readonly type: 'char'; readonly char: string }
  | { readonly type: 'digit'; readonly digit: number }
  | { readonly type: 'shortcut'; readonly shortcut: ConsoleShortcutName };

export type KeyPress = { readonly key: string; readonly shift?: boolean };

const rankOf = (key: string, deck: DeckId): string | undefined => {
  const rank = key === '0' ? 'T' : key;
  return (decks[deck].ranks as readonly string[]).includes(rank) ? rank : undefined;
};

/**
 * Suit that a key enters: the letter of the suit or, on a number pad, its number in the deck. Undefined for any other
 * key.
 */
const suitOf = (key: string, deck: DeckId): string | undefined => {
  const suits: readonly string[] = decks[deck].suits;
  return suits.includes(key) ? key : /^[1-9]$/.test(key) ? suits[Number(key) - 1] : undefined;
};

/** Action of a key; undefined for a key that has no effect now. */
export function keyAction({ key, shift = false }: KeyPress, context: KeyContext, at: number): KeyAction | undefined {
  switch (key) {
    case 'Enter':
      return at - context.phaseSince < enterGuardMs ? undefined : { type: 'next' };
    case 'Backspace':
      return { type: 'back' };
    case 'Escape':
      return { type: 'escape' };
    case 'Tab':
      return context.expects === 'field' ? { type: 'tab', by: shift ? -1 : 1 } : undefined;
    case 'ArrowLeft':
    case 'ArrowUp':
      return { type: 'move', by: -1, carry: shift };
    case 'ArrowRight':
    case 'ArrowDown':
      return { type: 'move', by: 1, carry: shift };
  }
  if (key.length !== 1) return undefined;
  if (context.expects === 'field') return { type: 'char', char: key };
  const upper = key.toUpperCase();
  if (context.expects === 'card') {
    const suit = context.typedRank === '' ? undefined : suitOf(upper, context.deck);
    if (suit !== undefined) return { type: 'card', card: `${context.typedRank}${suit}` };
    const rank = rankOf(upper, context.deck);
    if (rank !== undefined) return { type: 'typed', rank };
  }
  if (/^\d$/.test(key)) return context.expects === 'list' ? { type: 'digit', digit: Number(key) } : undefined;
  const shortcut = (shortcuts as { readonly [letter: string]: ConsoleShortcutName })[upper];
  return shortcut === undefined ? undefined : { type: 'shortcut', shortcut };
}
