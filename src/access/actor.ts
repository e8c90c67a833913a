import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';
import { id, time } from '../base/commonSchemas.ts';
import { pitRoles, supportRoles } from './roles.ts';

export const pitRoleSchema = s.literals(pitRoles);
export const roleSchema = s.literals([...pitRoles, ...supportRoles]);

const staffActorFields = s.object('a person with a post', {
  person: id,
  post: roleSchema,
  acting: s.optional(pitRoleSchema),
  until: s.optional(time),
});

/** A person in a post, perhaps acting in another one until a stated time. */
export const staffActorSchema = s.named(
  'person',
  s.requiredTogether(staffActorFields, 'a person with a post, and "until" with "acting"', ['acting', 'until']),
);
export type StaffActor = Infer<typeof staffActorSchema>;

/** Who asks: a person, a patron at a terminal, or the system that runs an unattended table. */
export const actorSchema = s.named(
  'who',
  s.union(
    'a person with a post, a terminal or a system',
    // Most who ask are at a terminal.
    s.object('a terminal', { terminal: id }),
    s.object('a system', { system: id }),
    staffActorSchema,
  ),
);
/** Who asks or did something: a person at a post, a terminal, or the system itself. */
export type Actor = Infer<typeof actorSchema>;

/** Whether two consents come from one source. */
export function isSameActor(one: Actor, other: Actor): boolean {
  if ('person' in one) return 'person' in other && one.person === other.person;
  if ('terminal' in one) return 'terminal' in other && one.terminal === other.terminal;
  return 'system' in other && one.system === other.system;
}
