import { type Role, roleRank } from '../access/roles.ts';
import {
  type StaffRegisterCommand,
  type StaffRegisterCommandOf,
  type StaffEvent,
  type StaffRegisterRefusal,
} from './commands.ts';
import { type StaffDecision, refuseStaff, sessionEndedEvent, staffStamp } from './decision.ts';
import { type Console, type StaffMember, type StaffState, own } from './state.ts';

// What an administrator keeps: people, their posts and secrets, and consoles. Nobody keeps an account of their own.

/** Posts that go with no other: who keeps, reads or watches the others is none of them. [HOUSE 2] */
const alone: ReadonlySet<Role> = new Set<Role>(['administrator', 'auditor', 'surveillance']);

const clash = (posts: readonly Role[]): StaffRegisterRefusal | undefined => {
  const one = posts.length > 1 ? posts.find((post) => alone.has(post)) : undefined;
  return (
    one && refuseStaff('posts-clash', `The post ${one} goes with no other; give it to somebody by itself.`, 'HOUSE 2')
  );
};

/** The floor itself keeps accounts in a demo alone, but for the first one. */
export const systemRefusal = (
  command: StaffRegisterCommand,
  people: StaffState,
  isFirst: boolean,
): StaffRegisterRefusal | undefined =>
  !('system' in command.who) || people.demo || isFirst
    ? undefined
    : refuseStaff('not-your-post', `${command.type} is for the post administrator; let them do it.`, 'HOUSE 2');

/** Somebody else who has not left. */
function otherIn(
  { who }: StaffRegisterCommand,
  people: StaffState,
  person: string,
): StaffMember | StaffRegisterRefusal {
  const member = own(people.members, person);
  if (member === undefined || member.ended) {
    return refuseStaff('unknown-person', `${person} is nobody who works here; name somebody else.`);
  }
  return 'person' in who && who.person === person
    ? refuseStaff('own-account', 'Nobody keeps an account of their own; let another administrator do it.', 'HOUSE 2')
    : member;
}

export function decideEnrolPerson(command: StaffRegisterCommandOf<'EnrolPerson'>, people: StaffState): StaffDecision {
  const { number, posts } = command;
  const isFirst = people.given.people === 0 && posts[0] === 'administrator';
  const refusal = systemRefusal(command, people, isFirst) ?? clash(posts);
  if (refusal) return refusal;
  if (Object.hasOwn(people.numbers, number)) {
    return refuseStaff('number-taken', `The number ${number} is or was somebody's; give another.`);
  }
  return [{ type: 'PersonEnrolled', ...staffStamp(command), person: `p${people.given.people + 1}`, number, posts }];
}

/** Whoever is signed in by a post that is held no more is signed out. */
export function decideChangePosts(command: StaffRegisterCommandOf<'ChangePosts'>, people: StaffState): StaffDecision {
  const { person, posts } = command;
  const member = otherIn(command, people, person);
  const refusal = systemRefusal(command, people, false) ?? clash(posts) ?? ('refused' in member ? member : undefined);
  if (refusal) return refusal;
  const changed: StaffEvent = { type: 'PostsChanged', ...staffStamp(command), person, posts };
  // Nobody acts in the line who does not stand in it.
  const isBeside = posts.every((post) => roleRank(post) < 0);
  return [changed, ...withoutPosts(command, people, person, (post) => posts.includes(post), isBeside)];
}

export function decideEndPerson(command: StaffRegisterCommandOf<'EndPerson'>, people: StaffState): StaffDecision {
  const { person } = command;
  const member = otherIn(command, people, person);
  const refusal = systemRefusal(command, people, false) ?? ('refused' in member ? member : undefined);
  return (
    refusal ?? [
      { type: 'PersonEnded', ...staffStamp(command), person },
      ...withoutPosts(command, people, person, () => false, true),
    ]
  );
}

