import { type LinePost, rankOf } from '../access/roles.ts';
import { type Who } from '../access/actor.ts';
import { type PeopleCommandOf, type PeopleRefusal } from './commands.ts';
import { type Decision, deny, ended, stampOf } from './decision.ts';
import { type People, own } from './state.ts';

/** A post is given by whoever holds a higher one; the highest by another who holds it. [ETG 6.2] */
function belowOf(who: Who, post: LinePost): PeopleRefusal | undefined {
  const isHighest = post === 'gaming-shift-manager';
  if ('person' in who && (rankOf(who.post) > rankOf(post) || (isHighest && who.post === post))) return undefined;
  const whose = isHighest ? 'a Gaming Shift Manager' : 'whoever holds a higher post';
  return deny('not-your-post', `To act as ${post} is given and taken away by ${whose}; ask one.`, 'ETG 6.2');
}

export function giveActing(command: PeopleCommandOf<'GiveActing'>, people: People): Decision {
  const { person, as: post, until, who, at } = command;
  const refusal = belowOf(who, post);
  if (refusal) return refusal;
  const member = own(people.members, person);
  if (member === undefined || member.ended) {
    return deny('unknown-person', `${person} is nobody who works here; name somebody else.`);
  }
  if ('person' in who && who.person === person) {
    return deny('same-person', 'Nobody lets themselves act in a post; let another do it.', 'ETG 6.2');
  }
  const rank = Math.max(...member.posts.map(rankOf));
  if (rank < 0 || rank >= rankOf(post)) {
    const message = `To act as ${post} is for somebody in a lower post of the line; name one.`;
    return deny('acting-not-higher', message, 'ETG 6.2');
  }
  // What is given now is not true of the past.
  const from = Math.max(command.from, at);
  if (until <= from) return deny('acting-over', 'The time would be over before it begins; give a later end.');
  const acting = `a${people.given.acting + 1}`;
  return [{ type: 'ActingGiven', ...stampOf(command), acting, person, post, from, until }];
}

/** Given up, or taken away by whoever may give it. */
export function endActing(command: PeopleCommandOf<'EndActing'>, people: People): Decision {
  const { who, acting } = command;
  const given = own(people.acting, acting);
  if (given === undefined) return deny('unknown-acting', `Nobody acts by ${acting} any more; look again.`);
  const { person, post, until } = given;
  const isOwn = 'person' in who && who.person === person;
  const refusal = isOwn ? undefined : belowOf(who, post);
  if (refusal) return refusal;
  const sessions = Object.values(people.sessions).filter(
    (one) => one.person === person && one.acting === post && one.until === until,
  );
  return [
    { type: 'ActingEnded', ...stampOf(command), acting, person },
    ...sessions.map((session) => ended(command, session, 'post-ended')),
  ];
}
