import { type Role, pitRoleRank } from '../access/roles.ts';
import { type StaffRegisterCommand, type StaffRegisterCommandOf } from './commands.ts';
import { type StaffEvent } from './events.ts';
import {
  type StaffRegisterRefusal,
  type StaffDecision,
  refuseStaff,
  sessionEndedEvent,
  staffEventStamp,
} from './decision.ts';
import { type StaffConsole, type StaffMember, type StaffState } from './state.ts';
import { ownValue } from '../base/ownValue.ts';

// Decisions of administrators about accounts, roles, secrets and consoles. No administrator may change their own roles
// or secrets here.

/**
 * Roles that exclude all others: a person who administers, audits or watches other staff has no other role. [HOUSE 2]
 */
const exclusiveRoles: ReadonlySet<Role> = new Set<Role>(['administrator', 'auditor', 'surveillance']);

const roleClashRefusal = (roles: readonly Role[]): StaffRegisterRefusal | undefined => {
  const exclusive = roles.length > 1 ? roles.find((role) => exclusiveRoles.has(role)) : undefined;
  return (
    exclusive && refuseStaff('roles-clash', `The role ${exclusive} excludes all others; give it alone.`, 'HOUSE 2')
  );
};

/**
 * Refusal of a command that the system may not send. The system may change accounts and consoles only in a demo;
 * elsewhere it may only set up the first account (`isFirst`).
 */
export const systemNotAllowedRefusal = (
  command: StaffRegisterCommand,
  staff: StaffState,
  isFirst: boolean,
): StaffRegisterRefusal | undefined =>
  !('system' in command.actor) || staff.demo || isFirst
    ? undefined
    : refuseStaff('not-your-role', `${command.type} needs the role administrator; ask an administrator.`, 'HOUSE 2');

/**
 * The staff member, or a refusal if the person is not a current staff member. It is also a refusal if the person is the
 * actor, since no person may change their own account.
 */
function findOtherMember(
  { actor }: StaffRegisterCommand,
  staff: StaffState,
  person: string,
): StaffMember | StaffRegisterRefusal {
  const member = ownValue(staff.members, person);
  if (member === undefined || member.ended) {
    return refuseStaff('unknown-person', `${person} is not a current staff member; name another person.`);
  }
  return 'person' in actor && actor.person === person
    ? refuseStaff('own-account', 'You cannot change your own account; ask another administrator.', 'HOUSE 2')
    : member;
}

export function decideEnrolPerson(command: StaffRegisterCommandOf<'EnrolPerson'>, staff: StaffState): StaffDecision {
  const { number, roles } = command;
  const isFirst = staff.given.members === 0 && roles[0] === 'administrator';
  const refusal = systemNotAllowedRefusal(command, staff, isFirst) ?? roleClashRefusal(roles);
  if (refusal) return refusal;
  if (Object.hasOwn(staff.numbers, number)) {
    return refuseStaff('number-taken', `The number ${number} is or was in use; give another.`);
  }
  return [
    { type: 'PersonEnrolled', ...staffEventStamp(command), person: `p${staff.given.members + 1}`, number, roles },
  ];
}

/** Replaces the roles of a person, and ends the sessions in roles that the person loses. */
export function decideChangeRoles(command: StaffRegisterCommandOf<'ChangeRoles'>, staff: StaffState): StaffDecision {
  const { person, roles } = command;
  const member = findOtherMember(command, staff, person);
  const refusal =
    systemNotAllowedRefusal(command, staff, false) ??
    roleClashRefusal(roles) ??
    ('refused' in member ? member : undefined);
  if (refusal) return refusal;
  const changed: StaffEvent = { type: 'RolesChanged', ...staffEventStamp(command), person, roles };
  // Without a pit role a person cannot have an acting role.
  const hasNoPitRole = roles.every((role) => pitRoleRank(role) < 0);
  return [changed, ...lostRoleEvents(command, staff, person, (role) => roles.includes(role), hasNoPitRole)];
}

export function decideEndPerson(command: StaffRegisterCommandOf<'EndPerson'>, staff: StaffState): StaffDecision {
  const { person } = command;
  const member = findOtherMember(command, staff, person);
  const refusal = systemNotAllowedRefusal(command, staff, false) ?? ('refused' in member ? member : undefined);
  return (
    refusal ?? [
      { type: 'PersonEnded', ...staffEventStamp(command), person },
      ...lostRoleEvents(command, staff, person, () => false, true),
    ]
  );
}