/** What ends with the posts of a person: acting in others, and sessions. */
function withoutPosts(
  command: StaffRegisterCommand,
  people: StaffState,
  person: string,
  isKept: (post: Role) => boolean,
  isBeside: boolean,
): readonly StaffEvent[] {
  const acts = isBeside ? Object.values(people.acting).filter((one) => one.person === person) : [];
  const sessions = Object.values(people.sessions).filter((one) => one.person === person);
  return [
    ...acts.map(({ acting }) => ({ type: 'ActingEnded', ...staffStamp(command), acting, person }) as const),
    ...sessions
      .filter(({ post, acting }) => !isKept(post) || (isBeside && acting !== null))
      .map((session) => sessionEndedEvent(command, session, 'post-ended')),
  ];
}

export function decideEnrolConsole(command: StaffRegisterCommandOf<'EnrolConsole'>, people: StaffState): StaffDecision {
  const { kind, table } = command;
  const console = `c${people.given.consoles + 1}`;
  return (
    systemRefusal(command, people, false) ??
    consolePlaceRefusal(command) ?? [{ type: 'ConsoleEnrolled', ...staffStamp(command), console, kind, table }]
  );
}

/** Why no console of that kind stands there, if none does. */
export const consolePlaceRefusal = ({
  kind,
  table,
}: Pick<Console, 'kind' | 'table'>): StaffRegisterRefusal | undefined =>
  (kind === 'dealer') === (table !== null)
    ? undefined
    : refuseStaff(
        'unknown-console',
        'The console of a dealer stands at a table, and no other does; name the table, or leave it out.',
      );

export function decideEndConsole(command: StaffRegisterCommandOf<'EndConsole'>, people: StaffState): StaffDecision {
  const { console } = command;
  const refusal = systemRefusal(command, people, false) ?? unknownConsoleRefusal(people, console);
  if (refusal) return refusal;
  const there = Object.values(people.sessions).filter((session) => session.console === console);
  return [
    { type: 'ConsoleEnded', ...staffStamp(command), console },
    ...there.map((session) => sessionEndedEvent(command, session, 'ended')),
  ];
}

export const unknownConsoleRefusal = (people: StaffState, console: string): StaffRegisterRefusal | undefined =>
  Object.hasOwn(people.consoles, console)
    ? undefined
    : refuseStaff('unknown-console', `The console ${console} is not enrolled; let an administrator enrol it.`);

/** What an administrator gives is good for one use: nobody else knows the secret that comes after it. */
export function decideSetSecret(command: StaffRegisterCommandOf<'SetSecret'>, people: StaffState): StaffDecision {
  const { person } = command;
  const member = otherIn(command, people, person);
  if ('refused' in member) return member;
  const isFirst = people.given.people === 1 && Object.values(member.secrets).every((secret) => secret === null);
  const refusal = systemRefusal(command, people, isFirst);
  if (refusal) return refusal;
  return given(command, people, person);
}

/** An administrator whose secret is lost, and whom no other can give one, gets it from whoever runs the machine. */
export function decideResetSecret(command: StaffRegisterCommandOf<'ResetSecret'>, people: StaffState): StaffDecision {
  const { person } = command;
  const member = otherIn(command, people, person);
  if ('refused' in member) return member;
  if (member.posts.includes('administrator')) return given(command, people, person);
  return refuseStaff('not-your-post', `${member.number} is no administrator; let one give the secret.`, 'HOUSE 2');
}

function given(
  command: StaffRegisterCommandOf<'SetSecret' | 'ResetSecret'>,
  people: StaffState,
  person: string,
): StaffDecision {
  const { kind, mark } = command;
  const sessions = Object.values(people.sessions).filter((session) => session.person === person);
  return [
    { type: 'SecretSet', ...staffStamp(command), person, kind, mark, once: !people.demo },
    ...sessions.map((session) => sessionEndedEvent(command, session, 'secret-changed')),
  ];
}

export function decideNoteName(command: StaffRegisterCommandOf<'NoteName'>, people: StaffState): StaffDecision {
  const { person, erased } = command;
  const isKnown = Object.hasOwn(people.members, person);
  return (
    systemRefusal(command, people, false) ??
    (isKnown
      ? [{ type: 'NameNoted', ...staffStamp(command), person, erased }]
      : refuseStaff('unknown-person', `${person} is nobody who ever worked here; name somebody else.`))
  );
}
