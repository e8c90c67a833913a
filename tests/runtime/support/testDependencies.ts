import { randomBytes } from 'node:crypto';
import { TestClock } from '../../chaos/time.ts';
import { createSeededRandom } from '../../../src/runtime/ports/random.ts';
import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { type FloorDependencies } from '../../../src/runtime/ports/runtimeDependencies.ts';
import { terminalOfSession } from '../../../src/terminal/state.ts';
import { type Store, type StoredEntry } from '../../../src/store/store.ts';

export const key = randomBytes(32);
export const start = 1_700_006_400_000;

/** Dependencies of a floor with test time and seeded random; also what was published and reported. */
export function testDependencies(store: Store, seed: string, time: TestClock = new TestClock(start)) {
  const published: StoredEntry[] = [];
  const warnings: string[] = [];
  const failures: string[] = [];
  let ids = 0;
  const dependencies: FloorDependencies = {
    store,
    clock: time.clock,
    random: createSeededRandom(seed),
    key,
    after: time.after,
    sleep: (span) => new Promise((resolve) => void time.after(span, resolve)),
    newId: () => `${seed}-${(ids++).toString(16).padStart(8, '0')}`,
    publish: (_, entries) => published.push(...entries),
    onWarning: (table, error) => warnings.push(`${table}: ${String(error)}`),
    onTableCrashed: (table, error) => warnings.push(`${table} has stopped: ${String(error)}`),
    onRetrying: (who, error) => failures.push(`${who}: ${String(error)}`),
    onRecovered: () => {},
    onFatal: (error) => warnings.push(`The record is lost: ${String(error)}`),
  };
  return { dependencies, published, warnings, failures, time };
}

/** Floor stream without retired shoes and without a rollback. */
export const noRetiredShoes = { retirementReason: () => undefined, isBeforeRollback: () => false };

/** The floor gave no seat to a patron. */
export class SeatRefused extends Error {}

/** Seats a patron at a terminal with credit; returns the credit session. */
export async function seatPatron(floor: FloorRuntime, secretHash: string, credit: number): Promise<string> {
  const terminal = await floor.terminals.seat(secretHash, credit);
  if (typeof terminal !== 'string') throw new SeatRefused(terminal.message);
  return floor.terminals.session(terminal)!;
}

export const sessionCredit = (floor: FloorRuntime, session: string): number =>
  floor.terminals.creditOf(terminalOfSession(session));
