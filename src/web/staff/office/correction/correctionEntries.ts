import { type PreviewAnswer } from '../../../../wire/staff/previewTypes.ts';
import { type RoundTimelineStep } from '../../../../wire/staff/roundTypes.ts';
import { type Card } from '../../../../rules/card.ts';
import { nextSlot, slots } from '../../../../rules/play.ts';

/** What a correction does to one session that played. */
export type CorrectionEntry = {
  readonly session: string;
  readonly paid: number;
  readonly due: number;
  /** What it still has; null where that is not known. */
  readonly credit: number | null;
  readonly open: boolean;
  readonly short: number;
};

/** Every session whose money a correction moves; what its credit does not cover is short. [READING 60] */
export function entriesOf({ rulings, sessions = {} }: PreviewAnswer, ruling: string): readonly CorrectionEntry[] {
  return (rulings?.rows ?? []).flatMap(({ terminal, paid, back }) => {
    const due = back[ruling] ?? null;
    if (paid === null || due === null || paid === due) return [];
    const known = sessions[terminal];
    const short = Math.max(0, paid - due - (known?.credit ?? 0));
    return [
      {
        session: terminal,
        paid,
        due,
        credit: known?.credit ?? null,
        open: known?.open ?? false,
        short: due > paid ? 0 : short,
      },
    ];
  });
}

/** The cards of a round by its story: as dealt, and as they were put right since. */
export function cardsInTimeline(
  steps: readonly RoundTimelineStep[],
): readonly { readonly card: string; readonly slot: string }[] {
  let cards: string[] = [];
  for (const { event } of steps) {
    const { type, card, after } = event;
    if (type === 'CardDealt' && typeof card === 'string') cards.push(card);
    else if (type === 'CardTakenBack') cards = cards.slice(0, -1);
    else if ((type === 'RoundReconstructed' || type === 'CardCorrected') && Array.isArray(after))
      cards = [...(after as string[])];
    else if (type === 'RoundResettled' && Array.isArray(event['cards'])) cards = [...(event['cards'] as string[])];
  }
  return cards.map((card, n) => ({
    card,
    slot: (n === 4 ? nextSlot(cards.slice(0, 4) as Card[]) : slots[n]) ?? '+',
  }));
}

type Result = { readonly result: string; readonly pays: readonly [number, number]; readonly by: string };
export type CorrectionResults = { readonly [wager: string]: Result };

/** The results that a round was last settled with. */
export const lastResults = (steps: readonly RoundTimelineStep[]): CorrectionResults =>
  (steps.findLast(({ event }) => event['results'] !== undefined)?.event['results'] as CorrectionResults | undefined) ??
  {};
