/**
 * Pit roles, lowest to highest. An action that requires one of them may also be taken by a higher role or by an acting
 * role. [ETG 6.2, HOUSE 2]
 */
export const pitRoles = ['dealer', 'supervisor', 'pit-manager', 'gaming-shift-manager'] as const;
/** Roles outside the pit. None of them may act in a game; surveillance may only read. */
export const supportRoles = ['cage', 'technician', 'auditor', 'surveillance', 'administrator'] as const;

export type PitRole = (typeof pitRoles)[number];
export type Role = PitRole | (typeof supportRoles)[number];

/** Rank among the pit roles; -1 for a support role. */
export const roleRank = (role: Role): number => (pitRoles as readonly Role[]).indexOf(role);

type RoleHolder = { readonly role: Role; readonly acting?: PitRole; readonly until?: number };

/** True when the role, or the acting role until it ends, may do what the required role may do. */
export function hasAuthority({ role, acting, until }: RoleHolder, required: Role, at: number): boolean {
  if (roleRank(required) < 0) return role === required;
  if (roleRank(role) < 0) return false;
  const actingRank = acting !== undefined && until !== undefined && at <= until ? roleRank(acting) : -1;
  return Math.max(roleRank(role), actingRank) >= roleRank(required);
}
