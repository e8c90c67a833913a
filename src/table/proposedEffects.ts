import { type PreviewedEvent } from './schema/events.ts';

export const isRoundVoid = ({ type, outcome }: PreviewedEvent): boolean => type === 'RoundVoided' || outcome === 'void';

/** The clause by which the events void a round or the slip of one terminal; null if they void none. */
export function clauseOfVoid(events: readonly PreviewedEvent[]): string | null {
  const by = events.find((event) => isRoundVoid(event) || event.type === 'SlipVoided')?.['by'];
  return typeof by === 'string' ? by : null;
}
