import { type DeckId } from '../../../../rules/card.ts';
import { type Named, actOf } from '../../kit/input/keyBindings.ts';

/** Correction of one card: index of the draw, and the right card. */
export type Fix = { readonly place: number | null; readonly card: string | null; readonly typed: string };

export const noFix: Fix = { place: null, card: null, typed: '' };

/** A digit selects the draw, then come rank and suit. Returns the same correction when the key has no effect. */
export function fixedBy(fix: Fix, key: Named, count: number, deck: DeckId): Fix {
  const { place, card, typed } = fix;
  if (key.key === 'Backspace' || key.key === 'Escape') {
    if (typed !== '') return { ...fix, typed: '' };
    if (card !== null) return { ...fix, card: null };
    return place === null ? fix : noFix;
  }
  if (place === null) {
    const draw = Number(key.key);
    return Number.isInteger(draw) && draw >= 1 && draw <= count ? { ...noFix, place: draw - 1 } : fix;
  }
  const act = actOf(key, { takes: 'card', deck, typed, since: 0 }, 0);
  if (act?.type === 'typed') return { ...fix, card: null, typed: act.rank };
  if (act?.type === 'card') return { ...fix, card: act.card, typed: '' };
  if (act?.type === 'move') return { ...noFix, place: Math.max(0, Math.min(count - 1, place + act.by)) };
  return fix;
}
