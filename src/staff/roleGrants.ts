import { type PitRole, type Role, roleRank } from '../access/roles.ts';
import { type StaffActor } from '../access/actor.ts';
import { type ActingRole, type StaffState } from './state.ts';
import { ownValue } from '../base/ownValue.ts';

// What a person may do at a time: posts that are held, and those acted in.

/** A post that somebody is in, perhaps acting in a higher one until then. */
export type Authority = { readonly post: Role; readonly acting?: PitRole; readonly until?: number };

/** The post that somebody does the duty of. */
export const effectiveRole = ({ post, acting }: Authority): Role => acting ?? post;

const byRank = (one: Role, other: Role): number => roleRank(other) - roleRank(one);

/** What somebody acts in at a time. */
const actingAt = (staff: StaffState, person: string, at: number): readonly ActingRole[] =>
  Object.values(staff.acting).filter((one) => one.person === person && one.from <= at && at <= one.until);

/** All that somebody may sign in as at a time, the highest first; what is held stands before what is acted in. */
export function authoritiesOf(staff: StaffState, person: string, at: number): readonly Authority[] {
  const member = ownValue(staff.members, person);
  if (member === undefined || member.ended) return [];
  const ownRoles = member.posts.toSorted(byRank);
  const [highest] = ownRoles;
  const actingRoles = actingAt(staff, person, at)
    .filter(({ post }) => !ownRoles.includes(post))
    .toSorted((one, other) => byRank(one.post, other.post) || other.until - one.until);
  return [
    ...ownRoles.map((post) => ({ post })),
    ...actingRoles.flatMap(({ post, until }, index) =>
      actingRoles.findIndex((one) => one.post === post) === index ? [{ post: highest!, acting: post, until }] : [],
    ),
  ];
}

/** The most that somebody may do in the line at a time, or else beside it. */
export const highestAuthority = (staff: StaffState, person: string, at: number): Authority | undefined =>
  authoritiesOf(staff, person, at).toSorted((one, other) => byRank(effectiveRole(one), effectiveRole(other)))[0];

/** Whether a person holds the post that was named, and acts in the other until then, if one was. */
export function hasRole(staff: StaffState, { person, post, acting, until }: StaffActor, at: number): boolean {
  const member = ownValue(staff.members, person);
  if (member === undefined || member.ended || !member.posts.includes(post)) return false;
  return acting === undefined || actingAt(staff, person, at).some((one) => one.post === acting && one.until === until);
}
