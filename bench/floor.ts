import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '../src/runtime/ports/random.ts';
import { demoOwner, demoPace, demoSettings } from '../tests/runtime/support/demo.ts';
import { type FloorRuntime } from '../src/runtime/floorRuntime.ts';
import { openFloor } from '../src/runtime/openFloor.ts';
import { type TableRuntime } from '../src/runtime/tables/tableRuntime.ts';
import { type FloorDependencies } from '../src/runtime/ports/runtimeDependencies.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { type BenchSize, type Sizes } from './support/bench.ts';
import { figure, medianAndP99 } from './support/measure.ts';
import { type Store, type StoredEntry } from '../src/store/store.ts';

/** Terminals, and slips per terminal; each is sent when the one before is acknowledged. */
type Counts = {
  readonly terminals: number;
  readonly warmUpSlips: number;
  readonly slips: number;
  readonly single: number;
};

const sizes: Sizes<Counts> = {
  full: { terminals: 500, warmUpSlips: 40, slips: 100, single: 500 },
  short: { terminals: 20, warmUpSlips: 2, slips: 3, single: 10 },
};

/** Terminals at a floor on a store. */
type SeatedFloor = {
  readonly tables: number;
  /** Each terminal sends slips in turn. Returns the slips per second. */
  readonly play: (turns: number) => Promise<number>;
  /** Milliseconds from each slip to its acknowledgement. */
  readonly times: number[];
  /** Stored slips of one table. */
  readonly storedSlips: () => Promise<readonly StoredEntry[]>;
  readonly end: () => void;
};

/** Betting times longer than the bench. */
export const settings = demoSettings.map((tableSettings) => ({ ...tableSettings, bettingTime: 600_000 }));
export const pace = { ...demoPace, betweenRounds: 0 };

/** Runtime dependencies that throw on any failure, and a function that cancels their timers. */
export function benchDependencies(
  store: Store,
  key: Buffer,
): { readonly dependencies: FloorDependencies; readonly end: () => void } {
  const timers = new Set<() => void>();
  let ids = 0;
  const throwFailure = (who: string, error: unknown): never => {
    throw new Error(`${who}: ${String(error)}`);
  };
  return {
    dependencies: {
      store,
      clock: Date.now,
      random: systemRandom,
      key,
      after: (time, run) => {
        const timer = setTimeout(run, time);
        const cancel = (): void => clearTimeout(timer);
        timers.add(cancel);
        return cancel;
      },
      newId: () => `f${ids++}`,
      publish: () => {},
      onWarning: throwFailure,
      onTableCrashed: (table, error) => throwFailure(table, error),
      sleep: () => Promise.reject(new Error('Nothing fails here.')),
      onRetrying: throwFailure,
      onRecovered: () => {},
      onFatal: (error) => {
        throw error;
      },
    },
    end: () => {
      for (const cancel of timers) cancel();
    },
  };
}

/** Opens a floor and seats terminals at all its tables. */
export async function openBenchFloor(store: Store, terminals: number): Promise<SeatedFloor> {
  const { dependencies, end } = benchDependencies(store, randomBytes(32));
  const floor = await openFloor(demoOwner, settings, pace, dependencies);
  return seatTerminals(floor, [...floor.tables.values()], { store, terminals, name: 'hash', end });
}

type SeatingOptions = {
  readonly store: Store;
  readonly terminals: number;
  /** Prefix of the secrets of the terminals. */
  readonly name: string;
  readonly end: () => void;
};

/** Seats terminals at tables of a floor. */
export async function seatTerminals(
  floor: FloorRuntime,
  tables: readonly TableRuntime[],
  seats: SeatingOptions,
): Promise<SeatedFloor> {
  const { store, terminals: count, name, end } = seats;
  const sessions = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      floor.terminals.seat(`${name}-${n}`, 10_000_000).then((terminal) => floor.terminals.session(terminal as string)!),
    ),
  );
  while (tables.some(({ table }) => table.phase !== 'betting')) await new Promise((resolve) => setTimeout(resolve, 10));

  const times: number[] = [];
  const play = async (terminal: string, n: number, turns: number, run: string): Promise<void> => {
    const table = tables[n % tables.length]!;
    const { id: round } = table.table.round!;
    for (let turn = 0; turn < turns; turn++) {
      const sent = performance.now();
      const slip = { player: 100 * (1 + ((n + turn) % 5)) };
      const answer = await table.submit(`${Date.now().toString(16)}-${name}-${run}-${turn}-${n}`, {
        type: 'SetSlip',
        actor: { terminal },
        round,
        slip,
      });
      if ('refused' in answer) throw new Error(answer.message);
      times.push(performance.now() - sent);
    }
  };
  let runs = 0;
  return {
    tables: tables.length,
    times,
    play: async (turns) => {
      const run = String(runs++);
      const startedAt = performance.now();
      await Promise.all(sessions.map((terminal, n) => play(terminal, n, turns, run)));
      return (turns * count) / ((performance.now() - startedAt) / 1000);
    },
    storedSlips: async () => {
      const stored: StoredEntry[] = [];
      for await (const entries of store.read(`${demoOwner.property}/table/${tables[0]!.id}`)) {
        stored.push(...entries.filter(({ event }) => event.type === 'SlipSet'));
      }
      return stored;
    },
    end,
  };
}

/** Slips that are durable when they are acknowledged, many terminals at ten tables, against one commit for each slip. */
export async function* floorBench(size: BenchSize): AsyncGenerator<string> {
  const { terminals, warmUpSlips, slips, single } = sizes[size];
  yield 'floor (durable slips on SQLite; ratio to one commit per slip)';
  const folder = mkdtempSync(join(tmpdir(), 'punto-bench-'));
  const store = await openSqliteStore(folder);
  let floor: SeatedFloor | undefined;
  try {
    floor = await openBenchFloor(store, terminals);
    const { tables, times } = floor;
    await floor.play(warmUpSlips);
    times.length = 0;
    const perSecond = await floor.play(slips);
    const stored = await floor.storedSlips();
    const acknowledged = ((warmUpSlips + slips) * terminals) / tables;
    if (stored.length !== acknowledged) {
      throw new Error(`The first table acknowledged ${acknowledged} slips, and ${stored.length} are stored.`);
    }
    // The same slips as they were written, each with a commit of its own.
    const startedAt = performance.now();
    for (let n = 0; n < single; n++) {
      const { event, postings, command } = stored[n]!;
      const entry = { event, postings, command: { ...command, id: `one-${n}` } };
      const answer = await store.append({ stream: 'one-by-one', after: n, entries: [entry] });
      if ('refused' in answer) throw new Error(answer.refused);
    }
    const perSecondSingle = single / ((performance.now() - startedAt) / 1000);
    yield `  ${terminals} terminals at ${tables} tables: ${figure(perSecond)} slips per second, ${figure(perSecond / perSecondSingle)} times one commit per slip`;
    yield `  from slip to acknowledgement: ${medianAndP99(times)}`;
  } finally {
    floor?.end();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
