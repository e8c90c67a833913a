import { assert } from '../base/assert.ts';
import { type StaffActor } from '../access/actor.ts';
import { type StaffEvent, type StaffEventOf } from './events.ts';
import { type StaffState, type FailedSignIns } from './state.ts';

/** Maximum number of unknown staff numbers whose failed sign-ins are kept. */
const maxUnknownNumbers = 1000;

/** Applies an event to the staff register, in place and without checking any rule. */
export function evolveStaff(staff: StaffState | undefined, event: StaffEvent): StaffState {
  if (event.type === 'StaffRegisterStarted') return initialState(event);
  assert(staff !== undefined, 'the staff register is started before any other event');
  staff.at = event.at;
  applyEvent(staff, event);
  return staff;
}

const initialState = ({ property, currency, demo, at }: StaffEventOf<'StaffRegisterStarted'>): StaffState => ({
  property,
  currency,
  demo,
  at,
  members: {},
  numbers: {},
  acting: {},
  consoles: {},
  sessions: {},
  failedSignIns: {},
  offers: {},
  claims: noFailures,
  given: { members: 0, acting: 0, consoles: 0, sessions: 0, offers: 0 },
});

const noFailures: FailedSignIns = { failures: 0, locks: 0, until: null };

function applyEvent(staff: StaffState, event: Exclude<StaffEvent, { type: 'StaffRegisterStarted' }>): void {
  switch (event.type) {
    case 'PersonEnrolled': {
      const { person, number, roles, at } = event;
      const secrets = { pin: null, password: null };
      staff.members[person] = { person, number, roles, ended: false, since: at, secrets, named: false };
      staff.numbers[number] = person;
      staff.given.members += 1;
      return;
    }
    case 'RolesChanged':
      staff.members[event.person]!.roles = event.roles;
      return;
    case 'PersonEnded':
      staff.members[event.person]!.ended = true;
      return;
    case 'ActingRoleGranted':
      applyActingRoleGranted(staff, event);
      return;
    case 'ActingRoleEnded':
      delete staff.acting[event.acting];
      return;
    case 'ConsoleEnrolled': {
      const { console, kind, table, offer } = event;
      staff.consoles[console] = { console, kind, table };
      staff.given.consoles += 1;
      if (offer === undefined) return;
      delete staff.offers[offer];
      staff.claims = noFailures;
      return;
    }
    case 'ConsoleOffered':
      applyConsoleOffered(staff, event);
      return;
    case 'ClaimFailed': {
      const { failures, locks, until } = event;
      staff.claims = { failures, locks, until };
      return;
    }
    case 'ConsoleEnded':
      delete staff.consoles[event.console];
      return;
    case 'SignedIn':
      applySignedIn(staff, event);
      return;
    case 'SignInFailed':
      applySignInFailed(staff, event);
      return;
    case 'SessionEnded':
      delete staff.sessions[event.session];
      return;
    case 'SessionLocked':
      staff.sessions[event.session] = { ...staff.sessions[event.session]!, locked: true };
      return;
    case 'SessionUnlocked': {
      const session = staff.sessions[event.session]!;
      staff.sessions[event.session] = { ...session, locked: false };
      delete staff.failedSignIns[session.number];
      return;
    }
    case 'ConsentGiven':
      delete staff.failedSignIns[event.number];
      return;
    case 'SecretSet': {
      const { person, kind, mark, once } = event;
      const member = staff.members[person]!;
      member.secrets[kind] = { mark, once };
      delete staff.failedSignIns[member.number];
      return;
    }
    case 'NameNoted':
      staff.members[event.person]!.named = !event.erased;
      return;
  }
}

/** Adds a console offer, removes expired offers and resets the failed claims. */
function applyConsoleOffered(
  staff: StaffState,
  { offer, kind, table, until, at }: StaffEventOf<'ConsoleOffered'>,
): void {
  for (const one of Object.values(staff.offers)) if (one.until < at) delete staff.offers[one.offer];
  staff.offers[offer] = { offer, kind, table, until };
  staff.claims = noFailures;
  staff.given.offers += 1;
}

/** Adds an acting role and removes expired ones. Only staff grant acting roles, so the actor is a person. */
function applyActingRoleGranted(
  staff: StaffState,
  { acting, person, role, from, until, actor, at }: StaffEventOf<'ActingRoleGranted'>,
): void {
  for (const one of Object.values(staff.acting)) if (one.until < at) delete staff.acting[one.acting];
  staff.acting[acting] = { acting, person, role, from, until, by: (actor as StaffActor).person };
  staff.given.acting += 1;
}

function applySignedIn(staff: StaffState, event: StaffEventOf<'SignedIn'>): void {
  const { session, person, number, role, acting = null, until = null, console, table, at } = event;
  const begun = { id: session, person, number, role, acting, until, console, table, since: at, locked: false };
  staff.sessions[session] = begun;
  staff.given.sessions += 1;
  delete staff.failedSignIns[number];
}

function applySignInFailed(staff: StaffState, { number, failures, locks, until }: StaffEventOf<'SignInFailed'>): void {
  delete staff.failedSignIns[number];
  staff.failedSignIns[number] = { failures, locks, until };
  const unknownNumbers = Object.keys(staff.failedSignIns).filter((one) => !Object.hasOwn(staff.numbers, one));
  if (unknownNumbers.length > maxUnknownNumbers) delete staff.failedSignIns[unknownNumbers[0]!];
}
