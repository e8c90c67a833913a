import { randomUUID } from 'node:crypto';
import { isRefused } from '../src/base/refusal.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSeededRandom } from '../src/runtime/ports/random.ts';
import { demoOwner, demoPace, demoSettings } from '../tests/runtime/support/demo.ts';
import { floorHeartbeatName } from '../src/runtime/floor/heartbeats.ts';
import { openFloor } from '../src/runtime/openFloor.ts';
import { type FloorDependencies } from '../src/runtime/ports/runtimeDependencies.ts';
import { nextUnattendedStep } from '../src/runtime/tables/pacing.ts';
import { floorActor, shufflerActor } from '../src/access/actor.ts';
import { saveEncryptedShoe } from '../src/runtime/tables/encryptedShoes.ts';
import { checkOrAdoptDataKey } from '../src/runtime/encryption/encryptedBlobs.ts';
import { type VirtualShoe, shuffleVirtualShoe } from '../src/runtime/tables/virtualShoe.ts';
import { applyEventsWithPostings, tableDecider } from '../src/deciders/deciders.ts';
import { readRoundRecallPage } from '../src/server/patron/roundRecallHandler.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { payloadHash, commandFromRecord, compactPayload } from '../src/store/commandRecord.ts';
import { snapshotSchemaVersion, snapshotMac } from '../src/store/snapshot.ts';
import { type StoredPayload, type NewEntry, type Store } from '../src/store/store.ts';
import { type TableCommand } from '../src/table/schema/commands.ts';
import { decide } from '../src/table/decide/decide.ts';
import { gameAndRulebookOf } from '../src/table/schema/settings.ts';
import { type Table } from '../src/table/state.ts';
import { type BenchSize, type Sizes } from './support/bench.ts';
import { figure, median } from './support/measure.ts';

const key = Buffer.alloc(32, 7);
const random = createSeededRandom('start');
/** Slips in each round. */
const slips = 3;
const startAt = 1_700_006_400_000;
const snapshotEvery = 2_000;

type Counts = {
  readonly terminals: number;
  readonly fewRounds: number;
  readonly manyRounds: number;
  /** Sessions whose rounds are recalled. */
  readonly recalls: number;
};

const sizes: Sizes<Counts> = {
  full: { terminals: 500, fewRounds: 1_000, manyRounds: 100_000, recalls: 100 },
  short: { terminals: 5, fewRounds: 20, manyRounds: 40, recalls: 5 },
};

/** How long a floor takes to start from a long event log, and to recall rounds from it, against a short one. */
export async function* startBench(size: BenchSize): AsyncGenerator<string> {
  const { fewRounds, manyRounds } = sizes[size];
  yield `start (a floor of ${demoSettings.length} tables from its event log; ratio to a short log)`;
  const [shortLog, longLog] = [await startFrom(fewRounds, sizes[size]), await startFrom(manyRounds, sizes[size])];
  const started = (rounds: number, { entries, time }: Started): string =>
    `${rounds.toLocaleString('en')} rounds (${entries.toLocaleString('en')} entries) in ${figure(time)} ms`;
  yield `  ${started(fewRounds, shortLog)}, ${started(manyRounds, longLog)}: ${figure(longLog.time / shortLog.time)} times as long`;
  yield `  recall of ten rounds of a session in ${figure(shortLog.recall)} ms and ${figure(longLog.recall)} ms: ${figure(longLog.recall / shortLog.recall)} times as long`;
}

/** Times in milliseconds. */
type Started = { readonly entries: number; readonly time: number; readonly recall: number };

