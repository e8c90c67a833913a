import { tableDecider } from '../../../deciders/deciders.ts';
import { assert } from '../../../base/assert.ts';
import { hashOf } from '../../../base/canonicalJson.ts';
import { type StoredPayload, type StoreReader, type Store, type StoredEntry } from '../../../store/store.ts';
import { type Slip, type SlipsByTerminal } from '../../../table/schema/fieldTypes.ts';
import { type EarlierRound, type Table } from '../../../table/state.ts';
import { findAllEntriesBySubject } from '../../../store/findAllEntriesBySubject.ts';

type SlipStore = Pick<StoreReader, 'read'> & Pick<Store, 'findBySubject'>;

/**
 * Gives the earlier round that a command is about: the round whose card it corrects, or the round of the referral that
 * it decides. Undefined if the command is about no earlier round. The table state has no slips of earlier rounds.
 */
export function earlierRoundOfCommand({ type, ...fields }: StoredPayload, table: Table): EarlierRound | undefined {
  const { referrals, history } = table;
  if (type === 'CorrectCard') return history.find(({ id }) => id === fields['round']);
  if (type !== 'DecideReferral') return undefined;
  const referral = referrals.find(({ id }) => id === fields['referral']) ?? referrals[0];
  return history.find(({ id }) => id === referral?.round);
}

/** Reads the slips of an earlier round from the event store, and checks them against the hash in the table state. */
export async function readEarlierSlips(
  store: SlipStore,
  stream: string,
  round: EarlierRound,
): Promise<SlipsByTerminal> {
  const slips: { [terminal: string]: Slip } = {};
  const about = await findAllEntriesBySubject(store, round.id);
  const opened = about.find(({ event }) => event.type === 'BetsOpened');
  assert(opened !== undefined, 'a round in the table state is stored');
  for await (const entry of readBets(store, stream, opened.sequence, round.id)) {
    const event = tableDecider.parseEvent(entry.event);
    if (event.type !== 'SlipSet') continue;
    if (Object.keys(event.slip).length === 0) delete slips[event.terminal];
    else slips[event.terminal] = event.slip;
  }
  // [READING 13] If a slip was made void and its round was not, the slip no longer belongs to the round.
  for (const { event } of about) if (event.type === 'SlipVoided') delete slips[String(event['terminal'])];
  assert(hashOf(slips) === round.slipsHash, 'the stored slips match the hash in the table state');
  return slips;
}

/** Reads the entries of a round from the opening of its bets. Ends when its bets are closed or the round is void. */
async function* readBets(store: SlipStore, stream: string, opened: number, round: string): AsyncIterable<StoredEntry> {
  for await (const entries of store.read(stream, opened)) {
    for (const entry of entries) {
      const { type } = entry.event;
      if (entry.event['round'] === round) yield entry;
      if (type === 'BetsClosed' || type === 'RoundVoided' || type === 'BetsOpened') return;
    }
  }
}
