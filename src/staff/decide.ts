import { hasAuthority } from '../access/roles.ts';
import {
  decideChangePosts,
  decideEndConsole,
  decideEndPerson,
  decideEnrolConsole,
  decideEnrolPerson,
  decideNoteName,
  decideResetSecret,
  decideSetSecret,
} from './accounts.ts';
import { decideEndActing, decideGiveActing } from './actingRoles.ts';
import { decideChangeSecret, decideNoteConsent, decideRelieve, decideSignIn, decideUnlockSession } from './signIn.ts';
import {
  type StaffRegisterCommand,
  type StaffRegisterCommandOf,
  type StaffRegisterRefusal,
  staffRegisterCommands,
} from './commands.ts';
import { type StaffDecision, refuseStaff, sessionEndedEvent, staffStamp } from './decision.ts';
import { decideClaimConsole, decideOfferConsole } from './consoleOffers.ts';
import { type StaffState } from './state.ts';
import { hasRole } from './roleGrants.ts';
import { decideLockSession, decideSignOut } from './sessions.ts';

/** What a command leads to in the register of people: events, or one refusal. */
export function decideStaff(command: StaffRegisterCommand, people: StaffState | undefined): StaffDecision {
  if (people === undefined) return command.type === 'BeginPeople' ? begin(command) : notBegun();
  if (command.at < people.at) {
    const message = `The command is dated ${command.at} and the last event ${people.at}; set the clock.`;
    return refuseStaff('clock-ran-back', message);
  }
  return misgiven(command, people) ?? decideIn(command, people);
}

const notBegun = (): StaffRegisterRefusal =>
  refuseStaff('people-not-begun', 'The property keeps no people yet; begin with that first.');

function begin(command: StaffRegisterCommandOf<'BeginPeople'>): StaffDecision {
  const { property, currency, demo, who } = command;
  return 'system' in who
    ? [{ type: 'PeopleBegun', ...staffStamp(command), property, currency, demo }]
    : refuseStaff('not-your-post', 'BeginPeople is for the floor itself; let it do that.', 'HOUSE 2');
}

/** Who may ask it: the floor itself, or somebody who holds the post at this moment, whatever was brought. */
function misgiven(command: StaffRegisterCommand, people: StaffState): StaffRegisterRefusal | undefined {
  const { who, at, type } = command;
  if ('system' in who) return undefined;
  const { post }: { readonly says: string; readonly post?: string } = staffRegisterCommands[type];
  const whose = post === undefined ? 'the floor itself' : post === 'higher' ? 'a higher post' : `the post ${post}`;
  const refusal = refuseStaff('not-your-post', `${type} is for ${whose}; let them do it.`, 'HOUSE 2');
  if ('terminal' in who || post === undefined) return refusal;
  if (!hasRole(people, who, at)) {
    return refuseStaff('post-not-held', `${who.person} does not hold the post ${who.post}; sign in again.`, 'HOUSE 2');
  }
  return post === 'higher' || hasAuthority(who, 'administrator', at) ? undefined : refusal;
}

function decideIn(command: StaffRegisterCommand, people: StaffState): StaffDecision {
  switch (command.type) {
    case 'BeginPeople':
      return refuseStaff('people-begun', 'The property keeps its people already; enrol somebody instead.');
    case 'EnrolPerson':
      return decideEnrolPerson(command, people);
    case 'ChangePosts':
      return decideChangePosts(command, people);
    case 'EndPerson':
      return decideEndPerson(command, people);
    case 'GiveActing':
      return decideGiveActing(command, people);
    case 'EndActing':
      return decideEndActing(command, people);
    case 'EnrolConsole':
      return decideEnrolConsole(command, people);
    case 'OfferConsole':
      return decideOfferConsole(command, people);
    case 'ClaimConsole':
      return decideClaimConsole(command, people);
    case 'EndConsole':
      return decideEndConsole(command, people);
    case 'SignIn':
      return decideSignIn(command, people);
    case 'SignOut':
      return decideSignOut(command, people);
    case 'EndSessions':
      return Object.values(people.sessions).map((session) => sessionEndedEvent(command, session, 'turned-back'));
    case 'LockSession':
      return decideLockSession(command, people);
    case 'UnlockSession':
      return decideUnlockSession(command, people);
    case 'Relieve':
      return decideRelieve(command, people);
    case 'NoteConsent':
      return decideNoteConsent(command, people);
    case 'SetSecret':
      return decideSetSecret(command, people);
    case 'ResetSecret':
      return decideResetSecret(command, people);
    case 'ChangeSecret':
      return decideChangeSecret(command, people);
    case 'NoteName':
      return decideNoteName(command, people);
  }
}
