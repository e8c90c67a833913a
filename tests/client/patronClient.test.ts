import { expect, test } from 'vitest';
import { type ServerMessage } from '../../src/wire/messages.ts';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { type Tile } from '../../src/wire/tableView.ts';
import { Machine, ownTell, tableTell } from './fake.ts';

const accepted = (id: string): ServerMessage => ({ type: 'accepted', id, round: 'r1', slip: { tie: 100 } });
const refused = (id: string | null, code = 'bets-closed'): ServerMessage => ({
  type: 'refused',
  id,
  code,
  message: 'No.',
  by: 'ETG 5.5',
});
const slips = (machine: Machine): readonly unknown[] => machine.socket.said.filter(({ type }) => type === 'slip');

test('the patron client takes its seat on welcome and after each reconnect', () => {
  const machine = new Machine();
  machine.join('tiger');
  expect(machine.socket.said.map(({ type }) => type)).toEqual(['hello', 'sit']);
  machine.socket.tells(tableTell(4, true, { phase: 'betting' }), ownTell(1, 100_000));
  expect(machine.patron.state).toMatchObject({
    table: 'tiger',
    view: { phase: 'betting' },
    own: { credit: 100_000 },
    terminal: 'T1',
  });
  machine.socket.ends();
  // What was seen stays in sight until there is something newer.
  expect(machine.patron.state).toMatchObject({ link: 'lost', view: { phase: 'betting' } });
  machine.pass(125);
  machine.socket.welcomes('T1');
  expect(machine.socket.said.slice(1)).toEqual([{ type: 'sit', table: 'tiger' }]);
  // The server began anew, and counts from one again.
  machine.socket.tells(tableTell(1, true, { phase: 'dealing' }), ownTell(1, 99_000));
  expect(machine.patron.state).toMatchObject({ view: { phase: 'dealing' }, own: { credit: 99_000 } });

  machine.patron.leave();
  expect(machine.patron.state).toMatchObject({ table: null, view: null, own: null });
  expect(machine.socket.said.at(-1)).toEqual({ type: 'leave' });
  machine.socket.tells(tableTell(2, false, { phase: 'idle' }), ownTell(2, 98_000));
  expect(machine.patron.state).toMatchObject({ view: null, own: null });
  machine.socket.ends();
  machine.pass(250);
  machine.socket.welcomes('T1');
  expect(machine.socket.said.map(({ type }) => type)).toEqual(['hello']);
});

test('the patron client subscribes to the lobby again after each reconnect', () => {
  const machine = new Machine();
  machine.join('tiger');
  machine.patron.lookAround(true);
  expect(machine.socket.said.at(-1)).toEqual({ type: 'watch-lobby', wanted: true });
  machine.socket.ends();
  machine.pass(250);
  machine.socket.welcomes('T1');
  expect(machine.socket.said.slice(1)).toEqual([
    { type: 'sit', table: 'tiger' },
    { type: 'watch-lobby', wanted: true },
  ]);
  machine.patron.lookAround(false);
  expect(machine.socket.said.at(-1)).toEqual({ type: 'watch-lobby', wanted: false });
  machine.socket.ends();
  machine.pass(500);
  machine.socket.welcomes('T1');
  expect(machine.socket.said.map(({ type }) => type)).toEqual(['hello', 'sit']);
});

test('the patron client takes the last chosen seat when it changes before the welcome', () => {
  const machine = new Machine();
  machine.patron.sit('tiger');
  machine.patron.open();
  machine.socket.opens();
  machine.patron.sit('baccarat');
  machine.socket.tells({ type: 'welcome', v: protocolVersion, at: 0, terminal: 'T1', demo: true });
  expect(machine.socket.said.slice(1)).toEqual([
    { type: 'sit', table: 'tiger' },
    { type: 'sit', table: 'baccarat' },
  ]);
  machine.patron.leave();
  machine.patron.sit('tiger');
  expect(machine.socket.said.slice(3)).toEqual([{ type: 'leave' }, { type: 'sit', table: 'tiger' }]);
});

