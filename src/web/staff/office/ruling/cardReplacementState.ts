import { type DeckId } from '../../../../rules/card.ts';
import { type KeyPress, keyAction } from '../../kit/input/keyBindings.ts';

/**
 * Replacement of one card. `place` is the index of the wrong card among the drawn cards, `card` is the right card, and
 * `typed` is the rank of a half-typed card.
 */
export type CardReplacementState = {
  readonly place: number | null;
  readonly card: string | null;
  readonly typed: string;
};

export const emptyCardReplacementState: CardReplacementState = { place: null, card: null, typed: '' };

/**
 * Applies a key: a digit selects the wrong card, then rank and suit enter the right card. A key without effect returns
 * the same object.
 */
export function applyCardReplacementKey(
  fix: CardReplacementState,
  key: KeyPress,
  count: number,
  deck: DeckId,
): CardReplacementState {
  const { place, card, typed } = fix;
  if (key.key === 'Backspace' || key.key === 'Escape') {
    if (typed !== '') return { ...fix, typed: '' };
    if (card !== null) return { ...fix, card: null };
    return place === null ? fix : emptyCardReplacementState;
  }
  if (place === null) {
    const draw = Number(key.key);
    return Number.isInteger(draw) && draw >= 1 && draw <= count
      ? { ...emptyCardReplacementState, place: draw - 1 }
      : fix;
  }
  const action = keyAction(key, { expects: 'card', deck, typedRank: typed, phaseSince: 0 }, 0);
  if (action?.type === 'typed') return { ...fix, card: null, typed: action.rank };
  if (action?.type === 'card') return { ...fix, card: action.card, typed: '' };
  if (action?.type === 'move')
    return { ...emptyCardReplacementState, place: Math.max(0, Math.min(count - 1, place + action.by)) };
  return fix;
}
