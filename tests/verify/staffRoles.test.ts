import { describe, expect, test } from 'vitest';
import { insecureScryptCost } from '../../src/runtime/staff/credentialStore.ts';
import { openFloor } from '../../src/runtime/openFloor.ts';
import { createBlobDecrypter } from '../../src/runtime/tables/encryptedShoes.ts';
import { type NewSessionWithToken } from '../../src/runtime/staff/signInService.ts';
import { type StaffCommandContext } from '../../src/runtime/staff/secondPersonConsent.ts';
import { textOfAuthenticValue } from '../../src/store/authenticatedValues.ts';
import { createMemoryStore } from '../../src/store/memoryStore.ts';
import { type Store } from '../../src/store/store.ts';
import { verifyStaffRoles } from '../../src/verify/staffRoles.ts';
import { type StreamSummary } from '../../src/verify/verifyStream.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { demoOwner, demoPace, demoSettings } from '../runtime/support/demo.ts';
import { key, testDependencies } from '../runtime/support/testDependencies.ts';
import {
  type UnwrittenEntry,
  type Streams,
  entryMessage,
  expectRecord,
  verifyProblem,
  streamsOf,
  withRequest,
  withEvent,
} from './forgedStore.ts';

// Each actor has the role for the command by an entry of the staff register.

/** The system opens attended tables of a demo only; so this profile is none. */
const profile = { ...demoSettings[0]!.profile, name: 'house' };
const settings = { ...demoSettings[0]!, table: 'L1', dealing: 'keyed', attended: true, behind: 14, profile };
const table = 'demo/table/L1';
const register = 'demo/staff/main';
const terminal = 'demo/terminal/T1';

/** An attended table that two persons opened, with commands of a dealer and of an acting supervisor. */
async function playStaffedFloor(): Promise<{ readonly store: Store; readonly now: number }> {
  const store = createMemoryStore();
  const { dependencies, time, warnings } = testDependencies(store, 'roles');
  const floor = await openFloor(demoOwner, [settings], demoPace, {
    ...dependencies,
    staff: { demo: true, scryptCost: insecureScryptCost },
  });
  const { staff } = floor;
  const there = floor.tables.get('L1')!;
  let ids = 0;
  const signs = async (number: string, role?: 'supervisor'): Promise<NewSessionWithToken['session']> => {
    const result = await staff.signIns.demoSignIn({ number, ...(role && { role }) });
    expect(result).toHaveProperty('token');
    return (result as NewSessionWithToken).session;
  };
  const by = async (
    session: NewSessionWithToken['session'],
    type: string,
    fields: object = {},
    more: object = {},
  ): Promise<void> => {
    const context = { ...(staff.contextFor(session) as StaffCommandContext), ...more };
    const request = { type, actor: { person: session.person }, ...fields };
    const result = await there.submit(`roles-${ids++}`, request, time.now, context);
    expect(result).toHaveProperty('entries');
  };
  time.now += 1_000;
  const [pit, shift, dealer] = [await signs('M-1'), await signs('G-1'), await signs('D-1')];
  const { authority: secondAuthority, grant: secondGrant } = staff.contextFor(shift) as StaffCommandContext;
  await by(pit, 'OpenTable', { settings, second: { person: shift.person } }, { secondAuthority, secondGrant });
  await by(dealer, 'BringShoe', { shoe: 'L1', seal: 'S1' });
  time.now += 1_000;
  const acting = {
    type: 'GrantActingRole',
    person: 'p2',
    as: 'supervisor',
    from: time.now,
    until: time.now + 3_600_000,
  };
  expect(await staff.submit('give', acting, shift)).toHaveProperty('entries');
  const acts = await signs('D-2', 'supervisor');
  time.now += 1_000;
  await by(acts, 'Refer', { reason: 'Look.' });
  await floor.terminals.seat('a', 0);
  const context = staff.contextFor(acts) as StaffCommandContext;
  const lock = { type: 'LockTerminal', actor: { person: acts.person }, reason: 'Look.' };
  expect(await floor.terminals.submit('T1', 'lock', lock, context)).toHaveProperty('entries');
  // Long after, one has left and the acting role of the other is over.
  time.now += 600_000;
  const admin = await signs('N-1');
  expect(await staff.submit('end', { type: 'EndPerson', person: 'p1' }, admin)).toHaveProperty('entries');
  expect(await staff.submit('over', { type: 'EndActingRole', acting: 'a1' }, shift)).toHaveProperty('entries');
  expect(warnings).toEqual([]);
  return { store, now: time.now };
}

