import { hasAuthority } from '../access/roles.ts';
import {
  changePosts,
  endConsole,
  endPerson,
  enrolConsole,
  enrolPerson,
  noteName,
  resetSecret,
  setSecret,
} from './accounts.ts';
import { endActing, giveActing } from './actingRoles.ts';
import { changeSecret, noteConsent, relieve, signIn, unlockSession } from './signIn.ts';
import { type PeopleCommand, type PeopleCommandOf, type PeopleRefusal, peopleCommands } from './commands.ts';
import { type StaffDecision, refuseStaff, ended, staffStamp } from './decision.ts';
import { claimConsole, decideOfferConsole } from './consoleOffers.ts';
import { type StaffState } from './state.ts';
import { hasRole } from './roleGrants.ts';
import { decideLockSession, decideSignOut } from './sessions.ts';

/** What a command leads to in the register of people: events, or one refusal. */
export function decidePeople(command: PeopleCommand, people: StaffState | undefined): StaffDecision {
  if (people === undefined) return command.type === 'BeginPeople' ? begin(command) : notBegun();
  if (command.at < people.at) {
    const message = `The command is dated ${command.at} and the last event ${people.at}; set the clock.`;
    return refuseStaff('clock-ran-back', message);
  }
  return misgiven(command, people) ?? decideIn(command, people);
}

const notBegun = (): PeopleRefusal =>
  refuseStaff('people-not-begun', 'The property keeps no people yet; begin with that first.');

function begin(command: PeopleCommandOf<'BeginPeople'>): StaffDecision {
  const { property, currency, demo, who } = command;
  return 'system' in who
    ? [{ type: 'PeopleBegun', ...staffStamp(command), property, currency, demo }]
    : refuseStaff('not-your-post', 'BeginPeople is for the floor itself; let it do that.', 'HOUSE 2');
}

/** Who may ask it: the floor itself, or somebody who holds the post at this moment, whatever was brought. */
function misgiven(command: PeopleCommand, people: StaffState): PeopleRefusal | undefined {
  const { who, at, type } = command;
  if ('system' in who) return undefined;
  const { post }: { readonly says: string; readonly post?: string } = peopleCommands[type];
  const whose = post === undefined ? 'the floor itself' : post === 'higher' ? 'a higher post' : `the post ${post}`;
  const refusal = refuseStaff('not-your-post', `${type} is for ${whose}; let them do it.`, 'HOUSE 2');
  if ('terminal' in who || post === undefined) return refusal;
  if (!hasRole(people, who, at)) {
    return refuseStaff('post-not-held', `${who.person} does not hold the post ${who.post}; sign in again.`, 'HOUSE 2');
  }
  return post === 'higher' || hasAuthority(who, 'administrator', at) ? undefined : refusal;
}

function decideIn(command: PeopleCommand, people: StaffState): StaffDecision {
  switch (command.type) {
    case 'BeginPeople':
      return refuseStaff('people-begun', 'The property keeps its people already; enrol somebody instead.');
    case 'EnrolPerson':
      return enrolPerson(command, people);
    case 'ChangePosts':
      return changePosts(command, people);
    case 'EndPerson':
      return endPerson(command, people);
    case 'GiveActing':
      return giveActing(command, people);
    case 'EndActing':
      return endActing(command, people);
    case 'EnrolConsole':
      return enrolConsole(command, people);
    case 'OfferConsole':
      return decideOfferConsole(command, people);
    case 'ClaimConsole':
      return claimConsole(command, people);
    case 'EndConsole':
      return endConsole(command, people);
    case 'SignIn':
      return signIn(command, people);
    case 'SignOut':
      return decideSignOut(command, people);
    case 'EndSessions':
      return Object.values(people.sessions).map((session) => ended(command, session, 'turned-back'));
    case 'LockSession':
      return decideLockSession(command, people);
    case 'UnlockSession':
      return unlockSession(command, people);
    case 'Relieve':
      return relieve(command, people);
    case 'NoteConsent':
      return noteConsent(command, people);
    case 'SetSecret':
      return setSecret(command, people);
    case 'ResetSecret':
      return resetSecret(command, people);
    case 'ChangeSecret':
      return changeSecret(command, people);
    case 'NoteName':
      return noteName(command, people);
  }
}
