import { randomBytes } from 'node:crypto';
import { TestClock } from '../chaos/time.ts';
import { seededRandom } from '../../src/runtime/ports/random.ts';
import { type FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { type RuntimeDependencies } from '../../src/runtime/ports/runtimeDependencies.ts';
import { terminalOfSession } from '../../src/terminal/state.ts';
import { type Store, type StoredEntry } from '../../src/store/store.ts';

export const key = randomBytes(32);
export const start = 1_700_006_400_000;

/** A world of which a test holds time and luck, with what was published and what went wrong in it. */
export function worldOf(store: Store, seed: string, time: TestClock = new TestClock(start)) {
  const published: StoredEntry[] = [];
  const troubles: string[] = [];
  const failures: string[] = [];
  let ids = 0;
  const world: RuntimeDependencies = {
    store,
    clock: time.clock,
    random: seededRandom(seed),
    key,
    after: time.after,
    sleep: (span) => new Promise((resolve) => void time.after(span, resolve)),
    newId: () => `${seed}-${(ids++).toString(16).padStart(8, '0')}`,
    publish: (_, entries) => published.push(...entries),
    onWarning: (table, error) => troubles.push(`${table}: ${String(error)}`),
    onTableCrashed: (table, error) => troubles.push(`${table} has stopped: ${String(error)}`),
    onRetrying: (who, error) => failures.push(`${who}: ${String(error)}`),
    onRecovered: () => {},
    onFatal: (error) => troubles.push(`The record is lost: ${String(error)}`),
  };
  return { world, published, troubles, failures, time };
}

/** A journal that has given up no shoe, and doubts nothing. */
export const inUse = { retirementReason: () => undefined, isBeforeRollback: () => false };

/** Nobody can be seated now. */
export class Unseated extends Error {}

/** The session of a patron at a terminal with credit. */
export async function seated(floor: FloorRuntime, secretHash: string, credit: number): Promise<string> {
  const terminal = await floor.terminals.seat(secretHash, credit);
  if (typeof terminal !== 'string') throw new Unseated(terminal.message);
  return floor.terminals.session(terminal)!;
}

export const creditIn = (floor: FloorRuntime, session: string): number =>
  floor.terminals.creditOf(terminalOfSession(session));
