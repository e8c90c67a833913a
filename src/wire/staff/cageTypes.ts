import { type StaffProposal } from './views.ts';

// What is told of people, terminals and money at the cage to those who look it up.

/** A terminal in the list. */
export type ListedTerminal = {
  readonly terminal: string;
  /** Somebody is at it. */
  readonly online: boolean;
  readonly table: string | null;
  /** The session that goes on, and since when. */
  readonly session: number | null;
  readonly since: number | null;
  readonly credit: number;
  /** What stands at tables, and what may still be taken back. */
  readonly staked: number;
  readonly inQuestion: number;
  /** Why it is out of use, if it is. */
  readonly locked: string | null;
  /** What waits to be paid by hand, and what of it is signed. */
  readonly owed: number;
  readonly signed: readonly SignedHandPay[];
  /** What one person has signed, while a second may. */
  readonly proposal: ProposedHandPay | null;
  readonly moved: number | null;
};

export type TerminalList = {
  readonly terminals: readonly ListedTerminal[];
  /** How many there are in all, how many need a person, and how many of those with credit nobody is at. */
  readonly all: number;
  readonly need: number;
  readonly offline: number;
  readonly limits: DeskLimits;
};

/** Above `handPay` two persons sign; from `nameFrom` on a name is asked for. Null where the property has no such limit. */
export type DeskLimits = { readonly handPay: number | null; readonly nameFrom: number | null };

/** What two persons have signed and the cage has still to pay; people by their numbers. */
export type SignedHandPay = {
  readonly terminal: string;
  readonly signature: number;
  readonly what: string;
  readonly amount: number;
  readonly at: number;
  readonly first: string;
  readonly second: string;
};

/** A proposal as at a table, with its amount. */
export type ProposedHandPay = StaffProposal & { readonly amount: number };

/** What came to a session after its end; `not` is the code of why it cannot be paid now. */
export type UnclaimedCredit = {
  readonly terminal: string;
  readonly session: number;
  readonly amount: number;
  readonly not: string | null;
};

/** A ticket by its number: what it is worth, where it comes from and, where it was paid, by whom and when. */
export type SoughtTicket = {
  readonly ticket: string;
  readonly amount: number;
  /** The code of why it is not paid; null where it can be. */
  readonly not: string | null;
  readonly issued: { readonly terminal: string; readonly at: number } | null;
  /** `number` is that of the cashier; null where a terminal took it. */
  readonly paid: { readonly at: number; readonly number: string | null; readonly terminal: string | null } | null;
};

/** Somebody who works here, as the register has it. */
export type ListedPerson = {
  readonly person: string;
  readonly number: string;
  readonly posts: readonly string[];
  readonly ended: boolean;
  readonly since: number;
  readonly named: boolean;
  readonly pin: boolean;
  readonly password: boolean;
};

export type ListedActing = {
  readonly acting: string;
  readonly person: string;
  readonly post: string;
  readonly from: number;
  readonly until: number;
  readonly by: string;
};

type ListedConsole = { readonly console: string; readonly kind: string; readonly table: string | null };

export type StaffList = {
  readonly people: readonly ListedPerson[];
  readonly acting: readonly ListedActing[];
  readonly consoles: readonly ListedConsole[];
  readonly locked: readonly { readonly number: string; readonly until: number }[];
};

export type ListedSession = {
  readonly id: string;
  readonly person: string;
  readonly number: string;
  readonly post: string;
  readonly acting: string | null;
  readonly console: string | null;
  readonly table: string | null;
  readonly since: number;
  readonly locked: boolean;
};

/** How a table is run, whole, as those see it who change it. */
export type { TableSettings } from '../../table/schema/settings.ts';
