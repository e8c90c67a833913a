import { type PreviewedEvent } from './schema/events.ts';
import { type Table } from './state.ts';

/**
 * The earlier round that the events change, with the fields that screens show; undefined if the events change no
 * earlier round.
 */
export function earlierRoundChangedBy(events: readonly PreviewedEvent[], { history }: Pick<Table, 'history'>) {
  const earlier = history.find(({ id }) => events.some(({ round }) => round === id));
  return earlier && { id: earlier.id, cards: earlier.cards, ending: earlier.ending };
}

/** Proposed events, with the earlier round that they change, if any. The round in play is left out. */
export function effectsWithEarlierRound(effects: readonly PreviewedEvent[], table: Pick<Table, 'history'>) {
  const earlier = earlierRoundChangedBy(effects, table);
  return { effects, ...(earlier && { earlier }) };
}

export const isRoundVoidEvent = ({ type, outcome }: PreviewedEvent): boolean =>
  type === 'RoundVoided' || outcome === 'void';

/**
 * The clause by which the events void a round, or void the slip of one terminal. Undefined if the events void nothing.
 */
export function clauseOfVoid(events: readonly PreviewedEvent[]): string | undefined {
  const voiding = events.find((event) => isRoundVoidEvent(event) || event.type === 'SlipVoided');
  return voiding && String(voiding['by']);
}
