import { type PreparedAppend, type planAppend } from './planAppend.ts';
import { isRefused } from '../base/refusal.ts';
import { type AppendRequest, type AppendResult, type BookedPosting, type StoredCheckpoint, type Snapshot } from './store.ts';

/** A task for the writer thread; its reply carries the same number. */
export type WriterTask = { readonly number: number } & (
  | { readonly type: 'append'; readonly batch: PackedAppend }
  | { readonly type: 'snapshot'; readonly stream: string; readonly snapshot: Snapshot | undefined }
  | { readonly type: 'putBlob'; readonly id: string; readonly bytes: Uint8Array }
  | { readonly type: 'heartbeats'; readonly names: readonly string[]; readonly at: number }
  | { readonly type: 'putValue'; readonly kind: string; readonly id: string; readonly value: string | undefined }
  | { readonly type: 'putValueIfAbsent'; readonly kind: string; readonly id: string; readonly value: string }
  | { readonly type: 'checkpoint'; readonly checkpoint: StoredCheckpoint }
  | { readonly type: 'close' }
);

/** Strings pass between threads faster than objects. */
type PackedAppend = { readonly rest: string; readonly events: readonly string[]; readonly commands: readonly string[] };

export const packAppend = ({ entries, ...batch }: PreparedAppend): PackedAppend => ({
  rest: JSON.stringify({
    ...batch,
    entries: entries.map(({ at, id, postings, subject }) => ({ at, id, postings, subject })),
  }),
  events: entries.map(({ event }) => event),
  commands: entries.map(({ command }) => command),
});

export function unpackAppend({ rest, events, commands }: PackedAppend): PreparedAppend {
  const { entries, ...batch } = JSON.parse(rest) as PreparedAppend;
  return {
    ...batch,
    entries: entries.map((entry, index) => ({ ...entry, event: events[index]!, command: commands[index]! })),
  };
}

export type WriterReply = {
  readonly number: number;
  readonly value?: AppendReceipt | string | undefined;
  readonly error?: string;
  /** Fenced: another process has opened the store since. */
  readonly isTakenOver?: true;
  readonly damaged?: boolean;
};

/** The part of an append result that the sender cannot work out: hashes and balances. */
export type AppendReceipt =
  | Exclude<AppendResult, { entries: unknown }>
  | { readonly previous: string; readonly hashes: readonly string[]; readonly booked: readonly PostingBalances[] };

/** Balances and versions of both accounts, in the order of `BookedPosting`. */
type PostingBalances = readonly [number, number, number, number, number, number];
const postingBalances = (posting: BookedPosting): PostingBalances => [
  posting.fromBefore,
  posting.fromAfter,
  posting.fromVersion,
  posting.toBefore,
  posting.toAfter,
  posting.toVersion,
];

export function encodeReceipt(plan: ReturnType<typeof planAppend>): AppendReceipt {
  if (isRefused(plan)) return plan;
  return {
    previous: plan.previous,
    hashes: plan.entries.map(({ hash }) => hash),
    booked: plan.entries.flatMap(({ postings }) => postings.map(postingBalances)),
  };
}

/** The whole append result, from the request and the receipt. */
export function decodeReceipt({ stream, after, entries }: AppendRequest, receipt: AppendReceipt): AppendResult {
  if (isRefused(receipt)) return receipt;
  const { previous, hashes, booked } = receipt;
  let next = 0;
  return {
    entries: entries.map(({ event, postings, command }, index) => ({
      stream,
      sequence: after + index + 1,
      at: event.at,
      event,
      postings: postings.map((posting): BookedPosting => {
        const [fromBefore, fromAfter, fromVersion, toBefore, toAfter, toVersion] = booked[next++]!;
        return { ...posting, fromBefore, fromAfter, fromVersion, toBefore, toAfter, toVersion };
      }),
      command,
      previous: index === 0 ? previous : hashes[index - 1]!,
      hash: hashes[index]!,
    })),
  };
}
