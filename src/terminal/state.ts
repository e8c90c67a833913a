import { type StaffActor } from '../access/actor.ts';
import { type HandPay } from './fieldTypes.ts';

/**
 * A terminal is not a patron: its credit has sessions, from the first load to COLLECT, and whatever becomes of a round
 * later on reaches the credit of the session that played it. [READING 60]
 */
export type TerminalState = {
  terminal: string;
  property: string;
  currency: string;
  at: number;
  /** How many sessions it has seen. */
  sessions: number;
  /** Whether the last of them goes on. */
  open: boolean;
  /** When it began, and what was loaded in it so far. */
  since: number;
  loaded: number;
  /** What its patron has set for it. */
  limits: SessionLimits;
  /** Why it is out of use, if it is. */
  locked: string | null;
  /** How often two persons have signed for a hand-pay here, and what of it the cage has still to pay, by its number. */
  signatures: number;
  signed: { [signature: string]: Signed };
  /** Those of them that were withdrawn before the cage had paid them. */
  withdrawn: number[];
  /** How often somebody has proposed one, and the proposal that waits for its second person. */
  proposals: number;
  proposal: Proposal | null;
};

/** What one person has signed to be paid by hand; the second signs just that. */
type Proposal = {
  readonly id: string;
  readonly what: HandPay;
  readonly amount: number;
  readonly who: StaffActor;
  readonly hash: string;
  readonly since: number;
  readonly expires: number;
};

/** What two persons have signed to be paid by hand. */
type Signed = {
  readonly what: HandPay;
  readonly amount: number;
  readonly at: number;
  /** Who signed, and who with them. */
  readonly first: string;
  readonly second: string;
};

/** What is signed and not paid yet. */
export const unpaidHandPays = ({ signed }: Pick<TerminalState, 'signed'>): number =>
  Object.values(signed).reduce((sum, { amount }) => sum + amount, 0);

/** Limits of a session, on the stakes of a round and on what is lost in all, and the end of a break; null where there is none. */
export type SessionLimits = { stake: number | null; loss: number | null; pausedUntil: number | null };

export const noLimits = (): SessionLimits => ({ stake: null, loss: null, pausedUntil: null });

/**
 * What the limits of a session leave, as a slip is held to it: the most in a round, what may still be lost, the end of a
 * break. What was lost is what was loaded less the credit, so that stakes that stand count as lost until their round is paid.
 */
export function remainingLimits(
  { stake, loss, pausedUntil: until }: SessionLimits,
  loaded: number,
  credit: number,
): { readonly stake: number | null; readonly loss: number | null; readonly until: number | null } | undefined {
  if (stake === null && loss === null && until === null) return undefined;
  return { stake, loss: loss === null ? null : Math.max(0, loss - loaded + credit), until };
}

/** A terminal as it begins. */
export const seatedTerminal = (
  begun: Pick<TerminalState, 'terminal' | 'property' | 'currency' | 'at'>,
): TerminalState => ({
  ...begun,
  sessions: 0,
  open: false,
  since: begun.at,
  loaded: 0,
  limits: noLimits(),
  locked: null,
  signatures: 0,
  signed: {},
  withdrawn: [],
  proposals: 0,
  proposal: null,
});

/** A session as tables and accounts know it: T7.3 is the third of terminal T7. */
export const sessionId = (terminal: string, session: number): string => `${terminal}.${session}`;

/** The terminal of a session. */
export const terminalOfSession = (session: string): string => session.slice(0, Math.max(0, session.lastIndexOf('.')));

/** The session that a terminal plays in: the one that goes on, or the one that its next load begins. */
export const currentSession = ({ terminal, sessions, open }: TerminalState): string =>
  sessionId(terminal, open ? sessions : sessions + 1);
