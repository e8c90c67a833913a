import { hasAuthority } from '../access/roles.ts';
import {
  decideChangeRoles,
  decideEndConsole,
  decideEndPerson,
  decideEnrolConsole,
  decideEnrolPerson,
  decideNoteName,
  decideResetAdministratorSecret,
  decideSetSecret,
} from './accounts.ts';
import { decideEndActingRole, decideGrantActingRole } from './actingRoles.ts';
import { decideChangeSecret, decideNoteConsent, decideRelieve, decideSignIn, decideUnlockSession } from './signIn.ts';
import { type StaffRegisterCommand, type StaffRegisterCommandOf, staffRegisterCommands } from './commands.ts';
import { type StaffRegisterRefusal, type StaffDecision, refuseStaff, staffEventStamp } from './decision.ts';
import { decideClaimConsoleEnrolment, decideOfferConsoleEnrolment } from './consoleOffers.ts';
import { type StaffState } from './state.ts';
import { hasRole } from './roleGrants.ts';
import { decideEndAllSessions, decideLockSession, decideSignOut } from './sessions.ts';

export function decideStaff(command: StaffRegisterCommand, staff: StaffState | undefined): StaffDecision {
  if (staff === undefined)
    return command.type === 'StartStaffRegister' ? decideStartRegister(command) : refuseNotBegun();
  if (command.at < staff.at) {
    const message = `The command is dated ${command.at}, before the last event at ${staff.at}; set the clock.`;
    return refuseStaff('clock-ran-back', message);
  }
  return actorRefusal(command, staff) ?? decideCommand(command, staff);
}

const refuseNotBegun = (): StaffRegisterRefusal =>
  refuseStaff('staff-register-not-started', 'The property has no staff register yet; start it first.');

function decideStartRegister(command: StaffRegisterCommandOf<'StartStaffRegister'>): StaffDecision {
  const { property, currency, demo, actor } = command;
  return 'system' in actor
    ? [{ type: 'StaffRegisterStarted', ...staffEventStamp(command), property, currency, demo }]
    : refuseStaff(
        'not-your-role',
        'Only the system starts the staff register; do not send StartStaffRegister.',
        'HOUSE 2',
      );
}

/** Refusal unless the actor is the system or a person who has the required role in the present state. */
function actorRefusal(command: StaffRegisterCommand, staff: StaffState): StaffRegisterRefusal | undefined {
  const { actor, at, type } = command;
  if ('system' in actor) return undefined;
  const { role }: { readonly description: string; readonly role?: string } = staffRegisterCommands[type];
  const allowedActor =
    role === undefined
      ? 'the system; do not send it'
      : role === 'higher'
        ? 'a higher role; ask a person who has one'
        : `the role ${role}; ask a person who has it`;
  const refusal = refuseStaff('not-your-role', `${type} is for ${allowedActor}.`, 'HOUSE 2');
  if ('terminal' in actor || role === undefined) return refusal;
  if (!hasRole(staff, actor, at)) {
    return refuseStaff(
      'role-not-granted',
      `${actor.person} does not have the role ${actor.role}; sign in again.`,
      'HOUSE 2',
    );
  }
  return role === 'higher' || hasAuthority(actor, 'administrator', at) ? undefined : refusal;
}

function decideCommand(command: StaffRegisterCommand, staff: StaffState): StaffDecision {
  switch (command.type) {
    case 'StartStaffRegister':
      return refuseStaff(
        'staff-register-started',
        'The property has a staff register already; enrol a person instead.',
      );
    case 'EnrolPerson':
      return decideEnrolPerson(command, staff);
    case 'ChangeRoles':
      return decideChangeRoles(command, staff);
    case 'EndPerson':
      return decideEndPerson(command, staff);
    case 'GrantActingRole':
      return decideGrantActingRole(command, staff);
    case 'EndActingRole':
      return decideEndActingRole(command, staff);
    case 'EnrolConsole':
      return decideEnrolConsole(command, staff);
    case 'OfferConsole':
      return decideOfferConsoleEnrolment(command, staff);
    case 'ClaimConsole':
      return decideClaimConsoleEnrolment(command, staff);
    case 'EndConsole':
      return decideEndConsole(command, staff);
    case 'SignIn':
      return decideSignIn(command, staff);
    case 'SignOut':
      return decideSignOut(command, staff);
    case 'EndSessions':
      return decideEndAllSessions(command, staff);
    case 'LockSession':
      return decideLockSession(command, staff);
    case 'UnlockSession':
      return decideUnlockSession(command, staff);
    case 'Relieve':
      return decideRelieve(command, staff);
    case 'NoteConsent':
      return decideNoteConsent(command, staff);
    case 'SetSecret':
      return decideSetSecret(command, staff);
    case 'ResetSecret':
      return decideResetAdministratorSecret(command, staff);
    case 'ChangeSecret':
      return decideChangeSecret(command, staff);
    case 'NoteName':
      return decideNoteName(command, staff);
  }
}