test('the patron client applies a delta to its view and ignores an older one', () => {
  const machine = new Machine();
  machine.join('tiger').tells(tableTell(4, true, { phase: 'betting', step: 100 }), ownTell(7, 5));
  machine.socket.tells(tableTell(5, false, { phase: 'closing' }));
  expect(machine.patron.state.view).toEqual({ phase: 'closing', step: 100 });
  machine.socket.tells(tableTell(5, false, { phase: 'idle' }), ownTell(7, 4), ownTell(6, 3));
  expect(machine.patron.state).toMatchObject({ view: { phase: 'closing' }, own: { credit: 5 } });
  expect(machine.socket.said.filter(({ type }) => type === 'whole')).toEqual([]);
});

test('the patron client requests the full view once when a version is missing and ignores deltas until it arrives', () => {
  const machine = new Machine();
  machine.join('tiger').tells(tableTell(4, true, { phase: 'betting', step: 100 }));
  machine.socket.tells(tableTell(6, false, { phase: 'dealing' }), tableTell(7, false, { step: 200 }));
  expect(machine.patron.state.view).toEqual({ phase: 'betting', step: 100 });
  expect(machine.socket.said.filter(({ type }) => type === 'whole')).toEqual([{ type: 'whole', of: 'table' }]);
  machine.socket.tells(tableTell(7, true, { phase: 'dealing', step: 200 }), tableTell(8, false, { step: 300 }));
  expect(machine.patron.state.view).toEqual({ phase: 'dealing', step: 300 });
  // And once more for another gap.
  machine.socket.tells(tableTell(10, false, { step: 400 }));
  expect(machine.socket.said.filter(({ type }) => type === 'whole')).toHaveLength(2);
});

test('the patron client requests the full view when a delta arrives first', () => {
  const machine = new Machine();
  machine.join('tiger').tells(tableTell(0, false, { phase: 'betting' }));
  expect(machine.patron.state.view).toBeNull();
  expect(machine.socket.said.at(-1)).toEqual({ type: 'whole', of: 'table' });
});

test('the patron client updates lobby tiles and requests all when a version is missing', () => {
  const tile = (table: string, number: number): Tile => ({
    table,
    attended: false,
    bets: 'terminals',
    ready: true,
    game: table,
    name: table,
    phase: 'idle',
    number,
    closesAt: null,
    winner: null,
    stopped: null,
    bettingTime: 15_000,
    opensAt: null,
    totals: null,
    voidBy: null,
    limits: { main: [100, 200], sides: null },
    decks: 8,
    theme: { felt: 'emerald', emblem: '' },
    patrons: 0,
    results: [],
  });
  const lobby = (version: number, ...tiles: Tile[]): ServerMessage => ({ type: 'lobby', version, tiles });
  const change = (version: number, table: string, number: number): ServerMessage => ({
    type: 'tile',
    version,
    table,
    fields: { number },
  });
  const machine = new Machine();
  machine.join().tells(lobby(3, tile('tiger', 1), tile('baccarat', 1)), change(4, 'baccarat', 2));
  expect(machine.patron.state.tiles.map(({ table, number }) => [table, number])).toEqual([
    ['tiger', 1],
    ['baccarat', 2],
  ]);
  machine.socket.tells(change(6, 'tiger', 9));
  expect(machine.patron.state.tiles[0]!.number).toBe(1);
  expect(machine.socket.said.at(-1)).toEqual({ type: 'whole', of: 'lobby' });
});

test('a slip resolves once, with the first reply to its id', async () => {
  const machine = new Machine();
  machine.join('tiger');
  const one = machine.patron.slip('tiger', 'r1', { tie: 100 });
  const other = machine.patron.slip('tiger', 'r1', { tie: 200 });
  expect(slips(machine)).toMatchObject([{ id: 'slip-0001' }, { id: 'slip-0002' }]);
  machine.socket.tells(refused(null, 'too-many-messages'), accepted('slip-0001'), refused('slip-0002'));
  machine.socket.tells(refused('slip-0001'), accepted('slip-0002'), accepted('slip-0003'));
  expect(await one).toEqual(accepted('slip-0001'));
  expect(await other).toEqual(refused('slip-0002'));
});

