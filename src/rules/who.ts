import { type ValueOf, either, named, object, oneOf, optional, paired } from './fields.ts';
import { id, time } from './kinds.ts';

/** The line of posts, low to high. A duty may be done by its post, by someone acting in it, or by a higher one. [ETG 6.2, HOUSE 2] */
export const linePosts = ['dealer', 'supervisor', 'pit-manager', 'gaming-shift-manager'] as const;
/** Posts beside the line: none of them can touch a game. Surveillance sees everything and does nothing. */
export const sidePosts = ['cage', 'technician', 'auditor', 'surveillance', 'administrator'] as const;

export type LinePost = (typeof linePosts)[number];
export type Post = LinePost | (typeof sidePosts)[number];

export const linePost = oneOf(linePosts);
export const post = oneOf([...linePosts, ...sidePosts]);

const inPost = object('a person with a post', {
  person: id,
  post,
  acting: optional(linePost),
  until: optional(time),
});

/** A person in a post, perhaps acting in another one until a stated time. */
export const person = named(
  'person',
  paired(inPost, 'a person with a post, and "until" with "acting"', ['acting', 'until']),
);
export type Person = ValueOf<typeof person>;

/** Who asks: a person, a patron at a terminal, or the system that runs an unattended table. */
export const who = named(
  'who',
  either(
    'a person with a post, a terminal or a system',
    // Most who ask are at a terminal.
    object('a terminal', { terminal: id }),
    object('a system', { system: id }),
    person,
  ),
);
export type Who = ValueOf<typeof who>;

/** How high a post stands in the line; -1 beside it. */
export const rankOf = (one: Post): number => (linePosts as readonly Post[]).indexOf(one);

/** Whether a person may do the duty of a post at that time. */
export function mayAct({ post: own, acting, until }: Person, wanted: Post, at: number): boolean {
  if (rankOf(wanted) < 0) return own === wanted;
  if (rankOf(own) < 0) return false;
  const higher = acting !== undefined && until !== undefined && at <= until ? rankOf(acting) : -1;
  return Math.max(rankOf(own), higher) >= rankOf(wanted);
}

/** Whether two consents come from one source. */
export function areSame(one: Who, other: Who): boolean {
  if ('person' in one) return 'person' in other && one.person === other.person;
  if ('terminal' in one) return 'terminal' in other && one.terminal === other.terminal;
  return 'system' in other && one.system === other.system;
}
