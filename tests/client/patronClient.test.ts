import { expect, test } from 'vitest';
import { type ServerMessage } from '../../src/wire/messages.ts';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { type LobbyTile } from '../../src/wire/tableView.ts';
import { TestTerminal, ownMessage, tableMessage } from './fakeSocket.ts';

const accepted = (id: string): ServerMessage => ({ type: 'accepted', id, round: 'r1', slip: { tie: 100 } });
const refused = (id: string | null, code = 'bets-closed'): ServerMessage => ({
  type: 'refused',
  id,
  code,
  message: 'No.',
  by: 'ETG 5.5',
});
const slips = (terminal: TestTerminal): readonly unknown[] =>
  terminal.socket.sent.filter(({ type }) => type === 'slip');

test('the patron client takes its seat on welcome and after each reconnect', () => {
  const terminal = new TestTerminal();
  terminal.join('tiger');
  expect(terminal.socket.sent.map(({ type }) => type)).toEqual(['hello', 'sit']);
  terminal.socket.deliver(tableMessage(4, true, { phase: 'betting' }), ownMessage(1, 100_000));
  expect(terminal.patron.state).toMatchObject({
    table: 'tiger',
    view: { phase: 'betting' },
    own: { credit: 100_000 },
    terminal: 'T1',
  });
  terminal.socket.drop();
  // The view stays until there is a newer one.
  expect(terminal.patron.state).toMatchObject({ connection: 'lost', view: { phase: 'betting' } });
  terminal.advance(125);
  terminal.socket.welcome('T1');
  expect(terminal.socket.sent.slice(1)).toEqual([{ type: 'sit', table: 'tiger' }]);
  // The server restarted, so versions start at one again.
  terminal.socket.deliver(tableMessage(1, true, { phase: 'dealing' }), ownMessage(1, 99_000));
  expect(terminal.patron.state).toMatchObject({ view: { phase: 'dealing' }, own: { credit: 99_000 } });

  terminal.patron.leave();
  expect(terminal.patron.state).toMatchObject({ table: null, view: null, own: null });
  expect(terminal.socket.sent.at(-1)).toEqual({ type: 'leave' });
  terminal.socket.deliver(tableMessage(2, false, { phase: 'idle' }), ownMessage(2, 98_000));
  expect(terminal.patron.state).toMatchObject({ view: null, own: null });
  terminal.socket.drop();
  terminal.advance(250);
  terminal.socket.welcome('T1');
  expect(terminal.socket.sent.map(({ type }) => type)).toEqual(['hello']);
});

test('the patron client subscribes to the lobby again after each reconnect', () => {
  const terminal = new TestTerminal();
  terminal.join('tiger');
  terminal.patron.watchTables(true);
  expect(terminal.socket.sent.at(-1)).toEqual({ type: 'watch-lobby', wanted: true });
  terminal.socket.drop();
  terminal.advance(250);
  terminal.socket.welcome('T1');
  expect(terminal.socket.sent.slice(1)).toEqual([
    { type: 'sit', table: 'tiger' },
    { type: 'watch-lobby', wanted: true },
  ]);
  terminal.patron.watchTables(false);
  expect(terminal.socket.sent.at(-1)).toEqual({ type: 'watch-lobby', wanted: false });
  terminal.socket.drop();
  terminal.advance(500);
  terminal.socket.welcome('T1');
  expect(terminal.socket.sent.map(({ type }) => type)).toEqual(['hello', 'sit']);
});

test('the patron client takes the last chosen seat when it changes before the welcome', () => {
  const terminal = new TestTerminal();
  terminal.patron.sit('tiger');
  terminal.patron.open();
  terminal.socket.accept();
  terminal.patron.sit('baccarat');
  terminal.socket.deliver({ type: 'welcome', v: protocolVersion, at: 0, terminal: 'T1', demo: true });
  expect(terminal.socket.sent.slice(1)).toEqual([
    { type: 'sit', table: 'tiger' },
    { type: 'sit', table: 'baccarat' },
  ]);
  terminal.patron.leave();
  terminal.patron.sit('tiger');
  expect(terminal.socket.sent.slice(3)).toEqual([{ type: 'leave' }, { type: 'sit', table: 'tiger' }]);
});

