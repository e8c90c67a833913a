import { expect, test } from 'vitest';
import { flushPromises } from '../../chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../support/demo.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { terminalView } from '../../../src/table/views/publicView.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { seatPatron, testDependencies } from '../support/testDependencies.ts';

/** A floor of two tables that take bets, and a patron with credit; a test can hold back appends to a stream. */
async function betting(seed: string, settings = demoSettings.slice(0, 2)) {
  const store = createMemoryStore();
  let release: (() => void) | undefined;
  let block: Promise<void> | undefined;
  let blockedStream = '';
  const disk: Store = {
    ...store,
    append: async (batch) => {
      if (batch.stream.endsWith(blockedStream)) await block;
      return store.append(batch);
    },
  };
  const { dependencies, published, warnings, time } = testDependencies(disk, seed);
  const floor = await openFloor(demoOwner, settings, demoPace, dependencies);
  const session = await seatPatron(floor, 'hash', demoCredit);
  const [first, other] = [...floor.tables.values()] as [(typeof tables)[number], (typeof tables)[number]];
  const tables = [...floor.tables.values()];
  while (tables.some(({ table }) => table.phase !== 'betting')) await time.step();
  const slip = (table: (typeof tables)[number], id: string, stake: number, who = session) =>
    table.submit(id, {
      type: 'SetSlip',
      actor: { terminal: who },
      round: table.table.round!.id,
      slip: stake === 0 ? {} : { player: stake },
    });
  return {
    store,
    floor,
    first,
    other,
    session,
    slip,
    published,
    warnings,
    time,
    block: (at = '/baccarat') => {
      blockedStream = at;
      ({ promise: block, resolve: release } = Promise.withResolvers<void>());
    },
    unblock: () => release!(),
  };
}

const collected = (amount: number, session: number) => ({
  entries: [{ event: { type: 'CreditCollected', session, amount } }],
});

test.each(['READING 50', 'HOUSE 10'])(
  '[%s] stakes of one terminal at two tables are held apart, from one credit',
  async (row) => {
    const { store, floor, first, other, session, slip, time } = await betting(
      `two-tables-${row}`,
      demoSettings
        .slice(0, 2)
        .map((one) => ({ ...one, limits: { ...one.limits, player: [100, demoCredit] as [number, number] } })),
    );
    const stakesAt = async (name: string) => (await store.balance(`demo/XTS/stakes/${name}`)).amount;
    const names = [first, other].map(({ table }) => table.settings.table);
    expect(await slip(first, 's1', 1000)).toHaveProperty('entries');
    expect(await slip(other, 's2', 2500)).toHaveProperty('entries');
    expect([first, other].map(({ table }) => table.round!.slips[session])).toEqual([
      { player: 1000 },
      { player: 2500 },
    ]);
    expect(await Promise.all(names.map(stakesAt))).toEqual([1000, 2500]);
    expect(floor.terminals.creditOf('T1')).toBe(demoCredit - 3500);
    // What is held at one table is no credit at the other.
    expect(await slip(other, 's3', demoCredit - 900)).toMatchObject({ refused: 'not-enough-credit' });
    expect(await slip(first, 's4', 0)).toHaveProperty('entries');
    expect(await Promise.all(names.map(stakesAt))).toEqual([0, 2500]);
    const { id } = other.table.round!;
    while (other.table.round!.id === id && other.table.phase !== 'idle') await time.step();
    expect(await stakesAt(names[1]!)).toBe(0);
    expect((await verifyStore(store)).problem).toBeUndefined();
  },
);

