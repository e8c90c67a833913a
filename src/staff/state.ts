import { ownValue } from '../base/ownValue.ts';
import { type PitRole, type Role } from '../access/roles.ts';
import { type ConsoleKind, type SecretKind } from './fieldTypes.ts';

/** A PIN or password that was set; its hash is in the key-value table. `once`: it must be changed at first use. */
type Secret = { readonly mark: string; readonly once: boolean };

/** A staff member. `person` is an opaque id; the name is not in the event log. */
export type StaffMember = {
  readonly person: string;
  readonly number: string;
  roles: readonly Role[];
  ended: boolean;
  readonly since: number;
  readonly secrets: { [kind in SecretKind]: Secret | null };
  /** True when the key-value table has the name of the person. */
  named: boolean;
};

/** A higher role that a person has for a time. [ETG 6.2] */
export type ActingRole = {
  readonly acting: string;
  readonly person: string;
  readonly role: PitRole;
  readonly from: number;
  readonly until: number;
  /** The person who granted the acting role. */
  readonly by: string;
};

export type StaffConsole = { readonly console: string; readonly kind: ConsoleKind; readonly table: string | null };

type Offer = Pick<StaffConsole, 'kind' | 'table'> & { readonly offer: string; readonly until: number };

/** A sign-in session of a person in a role. `until` is the end of the acting role, if there is one. */
export type SignInSession = {
  readonly id: string;
  readonly person: string;
  readonly number: string;
  readonly role: Role;
  readonly acting: PitRole | null;
  readonly until: number | null;
  readonly console: string | null;
  readonly table: string | null;
  readonly since: number;
  readonly locked: boolean;
};

/**
 * `failures`: wrong secrets since the last lock. `locks`: locks since the last success. `until`: end of a lock, which
 * may be past; null unless the last attempt started a lock or was refused because of one.
 */
export type FailedSignIns = { readonly failures: number; readonly locks: number; readonly until: number | null };

export type StaffState = {
  property: string;
  currency: string;
  demo: boolean;
  at: number;
  members: { [person: string]: StaffMember };
  /** Person by staff number, former staff members included; a number is never reused. */
  numbers: { [number: string]: string };
  acting: { [acting: string]: ActingRole };
  consoles: { [console: string]: StaffConsole };
  sessions: { [session: string]: SignInSession };
  failedSignIns: { [number: string]: FailedSignIns };
  /** Console offers that were not claimed. Expired offers are removed when the next offer is made. */
  offers: { [offer: string]: Offer };
  /** Wrong codes that were given for console offers. */
  claims: FailedSignIns;
  /** Counts of the ids given so far, from which the next ids are made. */
  given: { members: number; acting: number; consoles: number; sessions: number; offers: number };
};

/** The staff member with this number; undefined if there is none or the person has left. */
export function findCurrentMember(staff: StaffState, number: string): StaffMember | undefined {
  const member = ownValue(staff.members, ownValue(staff.numbers, number) ?? '');
  return member?.ended === false ? member : undefined;
}

/** The staff number in its standard form, such as D-214 for d214; undefined if the text is no staff number. */
export function parseStaffNumber(typed: string): string | undefined {
  const [, letters, digits] = /^([A-Za-z]{1,4})-?([0-9]{1,6})$/.exec(typed.trim()) ?? [];
  return letters === undefined ? undefined : `${letters.toUpperCase()}-${digits}`;
}
