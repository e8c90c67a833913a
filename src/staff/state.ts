import { ownValue } from '../base/ownValue.ts';
import { type PitRole, type Role } from '../access/roles.ts';
import { type ConsoleKind, type SecretKind } from './fieldTypes.ts';

/** A secret exists; its hash is in the key-value table. */
type Secret = { readonly mark: string; readonly once: boolean };

/** A staff member, known by number. Names are not in the event log. */
export type StaffMember = {
  readonly person: string;
  readonly number: string;
  roles: readonly Role[];
  ended: boolean;
  readonly since: number;
  readonly secrets: { [kind in SecretKind]: Secret | null };
  /** True when the key-value table has a name. */
  named: boolean;
};

/** A higher role for a time. [ETG 6.2] */
export type ActingRole = {
  readonly acting: string;
  readonly person: string;
  readonly role: PitRole;
  readonly from: number;
  readonly until: number;
  /** The person who gave it. */
  readonly by: string;
};

export type StaffConsole = { readonly console: string; readonly kind: ConsoleKind; readonly table: string | null };

type Offer = Pick<StaffConsole, 'kind' | 'table'> & { readonly offer: string; readonly until: number };

/** A sign-in session in a role, with an acting role until `until`. */
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

/** Wrong secrets since the last lock, consecutive locks, and the end of the lock. */
export type FailedSignIns = { readonly failures: number; readonly locks: number; readonly until: number | null };

export type StaffState = {
  property: string;
  currency: string;
  demo: boolean;
  at: number;
  members: { [person: string]: StaffMember };
  /** Person by staff number, former members included; a number is never reused. */
  numbers: { [number: string]: string };
  acting: { [acting: string]: ActingRole };
  consoles: { [console: string]: StaffConsole };
  sessions: { [session: string]: SignInSession };
  failedSignIns: { [number: string]: FailedSignIns };
  /** Open console offers, and wrong codes given for them. */
  offers: { [offer: string]: Offer };
  claims: FailedSignIns;
  /** Counters from which ids are made. */
  given: { members: number; acting: number; consoles: number; sessions: number; offers: number };
};

/** The present member with this number. */
export function findPresentMember(staff: StaffState, number: string): StaffMember | undefined {
  const member = ownValue(staff.members, ownValue(staff.numbers, number) ?? '');
  return member?.ended === false ? member : undefined;
}

/** Normalizes a typed staff number: d214 is D-214. */
export function parseStaffNumber(typed: string): string | undefined {
  const [, letters, digits] = /^([A-Za-z]{1,4})-?([0-9]{1,6})$/.exec(typed.trim()) ?? [];
  return letters === undefined ? undefined : `${letters.toUpperCase()}-${digits}`;
}
