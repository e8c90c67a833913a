import { type StaffProposal } from './dealerView.ts';

// Answers to queries about staff, terminals and money at the cage. Amounts are in minor units, times in milliseconds.

export type ListedTerminal = {
  readonly terminal: string;
  /** True while a browser is connected as this terminal. */
  readonly online: boolean;
  readonly table: string | null;
  /** Number of the open credit session, or null. */
  readonly session: number | null;
  /** Start of the open credit session, or null. */
  readonly since: number | null;
  readonly credit: number;
  /** Sum of the open stakes. */
  readonly staked: number;
  /** Paid money that a ruling may still take back. */
  readonly disputed: number;
  /** Why the terminal is locked, or null. */
  readonly locked: string | null;
  /** Sum of the open hand-pays. */
  readonly owed: number;
  /** Hand-pays that two persons have signed and the cage has not paid yet. */
  readonly signed: readonly SignedHandPay[];
  /** Open proposal of a hand-pay. */
  readonly proposal: ProposedHandPay | null;
  /** Time of the last movement of money at the terminal, or null. */
  readonly moved: number | null;
};

export type TerminalList = {
  readonly terminals: readonly ListedTerminal[];
  /** Number of all terminals, listed here or not. */
  readonly all: number;
  /** Number of terminals that need staff: locked, or with an open hand-pay. */
  readonly need: number;
  /** Number of terminals with credit but without a connection. */
  readonly offline: number;
  readonly limits: CageLimits;
};

/** COLLECT above `handPay` becomes a hand-pay; from `nameFrom` on the cage asks for a name. Null: no such limit. */
export type CageLimits = { readonly handPay: number | null; readonly nameFrom: number | null };

/** Hand-pay that two persons have signed and the cage has not paid yet. `first` and `second` are staff numbers. */
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

/** Credit that was posted to a credit session after its end. `not` is the code that prevents its payment, or null. */
export type UnclaimedCredit = {
  readonly terminal: string;
  readonly session: number;
  readonly amount: number;
  readonly not: string | null;
};

/** A ticket as the cage sees it: amount, where it was issued, and where it was paid. */
export type TicketInfo = {
  readonly ticket: string;
  readonly amount: number;
  /** Code that prevents the payment; null if the ticket can be paid. */
  readonly not: string | null;
  readonly issued: { readonly terminal: string; readonly at: number } | null;
  /** Payment, or null. `number` is the staff number of the cashier; it is null if a terminal redeemed the ticket. */
  readonly paid: { readonly at: number; readonly number: string | null; readonly terminal: string | null } | null;
};

/** A staff member in the list for administrators; `pin` and `password` say whether there is one. */
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