const { store: honest, now } = await playStaffedFloor();
const honestLog = await streamsOf(honest);
const indexOfEvent = (stream: string, type: string): number =>
  honestLog[stream]!.findIndex(({ event }) => event.type === type);

/** The streams with another entry at an index of one of them. */
const changed = (stream: string, entryIndex: number, change: (entry: UnwrittenEntry) => UnwrittenEntry): Streams => ({
  ...honestLog,
  [stream]: honestLog[stream]!.map((entry, n) => (n === entryIndex ? change(entry) : entry)),
});

const withContext = (entry: UnwrittenEntry, fields: object): UnwrittenEntry => {
  const record = expectRecord(entry);
  const context = JSON.parse(JSON.stringify({ ...record.context, ...fields })) as typeof record.context;
  const { person } = record.request.actor;
  const event =
    'authority' in fields ? { ...entry.event, actor: { person, ...(context['authority'] as object) } } : entry.event;
  return { ...entry, event, command: { ...record, context } };
};

const shoeIndex = indexOfEvent(table, 'ShoeBrought');
const refer = indexOfEvent(table, 'Referred');
const enrolled = indexOfEvent(register, 'PersonEnrolled') + 1;
const left = indexOfEvent(register, 'PersonEnded') + 1;
const over = indexOfEvent(register, 'ActingRoleEnded') + 1;
const grantIndex = indexOfEvent(register, 'ActingRoleGranted') + 1;

test('verify accepts an honest store with and without its key', async () => {
  const isBound = (
    ...[kind, id, value]: Parameters<typeof textOfAuthenticValue> extends [Buffer, ...infer R] ? R : never
  ) => textOfAuthenticValue(key, kind, id, value) !== undefined;
  expect(await verifyStore(honest, { isAuthentic: isBound })).toMatchObject({ problem: undefined });
  expect(await verifyProblem(honestLog)).toBeUndefined();
});

describe('verify finds', () => {
  test.each([
    [
      'a role that the person never had',
      table,
      shoeIndex,
      { authority: { role: 'supervisor' } },
      /is by p1, who did not have the role supervisor/,
    ],
    [
      'a role that begins with a later entry',
      table,
      shoeIndex,
      { grant: 1 },
      /is by p1, who did not have the role dealer at entry 1/,
    ],
    [
      'a missing entry of the register',
      table,
      shoeIndex,
      { grant: 999 },
      /names entry 999 of the staff stream, which does not exist/,
    ],
    [
      'an entry of the register that is no number',
      table,
      shoeIndex,
      { grant: 'all' },
      /names entry all of .+ which does not exist/,
    ],
    [
      'an entry of the register from long after',
      table,
      shoeIndex,
      { grant: left - 1 },
      /names entry \d+ of .+ which is later/,
    ],
    [
      'an entry by which the person has left',
      register,
      indexOfEvent(register, 'PersonEnded'),
      { grant: 9_999 },
      /which does not exist/,
    ],
    [
      'no entry at all',
      table,
      shoeIndex,
      { grant: undefined },
      /is by p1, but does not name the entry that grants the role/,
    ],
    ['no entry for the second person', table, 0, { secondGrant: undefined }, /is by p6, but does not name/],
    [
      'a second person with another role',
      table,
      0,
      { secondGrant: 1 },
      /is by p6, who did not have the role gaming-shift-manager/,
    ],
    [
      'an acting role before its grant',
      table,
      refer,
      { grant: grantIndex - 1 },
      /is by p2, who did not act in the role supervisor/,
    ],
    [
      'an acting role with another end',
      terminal,
      1,
      { authority: { role: 'dealer', acting: 'supervisor', until: now + 5_000_000 } },
      /who did not act in the role supervisor/,
    ],
    [
      'an acting role above the granted one',
      terminal,
      1,
      { authority: { role: 'dealer', acting: 'pit-manager', until: now } },
      /who did not act in the role pit-manager/,
    ],
  ] as const)('%s', async (_, stream, entryIndex, fields, what) => {
    const problem = await verifyProblem(changed(stream, entryIndex, (entry) => withContext(entry, fields)));
    expect(problem).toMatch(entryMessage(stream, entryIndex + 1, what));
  });

  test('a command in a role that had ended more than a minute before', async () => {
    for (const [person, role, grant] of [
      ['p1', { role: 'dealer' }, left - 1],
      [
        'p2',
        { role: 'dealer', acting: 'supervisor', until: honestLog[register]![grantIndex - 1]!.event['until'] },
        over - 1,
      ],
    ] as const) {
      for (const [later, isFound] of [
        [60_000, false],
        [60_001, true],
      ] as const) {
        const last = honestLog[table]!.at(-1)!;
        const at = now + later;
        const request = { type: 'Refer', actor: { person }, reason: 'Again.' };
        const entry = withRequest(
          { ...last, event: { ...last.event, at, actor: { person, ...role }, referral: 'R2', reason: 'Again.' } },
          request,
          'more',
        );
        const more = { ...entry, command: { ...expectRecord(entry), context: { authority: role, grant } } };
        const problem = await verifyProblem({ ...honestLog, [table]: [...honestLog[table]!, more] });
        if (isFound) expect(problem).toMatch(/is by p\d, whose role \S+ had ended before/);
        else expect(problem).toBeUndefined();
      }
    }
  });

  test('a named entry without a staff stream', async () => {
    const { [register]: _, ...rest } = honestLog;
    expect(await verifyProblem(rest)).toMatch(
      entryMessage(table, 1, /names entry \d+ of the staff stream, which does not exist/),
    );
  });

  test('a staff stream with a wrong name or an undecided event', async () => {
    const { [register]: staffStream, ...rest } = honestLog;
    expect(await verifyProblem({ ...rest, 'demo/staff/others': staffStream! })).toMatch(
      /Entry 1 of demo\/staff\/others belongs to the staff stream of demo/,
    );
    const forged = changed(register, enrolled - 1, (entry) => withEvent(entry, { roles: ['pit-manager'] }));
    expect(await verifyProblem(forged)).toMatch(entryMessage(register, enrolled, /has roles/));
  });
});

