import { assert } from '../base/assert.ts';
import { type StaffActor } from '../access/actor.ts';
import { type StaffEvent, type StaffEventOf } from './commands.ts';
import { type StaffState, type FailedSignIns } from './state.ts';

/** So many numbers of nobody are remembered for having been tried. */
const mostStrange = 1000;

/** The register after an event: what the event says, and nothing else. */
export function evolveStaff(people: StaffState | undefined, event: StaffEvent): StaffState {
  if (event.type === 'PeopleBegun') return begunWith(event);
  assert(people !== undefined, 'a property begins to keep people before anything else happens to them');
  people.at = event.at;
  move(people, event);
  return people;
}

const begunWith = ({ property, currency, demo, at }: StaffEventOf<'PeopleBegun'>): StaffState => ({
  property,
  currency,
  demo,
  at,
  members: {},
  numbers: {},
  acting: {},
  consoles: {},
  sessions: {},
  tries: {},
  offers: {},
  claims: noTries,
  given: { people: 0, acting: 0, consoles: 0, sessions: 0, offers: 0 },
});

const noTries: FailedSignIns = { failures: 0, locks: 0, until: null };

function move(people: StaffState, event: Exclude<StaffEvent, { type: 'PeopleBegun' }>): void {
  switch (event.type) {
    case 'PersonEnrolled': {
      const { person, number, posts, at } = event;
      const secrets = { pin: null, password: null };
      people.members[person] = { person, number, posts, ended: false, since: at, secrets, named: false };
      people.numbers[number] = person;
      people.given.people += 1;
      return;
    }
    case 'PostsChanged':
      people.members[event.person]!.posts = event.posts;
      return;
    case 'PersonEnded':
      people.members[event.person]!.ended = true;
      return;
    case 'ActingGiven':
      giveActing(people, event);
      return;
    case 'ActingEnded':
      delete people.acting[event.acting];
      return;
    case 'ConsoleEnrolled': {
      const { console, kind, table, offer } = event;
      people.consoles[console] = { console, kind, table };
      people.given.consoles += 1;
      if (offer === undefined) return;
      delete people.offers[offer];
      people.claims = noTries;
      return;
    }
    case 'ConsoleOffered':
      makeOffer(people, event);
      return;
    case 'ClaimFailed': {
      const { failures, locks, until } = event;
      people.claims = { failures, locks, until };
      return;
    }
    case 'ConsoleEnded':
      delete people.consoles[event.console];
      return;
    case 'SignedIn':
      begin(people, event);
      return;
    case 'SignInFailed':
      remember(people, event);
      return;
    case 'SessionEnded':
      delete people.sessions[event.session];
      return;
    case 'SessionLocked':
      people.sessions[event.session] = { ...people.sessions[event.session]!, locked: true };
      return;
    case 'SessionUnlocked': {
      const session = people.sessions[event.session]!;
      people.sessions[event.session] = { ...session, locked: false };
      delete people.tries[session.number];
      return;
    }
    case 'ConsentGiven':
      delete people.tries[event.number];
      return;
    case 'SecretSet': {
      const { person, kind, mark, once } = event;
      const member = people.members[person]!;
      member.secrets[kind] = { mark, once };
      delete people.tries[member.number];
      return;
    }
    case 'NameNoted':
      people.members[event.person]!.named = !event.erased;
      return;
  }
}

/** Those whose time is over are forgotten with the next one, and wrong codes with them. */
function makeOffer(people: StaffState, { offer, kind, table, until, at }: StaffEventOf<'ConsoleOffered'>): void {
  for (const one of Object.values(people.offers)) if (one.until < at) delete people.offers[one.offer];
  people.offers[offer] = { offer, kind, table, until };
  people.claims = noTries;
  people.given.offers += 1;
}

/** Those whose time is over are forgotten with the next one; only persons give any. */
function giveActing(
  people: StaffState,
  { acting, person, post, from, until, who, at }: StaffEventOf<'ActingGiven'>,
): void {
  for (const one of Object.values(people.acting)) if (one.until < at) delete people.acting[one.acting];
  people.acting[acting] = { acting, person, post, from, until, by: (who as StaffActor).person };
  people.given.acting += 1;
}

function begin(people: StaffState, event: StaffEventOf<'SignedIn'>): void {
  const { session, person, number, post, acting = null, until = null, console, table, at } = event;
  const begun = { id: session, person, number, post, acting, until, console, table, since: at, locked: false };
  people.sessions[session] = begun;
  people.given.sessions += 1;
  delete people.tries[number];
}

function remember(people: StaffState, { number, failures, locks, until }: StaffEventOf<'SignInFailed'>): void {
  delete people.tries[number];
  people.tries[number] = { failures, locks, until };
  const strange = Object.keys(people.tries).filter((one) => !Object.hasOwn(people.numbers, one));
  if (strange.length > mostStrange) delete people.tries[strange[0]!];
}
