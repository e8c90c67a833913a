import { type Role, type pitRoles } from '../access/roles.ts';
import { type Actor } from '../access/actor.ts';
import { type EventName, type EventOf, type TableEvent } from '../table/schema/events.ts';
import { without } from './entry.ts';

// What happened to a round, step by step, as data: a screen tells it in any language. It is for staff, since it names
// terminals and reasons. Persons are known by their post alone.

/** Who did it: a post, and the one acted in if it was another; a terminal; a part of the system. */
export type TimelineActor =
  | { readonly post: Role; readonly acting?: (typeof pitRoles)[number] }
  | { readonly terminal: string }
  | { readonly system: string };

/** Fields that a story leaves out: what the round itself holds, what only proves it, and what would name a person. */
const untold = [
  'v',
  'who',
  'second',
  'round',
  'index',
  'salt',
  'proof',
  'salts',
  'slips',
  'slipsHash',
  'results',
  'act',
  'effects',
  'hash',
] as const;

type StepOf<N extends EventName> = Omit<EventOf<N>, (typeof untold)[number]> & {
  readonly who: TimelineActor;
  readonly second?: TimelineActor;
} & (N extends 'Proposed' ? { readonly act: string } : unknown);

/** One thing that happened: an event without what is untold. */
export type TimelineStep = { [N in EventName]: StepOf<N> }[EventName];

export const timelineStep = (event: TableEvent): TimelineStep =>
  ({
    ...without(event, untold),
    who: actorOf(event.who, event.at),
    ...(event.second && { second: actorOf(event.second, event.at) }),
    ...(event.type === 'Proposed' && { act: event.act['type'] }),
  }) as TimelineStep;

function actorOf(who: Actor, at: number): TimelineActor {
  if (!('person' in who)) return who;
  const { post, acting, until } = who;
  return acting !== undefined && until !== undefined && at <= until ? { post, acting } : { post };
}

/** The round that an event speaks of; a proposal speaks of the one that its effects do. */
export function roundOfEvent(event: object): string | null {
  if ('round' in event && typeof event.round === 'string') return event.round;
  if (!('effects' in event)) return null;
  for (const effect of event.effects as readonly object[]) {
    const round = roundOfEvent(effect);
    if (round !== null) return round;
  }
  return null;
}
