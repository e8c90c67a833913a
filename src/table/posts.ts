/** The line of posts, low to high. A duty may be done by its post, by someone acting in it, or by a higher one. [ETG 6.2, HOUSE 2] */
export const linePosts = ['dealer', 'supervisor', 'pit-manager', 'gaming-shift-manager'] as const;
/** Posts beside the line: none of them can touch a game. */
export const sidePosts = ['cage', 'technician', 'auditor', 'administrator'] as const;

export type LinePost = (typeof linePosts)[number];
export type Post = LinePost | (typeof sidePosts)[number];

/** A person in a post, perhaps acting in another one until a stated time. */
export type Person = {
  readonly person: string;
  readonly post: Post;
  readonly acting?: LinePost;
  readonly until?: number;
};

/** Who asks: a person, a patron at a terminal, or the system that runs an unattended table. */
export type Who = Person | { readonly terminal: string } | { readonly system: string };

/** Who may do what: the first person and, where four eyes are asked for, the second. */
export type Duty = { readonly first: Post; readonly second?: Post };

/** The four-eyes matrix. */
export const duties = {
  'run the table': { first: 'dealer' },
  'void with no card out': { first: 'dealer' },
  'void with a card out': { first: 'dealer', second: 'supervisor' },
  'rule before settlement': { first: 'dealer', second: 'supervisor' },
  'rule after settlement': { first: 'supervisor', second: 'gaming-shift-manager' },
  'burn a card': { first: 'dealer', second: 'supervisor' },
  'change the shoe': { first: 'dealer', second: 'supervisor' },
  refer: { first: 'dealer' },
  'decide a referral': { first: 'gaming-shift-manager' },
  'confirm what a clause computes': { first: 'supervisor' },
  'change the setting': { first: 'pit-manager', second: 'gaming-shift-manager' },
  'pay by hand above the limit': { first: 'supervisor', second: 'pit-manager' },
  'start software after a failed hash': { first: 'technician', second: 'auditor' },
} as const satisfies { readonly [name: string]: Duty };
export type DutyName = keyof typeof duties;

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
