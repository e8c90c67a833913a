import { tableDecider } from '../../../deciders/deciders.ts';
import { assert } from '../../../base/assert.ts';
import { hashOf } from '../../../base/canonicalJson.ts';
import { type StoredRequest, type StoreReader, type Store, type StoredEntry } from '../../../store/store.ts';
import { type Slip, type Slips } from '../../../table/schema/fieldTypes.ts';
import { type EarlierRound, type Table } from '../../../table/state.ts';
import { findAllBySubject } from '../../../store/findAllBySubject.ts';

type Record = Pick<StoreReader, 'read'> & Pick<Store, 'findBySubject'>;

/** An earlier round that a command is about: of its slips the table keeps no more than their hash. */
export function roundBehind({ type, ...fields }: StoredRequest, table: Table): EarlierRound | undefined {
  const { referrals, history } = table;
  if (type === 'CorrectCard') return history.find(({ id }) => id === fields['round']);
  if (type !== 'DecideReferral') return undefined;
  const referral = referrals.find(({ id }) => id === fields['referral']) ?? referrals[0];
  return history.find(({ id }) => id === referral?.round);
}

/** The slips of a round that is behind, as the record has them. */
export async function slipsBehind(record: Record, stream: string, round: EarlierRound): Promise<Slips> {
  const slips: { [terminal: string]: Slip } = {};
  const about = await findAllBySubject(record, round.id);
  const opened = about.find(({ event }) => event.type === 'BetsOpened');
  assert(opened !== undefined, 'a round that a table keeps is in the record');
  for await (const entry of betsOf(record, stream, opened.sequence, round.id)) {
    const event = tableDecider.eventFrom(entry.event);
    if (event.type !== 'SlipSet') continue;
    if (Object.keys(event.slip).length === 0) delete slips[event.terminal];
    else slips[event.terminal] = event.slip;
  }
  // Those that were voided by themselves are out of the round. [READING 13]
  for (const { event } of about) if (event.type === 'SlipVoided') delete slips[String(event['terminal'])];
  assert(hashOf(slips) === round.slipsHash, 'the slips of the record are those that the table knew');
  return slips;
}

/** From the opening of a round to its close, or to whatever ended it before. */
async function* betsOf(record: Record, stream: string, opened: number, round: string): AsyncIterable<StoredEntry> {
  for await (const entries of record.read(stream, opened)) {
    for (const entry of entries) {
      const { type } = entry.event;
      if (entry.event['round'] === round) yield entry;
      if (type === 'BetsClosed' || type === 'RoundVoided' || type === 'BetsOpened') return;
    }
  }
}
