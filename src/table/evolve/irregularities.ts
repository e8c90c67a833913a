import { type Who } from '../../access/actor.ts';
import { type Matter, type Table } from '../state.ts';

// What stops a table and lets it go on. While it stands still no time runs.

/** A matter that is taken is the gravest and leads, unless so many others are graver. */
export function hold(
  table: Table,
  since: number,
  { kind, by, round, rulings, note, place }: Partial<Matter> & Pick<Matter, 'kind' | 'by' | 'rulings'>,
  who: Who,
  below = 0,
): void {
  table.held.splice(below, 0, {
    kind,
    by,
    round: round ?? null,
    rulings,
    note: note ?? null,
    since,
    who,
    ...(place !== undefined && { place }),
  });
  stop(table, since);
}

export function stop(table: Table, since: number): void {
  table.stoodSince ??= since;
}

/** These matters are out of the way; what is left leads again. */
export function drop(table: Table, at: number, isOver: (matter: Matter, place: number) => boolean): void {
  table.held = table.held.filter((matter, place) => !isOver(matter, place));
  goOn(table, at);
}

export const dropFirst = (table: Table, at: number): void => drop(table, at, (_, place) => place === 0);

/** Once nothing waits, all that was timed is later by as long as the table stood. */
function goOn(table: Table, at: number): void {
  const { stoodSince, round } = table;
  if (stoodSince === null || table.held.length > 0 || table.referrals.length > 0) return;
  table.stoodSince = null;
  if (round === null || table.phase === 'idle') return;
  const stood = at - stoodSince;
  round.closesAt += stood;
  if (round.deadline !== null) round.deadline += stood;
  if (round.resultAt !== null) round.resultAt += stood;
}
