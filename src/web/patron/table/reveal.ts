// How much of a round the screen has revealed. A card flies from the shoe face down and is then turned. Shortly after
// the last card the result is shown. Cards dealt before this screen opened the table, or while the connection was lost,
// are shown at once.

/**
 * `out`: number of cards on the felt. `turned`: number of cards turned face up. `verdict`: true once the result is
 * shown.
 */
export type RevealState = {
  readonly round: string | null;
  readonly out: number;
  readonly turned: number;
  readonly verdict: boolean;
};

/** How far the server has dealt the round: the number of cards, and whether the winner is known. */
export type DealProgress = { readonly round: string | null; readonly cards: number; readonly isOver: boolean };

/** Durations in ms: the flight of a card, its turn, and the pause before the result (`moment`). */
export const revealDurationsMs = { flight: 280, turn: 240, moment: 700 } as const;

export const fullyRevealedState = ({ round, cards, isOver }: DealProgress): RevealState => ({
  round,
  out: cards,
  turned: cards,
  verdict: isOver,
});

/** The next state to show and the delay before it, in ms; undefined if everything is revealed. */
export function nextRevealStep(
  shown: RevealState,
  dealt: DealProgress,
): { readonly shown: RevealState; readonly after: number } | undefined {
  // A new round starts without cards. If the server withdraws cards, they disappear without animation.
  if (shown.round !== dealt.round)
    return { shown: { ...fullyRevealedState({ ...dealt, cards: 0, isOver: false }) }, after: 0 };
  if (dealt.cards < shown.out || (shown.verdict && !dealt.isOver))
    return { shown: fullyRevealedState(dealt), after: 0 };
  if (shown.turned < shown.out)
    return { shown: { ...shown, turned: shown.out }, after: revealDurationsMs.flight + revealDurationsMs.turn };
  if (shown.out < dealt.cards) return { shown: { ...shown, out: shown.out + 1 }, after: 0 };
  if (dealt.isOver && !shown.verdict) return { shown: { ...shown, verdict: true }, after: revealDurationsMs.moment };
  return undefined;
}