test('the patron client applies a delta to its view and ignores an older one', () => {
  const terminal = new TestTerminal();
  terminal.join('tiger').deliver(tableMessage(4, true, { phase: 'betting', step: 100 }), ownMessage(7, 5));
  terminal.socket.deliver(tableMessage(5, false, { phase: 'closing' }));
  expect(terminal.patron.state.view).toEqual({ phase: 'closing', step: 100 });
  terminal.socket.deliver(tableMessage(5, false, { phase: 'idle' }), ownMessage(7, 4), ownMessage(6, 3));
  expect(terminal.patron.state).toMatchObject({ view: { phase: 'closing' }, own: { credit: 5 } });
  expect(terminal.socket.sent.filter(({ type }) => type === 'whole')).toEqual([]);
});

test('the patron client requests the full view once when a version is missing and ignores deltas until it arrives', () => {
  const terminal = new TestTerminal();
  terminal.join('tiger').deliver(tableMessage(4, true, { phase: 'betting', step: 100 }));
  terminal.socket.deliver(tableMessage(6, false, { phase: 'dealing' }), tableMessage(7, false, { step: 200 }));
  expect(terminal.patron.state.view).toEqual({ phase: 'betting', step: 100 });
  expect(terminal.socket.sent.filter(({ type }) => type === 'whole')).toEqual([{ type: 'whole', of: 'table' }]);
  terminal.socket.deliver(
    tableMessage(7, true, { phase: 'dealing', step: 200 }),
    tableMessage(8, false, { step: 300 }),
  );
  expect(terminal.patron.state.view).toEqual({ phase: 'dealing', step: 300 });
  // And once more for another gap.
  terminal.socket.deliver(tableMessage(10, false, { step: 400 }));
  expect(terminal.socket.sent.filter(({ type }) => type === 'whole')).toHaveLength(2);
});

test('the patron client requests the full view when a delta arrives first', () => {
  const terminal = new TestTerminal();
  terminal.join('tiger').deliver(tableMessage(0, false, { phase: 'betting' }));
  expect(terminal.patron.state.view).toBeNull();
  expect(terminal.socket.sent.at(-1)).toEqual({ type: 'whole', of: 'table' });
});

