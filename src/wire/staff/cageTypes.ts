import { type StaffProposal } from './dealerView.ts';

// Answers to queries about staff and terminals, and about hand-pays, tickets and credit at the cage. Amounts are in
// minor units, times in milliseconds.

export type ListedTerminal = {
  readonly terminal: string;
  /** True while the terminal is connected to any node. */
  readonly online: boolean;
  readonly table: string | null;
  /** Number of the open credit session; null if no session is open. */
  readonly session: number | null;
  /** Start of the open credit session; null if no session is open. */
  readonly since: number | null;
  readonly credit: number;
  readonly staked: number;
  /** Paid money that a ruling may still take back. */
  readonly disputed: number;
  readonly locked: string | null;
  /** Sum of the open hand-pays. */
  readonly owed: number;
  readonly signed: readonly SignedHandPay[];
  readonly proposal: ProposedHandPay | null;
  /** Time since which a hand-pay is due; null if no hand-pay is due. */
  readonly owedSince: number | null;
};

export type TerminalList = {
  readonly terminals: readonly ListedTerminal[];
  /** Number of all terminals of the floor. The list may be shorter. */
  readonly all: number;
  /** Number of terminals that need staff: locked, or with an open hand-pay. */
  readonly need: number;
  /** Number of terminals with credit but without a connection. */
  readonly offline: number;
  readonly limits: CageLimits;
};

/**
 * Limits in minor units; null means no limit. A collect above `handPay` becomes a hand-pay. For an amount of `nameFrom`
 * or more, the cage page shows that the name of the payee is required.
 */
export type CageLimits = { readonly handPay: number | null; readonly nameFrom: number | null };

/** Hand-pay that two persons have signed and the cage has not paid yet. `first` and `second` are staff numbers. */
export type SignedHandPay = {
  readonly terminal: string;
  readonly signature: number;
  readonly what: string;
  readonly amount: number;
  /** Times of the first and the second signature. */
  readonly firstAt: number;
  readonly at: number;
  readonly first: string;
  readonly second: string;
};

export type ProposedHandPay = Omit<StaffProposal, 'effects'> & { readonly amount: number };

/**
 * Credit that was posted to a credit session after its end. `not` is the error code with which the payment of this
 * credit would be refused now; null if the credit can be paid.
 */
export type UnclaimedCredit = {
  readonly terminal: string;
  readonly session: number;
  readonly amount: number;
  readonly not: string | null;
};

export type TicketStatus = {
  readonly ticket: string;
  readonly amount: number;
  /** Error code with which the payment would be refused now; null if the ticket can be paid. */
  readonly not: string | null;
  readonly issued: { readonly terminal: string; readonly at: number } | null;
  /**
   * Payment of the ticket; null if the ticket is not paid. `number` is the staff number of the cashier; null if a
   * terminal redeemed the ticket.
   */
  readonly paid: { readonly at: number; readonly number: string | null; readonly terminal: string | null } | null;
};

/**
 * A staff member in the list for administrators. `pin` and `password` are true if the member has a PIN or a password.
 */
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

export type StaffRegisterView = {
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
