import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';
import { id, time } from '../base/commonSchemas.ts';
import { pitRoles, supportRoles } from './roles.ts';

export const pitRoleSchema = s.literals(pitRoles);
export const roleSchema = s.literals([...pitRoles, ...supportRoles]);

const staffActorFields = s.object('a person with a role', {
  person: id,
  role: roleSchema,
  acting: s.optional(pitRoleSchema),
  until: s.optional(time),
});

/** A staff member in a role, with an acting role that ends at `until`. */
export const staffActorSchema = s.named(
  'person',
  s.requiredTogether(staffActorFields, 'a person with a role, and "until" with "acting"', ['acting', 'until']),
);
export type StaffActor = Infer<typeof staffActorSchema>;

/** The sender of a command: a staff member, a terminal, or the system of an unattended table. */
export const actorSchema = s.named(
  'actor',
  s.union(
    'a person with a role, a terminal or a system',
    // Terminals send most commands, so their schema is tried first.
    s.object('a terminal', { terminal: id }),
    s.object('a system', { system: id }),
    staffActorSchema,
  ),
);
export type Actor = Infer<typeof actorSchema>;

/** Four eyes: the same person, terminal or system counts as one actor, whatever its role. */
export function isSameActor(one: Actor, other: Actor): boolean {
  if ('person' in one) return 'person' in other && one.person === other.person;
  if ('terminal' in one) return 'terminal' in other && one.terminal === other.terminal;
  return 'system' in other && one.system === other.system;
}

/** System actors: the floor runs its own steps, the shuffler prepares virtual shoes. */
export const floorActor = { system: 'floor' } as const;
export const shufflerActor = { system: 'shuffler' } as const;
