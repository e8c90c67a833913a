import { expect } from 'vitest';
import { TestClock, flushPromises } from '../../chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from './demo.ts';
import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { type Store } from '../../../src/store/store.ts';
import { seatPatron, start, testDependencies } from './testDependencies.ts';

// Attended table: the test submits the commands of staff, and the floor does its own part.

/** The system opens attended tables of a demo only; so this profile is none. */
const profile = { ...demoSettings[0]!.profile, name: 'house' };

export const attendedSettings = {
  ...demoSettings[0]!,
  profile,
  dealing: 'keyed',
  attended: true,
  behind: 14,
  chunk: 1,
};

/** Floor with one attended table, and functions that submit commands of its staff. */
export async function openAttendedFloor(store: Store, seed: string, time = new TestClock(start)) {
  const test = testDependencies(store, seed, time);
  const floor = await openFloor(demoOwner, [attendedSettings], demoPace, test.dependencies);
  return staffActions({ ...test, floor }, seed);
}

/** Functions that submit commands of staff at the attended table. */
function staffActions(test: ReturnType<typeof testDependencies> & { readonly floor: FloorRuntime }, seed: string) {
  const { floor, time } = test;
  const table = floor.tables.get(attendedSettings.table)!;
  let ids = 0;
  const submitAs = (person: string, role: string, type: string, fields: object = {}, more: object = {}) =>
    table.submit(`${seed}-${ids++}`, { type, actor: { person }, ...fields }, time.now, {
      authority: { role },
      ...more,
    });
  const submitAsDealer = async (type: string, fields?: object): Promise<void> => {
    expect(await submitAs('d1', 'dealer', type, fields)).toHaveProperty('entries');
  };
  const approveAsSupervisor = async (): Promise<void> => {
    const { id: proposal, hash } = table.table.proposal!;
    expect(await submitAs('s1', 'supervisor', 'Approve', { proposal, hash })).toHaveProperty('entries');
  };
  return { ...test, table, submitAs, submitAsDealer, approveAsSupervisor };
}

/** Attended table that is open and has a verified shoe. */
export const openAttendedTable = async (store: Store, seed: string) =>
  openTableWithShoe(await openAttendedFloor(store, seed));

async function openTableWithShoe(test: ReturnType<typeof staffActions>) {
  const { submitAs, submitAsDealer, approveAsSupervisor } = test;
  const secondAuthority = { role: 'gaming-shift-manager' };
  const open = { settings: attendedSettings, second: { person: 'm1' } };
  expect(await submitAs('p1', 'pit-manager', 'OpenTable', open, { secondAuthority })).toHaveProperty('entries');
  await submitAsDealer('BringShoe', { shoe: 'L1', seal: 'S1' });
  await submitAsDealer('CountCards', { cards: 416 });
  await submitAsDealer('ShuffleShoe', { method: 'by hand' });
  await submitAsDealer('CutShoe', { behind: 14 });
  await submitAsDealer('VerifyShoe');
  await approveAsSupervisor();
  return test;
}

/** Round that the Player wins, with a stake on Player from two terminals, posted to the end. */
export const playAttendedRound = async (store: Store, seed: string) => playRound(await openAttendedTable(store, seed));

/** As `playAttendedRound`, on an open floor. */
export const playAttendedRoundOn = async (test: Parameters<typeof staffActions>[0], seed: string) =>
  playRound(await openTableWithShoe(staffActions(test, seed)));

async function playRound(test: ReturnType<typeof staffActions>) {
  const { floor, table, submitAsDealer, time } = test;
  const sessions = [await seatPatron(floor, 'a', demoCredit), await seatPatron(floor, 'b', demoCredit)];
  await submitAsDealer('OpenBets');
  const round = table.table.round!.id;
  for (const [n, terminal] of sessions.entries()) {
    const slip = { player: 1000 * (n + 1) };
    const submitted = table.submit(`slip-${n}`, { type: 'SetSlip', actor: { terminal }, round, slip });
    expect(await submitted).toHaveProperty('entries');
  }
  await flushPromises();
  expect(await time.next()).toBe(false);
  await submitAsDealer('CallClose', { notice: 20_000 });
  expect(table.table.phase).toBe('closing');
  const { deadline } = table.table.round!;
  await time.step();
  expect(test.published.at(-1)!.event).toMatchObject({
    type: 'BetsClosed',
    at: deadline! + attendedSettings.grace,
    actor: { system: 'floor' },
  });
  for (const [slot, card] of [
    ['P1', '9D'],
    ['B1', '2C'],
    ['P2', 'KH'],
    ['B2', '5S'],
  ]) {
    await submitAsDealer('DealCard', { slot, card });
  }
  time.now += attendedSettings.pause;
  await submitAsDealer('Settle');
  await flushPromises();
  while (await time.next()) await flushPromises();
  return { ...test, round };
}
