import { ownValue } from '../base/ownValue.ts';
import { type PitRole, type Role } from '../access/roles.ts';
import { type ConsoleKind, type SecretKind } from './fieldTypes.ts';

/** That somebody has a secret, and which: what it is lies beside the record. */
type Secret = { readonly mark: string; readonly once: boolean };

/** Somebody who works here, known by a number. Names are no part of the record. */
export type StaffMember = {
  readonly person: string;
  readonly number: string;
  posts: readonly Role[];
  ended: boolean;
  readonly since: number;
  readonly secrets: { [kind in SecretKind]: Secret | null };
  /** Whether a name is written down beside the record. */
  named: boolean;
};

/** A higher post for a time. [ETG 6.2] */
export type ActingRole = {
  readonly acting: string;
  readonly person: string;
  readonly post: PitRole;
  readonly from: number;
  readonly until: number;
  /** Who gave it. */
  readonly by: string;
};

export type Console = { readonly console: string; readonly kind: ConsoleKind; readonly table: string | null };

/** A console that a device may become until then. */
type Offer = Pick<Console, 'kind' | 'table'> & { readonly offer: string; readonly until: number };

/** Somebody who is signed in, in a post, perhaps acting in a higher one until then. */
export type SignInSession = {
  readonly id: string;
  readonly person: string;
  readonly number: string;
  readonly post: Role;
  readonly acting: PitRole | null;
  readonly until: number | null;
  readonly console: string | null;
  readonly table: string | null;
  readonly since: number;
  readonly locked: boolean;
};

/** Wrong secrets for a number since its last lock, locks in a row, and until when nobody is let in by it. */
export type FailedSignIns = { readonly failures: number; readonly locks: number; readonly until: number | null };

/** All people of a property, with what they hold and where they are signed in. */
export type StaffState = {
  property: string;
  currency: string;
  demo: boolean;
  at: number;
  members: { [person: string]: StaffMember };
  /** Who bears a number, also of those who have left. */
  numbers: { [number: string]: string };
  acting: { [acting: string]: ActingRole };
  consoles: { [console: string]: Console };
  sessions: { [session: string]: SignInSession };
  tries: { [number: string]: FailedSignIns };
  /** Consoles that are offered to devices, and wrong codes that were given for them. */
  offers: { [offer: string]: Offer };
  claims: FailedSignIns;
  /** How many there ever were of each, from which ids are made. */
  given: { people: number; acting: number; consoles: number; sessions: number; offers: number };
};

/** Who bears a number and has not left. */
export function findMember(staff: StaffState, number: string): StaffMember | undefined {
  const member = ownValue(staff.members, ownValue(staff.numbers, number) ?? '');
  return member?.ended === false ? member : undefined;
}

/** A number as it was typed, the way it is written down: d214 is D-214. */
export function parseStaffNumber(typed: string): string | undefined {
  const [, letters, digits] = /^([A-Za-z]{1,4})-?([0-9]{1,6})$/.exec(typed.trim()) ?? [];
  return letters === undefined ? undefined : `${letters.toUpperCase()}-${digits}`;
}
