import { type Role, type pitRoles } from '../access/roles.ts';
import { type Actor } from '../access/actor.ts';
import { type EventName, type EventOf, type TableEvent } from '../table/schema/events.ts';
import { omitFields } from './entry.ts';

// Timeline of a round as data, so that screens can show it in any language. For staff only: it names terminals and reasons.
// Persons appear only by their role.

/** A role, with the acting role if there is one; a terminal; a part of the system. */
export type TimelineActor =
  | { readonly role: Role; readonly acting?: (typeof pitRoles)[number] }
  | { readonly terminal: string }
  | { readonly system: string };

/** Fields that the round itself has, that only prove something, or that would name a person. */
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

/** An event without the omitted fields. */
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

/** The round of an event; for a proposal, that of its effects. */
export function roundIdOfEvent(event: object): string | null {
  if ('round' in event && typeof event.round === 'string') return event.round;
  if (!('effects' in event)) return null;
  for (const effect of event.effects as readonly object[]) {
    const round = roundIdOfEvent(effect);
    if (round !== null) return round;
  }
  return null;
}