test('verify accepts commands without named entry before the first enrolment', async () => {
  const bare = honestLog[table]!.map((entry) =>
    'request' in entry.command ? withContext(entry, { grant: undefined, secondGrant: undefined }) : entry,
  );
  const late = honestLog[register]!.map((entry) => ({ ...entry, event: { ...entry.event, at: now } }));
  const [first] = late;
  // A register that begins after all of it.
  const only = {
    [table]: bare,
    [register]: late.slice(0, 1 + 22),
    'demo/floor/main': honestLog['demo/floor/main']!,
  };
  expect(first!.event.type).toBe('StaffRegisterStarted');
  expect(await verifyProblem(only)).toBeUndefined();
});

test('verify with the key requires the blob of the PIN key', async () => {
  const opens = createBlobDecrypter(honest, key);
  expect((await verifyStore(honest, { openBlob: opens })).problem).toBeUndefined();
  const shoeBlobs = (await honest.blobIds()).filter((id) => id !== 'pins');
  const without = { ...honest, blobIds: () => Promise.resolve(shoeBlobs) };
  expect((await verifyStore(without, { openBlob: opens })).problem).toBe('The blob with the key for PINs is missing.');
});

test('verify tolerates clock differences of acting roles in a cluster', () => {
  const owner = { property: 'demo', currency: 'XTS' };
  const span = { person: 'p2', since: 1 };
  const acted = [{ ...span, role: 'supervisor', acting: 'a1', from: 10_000, until: 20_000 }];
  const authorities = [{ ...span, role: 'dealer' }];
  const asRegister = {
    owner,
    roleUses: [],
    roleHistory: { firstEnrolledAt: 0, entryTimes: [9_000], roles: authorities, actingRoles: acted },
  };
  const problemAt = (at: number, epoch: number): string | undefined => {
    const entryIndex = { sequence: 1, at };
    const use = {
      person: 'p2',
      role: 'dealer',
      acting: 'supervisor',
      until: 20_000,
      grant: 1,
      first: entryIndex,
      last: entryIndex,
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
  expect(problemAt(9_999, 0)).toMatch('who did not act in the role supervisor at entry 1');
  expect(problemAt(9_599, 2)).toMatch('who did not act in the role supervisor at entry 1');
});
