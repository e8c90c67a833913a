import { type PitRole, type Role, pitRoleRank } from '../access/roles.ts';
import { type StaffActor } from '../access/actor.ts';
import { type ActingRole, type StaffState } from './state.ts';
import { ownValue } from '../base/ownValue.ts';

/** A role in which a person may act. `acting` is a higher role that was granted for a time, which ends at `until`. */
export type Authority = { readonly role: Role; readonly acting?: PitRole; readonly until?: number };

export const effectiveRole = ({ role, acting }: Authority): Role => acting ?? role;

const byRank = (one: Role, other: Role): number => pitRoleRank(other) - pitRoleRank(one);

const actingAt = (staff: StaffState, person: string, at: number): readonly ActingRole[] =>
  Object.values(staff.acting).filter((one) => one.person === person && one.from <= at && at <= one.until);

/** All roles in which a person may sign in: own roles, highest first, then acting roles, highest first. */
export function authoritiesOf(staff: StaffState, person: string, at: number): readonly Authority[] {
  const member = ownValue(staff.members, person);
  if (member === undefined || member.ended) return [];
  const ownRoles = member.roles.toSorted(byRank);
  const [highest] = ownRoles;
  const actingRoles = actingAt(staff, person, at)
    .filter(({ role }) => !ownRoles.includes(role))
    .toSorted((one, other) => byRank(one.role, other.role) || other.until - one.until);
  return [
    ...ownRoles.map((role) => ({ role })),
    ...actingRoles.flatMap(({ role, until }, index) =>
      actingRoles.findIndex((one) => one.role === role) === index ? [{ role: highest!, acting: role, until }] : [],
    ),
  ];
}

/** The highest authority of a person: a pit role, own or acting, before any support role. */
export const highestAuthority = (staff: StaffState, person: string, at: number): Authority | undefined =>
  authoritiesOf(staff, person, at).toSorted((one, other) => byRank(effectiveRole(one), effectiveRole(other)))[0];

/**
 * True when the actor has the claimed role. If the actor claims an acting role, the person must have it at the time
 * `at`, and its end must be the claimed end.
 */
export function hasRole(staff: StaffState, { person, role, acting, until }: StaffActor, at: number): boolean {
  const member = ownValue(staff.members, person);
  if (member === undefined || member.ended || !member.roles.includes(role)) return false;
  return acting === undefined || actingAt(staff, person, at).some((one) => one.role === acting && one.until === until);
}
