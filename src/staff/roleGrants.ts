import { type PitRole, type Role, roleRank } from '../access/roles.ts';
import { type StaffActor } from '../access/actor.ts';
import { type ActingRole, type StaffState, own } from './state.ts';

// What a person may do at a time: posts that are held, and those acted in.

/** A post that somebody is in, perhaps acting in a higher one until then. */
export type Authority = { readonly post: Role; readonly acting?: PitRole; readonly until?: number };

/** The post that somebody does the duty of. */
export const effectiveRole = ({ post, acting }: Authority): Role => acting ?? post;

const byRank = (one: Role, other: Role): number => roleRank(other) - roleRank(one);

/** What somebody acts in at a time. */
const actingAt = (people: StaffState, person: string, at: number): readonly ActingRole[] =>
  Object.values(people.acting).filter((one) => one.person === person && one.from <= at && at <= one.until);

/** All that somebody may sign in as at a time, the highest first; what is held stands before what is acted in. */
export function authoritiesOf(people: StaffState, person: string, at: number): readonly Authority[] {
  const member = own(people.members, person);
  if (member === undefined || member.ended) return [];
  const held = member.posts.toSorted(byRank);
  const [highest] = held;
  const acts = actingAt(people, person, at)
    .filter(({ post }) => !held.includes(post))
    .toSorted((one, other) => byRank(one.post, other.post) || other.until - one.until);
  return [
    ...held.map((post) => ({ post })),
    ...acts.flatMap(({ post, until }, place) =>
      acts.findIndex((one) => one.post === post) === place ? [{ post: highest!, acting: post, until }] : [],
    ),
  ];
}

/** The most that somebody may do in the line at a time, or else beside it. */
export const highestAuthority = (people: StaffState, person: string, at: number): Authority | undefined =>
  authoritiesOf(people, person, at).toSorted((one, other) => byRank(effectiveRole(one), effectiveRole(other)))[0];

/** Whether a person holds the post that was named, and acts in the other until then, if one was. */
export function hasRole(people: StaffState, { person, post, acting, until }: StaffActor, at: number): boolean {
  const member = own(people.members, person);
  if (member === undefined || member.ended || !member.posts.includes(post)) return false;
  return acting === undefined || actingAt(people, person, at).some((one) => one.post === acting && one.until === until);
}
