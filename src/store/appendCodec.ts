import { type Prepared, type planAppend } from './hashChain.ts';
import { isRefused } from '../base/refusal.ts';
import {
  type AppendRequest,
  type AppendResult,
  type BookedPosting,
  type StoredCheckpoint,
  type Snapshot,
} from './store.ts';

/** What the writer is to do, numbered so that its answers find their way. */
export type WriterTask = { readonly number: number } & (
  | { readonly type: 'append'; readonly batch: Batch }
  | { readonly type: 'snapshot'; readonly stream: string; readonly snapshot: Snapshot | undefined }
  | { readonly type: 'seal'; readonly id: string; readonly bytes: Uint8Array }
  | { readonly type: 'beat'; readonly names: readonly string[]; readonly at: number }
  | { readonly type: 'aside'; readonly kind: string; readonly id: string; readonly value: string | undefined }
  | { readonly type: 'claim'; readonly kind: string; readonly id: string; readonly value: string }
  | { readonly type: 'checkpoint'; readonly checkpoint: StoredCheckpoint }
  | { readonly type: 'close' }
);

/** A batch as texts, which pass between threads faster than what they say. */
type Batch = { readonly rest: string; readonly events: readonly string[]; readonly commands: readonly string[] };

export const packed = ({ entries, ...batch }: Prepared): Batch => ({
  rest: JSON.stringify({
    ...batch,
    entries: entries.map(({ at, id, postings, subject }) => ({ at, id, postings, subject })),
  }),
  events: entries.map(({ event }) => event),
  commands: entries.map(({ command }) => command),
});

export function unpacked({ rest, events, commands }: Batch): Prepared {
  const { entries, ...batch } = JSON.parse(rest) as Prepared;
  return {
    ...batch,
    entries: entries.map((entry, place) => ({ ...entry, event: events[place]!, command: commands[place]! })),
  };
}

export type WriterReply = {
  readonly number: number;
  readonly value?: AppendReceipt | string | undefined;
  readonly error?: string;
  /** Another program has opened the record since. */
  readonly isTakenOver?: true;
  /** The record is not what was written there. */
  readonly damaged?: boolean;
};

/** What was written, as far as the asker does not know it: hashes, and what each posting found and left. */
export type AppendReceipt =
  | Exclude<AppendResult, { entries: unknown }>
  | { readonly previous: string; readonly hashes: readonly string[]; readonly booked: readonly Found[] };

/** What a posting found and left, on either side. */
type Found = readonly [number, number, number, number, number, number];
const found = (one: BookedPosting): Found => [
  one.fromBefore,
  one.fromAfter,
  one.fromVersion,
  one.toBefore,
  one.toAfter,
  one.toVersion,
];

/** The answer to an append, as short as it can be. */
export function encodeReceipt(booked: ReturnType<typeof planAppend>): AppendReceipt {
  if (isRefused(booked)) return booked;
  return {
    previous: booked.previous,
    hashes: booked.entries.map(({ hash }) => hash),
    booked: booked.entries.flatMap(({ postings }) => postings.map(found)),
  };
}

/** The whole answer again, from what was asked. */
export function decodeReceipt({ stream, after, entries }: AppendRequest, written: AppendReceipt): AppendResult {
  if (isRefused(written)) return written;
  const { previous, hashes, booked } = written;
  let next = 0;
  return {
    entries: entries.map(({ event, postings, command }, place) => ({
      stream,
      sequence: after + place + 1,
      at: event.at,
      event,
      postings: postings.map((posting): BookedPosting => {
        const [fromBefore, fromAfter, fromVersion, toBefore, toAfter, toVersion] = booked[next++]!;
        return { ...posting, fromBefore, fromAfter, fromVersion, toBefore, toAfter, toVersion };
      }),
      command,
      previous: place === 0 ? previous : hashes[place - 1]!,
      hash: hashes[place]!,
    })),
  };
}
