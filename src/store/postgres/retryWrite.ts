import { setTimeout } from 'node:timers/promises';
import { DamagedRecord, ResultUnknown } from '../store.ts';
import { DatabaseAway, WriteFailed } from '../failures.ts';
import { SqlError, NoAnswer } from './connection.ts';

/** Two have waited for each other, or met: it is tried again at once. */
const met: ReadonlySet<string> = new Set(['40001', '40P01']);

/** A row of that name is there already. */
export const isTaken = (error: unknown): error is SqlError => error instanceof SqlError && error.state === '23505';

/** Tables, columns or pages are not as they must be. */
const broken: ReadonlySet<string> = new Set(['42P01', '42703', 'XX001', 'XX002']);

/** What the database has denied, in the words of a store. Nothing of it stands. */
function failureOf({ state, message }: SqlError): Error {
  const said = `${JSON.stringify(message)}, PostgreSQL ${state}`;
  if (broken.has(state)) return new DamagedRecord(`The database does not hold a record as it must be (${said}).`);
  switch (state) {
    case '53100':
      return new WriteFailed(`The record cannot be written: the disk of the database is full (${said}).`);
    case '25006':
      return new DatabaseAway(`The record cannot be written: the database only lets itself be read (${said}).`);
    case '55P03':
      return new WriteFailed(
        `The record cannot be written: another write is not over; a synchronous standby of the database may be lost (${said}).`,
      );
    case '42501':
      return new WriteFailed(`The record cannot be written: the user of the database has no right to (${said}).`);
    default:
      return new WriteFailed(`The record cannot be written: the database denies it (${said}).`);
  }
}

/** What was met on the way to an answer, in the words of a store, where nothing was written. */
export function toFailure(error: unknown): unknown {
  if (error instanceof SqlError) return failureOf(error);
  if (error instanceof NoAnswer) return new DatabaseAway(`The record cannot be read: ${error.message}`);
  return error;
}

/** Before the second try, in milliseconds. */
const shortWait = 20;
const longestWait = 500;

/** What is known of something that is tried: whether an earlier try may stand. */
type Tried = { isDoubtful: boolean };

/**
 * Tries something that writes until it is answered. Once a try was not answered it may stand, and only an answer ends that:
 * it is tried again, for as long as there is patience, and must therefore come to the same if it stands already.
 */
export async function retryUntilKnown<Given>(
  patience: number,
  tried: Tried,
  act: (tried: Tried) => Promise<Given>,
): Promise<Given> {
  const until = performance.now() + patience;
  for (let wait = shortWait; ; wait = Math.min(wait * 2, longestWait)) {
    try {
      return await act(tried);
    } catch (error) {
      if (error instanceof SqlError && met.has(error.state)) continue;
      if (error instanceof NoAnswer) tried.isDoubtful = true;
      else if (!tried.isDoubtful) throw toFailure(error);
      else if (!(error instanceof SqlError) && !(error instanceof DatabaseAway)) throw error;
      if (performance.now() + wait >= until) throw unknown(error);
      await setTimeout(wait);
    }
  }
}

const unknown = (error: Error): ResultUnknown =>
  new ResultUnknown(
    `Whether it was written is not known: ${error.message.replace(/\.$/, '')}. Nothing is acknowledged while the database, or its synchronous standby, does not answer.`,
    { cause: error },
  );
