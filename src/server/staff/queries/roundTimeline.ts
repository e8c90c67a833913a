import { setImmediate } from 'node:timers/promises';
import { type PropertyAndCurrency } from '../../../runtime/ports/runtimeDependencies.ts';
import { tableDecider } from '../../../deciders/deciders.ts';
import { type Actor } from '../../../access/actor.ts';
import { type Store, type StoredEntry } from '../../../store/store.ts';
import { type EventOf, type TableEvent } from '../../../table/schema/events.ts';
import { type Slip } from '../../../table/schema/fieldTypes.ts';
import { type RoundOutcome, totalReturned, totalStake } from '../../../table/payouts.ts';
import { type RoundActor, type RoundTimeline, type RoundTimelineStep } from '../../../wire/staff/roundTypes.ts';
import { findAllEntriesBySubject, subjectPageSize } from '../../../store/findAllEntriesBySubject.ts';

/** Maximum number of postings that a step of the timeline lists; `allPostings` is their full number. */
const maxPostings = 50;

/** Reads the timeline of a round: its events, slips and results. Gives undefined if there is no round with this id. */
export async function readRoundTimeline(
  store: Pick<Store, 'findBySubject' | 'read'>,
  owner: PropertyAndCurrency,
  round: string,
  numberOf: (person: string) => string | null = () => null,
): Promise<RoundTimeline | undefined> {
  const entries = (await findAllEntriesBySubject(store, round)).toReversed();
  const first = entries.find(({ event }) => event.type === 'BetsOpened');
  if (first === undefined) return undefined;
  const events = entries.map(({ event }) => tableDecider.parseEvent(event));
  const opened = tableDecider.parseEvent(first.event) as EventOf<'BetsOpened'>;
  const { slips, times } = await slipsOf(
    store,
    first,
    entries.find(({ event }) => event.type === 'BetsClosed'),
  );
  const ending = endOf(events);
  const voided = new Set(events.flatMap((event) => (event.type === 'SlipVoided' ? [event.terminal] : [])));
  const last = entries.at(-1)!;
  return {
    table: first.stream.slice(`${owner.property}/table/`.length),
    round,
    number: opened.number,
    day: opened.day,
    game: opened.game,
    gameHash: opened.hash,
    steps: entries.map((entry) => stepOf(entry, numberOf)),
    slips: { count: times.length, first: times[0] ?? null, last: times.at(-1) ?? null },
    rows: [...slips].map(([session, slip]) => ({
      session,
      slip,
      staked: totalStake(slip),
      returned: voided.has(session) ? totalStake(slip) : ending && totalReturned(slip, ending),
    })),
    entries: [first.sequence, last.sequence],
    head: last.hash,
  };
}

/** Gives the outcome of a round by its last settlement or void; null if the round is not settled and not void. */
function endOf(events: readonly TableEvent[]): RoundOutcome | null {
  let ending: RoundOutcome | null = null;
  for (const event of events) {
    if (event.type === 'RoundSettled') ending = { results: event.results };
    else if (event.type === 'RoundVoided') ending = { voidBy: event.by };
    else if (event.type === 'RoundResettled') {
      ending = event.results === undefined ? { voidBy: event.by } : { results: event.results };
    }
  }
  return ending;
}

/** Reads all slips of a round. Gives the final slip of each session, and the times of all slips. */
async function slipsOf(
  store: Pick<Store, 'read'>,
  { stream, sequence, event: opening }: StoredEntry,
  closed: StoredEntry | undefined,
): Promise<{ slips: ReadonlyMap<string, Slip>; times: readonly number[] }> {
  const slips = new Map<string, Slip>();
  const times: number[] = [];
  for await (const entries of store.read(stream, sequence, subjectPageSize)) {
    for (const { sequence: entrySequence, at, event } of entries) {
      const isOver = closed === undefined ? event.type === 'BetsOpened' : entrySequence >= closed.sequence;
      if (isOver) return { slips, times };
      if (event.type !== 'SlipSet' || event['round'] !== opening['round']) continue;
      const { terminal, slip } = tableDecider.parseEvent(event) as EventOf<'SlipSet'>;
      times.push(at);
      if (Object.keys(slip).length > 0) slips.set(terminal, slip);
      else slips.delete(terminal);
    }
    await setImmediate();
  }
  return { slips, times };
}

/** Fields of an event that are not listed in the timeline. Actor and second person are there as fields of the step. */
const hiddenFields: ReadonlySet<string> = new Set(
  'v salt proof salts slips slipsHash index actor second round'.split(' '),
);

const stepOf = (
  { sequence, at, event, postings }: StoredEntry,
  numberOf: (person: string) => string | null,
): RoundTimelineStep => ({
  sequence,
  at,
  event: Object.fromEntries(
    Object.entries(event).filter(([field]) => !hiddenFields.has(field)),
  ) as RoundTimelineStep['event'],
  actor: actorOf(event['actor'] as Actor, at, numberOf),
  second: event['second'] === undefined ? null : actorOf(event['second'] as Actor, at, numberOf),
  postings: postings.slice(0, maxPostings).map(({ from, to, amount }) => ({ from, to, amount })),
  allPostings: postings.length,
});

/**
 * Gives an actor as the timeline shows actors. A staff member is shown by staff number, with the acting role if that
 * role was valid at the time of the event.
 */
function actorOf(who: Actor, at: number, numberOf: (person: string) => string | null): RoundActor {
  if (!('person' in who)) return who;
  const { person, role, acting, until } = who;
  const isActing = acting !== undefined && until !== undefined && at <= until;
  return { number: numberOf(person), role, acting: isActing ? acting : null };
}
