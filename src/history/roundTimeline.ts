import { type Role, type pitRoles } from '../access/roles.ts';
import { type Actor } from '../access/actor.ts';
import { type EventName, type EventOf, type TableEvent } from '../table/schema/events.ts';
import { omitFields } from './entry.ts';

// Timeline of a round as data; screens show it in any language. Only staff may see a timeline, since it contains
// terminals and reasons. Staff members appear by role, not by name.

/** An actor in a timeline: a role with its acting role if there is one, a terminal, or a part of the system. */
export type TimelineActor =
  | { readonly role: Role; readonly acting?: (typeof pitRoles)[number] }
  | { readonly terminal: string }
  | { readonly system: string };

/**
 * Event fields that a timeline leaves out, because the round has them already, they serve only as proof, or they
 * identify a person.
 */
const omittedFields = [
  'v',
  'actor',
  'second',
  'round',
  'index',
  'salt',
  'proof',
  'salts',
  'slips',
  'slipsHash',
  'results',
  'command',
  'effects',
  'hash',
] as const;

type StepOf<N extends EventName> = Omit<EventOf<N>, (typeof omittedFields)[number]> & {
  readonly actor: TimelineActor;
  readonly second?: TimelineActor;
} & (N extends 'Proposed' ? { readonly command: string } : unknown);

/** A step of a timeline: an event without the omitted fields. Staff members are replaced by their roles. */
export type TimelineStep = { [N in EventName]: StepOf<N> }[EventName];

export const timelineStep = (event: TableEvent): TimelineStep =>
  ({
    ...omitFields(event, omittedFields),
    actor: actorOf(event.actor, event.at),
    ...(event.second && { second: actorOf(event.second, event.at) }),
    ...(event.type === 'Proposed' && { command: event.command['type'] }),
  }) as TimelineStep;

function actorOf(who: Actor, at: number): TimelineActor {
  if (!('person' in who)) return who;
  const { role, acting, until } = who;
  return acting !== undefined && until !== undefined && at <= until ? { role, acting } : { role };
}

/**
 * The id of the round of an event; null without a round. For a proposal, the id of the round that the proposed effects
 * change.
 */
export function roundIdOfEvent(event: object): string | null {
  if ('round' in event && typeof event.round === 'string') return event.round;
  if (!('effects' in event)) return null;
  for (const effect of event.effects as readonly object[]) {
    const round = roundIdOfEvent(effect);
    if (round !== null) return round;
  }
  return null;
}
