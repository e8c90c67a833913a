import { assert } from '../../base/assert.ts';
import { type EventOf } from '../schema/events.ts';
import { type TableSettings } from '../schema/settings.ts';
import { type CardSource, type CardProvenance, type Table } from '../state.ts';

// Provenance of the cards of a round: how, when and by which actor each card was recorded.

export const cardProvenance = (event: EventOf<'CardDealt'>, setting: TableSettings): CardProvenance => ({
  at: event.at,
  how: cardSourceOf(event, setting),
  actor: event.actor,
});

function cardSourceOf(
  { byEye, afterwards, carried, index, keyed }: EventOf<'CardDealt'>,
  { dealing }: TableSettings,
): CardSource {
  if (byEye !== undefined) return 'by-eye';
  if (afterwards) return 'afterwards';
  if (carried) return 'carried';
  if (index !== undefined) return 'virtual';
  return keyed || dealing === 'keyed' ? 'keyed' : 'scanned';
}

/**
 * Updates the provenance of the cards after a reconstruction. A card that keeps its number in the round keeps its
 * provenance. Any other card gets the provenance `replayed`.
 */
export function applyReconstructedProvenance(
  { round }: Table,
  { before, after, at, actor }: EventOf<'RoundReconstructed'>,
): void {
  assert(round !== null, 'the table has a round');
  const remaining = before.map((card, place) => ({ card, entry: round.came[place]! }));
  round.came = after.map((card, place) => {
    if (before[place] === card) return round.came[place]!;
    const found = remaining.findIndex((one, from) => one.card === card && after[from] !== card);
    const moved = found < 0 ? undefined : remaining.splice(found, 1, { card: '', entry: remaining[found]!.entry })[0];
    return { at: moved?.entry.at ?? at, how: 'replayed', actor: moved?.entry.actor ?? actor };
  });
}

/** Updates the provenance of the cards after a card was corrected. Surplus cards leave the round. */
export function applyCorrectedProvenance(
  { round }: Table,
  { round: id, place, after, at, actor }: EventOf<'CardCorrected'>,
): void {
  if (round?.id !== id) return;
  round.came = round.came.slice(0, after.length).with(place - 1, { at, how: 'corrected', actor });
}