async function startFrom(rounds: number, { terminals, recalls }: Counts): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'punto-bench-'));
  try {
    const { entries, at } = await withStore(folder, (store) => writeLog(store, rounds, terminals));
    const startedAt = performance.now();
    return await withStore(folder, async (store) => {
      const floor = await openFloor(demoOwner, demoSettings, demoPace, dependenciesOf(store, at));
      const time = performance.now() - startedAt;
      const { size } = floor.terminals.bindings;
      if (size !== terminals) throw new Error(`${size} of ${terminals} terminals are back after the start.`);
      return { entries, time, recall: await recallFrom(store, recalls) };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withStore<Result>(folder: string, work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openSqliteStore(folder);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Writes the event log of a floor after a number of rounds. Returns its entries and the time of the last. */
async function writeLog(store: Store, rounds: number, terminals: number): Promise<{ entries: number; at: number }> {
  await checkOrAdoptDataKey(store, key);
  const floor = await openFloor(demoOwner, [], demoPace, dependenciesOf(store, startAt));
  for (let n = 0; n < terminals; n++) await floor.terminals.seat(`hash-${n}`, 1_000_000_000);
  let entries = 0;
  let at = 0;
  for (const settings of demoSettings) {
    const tableLog = await writeTableLog(store, settings, rounds / demoSettings.length, terminals);
    entries += tableLog.sequence;
    at = Math.max(at, tableLog.at);
  }
  await store.recordHeartbeats([floorHeartbeatName], at);
  return { entries, at };
}

/** The median time of ten rounds of a session, in milliseconds. */
async function recallFrom(store: Store, recalls: number): Promise<number> {
  const times: number[] = [];
  for (let n = 1; n <= recalls; n++) {
    const from = performance.now();
    const { rounds } = await readRoundRecallPage({ store, owner: demoOwner }, `T${n}.1`);
    if (rounds.length === 0) throw new Error(`The session T${n}.1 has no rounds to recall.`);
    times.push((performance.now() - from) / rounds.length);
  }
  return median(times) * 10;
}

const dependenciesOf = (store: Store, at: number): FloorDependencies => ({
  store,
  clock: () => at,
  random,
  key,
  after: () => () => {},
  newId: () => randomUUID(),
  publish: () => {},
  onWarning: (table, error) => {
    throw new Error(table, { cause: error });
  },
  onTableCrashed: (table, error) => {
    throw new Error(table, { cause: error });
  },
  sleep: () => Promise.reject(new Error('Nothing fails here.')),
  onRetrying: (who, error) => {
    throw new Error(who, { cause: error });
  },
  onRecovered: () => {},
  onFatal: (error) => {
    throw error;
  },
});

/** Writes the event log of one table as a floor does. */
async function writeTableLog(
  store: Store,
  settings: (typeof demoSettings)[number],
  rounds: number,
  terminals: number,
): Promise<{ sequence: number; at: number }> {
  const stream = `${demoOwner.property}/table/${settings.table}`;
  let table: Table | undefined;
  let hidden: VirtualShoe | undefined;
  let pending: NewEntry[] = [];
  let sequence = 0;
  let at = startAt;

  const submit = (request: StoredPayload, context: object = {}): void => {
    const decision = decide(
      commandFromRecord({ request, context: { ...context } }, at) as unknown as TableCommand,
      table,
    );
    if (isRefused(decision)) throw new Error(decision.message);
    const id = `${settings.table}-${sequence + pending.length}`;
    const { entries, state } = applyEventsWithPostings(tableDecider, decision, table);
    table = state;
    for (const [index, { event, postings }] of entries.entries()) {
      const command = {
        id,
        hash: payloadHash(request),
        request: compactPayload(request, event),
        context: { ...context },
        decider: 'table@1',
        book: tableDecider.rulebookAt(table)!,
      };
      pending.push({ event, postings, command: index === 0 ? command : { id } });
    }
  };
  const write = async (): Promise<void> => {
    const appended = await store.append({ stream, after: sequence, entries: pending });
    if ('refused' in appended) throw new Error(appended.refused);
    sequence += pending.length;
    pending = [];
    const state = JSON.stringify(table);
    await store.saveSnapshot(stream, {
      sequence,
      version: snapshotSchemaVersion,
      state,
      hash: snapshotMac(state, appended.entries.at(-1)!.hash, key),
    });
  };

  submit({ type: 'OpenTable', actor: floorActor, settings });
  for (let dealt = 0; dealt < rounds;) {
    const step = nextUnattendedStep(table!, demoPace, hidden, random)!;
    at = Math.max(at, step.at);
    if ('shuffle' in step) {
      const { decks } = table!.settings;
      hidden = shuffleVirtualShoe(
        `${settings.table}-${sequence + pending.length}`,
        { deck: gameAndRulebookOf(table!.settings).game.deck, decks },
        random,
      );
      await saveEncryptedShoe(store, hidden, key);
      submit({ type: 'CommitShoe', actor: shufflerActor, shoe: hidden.id, root: hidden.root });
    } else submit(step.request);
    if ('request' in step && step.request.type === 'OpenBets') {
      const { id: round } = table!.round!;
      for (let n = 0; n < slips; n++) {
        const actor = { terminal: `T${1 + ((dealt * slips + n) % terminals)}.1` };
        submit({ type: 'SetSlip', actor, round, slip: { player: 100, tie: 100 } }, { credit: 1_000_000 });
      }
    }
    if ('request' in step && step.request.type === 'Settle') dealt += 1;
    if (pending.length >= snapshotEvery) await write();
  }
  // No snapshot at the end: a start has to replay some entries.
  const appended = await store.append({ stream, after: sequence, entries: pending });
  if ('refused' in appended) throw new Error(appended.refused);
  return { sequence: sequence + pending.length, at };
}
