/**
 * Pit roles, lowest to highest. A duty may be done by its role, by an acting role, or by a higher one. [ETG 6.2, HOUSE
 * 2]
 */
export const pitRoles = ['dealer', 'supervisor', 'pit-manager', 'gaming-shift-manager'] as const;
/** Roles outside the pit; none of them may touch a game. Surveillance only reads. */
export const supportRoles = ['cage', 'technician', 'auditor', 'surveillance', 'administrator'] as const;

export type PitRole = (typeof pitRoles)[number];
export type Role = PitRole | (typeof supportRoles)[number];

/** Rank among the pit roles; -1 for a support role. */
export const roleRank = (role: Role): number => (pitRoles as readonly Role[]).indexOf(role);

type RoleHolder = { readonly role: Role; readonly acting?: PitRole; readonly until?: number };

/** True when the role, or the acting role until it ends, may do the duty of the required role. */
export function hasAuthority({ role, acting, until }: RoleHolder, required: Role, at: number): boolean {
  if (roleRank(required) < 0) return role === required;
  if (roleRank(role) < 0) return false;
  const actingRank = acting !== undefined && until !== undefined && at <= until ? roleRank(acting) : -1;
  return Math.max(roleRank(role), actingRank) >= roleRank(required);
}
