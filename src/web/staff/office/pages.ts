import { type ComponentType } from 'preact';
import { type StaffSession } from '../../../wire/staff/messages.ts';

// Routes of all pages but the dealer console: path, roles and the module that is loaded on demand. A page is
// `office/NAME/page.tsx` with an export `Page`; it receives the parameters of its path.

export type Params = { readonly [name: string]: string };
type Loaded = { readonly Page: ComponentType<{ readonly params: Params }> };

export type OfficePage = {
  readonly name: string;
  /** Path pattern: `/floor/:table`. */
  readonly at: string;
  readonly posts: readonly string[];
  /** Shortcut: G and this letter. Pages with a shortcut are tabs. */
  readonly key?: string;
  readonly load: () => Promise<Loaded>;
};

const pit = ['supervisor', 'pit-manager', 'gaming-shift-manager'] as const;
const managers = ['pit-manager', 'gaming-shift-manager'] as const;
const readers = ['auditor', 'surveillance'] as const;

export const officeRoutes: readonly OfficePage[] = [
  { name: 'floor', at: '/floor', key: 'F', posts: [...pit, ...readers], load: () => import('./floor/page.tsx') },
  { name: 'table', at: '/floor/:table', posts: [...pit, ...readers], load: () => import('./table/page.tsx') },
  { name: 'ruling', at: '/floor/:table/ruling', posts: [...pit, ...readers], load: () => import('./ruling/page.tsx') },
  { name: 'sealed', at: '/floor/:table/sealed', posts: [...pit, ...readers], load: () => import('./sealed/page.tsx') },
  {
    name: 'referral',
    at: '/floor/:table/referral',
    posts: [...pit, ...readers],
    load: () => import('./referral/page.tsx'),
  },
  { name: 'rounds', at: '/rounds', key: 'R', posts: [...pit, ...readers], load: () => import('./rounds/page.tsx') },
  { name: 'round', at: '/rounds/:round', posts: [...pit, ...readers], load: () => import('./round/page.tsx') },
  { name: 'correct', at: '/rounds/:round/correct', posts: pit, load: () => import('./correction/page.tsx') },
  {
    name: 'meters',
    at: '/meters',
    key: 'M',
    posts: [...managers, ...readers],
    load: () => import('./meters/page.tsx'),
  },
  {
    name: 'terminals',
    at: '/terminals',
    key: 'T',
    posts: [...pit, 'technician', ...readers],
    load: () => import('./terminals/page.tsx'),
  },
  { name: 'desk', at: '/terminals/desk', key: 'D', posts: ['cage'], load: () => import('./cage/page.tsx') },
  {
    name: 'people',
    at: '/people',
    key: 'P',
    posts: [...managers, 'administrator', ...readers],
    load: () => import('./staff/page.tsx'),
  },
  {
    name: 'settings',
    at: '/settings',
    key: 'S',
    posts: [...managers, ...readers],
    load: () => import('./settings/page.tsx'),
  },
  {
    name: 'settings',
    at: '/settings/:table',
    posts: [...managers, ...readers],
    load: () => import('./settings/page.tsx'),
  },
];

/** Parameters of a path; undefined when the pattern does not match. */
export function fits(at: string, path: string): Params | undefined {
  const [wanted, given] = [at.split('/'), path.replace(/\/$/, '').split('/')];
  if (wanted.length !== given.length) return undefined;
  const params: { [name: string]: string } = {};
  for (const [n, part] of wanted.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(given[n]!);
    else if (part !== given[n]) return undefined;
  }
  return params;
}

/** Route of a path. A fixed path wins over one with parameters. */
export function matchPage(path: string): { readonly page: OfficePage; readonly params: Params } | undefined {
  const found = officeRoutes
    .map((page) => ({ page, params: fits(page.at, path) }))
    .filter((one): one is { page: OfficePage; params: Params } => one.params !== undefined);
  return found.toSorted((one, other) => Object.keys(one.params).length - Object.keys(other.params).length)[0];
}

/** An acting role opens its pages as well. */
export const mayOpenPage = ({ posts }: OfficePage, { post, acting }: Pick<StaffSession, 'post' | 'acting'>): boolean =>
  posts.includes(post) || (acting !== null && posts.includes(acting));

export const tabsFor = (session: Pick<StaffSession, 'post' | 'acting'>): readonly OfficePage[] =>
  officeRoutes.filter((page) => page.key !== undefined && mayOpenPage(page, session));

/** First page after sign-in. */
export const homeOf = (session: Pick<StaffSession, 'post' | 'acting' | 'table'>): string => {
  if (session.table !== null && session.post === 'dealer') return `/dealer/${encodeURIComponent(session.table)}`;
  return tabsFor(session)[0]?.at ?? '/sign-in';
};
