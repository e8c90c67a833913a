import { type PitRole, pitRoleRank } from '../access/roles.ts';
import { type Actor } from '../access/actor.ts';
import { type StaffRegisterCommandOf } from './commands.ts';
import {
  type StaffRegisterRefusal,
  type StaffDecision,
  refuseStaff,
  sessionEndedEvent,
  staffEventStamp,
} from './decision.ts';
import { type StaffState } from './state.ts';
import { ownValue } from '../base/ownValue.ts';

/**
 * Refusal unless the actor has a higher role than the acting role. No role is higher than the highest pit role; there,
 * the actor must have that role. [ETG 6.2]
 */
function actingRefusal(actor: Actor, role: PitRole): StaffRegisterRefusal | undefined {
  const isHighest = role === 'gaming-shift-manager';
  if ('person' in actor && (pitRoleRank(actor.role) > pitRoleRank(role) || (isHighest && actor.role === role)))
    return undefined;
  const grantor = isHighest ? 'a Gaming Shift Manager' : 'a person with a higher role';
  return refuseStaff('not-your-role', `Only ${grantor} may grant or end the acting role ${role}; ask one.`, 'ETG 6.2');
}

export function decideGrantActingRole(
  command: StaffRegisterCommandOf<'GrantActingRole'>,
  staff: StaffState,
): StaffDecision {
  const { person, as: role, until, actor, at } = command;
  const refusal = actingRefusal(actor, role);
  if (refusal) return refusal;
  const member = ownValue(staff.members, person);
  if (member === undefined || member.ended) {
    return refuseStaff('unknown-person', `${person} is not a current staff member; name another person.`);
  }
  if ('person' in actor && actor.person === person) {
    return refuseStaff('same-person', 'You cannot grant yourself an acting role; ask another person.', 'ETG 6.2');
  }
  const rank = Math.max(...member.roles.map(pitRoleRank));
  if (rank < 0 || rank >= pitRoleRank(role)) {
    const message = `Only a person in a lower pit role can act as ${role}; name one.`;
    return refuseStaff('acting-not-higher', message, 'ETG 6.2');
  }
  // An acting role that should begin in the past begins now.
  const from = Math.max(command.from, at);
  if (until <= from) return refuseStaff('acting-over', 'The acting role would end before it begins; give a later end.');
  const acting = `a${staff.given.acting + 1}`;
  return [{ type: 'ActingRoleGranted', ...staffEventStamp(command), acting, person, role, from, until }];
}

/** An acting role is ended early by the person who has it, or by a person whose role may grant it. */
export function decideEndActingRole(
  command: StaffRegisterCommandOf<'EndActingRole'>,
  staff: StaffState,
): StaffDecision {
  const { actor, acting } = command;
  const actingRole = ownValue(staff.acting, acting);
  if (actingRole === undefined)
    return refuseStaff('unknown-acting', `The acting role ${acting} has ended; refresh the list.`);
  const { person, role, until } = actingRole;
  const isOwn = 'person' in actor && actor.person === person;
  const refusal = isOwn ? undefined : actingRefusal(actor, role);
  if (refusal) return refusal;
  const sessions = Object.values(staff.sessions).filter(
    (one) => one.person === person && one.acting === role && one.until === until,
  );
  return [
    { type: 'ActingRoleEnded', ...staffEventStamp(command), acting, person },
    ...sessions.map((session) => sessionEndedEvent(command, session, 'role-ended')),
  ];
}
