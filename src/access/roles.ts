/**
 * Pit roles, lowest to highest. A higher role may do everything that a lower role may do. An acting role gives a person
 * the rights of a higher role for a time. [ETG 6.2, HOUSE 2]
 */
export const pitRoles = ['dealer', 'supervisor', 'pit-manager', 'gaming-shift-manager'] as const;
/** Roles outside the pit. They may not act in a game. */
export const supportRoles = ['cage', 'technician', 'auditor', 'surveillance', 'administrator'] as const;

export type PitRole = (typeof pitRoles)[number];
export type Role = PitRole | (typeof supportRoles)[number];

/** Rank among the pit roles; -1 for a support role. */
export const pitRoleRank = (role: Role): number => (pitRoles as readonly Role[]).indexOf(role);

type RoleHolder = { readonly role: Role; readonly acting?: PitRole; readonly until?: number };

/**
 * True when the holder may do what the required role may do, by the own role or by the acting role. The acting role
 * counts up to and including `until`, and only if own role and required role are pit roles.
 */
export function hasAuthority({ role, acting, until }: RoleHolder, required: Role, at: number): boolean {
  if (pitRoleRank(required) < 0) return role === required;
  if (pitRoleRank(role) < 0) return false;
  const actingRank = acting !== undefined && until !== undefined && at <= until ? pitRoleRank(acting) : -1;
  return Math.max(pitRoleRank(role), actingRank) >= pitRoleRank(required);
}