test('the patron client resends unanswered requests in order with the same ids, after its seat', async () => {
  const machine = new Machine();
  machine.join('tiger');
  const done = machine.patron.slip('tiger', 'r1', { tie: 100 });
  const one = machine.patron.slip('tiger', 'r1', { tie: 200 });
  machine.socket.tells(accepted('slip-0001'));
  await done;
  const before = machine.socket.said.at(-1);
  machine.socket.ends();
  // Without a link it waits, and an id of one's own is kept.
  const two = machine.patron.slip('tiger', 'r1', { tie: 300 }, 'my-own-slip');
  machine.pass(125);
  machine.socket.opens();
  expect(slips(machine)).toEqual([]);
  machine.socket.welcomes('T1');
  expect(machine.socket.said.map(({ type }) => type).slice(-3)).toEqual(['sit', 'slip', 'slip']);
  expect(slips(machine)).toEqual([before, { ...(before as object), id: 'my-own-slip', slip: { tie: 300 } }]);
  // The answer to the first sending was lost, not late: another loss sends it a third time.
  machine.socket.ends();
  machine.pass(250);
  machine.socket.welcomes('T1').tells(accepted('slip-0002'), accepted('slip-0002'), refused('my-own-slip'));
  expect((await one).type).toBe('accepted');
  expect((await two).type).toBe('refused');
  machine.socket.ends();
  machine.pass(4_000);
  machine.socket.welcomes('T1');
  expect(slips(machine)).toEqual([]);
});

test('two requests with one id share one reply', () => {
  const machine = new Machine();
  machine.join('tiger');
  const one = machine.patron.slip('tiger', 'r1', { tie: 100 }, 'the-same-id');
  expect(machine.patron.slip('tiger', 'r1', { tie: 100 }, 'the-same-id')).toBe(one);
});

test('the patron client drops slips of a table that it left, and all requests on close', async () => {
  const machine = new Machine();
  machine.join('tiger');
  const left = machine.patron.slip('tiger', 'r1', { tie: 100 });
  machine.socket.ends();
  machine.patron.sit('baccarat');
  machine.pass(125);
  machine.socket.welcomes('T1');
  expect(slips(machine)).toEqual([]);
  expect(await left).toEqual({ type: 'unanswered', id: 'slip-0001' });
  const open = machine.patron.slip('baccarat', 'r2', { tie: 100 });
  machine.patron.close();
  expect(await open).toEqual({ type: 'unanswered', id: 'slip-0002' });
});

test('a listener is called with each message until it is removed', () => {
  const machine = new Machine();
  const heard: (string | undefined)[] = [];
  const stop = machine.patron.watch((_, tell) => heard.push(tell?.type));
  machine.join('tiger').tells(machine.beat(), refused(null, 'unknown-table'));
  stop();
  machine.socket.tells(machine.beat());
  expect(heard).toEqual([undefined, undefined, 'welcome', 'heartbeat', 'refused']);
});

const secrets = (machine: Machine): readonly unknown[] =>
  machine.sockets.flatMap(({ said }) => said.flatMap((ask) => (ask.type === 'hello' ? [ask.secret![0]] : [])));

test('the patron client uses the new secret after a renewal, also when the reply was lost', async () => {
  for (const isLost of [false, true]) {
    const machine = new Machine();
    machine.join();
    const answer = machine.patron.renew('b'.repeat(64));
    expect(machine.socket.said.at(-1)).toEqual({ type: 'renew', id: 'slip-0001', secret: 'b'.repeat(64) });
    if (!isLost) machine.socket.tells({ type: 'renewed', id: 'slip-0001' });
    machine.socket.ends();
    machine.pass(250);
    if (isLost) {
      machine.socket.opens().tells(refused(null, 'secret-revoked'));
      machine.socket.ends(1008);
      machine.pass(4_000);
    }
    machine.socket.welcomes('T1');
    expect(await answer).toEqual({ type: 'renewed', id: 'slip-0001' });
    expect(secrets(machine)).toEqual(isLost ? ['a', 'a', 'b'] : ['a', 'b']);
    expect(machine.patron.state.connection).toBe('open');
  }
});

