import { terminalDecider } from '../deciders/deciders.ts';
import { holderOf } from '../ledger/accounts.ts';
import { type Transfers, meterTransfer, noTransfers } from '../ledger/terminalPostings.ts';
import { assert } from '../base/assert.ts';
import { terminalEvents } from '../terminal/events.ts';
import { type RecordedEntry, assertNext, movedBy } from './entry.ts';

/** Credit that came to a terminal or left it away from any table; `version` puts it among its rounds. */
type Move = {
  readonly type: string;
  readonly at: number;
  readonly holder: string;
  readonly creditBefore: number;
  readonly creditAfter: number;
  readonly version: number;
};

/** What the entries of one terminal come to: what it took in and gave out, and the last times, oldest first. */
export type TerminalHistory = {
  readonly stream: string;
  sequence: number;
  readonly depth: number;
  readonly transfers: Transfers;
  readonly moves: Move[];
};

export const terminalHistory = (stream: string, depth: number): TerminalHistory => ({
  stream,
  sequence: 0,
  depth,
  transfers: noTransfers(),
  moves: [],
});

/** The history after one more entry; changed in place. Entries come in order, each once. */
export function takeTransfer(history: TerminalHistory, entry: RecordedEntry): TerminalHistory {
  assertNext(history, entry);
  const { at, postings } = entry;
  const event = terminalDecider.eventFrom(entry.event);
  assert(Object.hasOwn(terminalEvents, event.type), `${event.type} is an event of a terminal`);
  meterTransfer(history.transfers, event);
  for (const [account, { before: creditBefore, after: creditAfter, version }] of movedBy(postings)) {
    const holder = holderOf(account);
    if (holder !== undefined) history.moves.push({ type: event.type, at, holder, creditBefore, creditAfter, version });
  }
  while (history.moves.length > history.depth) history.moves.shift();
  history.sequence = entry.sequence;
  return history;
}
