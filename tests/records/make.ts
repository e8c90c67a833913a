// How the kept records were made. A record is made once, when its form is new, and never again: what it holds has to stay
// readable and to verify, whatever the program becomes. Run: node tests/records/make.ts FOLDER
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Floor } from '../../src/floor/floor.ts';
import { sqliteStore } from '../../src/store/sqlite.ts';
import { type Table } from '../../src/table/table.ts';
import { demoCredit, demoOwner, demoPace } from '../floor/demo.ts';
import { seated, worldOf } from '../floor/made.ts';
import { MadeTime } from '../chaos/time.ts';
import { honest, tiger } from '../verify/forged.ts';
import { type Asking, approve, dealer, following, manager, supervisor } from '../verify/staff.ts';

const pitManager = { person: 'p1', post: 'pit-manager' };
const actor = { person: 'd2', post: 'dealer', acting: 'supervisor', until: 1_800_000_000_000 };
const consent =
  (who: object, more: object = {}) =>
  ({ proposal }: Table) =>
    ({ type: 'Approve', who, proposal: proposal!.id, hash: proposal!.hash, ...more }) as const;
const slip =
  (terminal: string, stakes: object): Asking =>
  ({ round }) => ({
    type: 'SetSlip',
    who: { terminal },
    round: round!.id,
    slip: stakes,
    credit: 5_000,
  });
const deals = (...cards: readonly string[]): readonly Asking[] =>
  cards.map((card, place) => ({
    type: 'DealCard',
    who: dealer,
    slot: ['P1', 'B1', 'P2', 'B2', 'P3', 'B3'][place],
    card,
  }));
const closing: readonly Asking[] = [
  { type: 'CallClose', who: dealer },
  { type: 'CloseBets', who: { system: 'floor' }, later: 61_000 },
];

/** A live table on a long day: a shoe by hand, mistakes, rulings, a correction, a shortfall, a referral, an interruption. */
const day = (setting: object): readonly Asking[] => [
  { type: 'OpenTable', who: pitManager, second: manager, setting },
  { type: 'BringShoe', who: dealer, shoe: 'L1', seal: 'S1' },
  { type: 'CountCards', who: dealer, cards: 416 },
  { type: 'ShuffleShoe', who: dealer, method: 'by hand' },
  { type: 'CutShoe', who: dealer, behind: 14 },
  { type: 'VerifyShoe', who: dealer },
  approve,
  { type: 'OpenBets', who: dealer },
  slip('T1.1', { player: 1_000 }),
  ...closing,
  ...deals('9S', '2C').slice(0, 1),
  { type: 'TakeBackCard', who: dealer },
  ...deals('9S', '2C', '9H', '4D'),
  { type: 'Settle', who: dealer, later: 2_000 },
  // The fourth card was a seven: what was paid is taken back, as far as it is there.
  ({ round }) => ({ type: 'CorrectCard', who: supervisor, round: round!.id, place: 4, card: '7D', reason: 'A seven.' }),
  consent(manager, { credits: { 'T1.1': 300 } }),
  { type: 'DecideReferral', who: manager, decision: 'continue', reason: 'It is owed.' },
  ({ round }) => ({
    type: 'CollectShortfall',
    who: supervisor,
    terminal: 'T1.1',
    round: round!.id,
    amount: 500,
    reason: 'At the terminal.',
  }),
  consent(manager, { credits: { 'T1.1': 500 } }),
  ({ round }) => ({
    type: 'WriteOffShortfall',
    who: supervisor,
    terminal: 'T1.1',
    round: round!.id,
    amount: 1_200,
    reason: 'He has left.',
  }),
  consent(manager),
  { type: 'OpenBets', who: dealer },
  slip('T2.1', { banker: 2_000, tie: 100 }),
  slip('T2.1', { banker: 2_000 }),
  ...closing,
  ...deals('KD', '3D'),
  { type: 'ReportIrregularity', who: dealer, kind: 'drawn-together', note: 'Two at once.' },
  { type: 'DismissReport', who: dealer, reason: 'It was one.' },
  consent(actor),
  { type: 'ReportIrregularity', who: dealer, kind: 'foreign-card', note: 'A card of another back.' },
  { type: 'VoidRound', who: dealer, reason: 'A foreign card.' },
  approve,
  { type: 'EndShoe', who: dealer, seen: { KD: 8 } },
  approve,
  { type: 'CloseTable', who: pitManager, reason: 'The end of the night.' },
  consent(manager),
  { type: 'ReopenTable', who: pitManager, reason: 'The morning.' },
  consent(manager),
];

const [folder] = process.argv.slice(2) as [string];
mkdirSync(folder, { recursive: true });
const store = await sqliteStore(folder);
const record = await honest();
const begun = record[tiger]![0]!.event;
const live = following(
  [],
  begun.at,
  ...day({ ...(begun['setting'] as object), table: 'live', dealing: 'keyed', attended: true, behind: 14 }),
);
const streams = { ...record, 'demo/table/live': live };
// Whoever stakes has credit first.
for (const stream of Object.keys(streams).toSorted().toReversed()) {
  const appended = await store.append({ stream, after: 0, entries: streams[stream as keyof typeof streams] });
  if ('refused' in appended) throw new Error(JSON.stringify(appended));
}
const { world } = worldOf(store, 'kept', new MadeTime(begun.at + 86_400_000));
const { terminals } = await Floor.open(demoOwner, [], demoPace, world);
await seated({ terminals } as Floor, 'kept', demoCredit);
const ask = async (id: string, asked: { readonly type: string; readonly [field: string]: unknown }): Promise<void> => {
  const answered = await terminals.submit('T4', id, asked);
  if ('refused' in answered) throw new Error(answered.message);
};
await terminals.collect('T4', 'k1', 'ticket');
await ask('k2', { type: 'LoadCredit', way: 'bill', amount: 5_000, bill: 5_000 });
await terminals.collect('T4', 'k3', 'hand');
await ask('k4', { type: 'LockTerminal', reason: 'A door is open.' });
await store.close();
const database = new DatabaseSync(join(folder, 'record.sqlite'));
database.exec('PRAGMA journal_mode = DELETE; VACUUM;');
database.close();
