import { expect, test } from 'vitest';
import { StaffClient } from '../../src/client/staffClient.ts';
import { type StaffServerMessage, type StaffSession } from '../../src/wire/staff/messages.ts';
import { staffProtocolVersion } from '../../src/wire/staff/protocolVersion.ts';
import { type DealerView } from '../../src/wire/staff/dealerView.ts';
import { type FloorView } from '../../src/wire/staff/floorView.ts';
import { type FakeSocket, TestTerminal } from './fakeSocket.ts';

const session: StaffSession = {
  person: 'p1',
  number: 'D-1',
  role: 'dealer',
  acting: null,
  until: null,
  since: 0,
  table: 'tiger',
  locked: false,
};

const deliver = (socket: FakeSocket, ...messages: readonly StaffServerMessage[]): void => {
  for (const one of messages) socket.deliverText(JSON.stringify(one));
};

const welcome = (at = 0, more: Partial<StaffSession> = {}): StaffServerMessage => ({
  type: 'welcome',
  v: staffProtocolVersion,
  at,
  property: 'demo',
  currency: 'XTS',
  demo: true,
  session: { ...session, ...more },
});

const view = (fields: object): DealerView => fields as DealerView;
const whole = (version: number, fields: object, table = 'tiger'): StaffServerMessage => ({
  type: 'dealer',
  table,
  version,
  view: view(fields),
});
const change = (version: number, fields: object): StaffServerMessage => ({
  type: 'change',
  table: 'tiger',
  version,
  change: { fields },
});

/** Staff client at a console with clock and network controlled by the test. */
function startStaffClient() {
  const terminal = new TestTerminal();
  const staff = new StaffClient(terminal.environment, () => terminal.address);
  staff.open();
  return { terminal, staff };
}

test('the staff client says hello, subscribes to a table and applies its deltas', () => {
  const { terminal, staff } = startStaffClient();
  staff.watchTable('tiger', 'dealer');
  terminal.socket.accept();
  expect(terminal.socket.sent).toEqual([
    { type: 'hello', v: staffProtocolVersion },
    { type: 'watch', table: 'tiger', as: 'dealer' },
  ]);
  deliver(terminal.socket, welcome(terminal.now + 70), whole(3, { phase: 'idle' }), change(4, { phase: 'betting' }));
  expect(staff.state).toMatchObject({
    connection: 'open',
    clockOffsetMs: 70,
    session,
    dealer: { phase: 'betting' },
    supervisor: null,
  });
  deliver(terminal.socket, change(6, { phase: 'dealing' }));
  expect(terminal.socket.sent.at(-1)).toEqual({ type: 'whole', of: 'table' });
  deliver(terminal.socket, whole(7, { phase: 'result' }), whole(9, { phase: 'idle' }, 'another'));
  expect(staff.state.dealer).toEqual({ phase: 'result' });
});

test('the staff client subscribes on welcome to what was chosen after hello', () => {
  const { terminal, staff } = startStaffClient();
  terminal.socket.accept();
  staff.watchTable('tiger', 'supervisor');
  staff.watchFloor(true);
  expect(terminal.socket.sent).toEqual([{ type: 'hello', v: staffProtocolVersion }]);
  deliver(terminal.socket, welcome());
  expect(terminal.socket.sent.slice(1)).toEqual([
    { type: 'watch', table: 'tiger', as: 'supervisor' },
    { type: 'floor', wanted: true },
  ]);
  const floor = { waiting: [] } as unknown as FloorView;
  deliver(
    terminal.socket,
    { type: 'floor', version: 2, view: floor },
    { type: 'floor', version: 1, view: {} as FloorView },
  );
  expect(staff.state.floor).toEqual(floor);
  staff.watchFloor(false);
  staff.leave();
  expect(staff.state).toMatchObject({ floor: null, table: null });
  expect(terminal.socket.sent.slice(3)).toEqual([{ type: 'floor', wanted: false }, { type: 'leave' }]);
});

