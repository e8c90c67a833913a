import { type PreviewedEvent } from './schema/events.ts';
import { type Table } from './state.ts';

/** The earlier round that the events change, as screens show it; undefined if the events change no earlier round. */
export function earlierRoundChangedBy(events: readonly PreviewedEvent[], { history }: Pick<Table, 'history'>) {
  const earlier = history.find(({ id }) => events.some(({ round }) => round === id));
  return earlier && { id: earlier.id, cards: earlier.cards, ending: earlier.ending };
}

/** Proposed events with the earlier round that they change, without the round in play. */
export function effectsWithEarlierRound(effects: readonly PreviewedEvent[], table: Pick<Table, 'history'>) {
  const earlier = earlierRoundChangedBy(effects, table);
  return { effects, ...(earlier && { earlier }) };
}

export const isRoundVoidEvent = ({ type, outcome }: PreviewedEvent): boolean =>
  type === 'RoundVoided' || outcome === 'void';

/** The clause by which the events void a round or the slip of one terminal; undefined if the events void neither. */
export function clauseOfVoid(events: readonly PreviewedEvent[]): string | undefined {
  const voiding = events.find((event) => isRoundVoidEvent(event) || event.type === 'SlipVoided');
  return voiding && String(voiding['by']);
}
