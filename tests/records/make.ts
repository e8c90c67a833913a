// Makes the stored event logs of the tests. Each is made once for a new schema version and then kept: later versions
// must read and verify it. Run: node tests/records/make.ts FOLDER
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { checkAndSignStore } from '../../src/checkpoint/storeCheck.ts';
import { type FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { openFloor } from '../../src/runtime/openFloor.ts';
import { tableDecider } from '../../src/deciders/deciders.ts';
import { snapshotSchemaVersion, snapshotMac } from '../../src/store/snapshot.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { type Table } from '../../src/table/state.ts';
import { demoOwner, demoPace, demoSettings } from '../runtime/support/demo.ts';
import { key, seatPatron, testDependencies } from '../runtime/support/testDependencies.ts';
import { TestClock } from '../chaos/time.ts';
import { type UnwrittenEntry, honestStreams, honestStore, tiger } from '../verify/forgedStore.ts';
import { type RequestSource, approve, dealer, entriesFor, manager, supervisor } from '../verify/staffCommands.ts';

const pitManager = { person: 'p1', role: 'pit-manager' };
const actingSupervisor = { person: 'd2', role: 'dealer', acting: 'supervisor', until: 1_800_000_000_000 };
const consent =
  (actor: object, more: object = {}) =>
  ({ proposal }: Table) =>
    ({ type: 'Approve', actor, proposal: proposal!.id, hash: proposal!.hash, ...more }) as const;
const slip =
  (terminal: string, stakes: object, credit: number): RequestSource =>
  ({ round }) => ({ type: 'SetSlip', actor: { terminal }, round: round!.id, slip: stakes, credit });
const deals = (...cards: readonly string[]): readonly RequestSource[] =>
  cards.map((card, index) => ({
    type: 'DealCard',
    actor: dealer,
    slot: ['P1', 'B1', 'P2', 'B2', 'P3', 'B3'][index],
    card,
  }));
const closing: readonly RequestSource[] = [
  { type: 'CallClose', actor: dealer },
  { type: 'CloseBets', actor: { system: 'floor' }, delayMs: 61_000 },
];

/** A live table on a long day: a shoe by hand, a card taken back, and a round paid by a wrong card. */
const morning = (settings: object): readonly RequestSource[] => [
  { type: 'OpenTable', actor: pitManager, second: manager, settings },
  { type: 'BringShoe', actor: dealer, shoe: 'L1', seal: 'S1' },
  { type: 'CountCards', actor: dealer, cards: 416 },
  { type: 'ShuffleShoe', actor: dealer, method: 'by hand' },
  { type: 'CutShoe', actor: dealer, behind: 14 },
  { type: 'VerifyShoe', actor: dealer },
  approve,
  { type: 'OpenBets', actor: dealer },
  slip('T4.1', { player: 1_000 }, 1_300),
  ...closing,
  ...deals('9S').slice(0, 1),
  { type: 'TakeBackCard', actor: dealer },
  ...deals('9S', '2C', '9H', '4D'),
  { type: 'Settle', actor: dealer, delayMs: 2_000 },
];

/**
 * The card is corrected after the patron has collected; reports, a referral of one terminal, a void, changed settings.
 */
const evening = (settings: object): readonly RequestSource[] => [
  ({ round }) => ({
    type: 'CorrectCard',
    actor: supervisor,
    round: round!.id,
    place: 4,
    card: '7D',
    reason: 'A seven.',
  }),
  consent(manager, { credits: { 'T4.1': 0 } }),
  ({ round }) => ({
    type: 'WriteOffShortfall',
    actor: supervisor,
    terminal: 'T4.1',
    round: round!.id,
    amount: 2_000,
    reason: 'He has left.',
  }),
  consent(manager),
  { type: 'OpenBets', actor: dealer },
  slip('T2.1', { banker: 2_000, tie: 100 }, 90_000),
  slip('T3.1', { player: 500 }, 90_000),
  slip('T2.1', { banker: 2_000 }, 90_000),
  ...closing,
  ...deals('KD', '3D'),
  { type: 'Refer', actor: dealer, reason: 'A dead terminal.', terminal: 'T3.1' },
  { type: 'DecideReferral', actor: manager, decision: 'void', reason: 'It never showed the closing.' },
  { type: 'ReportIrregularity', actor: dealer, kind: 'drawn-together', note: 'Two at once.' },
  { type: 'DismissReport', actor: dealer, reason: 'It was one.' },
  consent(actingSupervisor),
  { type: 'ReportIrregularity', actor: dealer, kind: 'foreign-card', note: 'A card of another back.' },
  { type: 'VoidRound', actor: dealer, reason: 'A foreign card.' },
  approve,
  { type: 'EndShoe', actor: dealer, seen: { KD: 8 } },
  approve,
  { type: 'ChangeSettings', actor: pitManager, settings },
  consent(manager),
  { type: 'CloseTable', actor: pitManager, reason: 'The end of the night.' },
  consent(manager),
  { type: 'ReopenTable', actor: pitManager, reason: 'The morning.' },
  consent(manager),
];

const [folder] = process.argv.slice(2) as [string];
mkdirSync(folder, { recursive: true });
const store = await openSqliteStore(folder);
const streams = await honestStreams();
const honestSource = await honestStore();
for (const id of await honestSource.blobIds()) await store.putBlob(id, (await honestSource.blob(id))!);
const opening = streams[tiger]![0]!.event;
const stream = 'demo/table/live';
const append = async (name: string, after: number, entries: readonly UnwrittenEntry[]): Promise<void> => {
  const appended = await store.append({ stream: name, after, entries });
  if ('refused' in appended) throw new Error(JSON.stringify(appended));
};
// Streams of terminals come first, since a stake needs credit.
for (const name of Object.keys(streams).toSorted().toReversed()) await append(name, 0, streams[name]!);
const { dependencies } = testDependencies(store, 'kept', new TestClock(opening.at));
const { terminals } = await openFloor(demoOwner, [], demoPace, dependencies);
await seatPatron({ terminals } as FloorRuntime, 'kept', 1_300);
const submit = async (
  id: string,
  request: { readonly type: string; readonly [field: string]: unknown },
): Promise<void> => {
  const result = await terminals.submit('T4', id, request);
  if ('refused' in result) throw new Error(result.message);
};

const setting = { ...(opening['settings'] as object), table: 'live', dealing: 'keyed', attended: true, behind: 14 };
const before = entriesFor([], opening.at, ...morning(setting));
await append(stream, 0, before);
// The floor that collects has read the payout of the table.
const later = await openFloor(
  demoOwner,
  [],
  demoPace,
  testDependencies(store, 'later', new TestClock(opening.at + 90_000)).dependencies,
);
await later.terminals.open('T4');
const collected = await later.terminals.collect('T4', 'k1', 'ticket');
if ('refused' in collected) throw new Error(collected.message);
const all = entriesFor(before, opening.at, ...evening({ ...setting, grace: 700 }));
const more = all
  .slice(before.length)
  .map((entry) => ({ ...entry, command: { ...entry.command, id: `evening-${entry.command.id}` } }));
await append(stream, before.length, more);
await submit('k2', { type: 'LoadCredit', method: 'bill', amount: 5_000, bill: 5_000 });
await submit('k3', { type: 'CollectCredit', method: 'hand' });
await submit('k4', { type: 'LockTerminal', reason: 'A door is open.' });

// Unattended table: session limits and a break, a void, tickets, wrong ticket numbers, and a hand-pay.
const time = new TestClock(opening.at + 91_000);
const night = testDependencies(store, 'night', time).dependencies;
const floor = await openFloor(
  demoOwner,
  demoSettings.filter((one) => one.table === 'no-commission'),
  demoPace,
  { ...night, handPayLimit: 150_000 },
);
for (const secret of ['careful', 'lucky']) await seatPatron(floor, secret, 100_000);
const { processor } = floor.tables.get('no-commission')!;
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await time.step();
};
const expectAccepted = (result: object): void => {
  if ('refused' in result) throw new Error(JSON.stringify(result));
};
const submitTo = async (
  terminal: string,
  id: string,
  request: Parameters<typeof submit>[1],
  context?: object,
): Promise<void> =>
  expectAccepted(await floor.terminals.submit(terminal, id, request, context as { readonly [field: string]: unknown }));