test('the patron client resends a lost renewal and keeps the old secret when it is refused', async () => {
  const machine = new Machine();
  machine.join();
  const answer = machine.patron.renew('b'.repeat(64));
  machine.socket.ends();
  machine.pass(250);
  machine.socket.welcomes('T1');
  expect(machine.socket.said.at(-1)).toMatchObject({ type: 'renew', id: 'slip-0001' });
  machine.socket.tells(refused('slip-0001', 'not-seated'));
  expect(await answer).toMatchObject({ type: 'refused', code: 'not-seated' });
  machine.socket.ends();
  machine.pass(4_000);
  machine.socket.opens().tells(refused(null, 'secret-revoked'));
  expect(machine.patron.state.connection).toBe('outdated');
  expect(secrets(machine)).toEqual(['a', 'a', 'a']);
});

test('a second renewal waits for the first, also when its reply was lost', async () => {
  const machine = new Machine();
  machine.join();
  const answers = [machine.patron.renew('b'.repeat(64)), machine.patron.renew('c'.repeat(64))];
  const renewals = (): readonly unknown[] =>
    machine.socket.said.flatMap((ask) => (ask.type === 'renew' ? [ask.secret[0]] : []));
  expect(renewals()).toEqual(['b']);
  machine.socket.ends();
  machine.pass(250);
  machine.socket.opens().tells(refused(null, 'secret-revoked'));
  machine.socket.ends(1008);
  machine.pass(4_000);
  machine.socket.welcomes('T1');
  expect(renewals()).toEqual(['c']);
  machine.socket.tells({ type: 'renewed', id: 'slip-0002' });
  expect((await Promise.all(answers)).map(({ type, id }) => [type, id])).toEqual([
    ['renewed', 'slip-0001'],
    ['renewed', 'slip-0002'],
  ]);
  machine.socket.ends();
  machine.pass(4_000);
  machine.socket.welcomes('T1');
  expect(secrets(machine)).toEqual(['a', 'a', 'b', 'c']);
});

test('the patron client stops when its only secret is revoked', () => {
  const machine = new Machine();
  machine.patron.open();
  machine.socket.opens().tells(refused(null, 'secret-revoked'));
  machine.socket.ends(1008);
  machine.pass(60_000);
  expect([machine.patron.state.connection, machine.sockets.length]).toEqual(['outdated', 1]);
});

test('the patron client resends money requests with the same id at any table and keeps the balance by version', async () => {
  const machine = new Machine();
  const socket = machine.join('tiger');
  const { patron } = machine;
  const answers = [patron.load(5_000), patron.redeem('1'.repeat(18)), patron.collect()];
  const asks = [
    { type: 'load', id: 'slip-0001', amount: 5_000 },
    { type: 'redeem', id: 'slip-0002', number: '1'.repeat(18) },
    { type: 'collect', id: 'slip-0003' },
  ];
  expect(socket.said.slice(-3)).toEqual(asks);
  patron.leave();
  socket.ends();
  machine.pass(4_000);
  machine.socket.welcomes();
  expect(machine.socket.said.slice(-3)).toEqual(asks);
  const limits = { stake: null, loss: null, pausedUntil: null, realityCheckMs: 3_600_000, help: null };
  const money = {
    terminal: 'T1',
    session: null,
    openStakes: [],
    collect: null,
    locked: null,
    owed: 0,
    limits,
    demo: true,
  };
  machine.socket.tells(
    { type: 'balance', version: 2, credit: 5_000, ...money },
    { type: 'balance', version: 1, credit: 9, ...money },
    { type: 'loaded', id: 'slip-0001', amount: 5_000 },
    { type: 'refused', id: 'slip-0002', code: 'ticket-paid', message: '', by: null },
    { type: 'collected', id: 'slip-0003', amount: 5_000, ticket: null, hand: true },
  );
  expect(patron.state).toMatchObject({ terminal: 'T1', balance: { credit: 5_000 } });
  expect((await Promise.all(answers)).map(({ type }) => type)).toEqual(['loaded', 'refused', 'collected']);
});
