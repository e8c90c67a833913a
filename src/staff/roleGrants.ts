import { type LinePost, type Post, rankOf } from '../access/roles.ts';
import { type Person } from '../access/actor.ts';
import { type Acting, type People, own } from './state.ts';

// What a person may do at a time: posts that are held, and those acted in.

/** A post that somebody is in, perhaps acting in a higher one until then. */
export type Standing = { readonly post: Post; readonly acting?: LinePost; readonly until?: number };

/** The post that somebody does the duty of. */
export const dutyOf = ({ post, acting }: Standing): Post => acting ?? post;

const byRank = (one: Post, other: Post): number => rankOf(other) - rankOf(one);

/** What somebody acts in at a time. */
const actingAt = (people: People, person: string, at: number): readonly Acting[] =>
  Object.values(people.acting).filter((one) => one.person === person && one.from <= at && at <= one.until);

/** All that somebody may sign in as at a time, the highest first; what is held stands before what is acted in. */
export function standingsOf(people: People, person: string, at: number): readonly Standing[] {
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
export const strongestOf = (people: People, person: string, at: number): Standing | undefined =>
  standingsOf(people, person, at).toSorted((one, other) => byRank(dutyOf(one), dutyOf(other)))[0];

/** Whether a person holds the post that was named, and acts in the other until then, if one was. */
export function holds(people: People, { person, post, acting, until }: Person, at: number): boolean {
  const member = own(people.members, person);
  if (member === undefined || member.ended || !member.posts.includes(post)) return false;
  return acting === undefined || actingAt(people, person, at).some((one) => one.post === acting && one.until === until);
}
