import { type CommandPreviewAnswer } from '../../../../wire/staff/previewTypes.ts';
import { type RoundTimelineStep } from '../../../../wire/staff/roundTypes.ts';
import { type Card } from '../../../../rules/card.ts';
import { nextSlot, slots } from '../../../../rules/play.ts';

/** What a correction changes for one credit session. Amounts are in cents. */
export type CreditSessionDifference = {
  readonly session: string;
  readonly paid: number;
  readonly due: number;
  /** Credit of the session at present; null if unknown. */
  readonly credit: number | null;
  readonly open: boolean;
  readonly short: number;
};

/**
 * Credit sessions whose payout the correction changes. If a session must return more than its credit, the difference is
 * a shortfall. [READING 60]
 */
export function creditSessionDifferences(
  { rulings, sessions = {} }: CommandPreviewAnswer,
  ruling: string,
): readonly CreditSessionDifference[] {
  return (rulings?.rows ?? []).flatMap(({ terminal, paid, back }) => {
    const due = back[ruling] ?? null;
    if (paid === null || due === null || paid === due) return [];
    const session = sessions[terminal];
    const short = Math.max(0, paid - due - (session?.credit ?? 0));
    return [
      {
        session: terminal,
        paid,
        due,
        credit: session?.credit ?? null,
        open: session?.open ?? false,
        short: due > paid ? 0 : short,
      },
    ];
  });
}

/** Cards of a round and their slots, after all corrections in its timeline. */
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
export type ResultByWager = { readonly [wager: string]: Result };

/** Results of the wagers in the last settlement of a round; empty before the first settlement. */
export const lastSettledResults = (steps: readonly RoundTimelineStep[]): ResultByWager =>
  (steps.findLast(({ event }) => event['results'] !== undefined)?.event['results'] as ResultByWager | undefined) ?? {};
