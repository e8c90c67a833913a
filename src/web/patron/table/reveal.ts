// How far a round has been shown. A card flies from the shoe, lies face down for as long as that takes, and is turned;
// a moment after the last one the verdict stands. What was missed, on another page or without a link, is shown at once.

/** Cards that have left the shoe on this screen, those of them that are turned, and whether the verdict stands. */
export type RevealState = {
  readonly round: string | null;
  readonly out: number;
  readonly turned: number;
  readonly verdict: boolean;
};

/** The round as the server has told it. */
export type DealtState = { readonly round: string | null; readonly cards: number; readonly isOver: boolean };

/** Milliseconds: a flight, a turn, and the moment before the verdict. */
export const pace = { flight: 280, turn: 240, moment: 700 } as const;

export const shownWhole = ({ round, cards, isOver }: DealtState): RevealState => ({
  round,
  out: cards,
  turned: cards,
  verdict: isOver,
});

/** What is shown next and how long after this; undefined where all is shown. */
export function nextShown(
  shown: RevealState,
  told: DealtState,
): { readonly shown: RevealState; readonly after: number } | undefined {
  // Another round, or cards that were taken back: nothing of it is played again.
  if (shown.round !== told.round) return { shown: { ...shownWhole({ ...told, cards: 0, isOver: false }) }, after: 0 };
  if (told.cards < shown.out || (shown.verdict && !told.isOver)) return { shown: shownWhole(told), after: 0 };
  if (shown.turned < shown.out) return { shown: { ...shown, turned: shown.out }, after: pace.flight + pace.turn };
  if (shown.out < told.cards) return { shown: { ...shown, out: shown.out + 1 }, after: 0 };
  if (told.isOver && !shown.verdict) return { shown: { ...shown, verdict: true }, after: pace.moment };
  return undefined;
}
