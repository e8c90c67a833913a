import { terminalDecider } from '../deciders/deciders.ts';
import { sessionOfAccount } from '../ledger/accounts.ts';
import { type TransferMeters, addToTransferMeters, emptyTransferMeters } from '../ledger/terminalPostings.ts';
import { assert } from '../base/assert.ts';
import { terminalEvents } from '../terminal/events.ts';
import { type ProjectionEntry, assertNextEntry, balanceChanges } from './entry.ts';

/**
 * A movement of credit outside a round, such as a load. `holder` is the credit session. `version` counts the postings
 * of the credit account of that session. Rounds in the recall have the same count, so movements and rounds can be
 * sorted together.
 */
type CreditMovement = {
  readonly type: string;
  readonly at: number;
  readonly holder: string;
  readonly creditBefore: number;
  readonly creditAfter: number;
  readonly version: number;
};

/** Projection of one terminal: meters of money in and out, and the last credit movements, oldest first. */
export type TerminalHistory = {
  readonly stream: string;
  sequence: number;
  readonly depth: number;
  readonly transfers: TransferMeters;
  readonly moves: CreditMovement[];
};

export const emptyTerminalHistory = (stream: string, depth: number): TerminalHistory => ({
  stream,
  sequence: 0,
  depth,
  transfers: emptyTransferMeters(),
  moves: [],
});

/** Projects one entry, in place. Entries must come in order, each exactly once. */
export function projectTerminalEntry(history: TerminalHistory, entry: ProjectionEntry): TerminalHistory {
  assertNextEntry(history, entry);
  const { at, postings } = entry;
  const event = terminalDecider.parseEvent(entry.event);
  assert(Object.hasOwn(terminalEvents, event.type), `${event.type} is an event of a terminal`);
  addToTransferMeters(history.transfers, event);
  for (const [account, { before: creditBefore, after: creditAfter, version }] of balanceChanges(postings)) {
    const holder = sessionOfAccount(account);
    if (holder !== undefined) history.moves.push({ type: event.type, at, holder, creditBefore, creditAfter, version });
  }
  while (history.moves.length > history.depth) history.moves.shift();
  history.sequence = entry.sequence;
  return history;
}
