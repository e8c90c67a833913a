import { type StaffActor } from '../access/actor.ts';
import { type HandPayKind } from './fieldTypes.ts';

/**
 * A terminal is not a patron: its credit has sessions, from the first load to COLLECT. A later change of a round
 * reaches the session that played it. [READING 60]
 */
export type TerminalState = {
  terminal: string;
  property: string;
  currency: string;
  at: number;
  /** Sessions so far. */
  sessions: number;
  /** True while the last session is open. */
  open: boolean;
  /** Start of the last session, and its loads so far. */
  since: number;
  loaded: number;
  /** Session limits set by the patron. */
  limits: SessionLimits;
  /** Lock reason; null when in use. */
  locked: string | null;
  /** Signed hand-pays so far, and those that the cage has not paid yet, by number. */
  signatures: number;
  signed: { [signature: string]: Signed };
  /** Signed hand-pays that were withdrawn before payment. */
  withdrawn: number[];
  /** Proposals so far, and the one that waits for its second signature. */
  proposals: number;
  proposal: Proposal | null;
};

/** A hand-pay with one signature; the second person signs exactly this. */
type Proposal = {
  readonly id: string;
  readonly what: HandPayKind;
  readonly amount: number;
  readonly actor: StaffActor;
  readonly hash: string;
  readonly since: number;
  readonly expires: number;
};

/** A hand-pay with two signatures. */
type Signed = {
  readonly what: HandPayKind;
  readonly amount: number;
  readonly at: number;
  readonly first: string;
  readonly second: string;
};

/** Sum of the signed hand-pays that are not paid yet. */
export const unpaidHandPayTotal = ({ signed }: Pick<TerminalState, 'signed'>): number =>
  Object.values(signed).reduce((sum, { amount }) => sum + amount, 0);

/** Limits on the stakes of a round and on the loss of the session, and the end of a break; null for none. */
export type SessionLimits = { stake: number | null; loss: number | null; pausedUntil: number | null };

export const noSessionLimits = (): SessionLimits => ({ stake: null, loss: null, pausedUntil: null });

/**
 * What the limits still allow: largest stake, possible loss, end of a break. The loss is loads minus credit, so open
 * stakes count as lost until their round is paid.
 */
export function remainingSessionLimits(
  { stake, loss, pausedUntil: until }: SessionLimits,
  loaded: number,
  credit: number,
): { readonly stake: number | null; readonly loss: number | null; readonly until: number | null } | undefined {
  if (stake === null && loss === null && until === null) return undefined;
  return { stake, loss: loss === null ? null : Math.max(0, loss - loaded + credit), until };
}

export const newTerminalState = (
  begun: Pick<TerminalState, 'terminal' | 'property' | 'currency' | 'at'>,
): TerminalState => ({
  ...begun,
  sessions: 0,
  open: false,
  since: begun.at,
  loaded: 0,
  limits: noSessionLimits(),
  locked: null,
  signatures: 0,
  signed: {},
  withdrawn: [],
  proposals: 0,
  proposal: null,
});

/** Session id in tables and accounts: T7.3 is the third session of terminal T7. */
export const creditSessionId = (terminal: string, session: number): string => `${terminal}.${session}`;

export const terminalOfSession = (session: string): string => session.slice(0, Math.max(0, session.lastIndexOf('.')));

/** The open session, or the one that the next load begins. */
export const currentSessionId = ({ terminal, sessions, open }: TerminalState): string =>
  creditSessionId(terminal, open ? sessions : sessions + 1);
