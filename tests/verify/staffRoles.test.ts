import { describe, expect, test } from 'vitest';
import { minScryptCost } from '../../src/runtime/staff/credentialStore.ts';
import { FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { blobReader } from '../../src/runtime/tables/encryptedShoes.ts';
import { type SignInResult } from '../../src/runtime/staff/signInService.ts';
import { type StaffContext } from '../../src/runtime/staff/consent.ts';
import { verifiedText } from '../../src/store/authenticatedValues.ts';
import { memoryStore } from '../../src/store/memoryStore.ts';
import { type Store } from '../../src/store/store.ts';
import { verifyStaffRoles } from '../../src/verify/staffRoles.ts';
import { type StreamSummary } from '../../src/verify/verifyStream.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { demoOwner, demoPace, demoSettings } from '../runtime/demo.ts';
import { key, worldOf } from '../runtime/made.ts';
import {
  type UnwrittenEntry,
  type Streams,
  named,
  recordIn,
  problemOf,
  streamsOf,
  withPayload,
  withEvent,
} from './forgedStore.ts';

// Everybody who does something holds the post for it by an entry of the register.

/** Only a demo opens such tables by itself. */
const profile = { ...demoSettings[0]!.profile, name: 'house' };
const setting = { ...demoSettings[0]!, table: 'L1', dealing: 'keyed', attended: true, behind: 14, profile };
const table = 'demo/table/L1';
const register = 'demo/people/staff';
const terminal = 'demo/terminal/T1';

/** An attended table that two persons have opened, where a dealer and one who acts as supervisor have done something. */
async function playStaffedFloor(): Promise<{ readonly store: Store; readonly now: number }> {
  const store = memoryStore();
  const { world, time, troubles } = worldOf(store, 'posts');
  const floor = await FloorRuntime.open(demoOwner, [setting], demoPace, {
    ...world,
    staff: { demo: true, cost: minScryptCost },
  });
  const { staff } = floor;
  const there = floor.tables.get('L1')!;
  let ids = 0;
  const signs = async (number: string, post?: 'supervisor'): Promise<SignInResult['session']> => {
    const answer = await staff.signIns.demoSignIn({ number, ...(post && { post }) });
    expect(answer).toHaveProperty('token');
    return (answer as SignInResult).session;
  };
  const by = async (
    session: SignInResult['session'],
    type: string,
    fields: object = {},
    more: object = {},
  ): Promise<void> => {
    const brought = { ...(staff.contextFor(session) as StaffContext), ...more };
    const asked = { type, who: { person: session.person }, ...fields };
    const answer = await there.submit(`posts-${ids++}`, asked, time.now, brought);
    expect(answer).toHaveProperty('entries');
  };
  time.now += 1_000;
  const [pit, shift, dealer] = [await signs('M-1'), await signs('G-1'), await signs('D-1')];
  const { post: secondPost, held: secondHeld } = staff.contextFor(shift) as StaffContext;
  await by(pit, 'OpenTable', { setting, second: { person: shift.person } }, { secondPost, secondHeld });
  await by(dealer, 'BringShoe', { shoe: 'L1', seal: 'S1' });
  time.now += 1_000;
  const acting = { type: 'GiveActing', person: 'p2', as: 'supervisor', from: time.now, until: time.now + 3_600_000 };
  expect(await staff.submit('give', acting, shift)).toHaveProperty('entries');
  const acts = await signs('D-2', 'supervisor');
  time.now += 1_000;
  await by(acts, 'Refer', { reason: 'Look.' });
  await floor.terminals.seat('a', 0);
  const brought = staff.contextFor(acts) as StaffContext;
  const lock = { type: 'LockTerminal', who: { person: acts.person }, reason: 'Look.' };
  expect(await floor.terminals.submit('T1', 'lock', lock, brought)).toHaveProperty('entries');
  // Long after, one has left and the other does not act any more.
  time.now += 600_000;
  const admin = await signs('N-1');
  expect(await staff.submit('end', { type: 'EndPerson', person: 'p1' }, admin)).toHaveProperty('entries');
  expect(await staff.submit('over', { type: 'EndActing', acting: 'a1' }, shift)).toHaveProperty('entries');
  expect(troubles).toEqual([]);
  return { store, now: time.now };
}

const { store: honest, now } = await playStaffedFloor();
const record = await streamsOf(honest);
const indexOfEvent = (stream: string, type: string): number =>
  record[stream]!.findIndex(({ event }) => event.type === type);

/** The record with another entry at a place of a stream. */
const changed = (stream: string, place: number, change: (entry: UnwrittenEntry) => UnwrittenEntry): Streams => ({
  ...record,
  [stream]: record[stream]!.map((entry, n) => (n === place ? change(entry) : entry)),
});

const withContext = (entry: UnwrittenEntry, fields: object): UnwrittenEntry => {
  const note = recordIn(entry);
  const brought = JSON.parse(JSON.stringify({ ...note.brought, ...fields })) as typeof note.brought;
  const { person } = note.asked.who;
  const event = 'post' in fields ? { ...entry.event, who: { person, ...(brought['post'] as object) } } : entry.event;
  return { ...entry, event, command: { ...note, brought } };
};

const bring = indexOfEvent(table, 'ShoeBrought');
const refer = indexOfEvent(table, 'Referred');
const enrolled = indexOfEvent(register, 'PersonEnrolled') + 1;
const left = indexOfEvent(register, 'PersonEnded') + 1;
const over = indexOfEvent(register, 'ActingEnded') + 1;
const given = indexOfEvent(register, 'ActingGiven') + 1;

test('verify accepts an honest store with and without its key', async () => {
  const isBound = (...[kind, id, value]: Parameters<typeof verifiedText> extends [Buffer, ...infer R] ? R : never) =>
    verifiedText(key, kind, id, value) !== undefined;
  expect(await verifyStore(honest, { isAuthentic: isBound })).toMatchObject({ problem: undefined });
  expect(await problemOf(record)).toBeUndefined();
});

describe('verify finds', () => {
  test.each([
    [
      'a post that was never held',
      table,
      bring,
      { post: { post: 'supervisor' } },
      /is by p1, who did not hold the post supervisor/,
    ],
    [
      'a post that is held from a later entry on',
      table,
      bring,
      { held: 1 },
      /is by p1, who did not hold the post dealer by entry 1/,
    ],
    [
      'an entry of the register that is not there',
      table,
      bring,
      { held: 999 },
      /names entry 999 of the register of people, which is not there/,
    ],
    [
      'an entry of the register that is no number',
      table,
      bring,
      { held: 'all' },
      /names entry all of .+ which is not there/,
    ],
    [
      'an entry of the register from long after',
      table,
      bring,
      { held: left - 1 },
      /names entry \d+ of .+ which is later/,
    ],
    [
      'an entry by which somebody has left',
      register,
      indexOfEvent(register, 'PersonEnded'),
      { held: 9_999 },
      /which is not there/,
    ],
    [
      'no entry at all',
      table,
      bring,
      { held: undefined },
      /is by p1, and does not name by which entry the post was held/,
    ],
    ['no entry for the second person', table, 0, { secondHeld: undefined }, /is by p6, and does not name/],
    [
      'a second person who holds another post',
      table,
      0,
      { secondHeld: 1 },
      /is by p6, who did not hold the post gaming-shift-manager/,
    ],
    [
      'an acting post before it was given',
      table,
      refer,
      { held: given - 1 },
      /is by p2, who did not act in the post supervisor/,
    ],
    [
      'an acting post until another time',
      terminal,
      1,
      { post: { post: 'dealer', acting: 'supervisor', until: now + 5_000_000 } },
      /who did not act in the post supervisor/,
    ],
    [
      'an acting post that is higher than the one given',
      terminal,
      1,
      { post: { post: 'dealer', acting: 'pit-manager', until: now } },
      /who did not act in the post pit-manager/,
    ],
  ] as const)('%s', async (_, stream, place, fields, what) => {
    const problem = await problemOf(changed(stream, place, (entry) => withContext(entry, fields)));
    expect(problem).toMatch(named(stream, place + 1, what));
  });

  test('a command in a role that had ended more than a minute before', async () => {
    for (const [person, post, held] of [
      ['p1', { post: 'dealer' }, left - 1],
      ['p2', { post: 'dealer', acting: 'supervisor', until: record[register]![given - 1]!.event['until'] }, over - 1],
    ] as const) {
      for (const [later, isFound] of [
        [60_000, false],
        [60_001, true],
      ] as const) {
        const last = record[table]!.at(-1)!;
        const at = now + later;
        const asked = { type: 'Refer', who: { person }, reason: 'Again.' };
        const entry = withPayload(
          { ...last, event: { ...last.event, at, who: { person, ...post }, referral: 'R2', reason: 'Again.' } },
          asked,
          'more',
        );
        const more = { ...entry, command: { ...recordIn(entry), brought: { post, held } } };
        const problem = await problemOf({ ...record, [table]: [...record[table]!, more] });
        if (isFound) expect(problem).toMatch(/is by p\d, whose post \S+ had ended before/);
        else expect(problem).toBeUndefined();
      }
    }
  });

  test('a named entry without a staff stream', async () => {
    const { [register]: _, ...rest } = record;
    expect(await problemOf(rest)).toMatch(
      named(table, 1, /names entry \d+ of the register of people, which is not there/),
    );
  });

  test('a staff stream with a wrong name or an undecided event', async () => {
    const { [register]: people, ...rest } = record;
    expect(await problemOf({ ...rest, 'demo/people/others': people! })).toMatch(
      /Entry 1 of demo\/people\/others is of the people of demo/,
    );
    const forged = changed(register, enrolled - 1, (entry) => withEvent(entry, { posts: ['pit-manager'] }));
    expect(await problemOf(forged)).toMatch(named(register, enrolled, /has posts/));
  });
});

test('verify accepts commands without named entry before the first enrolment', async () => {
  const bare = record[table]!.map((entry) =>
    'asked' in entry.command ? withContext(entry, { held: undefined, secondHeld: undefined }) : entry,
  );
  const late = record[register]!.map((entry) => ({ ...entry, event: { ...entry.event, at: now } }));
  const [first] = late;
  // A register that begins after all of it.
  const only = {
    [table]: bare,
    [register]: late.slice(0, 1 + 22),
    'demo/journal/floor': record['demo/journal/floor']!,
  };
  expect(first!.event.type).toBe('PeopleBegun');
  expect(await problemOf(only)).toBeUndefined();
});

test('verify with the key requires the blob of the PIN key', async () => {
  const opens = blobReader(honest, key);
  expect((await verifyStore(honest, { openBlob: opens })).problem).toBeUndefined();
  const seals = (await honest.blobIds()).filter((id) => id !== 'pins');
  const without = { ...honest, blobIds: () => Promise.resolve(seals) };
  expect((await verifyStore(without, { openBlob: opens })).problem).toBe(
    'What PINs are keyed with is not sealed any more.',
  );
});

test('verify tolerates clock differences of acting roles in a cluster', () => {
  const owner = { property: 'demo', currency: 'XTS' };
  const span = { person: 'p2', since: 1 };
  const acted = [{ ...span, post: 'supervisor', acting: 'a1', from: 10_000, until: 20_000 }];
  const held = [{ ...span, post: 'dealer' }];
  const asRegister = {
    owner,
    roleUses: [],
    roleHistory: { firstEnrolledAt: 0, entryTimes: [9_000], roles: held, actingRoles: acted },
  };
  const problemAt = (at: number, epoch: number): string | undefined => {
    const place = { sequence: 1, at };
    const use = {
      person: 'p2',
      post: 'dealer',
      acting: 'supervisor',
      until: 20_000,
      held: 1,
      first: place,
      last: place,
    };
    const found = new Map<string, Pick<StreamSummary, 'owner' | 'roleUses' | 'roleHistory'>>([
      [register, asRegister],
      [table, { owner, roleUses: [use], roleHistory: undefined }],
    ]);
    try {
      verifyStaffRoles(found, new Map([[table, { epoch }]]));
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect([problemAt(10_000, 0), problemAt(9_600, 2)]).toEqual([undefined, undefined]);
  expect(problemAt(9_999, 0)).toMatch('who did not act in the post supervisor by entry 1');
  expect(problemAt(9_599, 2)).toMatch('who did not act in the post supervisor by entry 1');
});
