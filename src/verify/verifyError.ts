import { type StoredEntry } from '../store/store.ts';

/** What is wrong with a record; it ends the check of it. */
export class VerifyError extends Error {}

/** Names the entry if something does not hold for it. */
export function claim(
  { stream, sequence }: Pick<StoredEntry, 'stream' | 'sequence'>,
  holds: boolean,
  what: string | (() => string),
): asserts holds {
  if (holds) return;
  const told = typeof what === 'string' ? what : what();
  throw new VerifyError(`Entry ${sequence} of ${stream} ${told}${told.endsWith('.') ? '' : '.'}`);
}
