import { type StaffProposal } from './dealerView.ts';

// Answers to queries about staff, terminals and money at the cage.

export type ListedTerminal = {
  readonly terminal: string;
  /** A connection uses it. */
  readonly online: boolean;
  readonly table: string | null;
  /** Current credit session, and its start. */
  readonly session: number | null;
  readonly since: number | null;
  readonly credit: number;
  /** Open stakes, and paid money that a ruling may still take back. */
  readonly staked: number;
  readonly disputed: number;
  /** Why the terminal is locked. */
  readonly locked: string | null;
  /** Amount of open hand-pays, and those that are signed. */
  readonly owed: number;
  readonly signed: readonly SignedHandPay[];
  /** Open proposal of a hand-pay. */
  readonly proposal: ProposedHandPay | null;
  readonly moved: number | null;
};

export type TerminalList = {
  readonly terminals: readonly ListedTerminal[];
  /** Counts: all terminals, those that need staff, and those with credit but no connection. */
  readonly all: number;
  readonly need: number;
  readonly offline: number;
  readonly limits: CageLimits;
};

/** Above `handPay` two persons sign; from `nameFrom` on a name is required. Null: no such limit. */
export type CageLimits = { readonly handPay: number | null; readonly nameFrom: number | null };

/** Hand-pay that two persons signed and the cage has still to pay; persons by number. */
export type SignedHandPay = {
  readonly terminal: string;
  readonly signature: number;
  readonly what: string;
  readonly amount: number;
  readonly at: number;
  readonly first: string;
  readonly second: string;
};

export type ProposedHandPay = StaffProposal & { readonly amount: number };

/** Credit that arrived after the end of a session; `not` is the code that prevents payment. */
export type UnclaimedCredit = {
  readonly terminal: string;
  readonly session: number;
  readonly amount: number;
  readonly not: string | null;
};

/** A ticket: amount, issue and payment. */
export type TicketInfo = {
  readonly ticket: string;
  readonly amount: number;
  /** Code that prevents payment; null if it can be paid. */
  readonly not: string | null;
  readonly issued: { readonly terminal: string; readonly at: number } | null;
  /** `number` of the cashier; null if a terminal took the ticket. */
  readonly paid: { readonly at: number; readonly number: string | null; readonly terminal: string | null } | null;
};

/** A staff member. */
export type ListedStaffMember = {
  readonly person: string;
  readonly number: string;
  readonly roles: readonly string[];
  readonly ended: boolean;
  readonly since: number;
  readonly named: boolean;
  readonly pin: boolean;
  readonly password: boolean;
};

export type ListedActingRole = {
  readonly acting: string;
  readonly person: string;
  readonly role: string;
  readonly from: number;
  readonly until: number;
  readonly by: string;
};

type ListedConsole = { readonly console: string; readonly kind: string; readonly table: string | null };

export type StaffList = {
  readonly staff: readonly ListedStaffMember[];
  readonly acting: readonly ListedActingRole[];
  readonly consoles: readonly ListedConsole[];
  readonly locked: readonly { readonly number: string; readonly until: number }[];
};

export type ListedSignInSession = {
  readonly id: string;
  readonly person: string;
  readonly number: string;
  readonly role: string;
  readonly acting: string | null;
  readonly console: string | null;
  readonly table: string | null;
  readonly since: number;
  readonly locked: boolean;
};

export type { TableSettings } from '../../table/schema/settings.ts';
