import { type LinePost, type Post, linePosts } from '../../games/posts.ts';

/** A person in a post, perhaps acting in another one until a stated time. */
export type Person = {
  readonly person: string;
  readonly post: Post;
  readonly acting?: LinePost;
  readonly until?: number;
};

/** Who asks: a person, a patron at a terminal, or the system that runs an unattended table. */
export type Who = Person | { readonly terminal: string } | { readonly system: string };

/** How long a proposal waits for its second person. */
export const proposalTime = 120_000;

const rankOf = (post: Post): number => (linePosts as readonly Post[]).indexOf(post);

/** Whether a person may do the duty of a post at that time. */
export function mayAct({ post, acting, until }: Person, wanted: Post, at: number): boolean {
  if (rankOf(wanted) < 0) return post === wanted;
  if (rankOf(post) < 0) return false;
  const higher = acting !== undefined && until !== undefined && at <= until ? rankOf(acting) : -1;
  return Math.max(rankOf(post), higher) >= rankOf(wanted);
}

/** Whether two consents come from one source. */
export function areSame(one: Who, other: Who): boolean {
  if ('person' in one) return 'person' in other && one.person === other.person;
  if ('terminal' in one) return 'terminal' in other && one.terminal === other.terminal;
  return 'system' in other && one.system === other.system;
}
