/** The line of posts, low to high. A duty may be done by its post, by someone acting in it, or by a higher one. [ETG 6.2, HOUSE 2] */
export const pitRoles = ['dealer', 'supervisor', 'pit-manager', 'gaming-shift-manager'] as const;
/** Posts beside the line: none of them can touch a game. Surveillance sees everything and does nothing. */
export const supportRoles = ['cage', 'technician', 'auditor', 'surveillance', 'administrator'] as const;

export type PitRole = (typeof pitRoles)[number];
export type Role = PitRole | (typeof supportRoles)[number];

/** How high a post stands in the line; -1 beside it. */
export const roleRank = (role: Role): number => (pitRoles as readonly Role[]).indexOf(role);

/** Somebody in a post, perhaps acting in another one until a stated time. */
type RoleHolder = { readonly post: Role; readonly acting?: PitRole; readonly until?: number };

/** Whether a person may do the duty of a post at that time. */
export function hasAuthority({ post: role, acting, until }: RoleHolder, required: Role, at: number): boolean {
  if (roleRank(required) < 0) return role === required;
  if (roleRank(role) < 0) return false;
  const actingRank = acting !== undefined && until !== undefined && at <= until ? roleRank(acting) : -1;
  return Math.max(roleRank(role), actingRank) >= roleRank(required);
}
