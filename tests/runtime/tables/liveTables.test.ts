import { expect, test } from 'vitest';
import { TestClock, flushPromises } from '../../chaos/time.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../support/demo.ts';
import { sessionCredit, seatPatron, start, testDependencies } from '../support/testDependencies.ts';
import { openAttendedTable, openAttendedFloor } from '../support/attendedFloor.ts';

const lostIn = (published: readonly { readonly event: object }[]) =>
  published
    .map(({ event }) => event as { type: string; terminals: string[]; closed?: boolean; by?: string })
    .filter(({ type }) => type === 'TerminalsDisconnected' || type === 'TerminalsReconnected')
    .map(({ type, terminals, closed }) => [type, terminals, ...(closed === undefined ? [] : [closed])]);

/** Advances the time and runs every timer that falls due. */
async function pass(time: TestClock, span: number): Promise<void> {
  const end = { isOver: false, at: time.now + span };
  time.after(span, () => (end.isOver = true));
  while (!end.isOver) {
    await time.next();
    await flushPromises();
  }
  time.now = end.at;
}

/** A live table with open bets, and patrons with stakes. */
async function betting(store: Store, seed: string, secrets: readonly string[]) {
  const setup = await openAttendedTable(store, seed);
  const sessions: string[] = [];
  for (const secret of secrets) sessions.push(await seatPatron(setup.floor, secret, demoCredit));
  await setup.submitAsDealer('OpenBets');
  const round = setup.table.table.round!.id;
  for (const [n, terminal] of sessions.entries()) {
    setup.floor.terminalConnected(terminal.split('.')[0]!);
    const slip = { type: 'SetSlip', actor: { terminal }, round, slip: { player: 1_000 } };
    expect(await setup.table.submit(`slip-${seed}-${n}`, slip)).toHaveProperty('entries');
  }
  return { ...setup, sessions, round };
}

