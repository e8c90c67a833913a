import { type AppendReceipt } from '../appendCodec.ts';
import { type SerializedAppend } from '../planAppend.ts';
import { type Snapshot, type StoredCheckpoint } from '../store.ts';

/** A task for the writer thread; the reply to it has the same number. */
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

/** An append as a few strings, which pass between threads faster than objects. */
type PackedAppend = { readonly rest: string; readonly events: readonly string[]; readonly commands: readonly string[] };

export const packAppend = ({ entries, ...batch }: SerializedAppend): PackedAppend => ({
  rest: JSON.stringify({
    ...batch,
    entries: entries.map(({ at, id, postings, subject }) => ({ at, id, postings, subject })),
  }),
  events: entries.map(({ event }) => event),
  commands: entries.map(({ command }) => command),
});

export function unpackAppend({ rest, events, commands }: PackedAppend): SerializedAppend {
  const { entries, ...batch } = JSON.parse(rest) as SerializedAppend;
  return {
    ...batch,
    entries: entries.map((entry, index) => ({ ...entry, event: events[index]!, command: commands[index]! })),
  };
}

export type WriterReply = {
  readonly number: number;
  readonly value?: AppendReceipt | string | undefined;
  readonly error?: string;
  /** Fenced: another process has begun a later epoch of the store. */
  readonly isTakenOver?: true;
  readonly isDamaged?: boolean;
};
