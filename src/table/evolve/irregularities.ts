import { type Actor } from '../../access/actor.ts';
import { type OpenIrregularity, type Table } from '../state.ts';

// What stops a table and lets it go on. While it stands still no time runs.

/** A matter that is taken is the gravest and leads, unless so many others are graver. */
export function openIrregularity(
  table: Table,
  since: number,
  {
    kind,
    by,
    round,
    rulings,
    note,
    place,
  }: Partial<OpenIrregularity> & Pick<OpenIrregularity, 'kind' | 'by' | 'rulings'>,
  who: Actor,
  below = 0,
): void {
  table.openIrregularities.splice(below, 0, {
    kind,
    by,
    round: round ?? null,
    rulings,
    note: note ?? null,
    since,
    who,
    ...(place !== undefined && { place }),
  });
  stopTable(table, since);
}

export function stopTable(table: Table, since: number): void {
  table.stoppedSince ??= since;
}

/** These matters are out of the way; what is left leads again. */
export function closeIrregularities(
  table: Table,
  at: number,
  isClosed: (irregularity: OpenIrregularity, place: number) => boolean,
): void {
  table.openIrregularities = table.openIrregularities.filter((irregularity, place) => !isClosed(irregularity, place));
  resumeIfClear(table, at);
}

export const closeLeadingIrregularity = (table: Table, at: number): void =>
  closeIrregularities(table, at, (_, place) => place === 0);

/** Once nothing waits, all that was timed is later by as long as the table stood. */
function resumeIfClear(table: Table, at: number): void {
  const { stoppedSince, round } = table;
  if (stoppedSince === null || table.openIrregularities.length > 0 || table.referrals.length > 0) return;
  table.stoppedSince = null;
  if (round === null || table.phase === 'idle') return;
  const stoppedMs = at - stoppedSince;
  round.closesAt += stoppedMs;
  if (round.deadline !== null) round.deadline += stoppedMs;
  if (round.resultAt !== null) round.resultAt += stoppedMs;
}
