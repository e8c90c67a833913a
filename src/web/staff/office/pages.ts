import { type ComponentType } from 'preact';
import { type StaffSession } from '../../../wire/staff/messages.ts';

// Routes of all pages except the sign-in page and the dealer console. A page is loaded on demand from its file
// `page.tsx`. The export `Page` of the file receives the parameters of the path.

export type PathParameters = { readonly [name: string]: string };
type PageModule = { readonly Page: ComponentType<{ readonly params: PathParameters }> };

export type OfficeRoute = {
  readonly name: string;
  /** Path pattern, such as `/floor/:table`. */
  readonly path: string;
  readonly roles: readonly string[];
  /** Letter that opens the page after the key G. Only a page with a letter has a tab. */
  readonly key?: string;
  readonly load: () => Promise<PageModule>;
};

const supervisingRoles = ['supervisor', 'pit-manager', 'gaming-shift-manager'] as const;
const managerRoles = ['pit-manager', 'gaming-shift-manager'] as const;
const auditRoles = ['auditor', 'surveillance'] as const;

export const officeRoutes: readonly OfficeRoute[] = [
  {
    name: 'floor',
    path: '/floor',
    key: 'F',
    roles: [...supervisingRoles, ...auditRoles],
    load: () => import('./floor/page.tsx'),
  },
  {
    name: 'table',
    path: '/floor/:table',
    roles: [...supervisingRoles, ...auditRoles],
    load: () => import('./table/page.tsx'),
  },
  {
    name: 'ruling',
    path: '/floor/:table/ruling',
    roles: [...supervisingRoles, ...auditRoles],
    load: () => import('./ruling/page.tsx'),
  },
  {
    name: 'sealed',
    path: '/floor/:table/sealed',
    roles: [...supervisingRoles, ...auditRoles],
    load: () => import('./countSealedShoe/page.tsx'),
  },
  {
    name: 'referral',
    path: '/floor/:table/referral',
    roles: [...supervisingRoles, ...auditRoles],
    load: () => import('./referral/page.tsx'),
  },
  {
    name: 'rounds',
    path: '/rounds',
    key: 'R',
    roles: [...supervisingRoles, ...auditRoles],
    load: () => import('./rounds/page.tsx'),
  },
  {
    name: 'round',
    path: '/rounds/:round',
    roles: [...supervisingRoles, ...auditRoles],
    load: () => import('./round/page.tsx'),
  },
  {
    name: 'correct',
    path: '/rounds/:round/correct',
    roles: supervisingRoles,
    load: () => import('./correction/page.tsx'),
  },
  {
    name: 'meters',
    path: '/meters',
    key: 'M',
    roles: [...managerRoles, ...auditRoles],
    load: () => import('./meters/page.tsx'),
  },
  {
    name: 'terminals',
    path: '/terminals',
    key: 'T',
    roles: [...supervisingRoles, 'technician', ...auditRoles],
    load: () => import('./terminals/page.tsx'),
  },
  { name: 'cage', path: '/terminals/cage', key: 'D', roles: ['cage'], load: () => import('./cage/page.tsx') },
  {
    name: 'staff',
    path: '/staff-accounts',
    key: 'P',
    roles: [...managerRoles, 'administrator', ...auditRoles],
    load: () => import('./staff/page.tsx'),
  },
  {
    name: 'settings',
    path: '/settings',
    key: 'S',
    roles: [...managerRoles, ...auditRoles],
    load: () => import('./settings/page.tsx'),
  },
  {
    name: 'settings',
    path: '/settings/:table',
    roles: [...managerRoles, ...auditRoles],
    load: () => import('./settings/page.tsx'),
  },
];

/** Parameters of a path; undefined when the pattern does not match. */
export function matchPath(pattern: string, path: string): PathParameters | undefined {
  const [expected, actual] = [pattern.split('/'), path.replace(/\/$/, '').split('/')];
  if (expected.length !== actual.length) return undefined;
  const params: { [name: string]: string } = {};
  for (const [n, part] of expected.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(actual[n]!);
    else if (part !== actual[n]) return undefined;
  }
  return params;
}

/** Route and parameters of a path; undefined if no route matches. A route without parameters takes precedence. */
export function matchOfficePage(
  path: string,
): { readonly page: OfficeRoute; readonly params: PathParameters } | undefined {
  const matches = officeRoutes
    .map((page) => ({ page, params: matchPath(page.path, path) }))
    .filter((one): one is { page: OfficeRoute; params: PathParameters } => one.params !== undefined);
  return matches.toSorted((one, other) => Object.keys(one.params).length - Object.keys(other.params).length)[0];
}

/** True when the role or the acting role of a session may open the page. */
export const mayOpenPage = ({ roles }: OfficeRoute, { role, acting }: Pick<StaffSession, 'role' | 'acting'>): boolean =>
  roles.includes(role) || (acting !== null && roles.includes(acting));

export const tabsForSession = (session: Pick<StaffSession, 'role' | 'acting'>): readonly OfficeRoute[] =>
  officeRoutes.filter((page) => page.key !== undefined && mayOpenPage(page, session));

/** Path of the first page after sign-in: the dealer's console or, for other roles, their first tab. */
export const homePath = (session: Pick<StaffSession, 'role' | 'acting' | 'table'>): string => {
  if (session.table !== null && session.role === 'dealer') return `/dealer/${encodeURIComponent(session.table)}`;
  return tabsForSession(session)[0]?.path ?? '/sign-in';
};
