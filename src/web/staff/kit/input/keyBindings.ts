import { type DeckId, decks } from '../../../../rules/card.ts';

// What a key means at a console, by what is asked for. Pure: a key and the state give an act and the half-typed rank.

/** Enter is dead for so long after the phase has changed: it was meant for what stood there before. */
export const deadTime = 600;

/** Who gets the keys. */
export type Where = {
  /** A card is asked for, a text, a digit of a list, or nothing. */
  readonly takes: 'card' | 'field' | 'list' | 'nothing';
  readonly deck: DeckId;
  /** The rank that was typed, before its suit. */
  readonly typed: string;
  /** When the phase last changed. */
  readonly since: number;
};

/** What a letter does where no text is asked for. */
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

/** What a key names, with or without Shift. */
export type Named = { readonly key: string; readonly shift?: boolean };

const rankOf = (key: string, deck: DeckId): string | undefined => {
  const rank = key === '0' ? 'T' : key;
  return (decks[deck].ranks as readonly string[]).includes(rank) ? rank : undefined;
};

/** Suits by letter or, on a number pad, by their place. */
const suitOf = (key: string, deck: DeckId): string | undefined => {
  const suits: readonly string[] = decks[deck].suits;
  return suits.includes(key) ? key : /^[1-9]$/.test(key) ? suits[Number(key) - 1] : undefined;
};

/** The act of a key; undefined where it has none. */
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
