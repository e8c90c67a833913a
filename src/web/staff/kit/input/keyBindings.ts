import { type DeckId, decks } from '../../../../rules/card.ts';

// Key bindings of the dealer console. Pure: key and context give an action.

/** Enter is ignored for this time after the phase has changed: it was meant for the previous action. */
export const deadTime = 600;

export type Where = {
  /** What the keys enter: a card, text of a field, a digit of a list, or nothing. */
  readonly takes: 'card' | 'field' | 'list' | 'nothing';
  readonly deck: DeckId;
  /** Rank typed so far, before its suit. */
  readonly typed: string;
  /** Time of the last phase change, on the same clock as `at`. */
  readonly since: number;
};

/** Shortcuts, while no text is being typed. */
const letters = {
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
export type LetterCommand = (typeof letters)[keyof typeof letters];

export type KeyAct =
  | { readonly type: 'typed'; readonly rank: string }
  | { readonly type: 'card'; readonly card: string }
  | { readonly type: 'next' }
  | { readonly type: 'back' }
  | { readonly type: 'escape' }
  | { readonly type: 'tab'; readonly by: 1 | -1 }
  | { readonly type: 'move'; readonly by: 1 | -1; readonly carry: boolean }
  | { readonly type: 'char'; readonly char: string }
  | { readonly type: 'digit'; readonly digit: number }
  | { readonly type: 'order'; readonly order: LetterCommand };

export type Named = { readonly key: string; readonly shift?: boolean };

const rankOf = (key: string, deck: DeckId): string | undefined => {
  const rank = key === '0' ? 'T' : key;
  return (decks[deck].ranks as readonly string[]).includes(rank) ? rank : undefined;
};

/** Suits by letter or, on a number pad, by position. */
const suitOf = (key: string, deck: DeckId): string | undefined => {
  const suits: readonly string[] = decks[deck].suits;
  return suits.includes(key) ? key : /^[1-9]$/.test(key) ? suits[Number(key) - 1] : undefined;
};

/** Undefined for a key without a binding. */
export function actOf({ key, shift = false }: Named, where: Where, at: number): KeyAct | undefined {
  switch (key) {
    case 'Enter':
      return at - where.since < deadTime ? undefined : { type: 'next' };
    case 'Backspace':
      return { type: 'back' };
    case 'Escape':
      return { type: 'escape' };
    case 'Tab':
      return where.takes === 'field' ? { type: 'tab', by: shift ? -1 : 1 } : undefined;
    case 'ArrowLeft':
    case 'ArrowUp':
      return { type: 'move', by: -1, carry: shift };
    case 'ArrowRight':
    case 'ArrowDown':
      return { type: 'move', by: 1, carry: shift };
  }
  if (key.length !== 1) return undefined;
  if (where.takes === 'field') return { type: 'char', char: key };
  const big = key.toUpperCase();
  if (where.takes === 'card') {
    const suit = where.typed === '' ? undefined : suitOf(big, where.deck);
    if (suit !== undefined) return { type: 'card', card: `${where.typed}${suit}` };
    const rank = rankOf(big, where.deck);
    if (rank !== undefined) return { type: 'typed', rank };
  }
  if (/^\d$/.test(key)) return where.takes === 'list' ? { type: 'digit', digit: Number(key) } : undefined;
  const order = (letters as { readonly [letter: string]: LetterCommand })[big];
  return order === undefined ? undefined : { type: 'order', order };
}
