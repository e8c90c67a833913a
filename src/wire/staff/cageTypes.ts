import { type OpenProposalView } from './dealerView.ts';

// Types for answers to queries: about staff and terminals, and about hand-pays, tickets and credit at the cage. Amounts
// are in minor units, times in milliseconds since 1970.

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
  /** Amount that was paid for rounds that are disputed now. It cannot be collected before the dispute ends. */
  readonly disputed: number;
  readonly locked: string | null;
  /** Sum of the hand-pays of the terminal that are not paid yet. */
  readonly owed: number;
  readonly signed: readonly SignedHandPay[];
  readonly proposal: ProposedHandPay | null;
  /** Time since which a hand-pay is due; null if no hand-pay is due. */
  readonly owedSince: number | null;
};

export type TerminalList = {
  readonly terminals: readonly ListedTerminal[];
  /** Number of all terminals of the floor; `terminals` may list fewer. */
  readonly all: number;
  /** Number of terminals that need staff, because they are locked or have a hand-pay that is not paid yet. */
  readonly need: number;
  /** Number of terminals with credit but without a connection. */
  readonly offline: number;
  readonly limits: CageLimits;
};

/**
 * Limits of the cage in minor units; null for no limit. A collect above `handPay` becomes a hand-pay. For a payment of
 * `nameFrom` or more, the cage page shows that the name of the payee is required.
 */
export type CageLimits = { readonly handPay: number | null; readonly nameFrom: number | null };

/** Hand-pay that two persons have signed and the cage has not paid yet. `first` and `second` are staff numbers. */
export type SignedHandPay = {
  readonly terminal: string;
  readonly signature: number;
  readonly what: string;
  readonly amount: number;
  /** Time of the first signature. `at` is the time of the second. */
  readonly firstAt: number;
  readonly at: number;
  readonly first: string;
  readonly second: string;
};

export type ProposedHandPay = Omit<OpenProposalView, 'effects'> & { readonly amount: number };

/**
 * Credit that was posted to a credit session after the end of the session. `not` is the error code with which a payment
 * of this credit would be refused now; null if it can be paid.
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
   * Payment of the ticket; null before the payment. `number` is the staff number of the cashier who paid; null if the
   * ticket was redeemed at a terminal.
   */
  readonly paid: { readonly at: number; readonly number: string | null; readonly terminal: string | null } | null;
};

/** A staff member in the list for administrators. `pin` is true if the staff member has a PIN; `password` likewise. */
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
