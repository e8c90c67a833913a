import { type planAppend } from './planAppend.ts';
import { isRefused } from '../base/refusal.ts';
import { type AppendRequest, type AppendResult, type PostingWithBalances } from './store.ts';

/**
 * What the writer returns for an append: the hashes of the new entries and the balances of their postings, or the
 * refusal. All other fields of the `AppendResult` come from the request.
 */
export type AppendReceipt =
  | Exclude<AppendResult, { entries: unknown }>
  | { readonly previous: string; readonly hashes: readonly string[]; readonly booked: readonly PostingBalances[] };

/** Balances and versions of both accounts of a posting, in the order of the fields of `PostingWithBalances`. */
type PostingBalances = readonly [number, number, number, number, number, number];
const postingBalances = (posting: PostingWithBalances): PostingBalances => [
  posting.fromBefore,
  posting.fromAfter,
  posting.fromVersion,
  posting.toBefore,
  posting.toAfter,
  posting.toVersion,
];

export function encodeAppendReceipt(plan: ReturnType<typeof planAppend>): AppendReceipt {
  if (isRefused(plan)) return plan;
  return {
    previous: plan.previous,
    hashes: plan.entries.map(({ hash }) => hash),
    booked: plan.entries.flatMap(({ postings }) => postings.map(postingBalances)),
  };
}

export function decodeAppendReceipt({ stream, after, entries }: AppendRequest, receipt: AppendReceipt): AppendResult {
  if (isRefused(receipt)) return receipt;
  const { previous, hashes, booked } = receipt;
  let next = 0;
  return {
    entries: entries.map(({ event, postings, command }, index) => ({
      stream,
      sequence: after + index + 1,
      at: event.at,
      event,
      postings: postings.map((posting): PostingWithBalances => {
        const [fromBefore, fromAfter, fromVersion, toBefore, toAfter, toVersion] = booked[next++]!;
        return { ...posting, fromBefore, fromAfter, fromVersion, toBefore, toAfter, toVersion };
      }),
      command,
      previous: index === 0 ? previous : hashes[index - 1]!,
      hash: hashes[index]!,
    })),
  };
}
