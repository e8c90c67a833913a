import { expect } from 'vitest';
import { TestClock, flushPromises } from '../chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from './demo.ts';
import { FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { type Store } from '../../src/store/store.ts';
import { seated, start, worldOf } from './made.ts';

// A table where people deal: they do what people do, and the floor does the rest by itself.

/** Only a demo opens such a table by itself. */
const profile = { ...demoSettings[0]!.profile, name: 'house' };

export const setting = { ...demoSettings[0]!, profile, dealing: 'keyed', attended: true, behind: 14, chunk: 1 };

/** A floor with such a table, and those who work at it. */
export async function staffed(store: Store, seed: string, time = new TestClock(start)) {
  const made = worldOf(store, seed, time);
  const floor = await FloorRuntime.open(demoOwner, [setting], demoPace, made.world);
  return workedAt({ ...made, floor }, seed);
}

/** Those who work at such a table of a floor. */
function workedAt(made: ReturnType<typeof worldOf> & { readonly floor: FloorRuntime }, seed: string) {
  const { floor, time } = made;
  const table = floor.tables.get(setting.table)!;
  let ids = 0;
  const by = (person: string, role: string, type: string, fields: object = {}, more: object = {}) =>
    table.submit(`${seed}-${ids++}`, { type, actor: { person }, ...fields }, time.now, {
      authority: { role },
      ...more,
    });
  const deals = async (type: string, fields?: object): Promise<void> => {
    expect(await by('d1', 'dealer', type, fields)).toHaveProperty('entries');
  };
  const approves = async (): Promise<void> => {
    const { id: proposal, hash } = table.table.proposal!;
    expect(await by('s1', 'supervisor', 'Approve', { proposal, hash })).toHaveProperty('entries');
  };
  return { ...made, table, by, deals, approves };
}

/** The same with the table open and a shoe on it. */
export const opened = async (store: Store, seed: string) => begun(await staffed(store, seed));

async function begun(made: ReturnType<typeof workedAt>) {
  const { by, deals, approves } = made;
  const secondAuthority = { role: 'gaming-shift-manager' };
  const open = { settings: setting, second: { person: 'm1' } };
  expect(await by('p1', 'pit-manager', 'OpenTable', open, { secondAuthority })).toHaveProperty('entries');
  await deals('BringShoe', { shoe: 'L1', seal: 'S1' });
  await deals('CountCards', { cards: 416 });
  await deals('ShuffleShoe', { method: 'by hand' });
  await deals('CutShoe', { behind: 14 });
  await deals('VerifyShoe');
  await approves();
  return made;
}

/** A round that the Player hand wins, with a stake on it from each of two terminals, as far as its settlement. */
export const played = async (store: Store, seed: string) => ended(await opened(store, seed));

/** The same at a floor that is there. */
export const playedAt = async (made: Parameters<typeof workedAt>[0], seed: string) =>
  ended(await begun(workedAt(made, seed)));

async function ended(made: ReturnType<typeof workedAt>) {
  const { floor, table, deals, time } = made;
  const sessions = [await seated(floor, 'a', demoCredit), await seated(floor, 'b', demoCredit)];
  await deals('OpenBets');
  const round = table.table.round!.id;
  for (const [n, terminal] of sessions.entries()) {
    const slip = { player: 1000 * (n + 1) };
    const answered = table.submit(`slip-${n}`, { type: 'SetSlip', actor: { terminal }, round, slip });
    expect(await answered).toHaveProperty('entries');
  }
  await flushPromises();
  expect(await time.next()).toBe(false);
  await deals('CallClose', { notice: 20_000 });
  expect(table.table.phase).toBe('closing');
  const { deadline } = table.table.round!;
  await time.step();
  expect(made.published.at(-1)!.event).toMatchObject({
    type: 'BetsClosed',
    at: deadline! + setting.grace,
    actor: { system: 'floor' },
  });
  for (const [slot, card] of [
    ['P1', '9D'],
    ['B1', '2C'],
    ['P2', 'KH'],
    ['B2', '5S'],
  ]) {
    await deals('DealCard', { slot, card });
  }
  time.now += setting.pause;
  await deals('Settle');
  await flushPromises();
  while (await time.next()) await flushPromises();
  return { ...made, round };
}