test('[READING 60] COLLECT is refused while a stake is open at any table, and pays everything afterwards', async () => {
  const { store, floor, other, slip } = await betting('collect');
  await slip(other, 's1', 1000);
  expect(await floor.terminals.collect('T1', 'c1', 'ticket')).toMatchObject({
    refused: 'stakes-open',
    by: 'HOUSE 10',
  });
  expect(floor.terminals.creditOf('T1')).toBe(demoCredit - 1000);
  await slip(other, 's2', 0);
  expect(await floor.terminals.collect('T1', 'c2', 'ticket')).toMatchObject(collected(demoCredit, 1));
  // A resend gets the first result; a new request has nothing to collect.
  expect(await floor.terminals.collect('T1', 'c2', 'ticket')).toMatchObject(collected(demoCredit, 1));
  expect(await floor.terminals.collect('T1', 'c2', 'cash')).toMatchObject({ refused: 'command-reused' });
  expect(await floor.terminals.collect('T1', 'c3', 'ticket')).toMatchObject({ refused: 'nothing-to-collect' });
  expect(await store.balance('demo/XTS/terminal/T1.1')).toMatchObject({ amount: 0 });
  expect(await store.balance('demo/XTS/external/T1')).toMatchObject({ amount: 0 });
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test.each([
  ['BAC 5.6', 'baccarat'],
  ['SUP 5.6', 'sands-super'],
  ['ELM 5.6', 'sands-elements'],
  ['FAB 5.6', 'fabulous-4'],
  ['ETG 5.5', 'tiger'],
])('[%s] after the close a late stake and a raise at a table of %s reserve no credit', async (by, game) => {
  const settings = demoSettings.filter(({ table }) => table === game);
  const { store, floor, time, session, slip, first: table } = await betting(`raised-${game}`, settings);
  const other = await seatPatron(floor, 'other', demoCredit);
  await slip(table, 's1', 1000);
  const round = table.table.round!.id;
  const credits = () => ['T1', 'T2'].map((terminal) => floor.terminals.creditOf(terminal));
  const accounts = () =>
    Promise.all([session, other].map(async (one) => (await store.balance(`demo/XTS/terminal/${one}`)).amount));
  const late: string[] = [];
  while (table.table.round!.id === round && table.table.phase !== 'idle') {
    const { phase } = table.table;
    if (phase === 'dealing' || phase === 'result') {
      const step = late.length;
      expect(await slip(table, `raise${step}`, 3000)).toMatchObject({ refused: 'late-raise', by, excess: 2000 });
      expect(await slip(table, `new${step}`, 1000, other)).toMatchObject({ refused: 'bets-closed', by });
      expect(table.table.round!.slips).toEqual({ [session]: { player: 1000 } });
      expect(credits()).toEqual([demoCredit - 1000, demoCredit]);
      expect(await accounts()).toEqual([demoCredit - 1000, demoCredit]);
      late.push(`${phase} ${table.table.round!.cards.length}`);
    }
    await time.step();
  }
  for (const moment of ['dealing 0', 'dealing 1', 'dealing 2', 'dealing 3']) expect(late).toContain(moment);
  expect(late.at(-1)).toMatch(/^result [456]$/);
  const [paid, ...more] = terminalView(table.table, session).paid!;
  expect([paid!.stake, ...more]).toEqual([1000]);
  expect(credits()).toEqual([demoCredit - 1000 + paid!.returned, demoCredit]);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test.each([
  ['BAC 5.7', 'baccarat'],
  ['SUP 5.7', 'sands-super'],
  ['ELM 5.7', 'sands-elements'],
  ['FAB 5.7', 'fabulous-4'],
  ['ETG 5.4', 'tiger'],
])('[%s] after the close a table of %s keeps undo, clear and COLLECT from taking a stake', async (by, game) => {
  const settings = demoSettings.filter(({ table }) => table === game);
  const { floor, time, session, slip, first: table } = await betting(`late-${game}`, settings);
  await slip(table, 's1', 1000);
  const round = table.table.round!.id;
  const late = { refused: 'late-withdrawal', by, wager: 'player', accepted: 1000 };
  const moments = new Set<string>();
  for (let step = 0; table.table.round!.id === round && table.table.phase !== 'idle'; step += 1) {
    const { phase } = table.table;
    expect(await floor.terminals.collect('T1', `c${step}`, 'ticket'), phase).toMatchObject({ refused: 'stakes-open' });
    if (phase === 'dealing' || phase === 'result') {
      expect(await slip(table, `undo${step}`, 500), phase).toMatchObject(late);
      expect(await slip(table, `clear${step}`, 0), phase).toMatchObject(late);
      expect(table.table.round!.slips).toEqual({ [session]: { player: 1000 } });
    }
    moments.add(`${phase} ${table.table.round!.cards.length}`);
    await time.step();
  }
  for (const moment of ['betting 0', 'closing 0', 'dealing 0', 'dealing 1', 'dealing 2', 'dealing 3'])
    expect([...moments]).toContain(moment);
  expect([...moments].at(-1)).toMatch(/^result [456]$/);
});

test('[READING 60] pending slip counts as open stake', async () => {
  const { store, floor, first, slip, block, unblock } = await betting('pending');
  block();
  const submitted = slip(first, 's1', 1000);
  await flushPromises();
  expect(first.table.round!.slips).toHaveProperty(['T1.1']);
  expect(await floor.terminals.collect('T1', 'c1', 'cash')).toMatchObject({ refused: 'stakes-open' });
  unblock();
  expect(await submitted).toHaveProperty('entries');
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('[READING 60] slip and COLLECT at once: one takes the credit, the other does not', async () => {
  const { store, floor, first, slip } = await betting('race');
  const [bet, out] = await Promise.all([slip(first, 's1', 1000), floor.terminals.collect('T1', 'c1', 'cash')]);
  expect([bet, out].filter((result) => 'refused' in result)).toHaveLength(1);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('[READING 60] stake that is taken off counts until that is committed, so that nothing is left behind', async () => {
  const { store, floor, first, slip, block, unblock } = await betting('freed');
  await slip(first, 's1', 1000);
  block();
  const freed = slip(first, 's2', 0);
  await flushPromises();
  const out = await floor.terminals.collect('T1', 'c1', 'cash');
  unblock();
  await freed;
  expect(out).toMatchObject({ refused: 'stakes-open' });
  expect(await floor.terminals.collect('T1', 'c2', 'cash')).toMatchObject(collected(demoCredit, 1));
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('[READING 60] next load starts another session with its own account; the old one has no credit', async () => {
  const { store, floor, first, slip, session } = await betting('sessions');
  await floor.terminals.collect('T1', 'c1', 'cash');
  expect(floor.terminals.session('T1')).toBe('T1.2');
  expect(floor.terminals.creditOf('T1')).toBe(0);
  const loaded = await floor.terminals.submit('T1', 'l1', { type: 'LoadCredit', method: 'cash', amount: 5000 });
  expect(loaded).toMatchObject({ entries: [{ event: { type: 'CreditLoaded', session: 2 } }] });
  expect(await store.balance('demo/XTS/terminal/T1.2')).toMatchObject({ amount: 5000 });
  expect(await slip(first, 's1', 1000, session)).toMatchObject({ refused: 'not-enough-credit' });
  expect(await slip(first, 's2', 1000, 'T1.2')).toMatchObject({
    entries: [{ event: { type: 'SlipSet', debit: 1000 } }],
  });
  expect(floor.terminals.creditOf('T1')).toBe(4000);
  const reopened = await openFloor(demoOwner, [], demoPace, testDependencies(store, 'later').dependencies);
  expect(await reopened.terminals.open('T1')).toBe('T1.2');
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('session limits are read before a slip is decided, even when the terminal was not loaded', async () => {
  const { store, floor } = await betting('read-first');
  await floor.terminals.submit('T1', 'l1', { type: 'LimitSession', stake: 500 });
  const { dependencies, warnings, time } = testDependencies(store, 'later');
  let isBad = false;
  const read: Store['read'] = (stream, ...more) => {
    if (isBad && stream.endsWith('/T1')) throw new Error('No disk.');
    return store.read(stream, ...more);
  };
  const later = await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, {
    ...dependencies,
    store: { ...store, read },
  });
  const [table] = [...later.tables.values()];
  while (table!.table.phase !== 'betting') await time.step();
  const bet = (id: string, stake: number) =>
    table!.submit(id, {
      type: 'SetSlip',
      actor: { terminal: 'T1.1' },
      round: table!.table.round!.id,
      slip: { player: stake },
    });
  isBad = true;
  expect(await bet('s1', 1000)).toMatchObject({ refused: 'result-unknown' });
  expect(warnings).toEqual(['the session T1.1: Error: No disk.']);
  isBad = false;
  expect(await bet('s1', 1000)).toMatchObject({ refused: 'over-stake-limit' });
  expect(await bet('s2', 500)).toHaveProperty('entries');
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('[HOUSE 2] hand-pay waits until two persons pay it, and no more than the outstanding amount', async () => {
  const { store, floor } = await betting('by-hand');
  await floor.terminals.collect('T1', 'c1', 'hand');
  const pay = (id: string, amount: number, role: string, secondAuthority = 'pit-manager') =>
    floor.terminals.submit(
      'T1',
      id,
      {
        type: 'PayByHand',
        actor: { person: 's1' },
        what: 'cancelled-credit',
        amount,
        second: { person: 'p1' },
      },
      { authority: { role }, secondAuthority: { role: secondAuthority } },
    );
  expect(await pay('h1', demoCredit + 1, 'supervisor')).toMatchObject({ refused: 'over-amount-due' });
  expect(await pay('h2', demoCredit, 'cage')).toMatchObject({ refused: 'not-your-role' });
  expect(await pay('h2', demoCredit, 'supervisor', 'dealer')).toMatchObject({ refused: 'not-your-role' });
  expect(await pay('h3', demoCredit, 'supervisor')).toMatchObject({
    entries: [
      {
        event: { type: 'HandPaid' },
        command: { context: { amountDue: demoCredit, authority: { role: 'supervisor' } } },
      },
    ],
  });
  expect(await pay('h4', 1, 'supervisor')).toMatchObject({ refused: 'over-amount-due' });
  expect(await store.balance('demo/XTS/cage/T1')).toMatchObject({ amount: demoCredit });
  const none = await floor.terminals.submit(
    'T1',
    'p1',
    { type: 'PaySession', actor: { person: 'c1' }, session: 1 },
    { authority: { role: 'cage' } },
  );
  expect(none).toMatchObject({ refused: 'nothing-to-collect' });
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('invalid command is refused, and nothing is written', async () => {
  const { store, floor, first, session } = await betting('collecting');
  const before = (await store.heads()).get(first.stream);
  const slip = { type: 'SetSlip', actor: { terminal: session }, round: first.table.round!.id, slip: { player: 100 } };
  expect(await first.submit('x1', { ...slip, luck: 7 })).toMatchObject({ refused: 'unknown-field', by: null });
  expect(await first.submit('x2', { ...slip, slip: 5 })).toMatchObject({ refused: 'bad-request', by: null });
  expect(await floor.terminals.submit('T1', 'x3', { type: 'FindCredit' })).toMatchObject({ refused: 'bad-request' });
  expect((await store.heads()).get(first.stream)).toEqual(before);
});

test('text with a lone surrogate is refused wherever it is, and the table continues', async () => {
  const { floor, first, session, slip } = await betting('halves');
  const half = '\ud800';
  const request = {
    type: 'SetSlip',
    actor: { terminal: session },
    round: first.table.round!.id,
    slip: { player: 100 },
  };
  const broken = { refused: 'bad-request', by: null, message: /half a character. Send well-formed Unicode/ };
  for (const [id, wrong] of [
    [`x${half}`, request],
    ['x1', { ...request, round: half }],
    ['x2', { ...request, slip: { [half]: 100 } }],
    ['x3', { ...request, more: [{ deep: half }] }],
  ] as const) {
    const reported = { ...broken, message: expect.stringMatching(broken.message) };
    expect(await first.submit(id, wrong)).toMatchObject(reported);
    expect(await first.findResult(id, wrong)).toMatchObject(reported);
  }
  expect(await floor.terminals.collect('T1', half, 'cash')).toMatchObject({ refused: 'bad-request' });
  expect(await slip(first, 'x4', 1000)).toHaveProperty('entries');
  // A value that is no data is a defect of the calling code, and no refusal.
  expect(() => void first.submit('x5', { ...request, slip: undefined })).toThrow('JSON can hold a value of type');
});

test('locked terminal is refused until it is unlocked', async () => {
  const { floor } = await betting('locked');
  await floor.terminals.submit('T1', 'l1', { type: 'LockTerminal', reason: 'A door is open.' });
  expect(floor.terminals.lockedBy('T1')).toBe('A door is open.');
  expect(await floor.terminals.collect('T1', 'c1', 'cash')).toMatchObject({ refused: 'terminal-locked' });
  const unlock = { type: 'UnlockTerminal', actor: { person: 's1' }, reason: 'It is shut.' };
  await floor.terminals.submit('T1', 'l2', unlock, { authority: { role: 'supervisor' } });
  expect(floor.terminals.lockedBy('T1')).toBeNull();
});

test('pending entries are not visible', async () => {
  const { floor, block, unblock } = await betting('unwritten');
  const visible = () => [floor.terminals.session('T1'), floor.terminals.creditOf('T1'), floor.terminals.lockedBy('T1')];
  block('/T1');
  const collecting = floor.terminals.collect('T1', 'c1', 'ticket');
  const locking = floor.terminals.submit('T1', 'l1', { type: 'LockTerminal', reason: 'A door is open.' });
  await flushPromises();
  expect(visible()).toEqual(['T1.1', demoCredit, null]);
  expect(await floor.terminals.open('T1')).toBe('T1.1');
  unblock();
  expect(await collecting).toMatchObject(collected(demoCredit, 1));
  await locking;
  expect(visible()).toEqual(['T1.2', 0, 'A door is open.']);
});

test('reserved terminal is stored at its first command, and not before', async () => {
  const store = createMemoryStore();
  const { dependencies } = testDependencies(store, 'reserved');
  const floor = await openFloor(demoOwner, [], demoPace, dependencies);
  const { terminals } = floor;
  expect([terminals.reserve('a'), terminals.reserve('b'), terminals.reserve('c')]).toEqual(['T1', 'T2', 'T3']);
  expect([terminals.session('T1'), terminals.isNew('T1'), terminals.creditOf('T1')]).toEqual(['T1.1', true, 0]);
  expect(await store.streams()).toEqual(['demo/floor/main']);
  const load = { type: 'LoadCredit', method: 'cash', amount: 5_000 };
  expect(await terminals.submit('T1', 'load', load)).toHaveProperty('entries');
  expect([terminals.isNew('T1'), terminals.creditOf('T1'), terminals.bindings.terminalOf('a')]).toEqual([
    false,
    5_000,
    'T1',
  ]);
  // It keeps its number, and a released number is not given again.
  terminals.release('T2');
  expect(terminals.session('T2')).toBeUndefined();
  expect(await terminals.submit('T2', 'load-2', load)).toMatchObject({ refused: 'terminal-not-seated' });
  expect(await seatPatron(floor, 'c', demoCredit)).toBe('T3.1');
  expect(await seatPatron(floor, 'b', demoCredit)).toBe('T4.1');
  expect(Array.from(await store.listValues('binding'), ([secret, binding]) => [secret, binding.split(' ')[0]])).toEqual(
    [
      ['a', 'T1'],
      ['c', 'T3'],
      ['b', 'T4'],
    ],
  );
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('terminal that is loaded after the stop of its floor finds stored commands, and appends nothing', async () => {
  const store = createMemoryStore();
  const load = { type: 'LoadCredit', method: 'cash', amount: 5_000 };
  const former = await openFloor(demoOwner, [], demoPace, testDependencies(store, 'former').dependencies);
  expect(await seatPatron(former, 'a', 0)).toBe('T1.1');
  expect(await former.terminals.submit('T1', 'load-1', load)).toHaveProperty('entries');
  await former.stop();
  const floor = await openFloor(demoOwner, [], demoPace, testDependencies(store, 'stopped').dependencies);
  await floor.stop();
  const heads = await store.heads();
  expect(await floor.terminals.submit('T1', 'load-2', load)).toMatchObject({ refused: 'cannot-record' });
  expect(await floor.terminals.submit('T1', 'load-1', load)).toHaveProperty('entries');
  expect(await store.heads()).toEqual(heads);
});