test('the staff client resends unanswered requests with the same id and resolves each once', async () => {
  const { terminal, staff } = startStaffClient();
  terminal.socket.accept();
  deliver(terminal.socket, welcome());
  const answer = staff.command('tiger', { type: 'OpenBets' }, 'open-0001');
  const other = staff.consent('tiger', { id: 'P1', hash: 'h' }, { number: 'S-1', pin: '246810' }, 'both-0001');
  const first = terminal.socket;
  first.drop();
  expect(staff.state.connection).toBe('lost');
  terminal.advance(10_000);
  terminal.socket.accept();
  deliver(terminal.socket, welcome());
  expect(terminal.socket.sent.slice(1)).toEqual(first.sent.slice(1));
  deliver(terminal.socket, { type: 'done', id: 'open-0001', events: ['BetsOpened'], sequence: 9 });
  deliver(terminal.socket, { type: 'refused', id: 'both-0001', code: 'wrong-secret', message: 'No.', by: null });
  expect(await answer).toMatchObject({ type: 'done', sequence: 9 });
  expect(await other).toMatchObject({ type: 'refused', code: 'wrong-secret' });
});

test('the staff client sends one message for consent, payment, query and opening', () => {
  const { terminal, staff } = startStaffClient();
  terminal.socket.accept();
  deliver(terminal.socket, welcome());
  void staff.staffCommand({ type: 'EndPerson', person: 'p9' }, 'staff-001');
  void staff.terminal('T1', { type: 'LockTerminal', reason: 'A test.' }, {}, 'terminal1');
  void staff.pay('123456789012345678', 'pay-00001');
  void staff.query('staff', {}, 'query-001');
  void staff.openTable('tiger', 'h', { number: 'G-1', pin: '246810' }, 'open-0002');
  expect(terminal.socket.sent.slice(1).map(({ type }) => type as string)).toEqual([
    'staff',
    'terminal',
    'pay',
    'query',
    'open',
  ]);
});

test('the staff client stays connected when its session is locked and closes until sign-in when it ended', async () => {
  const { terminal, staff } = startStaffClient();
  staff.watchTable('tiger', 'dealer');
  terminal.socket.accept();
  deliver(terminal.socket, welcome(), whole(1, { phase: 'idle' }), { type: 'ended', reason: 'locked' });
  expect(staff.state).toMatchObject({ session: { locked: true }, ended: null, dealer: { phase: 'idle' } });
  deliver(terminal.socket, welcome(), whole(2, { phase: 'betting' }));
  expect(staff.state).toMatchObject({ session: { locked: false }, dealer: { phase: 'betting' } });
  const answer = staff.command('tiger', { type: 'CallClose' });
  deliver(terminal.socket, { type: 'ended', reason: 'relieved' });
  expect(await answer).toMatchObject({ type: 'unanswered' });
  expect(staff.state).toMatchObject({ connection: 'outdated', session: null, ended: 'relieved', dealer: null });
  const count = terminal.sockets.length;
  terminal.advance(60_000);
  expect(terminal.sockets).toHaveLength(count);
  // The next dealer has signed in and sees the same table.
  staff.open();
  terminal.socket.accept();
  deliver(terminal.socket, welcome(0, { number: 'D-2' }));
  expect(staff.state).toMatchObject({ connection: 'open', ended: null, session: { number: 'D-2' } });
  expect(terminal.socket.sent.at(-1)).toEqual({ type: 'watch', table: 'tiger', as: 'dealer' });
  staff.close();
  expect(staff.state.connection).toBe('closed');
});

test('the staff client throttles presence messages', () => {
  const { terminal, staff } = startStaffClient();
  staff.here();
  terminal.socket.accept();
  deliver(terminal.socket, welcome());
  for (let n = 0; n < 5; n++) staff.here();
  terminal.now += 30_000;
  staff.here();
  expect(terminal.socket.sent.slice(1)).toEqual([{ type: 'activity' }, { type: 'activity' }]);
});

test('the staff client reconnects when all messages arrive late', () => {
  const { terminal, staff } = startStaffClient();
  terminal.socket.accept();
  deliver(terminal.socket, welcome(terminal.now));
  deliver(terminal.socket, { type: 'heartbeat', at: terminal.now });
  terminal.now += 3_000;
  deliver(terminal.socket, { type: 'heartbeat', at: terminal.now - 3_000 });
  terminal.advance(500);
  expect(staff.state.connection).toBe('lost');
});
