// How much of a round is revealed. A card flies from the shoe face down and is then turned. Shortly after the last
// card the result is shown. Cards that were dealt before the table was opened, or without a connection, are shown at
// once.

/** `out`: number of cards on the felt. `turned`: number of cards turned. `verdict`: true if the result is shown. */
export type RevealState = {
  readonly round: string | null;
  readonly out: number;
  readonly turned: number;
  readonly verdict: boolean;
};

/** The round as received from the server. */
export type DealtState = { readonly round: string | null; readonly cards: number; readonly isOver: boolean };

/** Durations in ms: a flight, a turn, and the pause before the result. */
export const revealDurationsMs = { flight: 280, turn: 240, moment: 700 } as const;

export const fullyRevealed = ({ round, cards, isOver }: DealtState): RevealState => ({
  round,
  out: cards,
  turned: cards,
  verdict: isOver,
});

/** The next state and its delay in ms; undefined if everything is revealed. */
export function nextReveal(
  shown: RevealState,
  dealt: DealtState,
): { readonly shown: RevealState; readonly after: number } | undefined {
  // Another round starts without cards. Withdrawn cards disappear without animation.
  if (shown.round !== dealt.round)
    return { shown: { ...fullyRevealed({ ...dealt, cards: 0, isOver: false }) }, after: 0 };
  if (dealt.cards < shown.out || (shown.verdict && !dealt.isOver)) return { shown: fullyRevealed(dealt), after: 0 };
  if (shown.turned < shown.out)
    return { shown: { ...shown, turned: shown.out }, after: revealDurationsMs.flight + revealDurationsMs.turn };
  if (shown.out < dealt.cards) return { shown: { ...shown, out: shown.out + 1 }, after: 0 };
  if (dealt.isOver && !shown.verdict) return { shown: { ...shown, verdict: true }, after: revealDurationsMs.moment };
  return undefined;
}