test('the patron client updates lobby tiles and requests all when a version is missing', () => {
  const tile = (table: string, number: number): LobbyTile => ({
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
  const lobby = (version: number, ...tiles: LobbyTile[]): ServerMessage => ({ type: 'lobby', version, tiles });
  const change = (version: number, table: string, number: number): ServerMessage => ({
    type: 'tile',
    version,
    table,
    fields: { number },
  });
  const terminal = new TestTerminal();
  terminal.join().deliver(lobby(3, tile('tiger', 1), tile('baccarat', 1)), change(4, 'baccarat', 2));
  expect(terminal.patron.state.tiles.map(({ table, number }) => [table, number])).toEqual([
    ['tiger', 1],
    ['baccarat', 2],
  ]);
  terminal.socket.deliver(change(6, 'tiger', 9));
  expect(terminal.patron.state.tiles[0]!.number).toBe(1);
  expect(terminal.socket.sent.at(-1)).toEqual({ type: 'whole', of: 'lobby' });
});

test('a slip resolves once, with the first reply to its id', async () => {
  const terminal = new TestTerminal();
  terminal.join('tiger');
  const one = terminal.patron.slip('tiger', 'r1', { tie: 100 });
  const other = terminal.patron.slip('tiger', 'r1', { tie: 200 });
  expect(slips(terminal)).toMatchObject([{ id: 'slip-0001' }, { id: 'slip-0002' }]);
  terminal.socket.deliver(refused(null, 'too-many-messages'), accepted('slip-0001'), refused('slip-0002'));
  terminal.socket.deliver(refused('slip-0001'), accepted('slip-0002'), accepted('slip-0003'));
  expect(await one).toEqual(accepted('slip-0001'));
  expect(await other).toEqual(refused('slip-0002'));
});

test('the patron client resends unanswered requests in order with the same ids, after its seat', async () => {
  const terminal = new TestTerminal();
  terminal.join('tiger');
  const done = terminal.patron.slip('tiger', 'r1', { tie: 100 });
  const one = terminal.patron.slip('tiger', 'r1', { tie: 200 });
  terminal.socket.deliver(accepted('slip-0001'));
  await done;
  const before = terminal.socket.sent.at(-1);
  terminal.socket.drop();
  // Without a connection the request waits and keeps its id.
  const two = terminal.patron.slip('tiger', 'r1', { tie: 300 }, 'my-own-slip');
  terminal.advance(125);
  terminal.socket.accept();
  expect(slips(terminal)).toEqual([]);
  terminal.socket.welcome('T1');
  expect(terminal.socket.sent.map(({ type }) => type).slice(-3)).toEqual(['sit', 'slip', 'slip']);
  expect(slips(terminal)).toEqual([before, { ...(before as object), id: 'my-own-slip', slip: { tie: 300 } }]);
  // The reply to the first send was lost, not late: another disconnect sends it a third time.
  terminal.socket.drop();
  terminal.advance(250);
  terminal.socket.welcome('T1').deliver(accepted('slip-0002'), accepted('slip-0002'), refused('my-own-slip'));
  expect((await one).type).toBe('accepted');
  expect((await two).type).toBe('refused');
  terminal.socket.drop();
  terminal.advance(4_000);
  terminal.socket.welcome('T1');
  expect(slips(terminal)).toEqual([]);
});

test('two requests with one id share one reply', () => {
  const terminal = new TestTerminal();
  terminal.join('tiger');
  const one = terminal.patron.slip('tiger', 'r1', { tie: 100 }, 'the-same-id');
  expect(terminal.patron.slip('tiger', 'r1', { tie: 100 }, 'the-same-id')).toBe(one);
});

test('the patron client drops slips of a table that it left, and all requests on close', async () => {
  const terminal = new TestTerminal();
  terminal.join('tiger');
  const left = terminal.patron.slip('tiger', 'r1', { tie: 100 });
  terminal.socket.drop();
  terminal.patron.sit('baccarat');
  terminal.advance(125);
  terminal.socket.welcome('T1');
  expect(slips(terminal)).toEqual([]);
  expect(await left).toEqual({ type: 'unanswered', id: 'slip-0001' });
  const open = terminal.patron.slip('baccarat', 'r2', { tie: 100 });
  terminal.patron.close();
  expect(await open).toEqual({ type: 'unanswered', id: 'slip-0002' });
});

test('a listener is called with each message until it is removed', () => {
  const terminal = new TestTerminal();
  const types: (string | undefined)[] = [];
  const stop = terminal.patron.watch((_, message) => types.push(message?.type));
  terminal.join('tiger').deliver(terminal.heartbeat(), refused(null, 'unknown-table'));
  stop();
  terminal.socket.deliver(terminal.heartbeat());
  expect(types).toEqual([undefined, undefined, 'welcome', 'heartbeat', 'refused']);
});

const secrets = (terminal: TestTerminal): readonly unknown[] =>
  terminal.sockets.flatMap(({ sent }) =>
    sent.flatMap((request) => (request.type === 'hello' ? [request.secret![0]] : [])),
  );

test('the patron client uses the new secret after a renewal, also when the reply was lost', async () => {
  for (const isLost of [false, true]) {
    const terminal = new TestTerminal();
    terminal.join();
    const answer = terminal.patron.renew('b'.repeat(64));
    expect(terminal.socket.sent.at(-1)).toEqual({ type: 'renew', id: 'slip-0001', secret: 'b'.repeat(64) });
    if (!isLost) terminal.socket.deliver({ type: 'renewed', id: 'slip-0001' });
    terminal.socket.drop();
    terminal.advance(250);
    if (isLost) {
      terminal.socket.accept().deliver(refused(null, 'secret-revoked'));
      terminal.socket.drop(1008);
      terminal.advance(4_000);
    }
    terminal.socket.welcome('T1');
    expect(await answer).toEqual({ type: 'renewed', id: 'slip-0001' });
    expect(secrets(terminal)).toEqual(isLost ? ['a', 'a', 'b'] : ['a', 'b']);
    expect(terminal.patron.state.connection).toBe('open');
  }
});

test('the patron client resends a lost renewal and keeps the old secret when it is refused', async () => {
  const terminal = new TestTerminal();
  terminal.join();
  const answer = terminal.patron.renew('b'.repeat(64));
  terminal.socket.drop();
  terminal.advance(250);
  terminal.socket.welcome('T1');
  expect(terminal.socket.sent.at(-1)).toMatchObject({ type: 'renew', id: 'slip-0001' });
  terminal.socket.deliver(refused('slip-0001', 'not-seated'));
  expect(await answer).toMatchObject({ type: 'refused', code: 'not-seated' });
  terminal.socket.drop();
  terminal.advance(4_000);
  terminal.socket.accept().deliver(refused(null, 'secret-revoked'));
  expect(terminal.patron.state.connection).toBe('outdated');
  expect(secrets(terminal)).toEqual(['a', 'a', 'a']);
});

test('a second renewal waits for the first, also when its reply was lost', async () => {
  const terminal = new TestTerminal();
  terminal.join();
  const replies = [terminal.patron.renew('b'.repeat(64)), terminal.patron.renew('c'.repeat(64))];
  const renewals = (): readonly unknown[] =>
    terminal.socket.sent.flatMap((request) => (request.type === 'renew' ? [request.secret[0]] : []));
  expect(renewals()).toEqual(['b']);
  terminal.socket.drop();
  terminal.advance(250);
  terminal.socket.accept().deliver(refused(null, 'secret-revoked'));
  terminal.socket.drop(1008);
  terminal.advance(4_000);
  terminal.socket.welcome('T1');
  expect(renewals()).toEqual(['c']);
  terminal.socket.deliver({ type: 'renewed', id: 'slip-0002' });
  expect((await Promise.all(replies)).map(({ type, id }) => [type, id])).toEqual([
    ['renewed', 'slip-0001'],
    ['renewed', 'slip-0002'],
  ]);
  terminal.socket.drop();
  terminal.advance(4_000);
  terminal.socket.welcome('T1');
  expect(secrets(terminal)).toEqual(['a', 'a', 'b', 'c']);
});

test('the patron client stops when its only secret is revoked', () => {
  const terminal = new TestTerminal();
  terminal.patron.open();
  terminal.socket.accept().deliver(refused(null, 'secret-revoked'));
  terminal.socket.drop(1008);
  terminal.advance(60_000);
  expect([terminal.patron.state.connection, terminal.sockets.length]).toEqual(['outdated', 1]);
});

test('the patron client resends money requests with the same id at any table and keeps the balance by version', async () => {
  const terminal = new TestTerminal();
  const socket = terminal.join('tiger');
  const { patron } = terminal;
  const replies = [patron.load(5_000), patron.redeem('1'.repeat(18)), patron.collect()];
  const requests = [
    { type: 'load', id: 'slip-0001', amount: 5_000 },
    { type: 'redeem', id: 'slip-0002', number: '1'.repeat(18) },
    { type: 'collect', id: 'slip-0003' },
  ];
  expect(socket.sent.slice(-3)).toEqual(requests);
  patron.leave();
  socket.drop();
  terminal.advance(4_000);
  terminal.socket.welcome();
  expect(terminal.socket.sent.slice(-3)).toEqual(requests);
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
  terminal.socket.deliver(
    { type: 'balance', version: 2, credit: 5_000, ...money },
    { type: 'balance', version: 1, credit: 9, ...money },
    { type: 'loaded', id: 'slip-0001', amount: 5_000 },
    { type: 'refused', id: 'slip-0002', code: 'ticket-paid', message: '', by: null },
    { type: 'collected', id: 'slip-0003', amount: 5_000, ticket: null, hand: true },
  );
  expect(patron.state).toMatchObject({ terminal: 'T1', balance: { credit: 5_000 } });
  expect((await Promise.all(replies)).map(({ type }) => type)).toEqual(['loaded', 'refused', 'collected']);
});