function lostRoleEvents(
  command: StaffRegisterCommand,
  staff: StaffState,
  person: string,
  isKept: (role: Role) => boolean,
  hasNoPitRole: boolean,
): readonly StaffEvent[] {
  const actingRoles = hasNoPitRole ? Object.values(staff.acting).filter((one) => one.person === person) : [];
  const sessions = Object.values(staff.sessions).filter((one) => one.person === person);
  return [
    ...actingRoles.map(
      ({ acting }) => ({ type: 'ActingRoleEnded', ...staffEventStamp(command), acting, person }) as const,
    ),
    ...sessions
      .filter(({ role, acting }) => !isKept(role) || (hasNoPitRole && acting !== null))
      .map((session) => sessionEndedEvent(command, session, 'role-ended')),
  ];
}

export function decideEnrolConsole(command: StaffRegisterCommandOf<'EnrolConsole'>, staff: StaffState): StaffDecision {
  const { kind, table } = command;
  const console = `c${staff.given.consoles + 1}`;
  return (
    systemNotAllowedRefusal(command, staff, false) ??
    consoleTableRefusal(command) ?? [{ type: 'ConsoleEnrolled', ...staffEventStamp(command), console, kind, table }]
  );
}

export const consoleTableRefusal = ({
  kind,
  table,
}: Pick<StaffConsole, 'kind' | 'table'>): StaffRegisterRefusal | undefined =>
  (kind === 'dealer') === (table !== null)
    ? undefined
    : refuseStaff(
        'unknown-console',
        'A dealer console needs a table, and any other console has none; name the table, or leave it out.',
      );

export function decideEndConsole(command: StaffRegisterCommandOf<'EndConsole'>, staff: StaffState): StaffDecision {
  const { console } = command;
  const refusal = systemNotAllowedRefusal(command, staff, false) ?? unknownConsoleRefusal(staff, console);
  if (refusal) return refusal;
  const sessions = Object.values(staff.sessions).filter((session) => session.console === console);
  return [
    { type: 'ConsoleEnded', ...staffEventStamp(command), console },
    ...sessions.map((session) => sessionEndedEvent(command, session, 'ended')),
  ];
}

export const unknownConsoleRefusal = (staff: StaffState, console: string): StaffRegisterRefusal | undefined =>
  Object.hasOwn(staff.consoles, console)
    ? undefined
    : refuseStaff('unknown-console', `The console ${console} is not enrolled; ask an administrator to enrol it.`);

/**
 * Sets a one-time PIN or password, which its owner must change at first use. In a demo the owner need not change it.
 */
export function decideSetSecret(command: StaffRegisterCommandOf<'SetSecret'>, staff: StaffState): StaffDecision {
  const { person } = command;
  const member = findOtherMember(command, staff, person);
  if ('refused' in member) return member;
  const isFirst = staff.given.members === 1 && Object.values(member.secrets).every((secret) => secret === null);
  const refusal = systemNotAllowedRefusal(command, staff, isFirst);
  if (refusal) return refusal;
  return secretSetEvents(command, staff, person);
}

/**
 * Recovery: the operator of the server resets the secret of an administrator, for example when no administrator can
 * sign in.
 */
export function decideResetAdministratorSecret(
  command: StaffRegisterCommandOf<'ResetSecret'>,
  staff: StaffState,
): StaffDecision {
  const { person } = command;
  const member = findOtherMember(command, staff, person);
  if ('refused' in member) return member;
  if (member.roles.includes('administrator')) return secretSetEvents(command, staff, person);
  return refuseStaff(
    'not-your-role',
    `${member.number} is not an administrator; ask an administrator for a new PIN or password.`,
    'HOUSE 2',
  );
}

function secretSetEvents(
  command: StaffRegisterCommandOf<'SetSecret' | 'ResetSecret'>,
  staff: StaffState,
  person: string,
): StaffDecision {
  const { kind, mark } = command;
  const sessions = Object.values(staff.sessions).filter((session) => session.person === person);
  return [
    { type: 'SecretSet', ...staffEventStamp(command), person, kind, mark, once: !staff.demo },
    ...sessions.map((session) => sessionEndedEvent(command, session, 'secret-changed')),
  ];
}

export function decideNoteName(command: StaffRegisterCommandOf<'NoteName'>, staff: StaffState): StaffDecision {
  const { person, erased } = command;
  const isMember = Object.hasOwn(staff.members, person);
  return (
    systemNotAllowedRefusal(command, staff, false) ??
    (isMember
      ? [{ type: 'NameNoted', ...staffEventStamp(command), person, erased }]
      : refuseStaff('unknown-person', `${person} was never a staff member; name another person.`))
  );
}
