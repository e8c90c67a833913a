import { randomUUID } from 'node:crypto';
import { isRefused } from '../src/rules/refusal.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededChance } from '../src/floor/chance.ts';
import { demoOwner, demoPace, demoSettings } from '../tests/floor/demo.ts';
import { floorPulse } from '../src/floor/beats.ts';
import { Floor } from '../src/floor/floor.ts';
import { type World } from '../src/floor/world.ts';
import { floorPost, nextStep, shufflerPost } from '../src/floor/pace.ts';
import { sealShoe, tryKey } from '../src/floor/seal.ts';
import { type HiddenShoe, hiddenShoe } from '../src/floor/shoe.ts';
import { entered, tableDecider } from '../src/ledger/accounted.ts';
import { pageOf } from '../src/server/recall.ts';
import { sqliteStore } from '../src/store/sqlite.ts';
import { hashOfAsked, commandOf, shortAsked } from '../src/store/asked.ts';
import { snapshotForm, snapshotHash } from '../src/store/snapshot.ts';
import { type Asked, type NewEntry, type Store } from '../src/store/store.ts';
import { type Command } from '../src/table/declare/commands.ts';
import { decide } from '../src/table/decide/decide.ts';
import { termsOf } from '../src/table/declare/setting.ts';
import { type Table } from '../src/table/table.ts';

const key = Buffer.alloc(32, 7);
const chance = seededChance('start');
const terminals = 500;
/** Slips in each round. */
const slips = 3;
const begin = 1_700_006_400_000;
const snapshotEvery = 2_000;

/** How long a floor takes to come back from a long record, and to recall rounds from it, against a short record. */
export async function* startBench(): AsyncGenerator<string> {
  yield 'start (a floor of ten tables back from its record)';
  const short = await backFrom(1_000);
  const long = await backFrom(100_000);
  const told = ({ entries, time }: { entries: number; time: number }): string =>
    `${entries.toLocaleString('en')} entries: ${Math.round(time)} ms`;
  yield `  1,000 rounds, ${told(short)}; 100,000 rounds, ${told(long)}, ${(long.time / short.time).toFixed(2)} times as long`;
  const recalled = (one: number): string => `${one.toFixed(1)} ms`;
  yield `  ten rounds of a session recalled: ${recalled(short.recall)} and ${recalled(long.recall)}, ${(long.recall / short.recall).toFixed(2)} times as long`;
}

async function backFrom(rounds: number): Promise<{ entries: number; time: number; recall: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'punto-bench-'));
  try {
    const first = await sqliteStore(folder);
    await tryKey(first, key);
    const once = await Floor.open(demoOwner, [], demoPace, worldOf(first, begin));
    for (let n = 0; n < terminals; n++) await once.terminals.seat(`hash-${n}`, 1_000_000_000);
    let entries = 0;
    let at = 0;
    for (const setting of demoSettings) {
      const made = await history(first, setting, rounds / demoSettings.length);
      entries += made.sequence;
      at = Math.max(at, made.at);
    }
    await first.beat([floorPulse], at);
    await first.close();

    const begun = performance.now();
    const store = await sqliteStore(folder);
    const floor = await Floor.open(demoOwner, demoSettings, demoPace, worldOf(store, at));
    const time = performance.now() - begun;
    if (floor.terminals.links.size !== terminals) throw new Error('Not all terminals are back.');
    const recall = await recallFrom(store);
    await store.close();
    return { entries, time, recall };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The median time of ten rounds of a session. */
async function recallFrom(store: Store): Promise<number> {
  const times: number[] = [];
  for (let n = 1; n <= 100; n++) {
    const from = performance.now();
    const { rounds } = await pageOf({ store, owner: demoOwner }, `T${n}.1`);
    times.push((performance.now() - from) / rounds.length);
  }
  return times.toSorted((one, other) => one - other)[50]! * 10;
}

const worldOf = (store: Store, at: number): World => ({
  store,
  clock: () => at,
  chance,
  key,
  after: () => () => {},
  id: () => randomUUID(),
  publish: () => {},
  trouble: (table, error) => {
    throw new Error(table, { cause: error });
  },
  stopped: (table, error) => {
    throw new Error(table, { cause: error });
  },
  pause: () => Promise.reject(new Error('Nothing fails here.')),
  failed: (who, error) => {
    throw new Error(who, { cause: error });
  },
  mended: () => {},
  lost: (error) => {
    throw error;
  },
});

/** The record of one table that has dealt so many rounds, written as the floor would have written it. */
async function history(
  store: Store,
  setting: (typeof demoSettings)[number],
  rounds: number,
): Promise<{ sequence: number; at: number }> {
  const stream = `${demoOwner.property}/table/${setting.table}`;
  let table: Table | undefined;
  let hidden: HiddenShoe | undefined;
  let waiting: NewEntry[] = [];
  let sequence = 0;
  let at = begin;

  const carryOut = (asked: Asked, brought: object = {}): void => {
    const decision = decide(commandOf({ asked, brought: { ...brought } }, at) as unknown as Command, table);
    if (isRefused(decision)) throw new Error(decision.message);
    const id = `${setting.table}-${sequence + waiting.length}`;
    const { entries, state } = entered(tableDecider, decision, table);
    table = state;
    for (const [place, { event, postings }] of entries.entries()) {
      const note = {
        id,
        hash: hashOfAsked(asked),
        asked: shortAsked(asked, event),
        brought: { ...brought },
        decider: 'table@1',
        book: tableDecider.bookAt(table)!,
      };
      waiting.push({ event, postings, command: place === 0 ? note : { id } });
    }
  };
  const write = async (): Promise<void> => {
    const appended = await store.append({ stream, after: sequence, entries: waiting });
    if ('refused' in appended) throw new Error(appended.refused);
    sequence += waiting.length;
    waiting = [];
    const state = JSON.stringify(table);
    await store.saveSnapshot(stream, {
      sequence,
      form: snapshotForm,
      state,
      hash: snapshotHash(state, appended.entries.at(-1)!.hash, key),
    });
  };

  carryOut({ type: 'OpenTable', who: floorPost, setting });
  for (let dealt = 0; dealt < rounds;) {
    const step = nextStep(table!, demoPace, hidden, chance)!;
    at = Math.max(at, step.at);
    if ('shuffle' in step) {
      const { decks } = table!.setting;
      hidden = hiddenShoe(
        `${setting.table}-${sequence + waiting.length}`,
        { deck: termsOf(table!.setting).game.deck, decks },
        chance,
      );
      await sealShoe(store, hidden, key);
      carryOut({ type: 'CommitShoe', who: shufflerPost, shoe: hidden.id, root: hidden.root });
    } else carryOut(step.asked);
    if ('asked' in step && step.asked.type === 'OpenBets') {
      const { id: round } = table!.round!;
      for (let n = 0; n < slips; n++) {
        const who = { terminal: `T${1 + ((dealt * slips + n) % terminals)}.1` };
        carryOut({ type: 'SetSlip', who, round, slip: { player: 100, tie: 100 } }, { credit: 1_000_000 });
      }
    }
    if ('asked' in step && step.asked.type === 'Settle') dealt += 1;
    if (waiting.length >= snapshotEvery) await write();
  }
  // What came after the last snapshot has to be played again at a start.
  const appended = await store.append({ stream, after: sequence, entries: waiting });
  if ('refused' in appended) throw new Error(appended.refused);
  return { sequence: sequence + waiting.length, at };
}
