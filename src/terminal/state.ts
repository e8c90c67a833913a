import { type StaffActor } from '../access/actor.ts';
import { type HandPayKind } from './fieldTypes.ts';

/**
 * State of one terminal. Its credit belongs to a credit session, which starts with the first load and ends when the
 * credit is collected or the patron has left. If a round is corrected later, the correction changes the credit of the
 * session that played the round. [READING 60]
 */
export type TerminalState = {
  terminal: string;
  property: string;
  currency: string;
  at: number;
  /** Number of sessions so far, and so the number of the last session. */
  sessions: number;
  /** True while the last session is open. */
  open: boolean;
  /** Start of the last session; before the first session, the time at which the terminal was registered. */
  since: number;
  /** Sum of the loads of the last session in minor units. */
  loaded: number;
  limits: SessionLimits;
  /** Why the terminal is out of service; null while it is in service. */
  locked: string | null;
  /** The hand-pay that is due, in minor units, and since when; null for none. */
  handPayDue: { amount: number; since: number } | null;
  /** Number of signed hand-pays so far. */
  signatures: number;
  /** Signed hand-pays that the cage has not paid yet, by number. */
  signed: { [signature: string]: Signed };
  /** Numbers of signed hand-pays that were withdrawn before the cage paid them. */
  withdrawn: number[];
  /** Number of proposed hand-pays so far. */
  proposals: number;
  /** The proposed hand-pay that awaits its approval; null for none. */
  proposal: Proposal | null;
};

/** A hand-pay that one person proposed and a second person must approve. */
type Proposal = {
  readonly id: string;
  readonly what: HandPayKind;
  readonly amount: number;
  readonly actor: StaffActor;
  readonly hash: string;
  readonly since: number;
  readonly expires: number;
};

/** A hand-pay that two persons signed and the cage is to pay. */
type Signed = {
  readonly what: HandPayKind;
  readonly amount: number;
  /** Times of the first and the second signature. */
  readonly firstAt: number;
  readonly at: number;
  readonly first: string;
  readonly second: string;
};

/** Sum of the signed hand-pays that the cage has not paid yet, in minor units. */
export const signedUnpaidHandPayTotal = ({ signed }: Pick<TerminalState, 'signed'>): number =>
  Object.values(signed).reduce((sum, { amount }) => sum + amount, 0);

/**
 * Limits of a session: `stake` in a round and `loss` in the session, in minor units, and the end of a break. Null
 * means no limit.
 */
export type SessionLimits = { stake: number | null; loss: number | null; pausedUntil: number | null };

export const noSessionLimits = (): SessionLimits => ({ stake: null, loss: null, pausedUntil: null });

/**
 * What the session limits still allow: `stake` in a round and further `loss`, in minor units. `until` is the end of a
 * break. The result is undefined without limits. The loss so far is loads minus credit, so open stakes count as lost
 * until their round is settled.
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
  handPayDue: null,
  signatures: 0,
  signed: {},
  withdrawn: [],
  proposals: 0,
  proposal: null,
});

/** Id of a credit session in tables and accounts: T7.3 is the third session of terminal T7. */
export const creditSessionId = (terminal: string, session: number): string => `${terminal}.${session}`;

export const terminalOfSession = (session: string): string => session.slice(0, Math.max(0, session.lastIndexOf('.')));

/** Id of the open session or, without one, of the session that the next load starts. */
export const currentOrNextSessionId = ({ terminal, sessions, open }: TerminalState): string =>
  creditSessionId(terminal, open ? sessions : sessions + 1);
