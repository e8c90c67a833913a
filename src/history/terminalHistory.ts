import { terminalDecider } from '../deciders/deciders.ts';
import { sessionOfAccount } from '../ledger/accounts.ts';
import { type Transfers, addTransfer, noTransfers } from '../ledger/terminalPostings.ts';
import { assert } from '../base/assert.ts';
import { terminalEvents } from '../terminal/events.ts';
import { type RecordedEntry, assertNext, balanceChanges } from './entry.ts';

/** Credit moved other than by a round; `version` orders it among the rounds. */
type CreditMovement = {
  readonly type: string;
  readonly at: number;
  readonly holder: string;
  readonly creditBefore: number;
  readonly creditAfter: number;
  readonly version: number;
};

/** Projection of one terminal: meters of money in and out, and the last movements, oldest first. */
export type TerminalHistory = {
  readonly stream: string;
  sequence: number;
  readonly depth: number;
  readonly transfers: Transfers;
  readonly moves: CreditMovement[];
};

export const terminalHistory = (stream: string, depth: number): TerminalHistory => ({
  stream,
  sequence: 0,
  depth,
  transfers: noTransfers(),
  moves: [],
});

/** Projects one entry, in place. Entries come in order, each exactly once. */
export function projectTerminalEntry(history: TerminalHistory, entry: RecordedEntry): TerminalHistory {
  assertNext(history, entry);
  const { at, postings } = entry;
  const event = terminalDecider.parseEvent(entry.event);
  assert(Object.hasOwn(terminalEvents, event.type), `${event.type} is an event of a terminal`);
  addTransfer(history.transfers, event);
  for (const [account, { before: creditBefore, after: creditAfter, version }] of balanceChanges(postings)) {
    const holder = sessionOfAccount(account);
    if (holder !== undefined) history.moves.push({ type: event.type, at, holder, creditBefore, creditAfter, version });
  }
  while (history.moves.length > history.depth) history.moves.shift();
  history.sequence = entry.sequence;
  return history;
}
