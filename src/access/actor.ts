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

/** Schema of a staff member with a role. `acting` is a higher role, granted until the time `until`. */
export const staffActorSchema = s.named(
  'person',
  s.requiredTogether(staffActorFields, 'a person with a role, and both "acting" and "until" or neither', [
    'acting',
    'until',
  ]),
);
export type StaffActor = Infer<typeof staffActorSchema>;

/** Schema of the sender of a command: a staff member, a terminal, or a part of the system such as the shuffler. */
export const actorSchema = s.named(
  'actor',
  s.union(
    'a person with a role, a terminal or a system',
    // Terminals send most commands, so the check tries their schema first.
    s.object('a terminal', { terminal: id }),
    s.object('a system', { system: id }),
    staffActorSchema,
  ),
);
export type Actor = Infer<typeof actorSchema>;

/**
 * True when both are the same staff member, terminal or part of the system, whatever the role. Four eyes need two
 * different actors.
 */
export function isSameActor(one: Actor, other: Actor): boolean {
  if ('person' in one) return 'person' in other && one.person === other.person;
  if ('terminal' in one) return 'terminal' in other && one.terminal === other.terminal;
  return 'system' in other && one.system === other.system;
}

/** The actor of commands that the floor sends by itself. */
export const floorActor = { system: 'floor' } as const;
/** The actor that prepares virtual shoes. */
export const shufflerActor = { system: 'shuffler' } as const;
