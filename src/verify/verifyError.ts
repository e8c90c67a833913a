import { type StoredEntry } from '../store/store.ts';

/** Ends the check: the store is not valid. */
export class VerifyError extends Error {}

/** Assertion about an entry; the message names the entry. */
export function assertOfEntry(
  { stream, sequence }: Pick<StoredEntry, 'stream' | 'sequence'>,
  holds: boolean,
  problem: string | (() => string),
): asserts holds {
  if (holds) return;
  const text = typeof problem === 'string' ? problem : problem();
  throw new VerifyError(`Entry ${sequence} of ${stream} ${text}${text.endsWith('.') ? '' : '.'}`);
}
