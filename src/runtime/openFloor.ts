import { tableDecider } from '../deciders/deciders.ts';
import { isRefused } from '../base/refusal.ts';
import { isDemo, parseSettings } from '../table/schema/settings.ts';
import { type Table } from '../table/state.ts';
import { readTrustedHeartbeats, floorHeartbeatName } from './floor/heartbeats.ts';
import { OperatorWarning } from './terminals/secretBindings.ts';
import { type Pace } from './tables/pacing.ts';
import { BalanceCache } from './stream/balanceCache.ts';
import { loadState } from './stream/loadState.ts';
import { checkDataKey, checkOrAdoptDataKey } from './encryption/encryptedBlobs.ts';
import { type UncheckedTableSettings } from './tables/tableRuntime.ts';
import { type PropertyAndCurrency, type FloorDependencies } from './ports/runtimeDependencies.ts';
import { FloorRuntime } from './floorRuntime.ts';

/** Error: the event log and the property file differ in currency, or only one of them is a demo. */
export class PropertyFileMismatchError extends Error {}

/**
 * Opens a floor: loads its state, records the start and starts the tables. A joining node records no start. In a
 * cluster a table starts when a node leads it.
 */
export async function openFloor(
  owner: PropertyAndCurrency,
  settings: readonly UncheckedTableSettings[],
  pace: Pace | ((table: string) => Pace),
  dependencies: FloorDependencies,
): Promise<FloorRuntime> {
  const { store, key } = dependencies;
  await checkDataKey(store, key);
  const balances = await store.balances();
  const floor = new FloorRuntime(owner, dependencies, new BalanceCache(balances));
  await floor.terminals.load();
  await floor.floorStream.load();
  await floor.staff.load();
  await floor.tickets.load(balances);
  for (const one of settings) {
    await floor.addTable({ settings: one, pace: typeof pace === 'function' ? pace(one.table) : pace }).load();
  }
  await loadUnlisted(floor, dependencies);
  checkProperty(floor, settings, balances, dependencies);
  if (dependencies.isJoining === true) {
    floor.floorStream.join();
    floor.staff.join();
    return floor;
  }
  const heartbeats = await readTrustedHeartbeats(store, dependencies.latestHeartbeatAt, (name, message) =>
    dependencies.onWarning(name === floorHeartbeatName ? 'the floor' : name, new OperatorWarning(message)),
  );
  await dependencies.beforeFirstWrite?.();
  await checkOrAdoptDataKey(store, key);
  const virtualShoes = virtualShoesOf(floor.tableStates());
  await floor.floorStream.start(heartbeats.get(floorHeartbeatName), virtualShoes, await floor.tickets.begin());
  floor.tickets.warnOfRetiredTickets(balances);
  floor.firstPassword = await floor.staff.start(attendedTables(floor, settings));
  // In a cluster each node leads only the tables whose lease it holds.
  if (dependencies.cluster) return floor;
  for (const table of floor.tables.values()) {
    const refusal = await table.start(heartbeats.get(table.stream));
    if (refusal) throw new Error(`Table ${table.id} cannot be opened: ${refusal.message}`);
  }
  return floor;
}

async function loadUnlisted(
  floor: FloorRuntime,
  { store, key, onWarning, onUnlistedTable }: FloorDependencies,
): Promise<void> {
  const prefix = `${floor.owner.property}/table/`;
  for (const stream of await store.streams()) {
    const id = stream.slice(prefix.length);
    if (!stream.startsWith(prefix) || floor.tables.has(id)) continue;
    const { state } = await loadState({
      store,
      stream,
      decider: tableDecider,
      key,
      onWarning: (error) => onWarning(`table ${id}`, error),
    });
    if (state !== undefined) floor.addUnlisted(state);
    onUnlistedTable?.(id);
  }
}

/**
 * Throws `PropertyFileMismatchError` if the currency or the demo flag of the event log differs from the property file.
 */
function checkProperty(
  floor: FloorRuntime,
  settings: readonly UncheckedTableSettings[],
  balances: ReadonlyMap<string, unknown>,
  { clock, staff }: FloorDependencies,
): void {
  const { property, currency } = floor.owner;
  const remedy = 'use another data folder, or correct the property file';
  const states = [...floor.tableStates()];
  const booked = [...balances.keys()].map((account) => account.split('/')[1]!);
  const other = [...states.map((table) => table.settings.currency), ...booked].find((one) => one !== currency);
  if (other !== undefined) {
    throw new PropertyFileMismatchError(
      `The event log of ${property} has the currency ${other}, but its property file has ${currency}; ${remedy}.`,
    );
  }
  const wanted = settings.map((one) => parseSettings(one, clock())).find((one) => !isRefused(one));
  if (wanted !== undefined && !isRefused(wanted)) {
    const unlike = states.find((table) => isDemo(table.settings) !== isDemo(wanted));
    const problem = isDemo(wanted)
      ? `The event log of ${property} is not of a demo, but its property file is`
      : `The event log of ${property} is of a demo, but its property file is not`;
    if (unlike) throw new PropertyFileMismatchError(`${problem}; ${remedy}.`);
  }
  if (staff && floor.staff.state && floor.staff.isDemo !== staff.demo) {
    const problem = staff.demo
      ? `The staff of ${property} are not those of a demo, but its property file is of a demo`
      : `The staff of ${property} are those of a demo, but its property file is not of a demo`;
    throw new PropertyFileMismatchError(`${problem}; ${remedy}.`);
  }
}

const virtualShoesOf = (tables: Iterable<Table>): readonly string[] =>
  [...tables].flatMap(({ shoe }) => (shoe?.root === undefined || shoe.root === null ? [] : [shoe.id]));

/**
 * Ids of the attended tables of the property file. Whether a table is attended comes from the event log. If the table
 * was never opened, it comes from the property file.
 */
function attendedTables(floor: FloorRuntime, settings: readonly UncheckedTableSettings[]): readonly string[] {
  const isAttended = ({ table, attended = true }: UncheckedTableSettings): boolean =>
    floor.tables.get(table)!.processor.state?.settings.attended ?? attended === true;
  return settings.filter(isAttended).map(({ table }) => table);
}
