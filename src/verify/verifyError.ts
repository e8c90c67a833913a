import { type StoredEntry } from '../store/store.ts';

/** Error: the event log or the store does not verify. The message is the problem that is reported. */
export class VerifyError extends Error {}

/** Throws `VerifyError` unless `holds`. `problem` completes the sentence "Entry 3 of sg1/table/B01 …". */
export function assertOfEntry(
  { stream, sequence }: Pick<StoredEntry, 'stream' | 'sequence'>,
  holds: boolean,
  problem: string | (() => string),
): asserts holds {
  if (holds) return;
  const text = typeof problem === 'string' ? problem : problem();
  throw new VerifyError(`Entry ${sequence} of ${stream} ${text}${text.endsWith('.') ? '' : '.'}`);
}