const bets = async (id: string, session: string, stakes: object): Promise<void> => {
  await until(() => processor.state?.phase === 'betting');
  const actor = { terminal: session };
  expectAccepted(
    await processor.submit(id, { type: 'SetSlip', actor, round: processor.state!.round!.id, slip: stakes }),
  );
};
const ends = (): Promise<void> =>
  until(() => processor.state?.phase === 'idle' && processor.state.pendingSettlements.length === 0);
await bets('n1', 'T5.1', { banker: 3_000 });
await ends();
await submitTo('T5', 'n2', { type: 'LimitSession', stake: 1_000, loss: 20_000 });
await bets('n3', 'T5.1', { tie: 500, player: 500 });
await ends();
await submitTo('T5', 'n4', { type: 'PauseSession', minutes: 1 });
await submitTo('T5', 'n5', { type: 'LimitSession', loss: 10_000 });
time.now += 61_000;
await ends();
await bets('n6', 'T5.1', { tie: 300 });
await bets('n7', 'T6.1', { player: 5_000, 'player-pair': 100 });
// A long stop while bets are open voids the round.
time.now += 120_000;
await floor.tables.get('no-commission')!.reportInterruption(time.now - 120_000);
await ends();
const issued = await floor.tickets.collect('T5', 'n8');
if ('refused' in issued || issued.ticket === null) throw new Error(JSON.stringify(issued));
expectAccepted((await floor.tickets.redeem('T6', 'n9', issued.ticket.number))!);
await submitTo('T6', 'n10', { type: 'ReportTicketAttempts', attempts: 5, since: time.now - 1_000, of: 'terminal' });
expectAccepted(await floor.tickets.collect('T6', 'n11'));
const { amount } = await store.balance('demo/XTS/hand-pay/T6');
const hand = { type: 'PayByHand', what: 'cancelled-credit', amount, actor: { person: 's1' }, second: { person: 'p1' } };
await submitTo('T6', 'n12', hand, { authority: { role: 'supervisor' }, secondAuthority: { role: 'pit-manager' } });
const unlock = { type: 'UnlockTerminal', actor: { person: 's1' }, reason: 'It is paid.' };
await submitTo('T6', 'n13', unlock, { authority: { role: 'supervisor' } });
await submitTo('T5', 'n14', { type: 'LoadCredit', method: 'bill', amount: 5_000, bill: 5_000 });
expectAccepted(await floor.tickets.collect('T5', 'n15'));
await processor.idle();

// A snapshot and heartbeats.
const head = (await store.heads()).get(stream)!;
let table: Table | undefined;
for await (const entries of store.read(stream)) {
  for (const { event } of entries) table = tableDecider.evolve(table, tableDecider.parseEvent(event));
}
const state = JSON.stringify(table);
await store.saveSnapshot(stream, {
  sequence: head.sequence,
  version: snapshotSchemaVersion,
  state,
  hash: snapshotMac(state, head.hash, key),
});
await store.recordHeartbeats(['floor', stream], time.now);
// The private signing key is not kept; the anchor is next to the folder.
const keyFolder = mkdtempSync(join(tmpdir(), 'punto-kept-'));
const keyPaths = { signer: join(keyFolder, 'signer'), anchor: `${folder}.anchor` };
const { writer } = await checkAndSignStore(store, keyPaths, () => time.now, undefined);
await writer.checkpoint();
await writer.anchor();
await store.close();
rmSync(keyFolder, { recursive: true });
const database = new DatabaseSync(join(folder, 'record.sqlite'));
database.exec('PRAGMA journal_mode = DELETE; VACUUM;');
database.close();