test('[ETG 5.10] disconnects within three seconds are one report, and terminals back by then are in none', async () => {
  const store = createMemoryStore();
  const { floor, published, time, sessions } = await betting(store, 'together', ['a', 'b', 'c']);
  floor.terminalDisconnected('T1', undefined);
  await pass(time, 2_000);
  floor.terminalDisconnected('T2', undefined);
  floor.terminalDisconnected('T3', undefined);
  floor.terminalConnected('T3');
  await pass(time, 999);
  expect(lostIn(published)).toEqual([]);
  await pass(time, 1);
  expect(lostIn(published)).toEqual([['TerminalsDisconnected', sessions.slice(0, 2), false]]);
  expect(published.at(-1)!.event).toMatchObject({ by: 'HOUSE 11', actor: { system: 'floor' } });
  floor.terminalConnected('T2');
  floor.terminalConnected('T1');
  // Disconnected again before the report: the table already has it.
  floor.terminalDisconnected('T1', undefined);
  await pass(time, 3_000);
  expect(lostIn(published).slice(1)).toEqual([['TerminalsReconnected', [sessions[1]]]]);
  floor.terminalDisconnected('T1', undefined);
  await pass(time, 10_000);
  expect(lostIn(published)).toHaveLength(2);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('disconnects before and after the close are distinguished, though reported later', async () => {
  const store = createMemoryStore();
  const { floor, table, submitAsDealer, published, time, sessions } = await betting(store, 'apart', ['a', 'b']);
  await submitAsDealer('CallClose');
  const { deadline } = table.table.round!;
  await pass(time, deadline! - time.now - 1);
  floor.terminalDisconnected('T1', undefined);
  await pass(time, 1);
  floor.terminalDisconnected('T2', undefined);
  await pass(time, 5_000);
  expect(table.table.phase).toBe('dealing');
  expect(lostIn(published)).toEqual([
    ['TerminalsDisconnected', [sessions[0]], false],
    ['TerminalsDisconnected', [sessions[1]], true],
  ]);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('seated terminals are reported, those that left or play elsewhere are not', async () => {
  const store = createMemoryStore();
  const { floor, table, published, time } = await openAttendedTable(store, 'sat');
  const session = await seatPatron(floor, 'a', demoCredit);
  await seatPatron(floor, 'b', demoCredit);
  floor.terminals.reserve('c');
  floor.terminalDisconnected('T1', table.id);
  floor.terminalDisconnected('T2', undefined);
  floor.terminalDisconnected('T2', 'elsewhere');
  // Nothing was recorded: no patron lost anything.
  floor.terminalDisconnected('T3', table.id);
  floor.terminalDisconnected('T9', table.id);
  await pass(time, 3_000);
  expect(lostIn(published)).toEqual([['TerminalsDisconnected', [session], false]]);
});

test('[ETG 5.10.1] terminal that never returns is paid like any other, and the round goes on', async () => {
  const store = createMemoryStore();
  const { floor, table, submitAsDealer, published, time, sessions } = await betting(store, 'gone', ['a']);
  await submitAsDealer('CallClose');
  await pass(time, 25_000);
  expect(table.table.phase).toBe('dealing');
  floor.terminalDisconnected('T1', table.id);
  await pass(time, 3_000);
  expect(lostIn(published)).toEqual([['TerminalsDisconnected', sessions, true]]);
  for (const [slot, card] of Object.entries({ P1: '9D', B1: '2C', P2: 'KH', B2: '5S' })) {
    await submitAsDealer('DealCard', { slot, card });
  }
  await pass(time, 2_000);
  await submitAsDealer('Settle');
  expect(sessionCredit(floor, sessions[0]!)).toBe(demoCredit + 1_000);
});

test('[ETG 5.9] stop of the process is an interruption and no disconnect; at a live shoe nothing resolves it automatically', async () => {
  const store = createMemoryStore();
  const { submitAsDealer, time, table, sessions } = await betting(store, 'killed', ['a', 'b']);
  await submitAsDealer('CallClose');
  await pass(time, 25_000);
  await submitAsDealer('DealCard', { slot: 'P1', card: '9D' });
  await submitAsDealer('DealCard', { slot: 'B1', card: '2C' });
  expect(table.table.round!.cards).toHaveLength(2);
  const later = await openAttendedFloor(store, 'back', new TestClock(time.now + 60_000));
  // One terminal reconnects, the other does not.
  await later.floor.terminals.open('T1');
  later.floor.terminalConnected('T1');
  await pass(later.time, 60_000);
  expect(lostIn(later.published)).toEqual([]);
  expect(later.table.table).toMatchObject({
    phase: 'dealing',
    openIrregularities: [{ kind: 'interruption', by: 'HOUSE 6' }],
  });
  expect(later.published.filter(({ event }) => event.type === 'Interrupted')).toHaveLength(1);
  // A later reconnect and disconnect is its own event.
  later.floor.terminalDisconnected('T1', undefined);
  await pass(later.time, 3_000);
  expect(lostIn(later.published)).toEqual([['TerminalsDisconnected', [sessions[0]], true]]);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('terminal disconnected before a stop is reported as back after it', async () => {
  const store = createMemoryStore();
  const { floor, time, sessions, published } = await betting(store, 'before', ['a']);
  floor.terminalDisconnected('T1', undefined);
  await pass(time, 3_000);
  expect(lostIn(published)).toHaveLength(1);
  const later = await openAttendedFloor(store, 'after', new TestClock(time.now + 5_000));
  await later.floor.terminals.open('T1');
  later.floor.terminalConnected('T1');
  await pass(later.time, 3_000);
  expect(lostIn(later.published)).toEqual([['TerminalsReconnected', sessions]]);
});

test('[READING 12] stall of the process is an interruption, and the disconnects it causes are not reported', async () => {
  const store = createMemoryStore();
  const { floor, table, time, published, submitAsDealer, sessions } = await betting(store, 'frozen', ['a', 'b']);
  await submitAsDealer('CallClose');
  await pass(time, 25_000);
  expect(table.table.phase).toBe('dealing');
  floor.terminalDisconnected('T2', undefined);
  const since = time.now;
  time.now += 12_000;
  await floor.processStalled(since);
  // After the stall every connection is gone.
  floor.terminalDisconnected('T1', table.id);
  await pass(time, 10_000);
  expect(lostIn(published)).toEqual([]);
  expect(table.table.openIrregularities).toMatchObject([{ kind: 'interruption' }]);
  floor.terminalConnected('T1');
  floor.terminalDisconnected('T1', undefined);
  await pass(time, 3_000);
  expect(lostIn(published)).toEqual([['TerminalsDisconnected', [sessions[0]], true]]);
});

test('short stall is no interruption, nor one between rounds or at a closed table', async () => {
  const store = createMemoryStore();
  const closed = await openAttendedFloor(store, 'closed');
  await closed.floor.processStalled(closed.time.now - 60_000);
  expect(closed.published).toEqual([]);
  const { floor, table, time, published, submitAsDealer } = await openAttendedTable(createMemoryStore(), 'short');
  time.now += 60_000;
  await floor.processStalled(time.now - 60_000);
  await submitAsDealer('OpenBets');
  time.now += 9_000;
  await floor.processStalled(time.now - 9_000);
  expect(table.table.openIrregularities).toEqual([]);
  expect(published.filter(({ event }) => event.type.startsWith('Interrupt'))).toEqual([]);
});

test('unattended table gets disconnect reports as well', async () => {
  const store = createMemoryStore();
  const setup = testDependencies(store, 'alone');
  const settings = [{ ...demoSettings.find(({ table }) => table === 'tiger')!, bettingTime: 600_000 }];
  const floor = await openFloor(demoOwner, settings, demoPace, setup.dependencies);
  const table = floor.tables.get('tiger')!;
  const session = await seatPatron(floor, 'a', demoCredit);
  while (table.table.phase !== 'betting') await setup.time.step();
  const slip = { type: 'SetSlip', actor: { terminal: session }, round: table.table.round!.id, slip: { player: 1_000 } };
  expect(await table.submit('slip-0001', slip)).toHaveProperty('entries');
  floor.terminalDisconnected('T1', undefined);
  await pass(setup.time, 3_000);
  expect(lostIn(setup.published)).toEqual([['TerminalsDisconnected', [session], false]]);
  expect(setup.published.at(-1)!.event).toMatchObject({ type: 'TerminalsDisconnected', by: 'ETG 5.10' });
});

const chips = { ...demoSettings[0]!, dealing: 'keyed', attended: true, bets: 'chips' };

test('demo opens its attended tables automatically, once', async () => {
  const store = createMemoryStore();
  const open = (at: number, seed: string) => {
    const setup = testDependencies(store, seed, new TestClock(at));
    return openFloor(demoOwner, [chips], demoPace, setup.dependencies).then((floor) => ({ ...setup, floor }));
  };
  const first = await open(start, 'first');
  expect(first.floor.tables.get('baccarat')!.table).toMatchObject({ phase: 'idle', shoe: null, closed: false });
  expect(first.published.map(({ event }) => [event.type, event['actor']])).toEqual([
    ['TableOpened', { system: 'floor' }],
  ]);
  const second = await open(start + 60_000, 'second');
  expect(second.published).toEqual([]);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test("[READING 62] with chips the dealer's call is the close, a stop interrupts nothing, and cards dealt by hand are entered afterwards", async () => {
  const store = createMemoryStore();
  const opening = async (at: number, seed: string) => {
    const setup = testDependencies(store, seed, new TestClock(at));
    const floor = await openFloor(demoOwner, [chips], demoPace, setup.dependencies);
    const table = floor.tables.get('baccarat')!;
    let ids = 0;
    const deals = async (type: string, fields: object = {}, role = 'dealer', person = 'd1') => {
      const request = { type, actor: { person }, ...fields };
      expect(
        await table.submit(`${seed}-act-${ids++}`, request, setup.time.now, { authority: { role } }),
      ).toHaveProperty('entries');
    };
    return { ...setup, floor, table, deals };
  };
  const { table, deals, time, floor } = await opening(start, 'chips');
  await deals('BringShoe', { shoe: 'L1', seal: 'S1' });
  await deals('CountCards', { cards: 416 });
  await deals('ShuffleShoe', { method: 'by hand' });
  await deals('CutShoe', { behind: 14 });
  await deals('VerifyShoe');
  const { id: proposal, hash } = table.table.proposal!;
  await deals('Approve', { proposal, hash }, 'supervisor', 's1');
  await deals('OpenBets');
  await deals('CallClose');
  // No timer delays it, though the betting time has just begun.
  expect(table.table.phase).toBe('dealing');
  await deals('DealCard', { slot: 'P1', card: '9D', keyed: true });
  // There are no terminals here.
  await seatPatron(floor, 'a', demoCredit);
  floor.terminalDisconnected('T1', 'baccarat');
  const later = await opening(time.now + 600_000, 'later');
  expect(later.published.map(({ event }) => event.type)).toEqual(['InterruptionLogged']);
  expect(later.table.table).toMatchObject({ phase: 'dealing', openIrregularities: [] });
  for (const [slot, card] of Object.entries({ B1: '2C', P2: 'KH', B2: '5S' })) {
    await later.deals('DealCard', { slot, card, keyed: true, afterwards: true });
  }
  later.time.now += chips.pause;
  await later.deals('Settle');
  expect(later.table.table.phase).toBe('idle');
  expect(later.published.filter(({ event }) => event['afterwards'] === true)).toHaveLength(3);
  expect((await verifyStore(store)).problem).toBeUndefined();
});
