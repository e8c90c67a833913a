import { type Actor } from '../../access/actor.ts';
import { type OpenIrregularity, type Table } from '../state.ts';

// Functions that stop and resume a table. Deadlines do not run while the table is stopped.

/**
 * Adds an open irregularity and stops the table. `below` is the number of more serious open irregularities; the new one
 * follows them.
 */
export function addOpenIrregularity(
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
  actor: Actor,
  below = 0,
): void {
  table.openIrregularities.splice(below, 0, {
    kind,
    by,
    round: round ?? null,
    rulings,
    note: note ?? null,
    since,
    actor,
    ...(place !== undefined && { place }),
  });
  stopTable(table, since);
}

export function stopTable(table: Table, since: number): void {
  table.stoppedSince ??= since;
}

export function closeIrregularities(
  table: Table,
  at: number,
  isClosed: (irregularity: OpenIrregularity, place: number) => boolean,
): void {
  table.openIrregularities = table.openIrregularities.filter((irregularity, place) => !isClosed(irregularity, place));
  resumeIfClear(table, at);
}

export const closeFirstIrregularity = (table: Table, at: number): void =>
  closeIrregularities(table, at, (_, place) => place === 0);

/** Resumes the table if no irregularity and no referral is open. Deadlines are extended by the length of the stop. */
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
