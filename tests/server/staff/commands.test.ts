import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { cardsOfDeck } from '../../../src/rules/card.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { PatronSocket, secretOf } from '../support/testServer.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { StaffSocket, demoSignIn, openTable, staffRequest, startPit, startStaffedTable } from './pit.ts';

const pin = '246810';

test('a table is opened by two persons with the settings that were shown', async () => {
  const server = await startPit();
  const dealer = await StaffSocket.signIn(server, 'D-1', 'tiger');
  dealer.send({ type: 'watch', table: 'tiger', as: 'dealer' });
  expect(await dealer.receive('refused')).toMatchObject({ code: 'not-open' });
  const manager = await StaffSocket.signIn(server, 'M-1');
  const reply = await manager.request({ type: 'query', name: 'settings', params: { table: 'tiger' } });
  expect(reply).toMatchObject({ type: 'answer', data: { settings: null, wanted: { table: 'tiger' } } });
  const hash = reply.type === 'answer' ? reply.data['hash'] : '';
  const open = (fields: object): object => ({ type: 'open', table: 'tiger', hash, number: 'G-1', pin, ...fields });
  const request = (fields: object) => manager.request(open(fields) as { type: string });
  expect(await request({ hash: `sha256:${'0'.repeat(64)}` })).toMatchObject({ code: 'changed-proposal' });
  expect(await request({ pin: '111222' })).toMatchObject({ code: 'wrong-secret' });
  expect(await request({ number: 'G-9' })).toMatchObject({ code: 'wrong-secret' });
  expect(await request({ number: 'S-1' })).toMatchObject({ code: 'not-your-role' });
  expect(await request({ number: 'M-1' })).toMatchObject({ code: 'not-your-role' });
  expect(await dealer.request(open({}) as { type: string })).toMatchObject({ code: 'not-your-role' });
  const id = randomUUID();
  const done = await request({ id });
  expect(done).toMatchObject({ type: 'done', events: ['TableOpened'], sequence: 1 });
  // The command is stored, so the PIN of a resend does not matter.
  expect(await request({ id, pin: '111222' })).toEqual(done);
  expect(await request({})).toMatchObject({ code: 'already-open' });
  expect((await dealer.receive('dealer')).view).toMatchObject({ table: 'tiger', next: ['BringShoe'] });
  for (const staff of [dealer, manager]) staff.terminate();
  await server.close();
});

test('a staff command is done once, whatever the number of resends, and its view precedes the reply', async () => {
  const { dealer, close } = await startStaffedTable();
  const id = randomUUID();
  const from = dealer.received.length;
  const done = await dealer.command('tiger', 'OpenBets', {}, id);
  expect(done).toMatchObject({ type: 'done', id, events: ['BetsOpened'] });
  const since = dealer.received.slice(from).map(({ type }) => type);
  expect(since.indexOf('change')).toBeLessThan(since.indexOf('done'));
  expect(dealer.view!.phase).toBe('betting');
  expect(await dealer.command('tiger', 'OpenBets', {}, id)).toEqual(done);
  expect(await dealer.command('tiger', 'CallClose', {}, id)).toMatchObject({
    type: 'refused',
    code: 'command-reused',
  });
  expect(await dealer.command('tiger', 'OpenBets')).toMatchObject({ type: 'refused', code: 'not-now' });
  await close();
});

test("a person cannot use another's command ids", async () => {
  const { dealer, supervisor, close } = await startStaffedTable();
  const id = randomUUID();
  expect(await supervisor.command('tiger', 'AddNote', { text: 'Watch seat 4.' }, id)).toMatchObject({ type: 'done' });
  expect(await dealer.command('tiger', 'OpenBets', {}, id)).toMatchObject({ type: 'done' });
  await close();
});

test('a lost reply is given again after a restart', async () => {
  const store = createMemoryStore();
  const key = Buffer.alloc(32, 7);
  const reusable = { ...store, close: async () => {} };
  const first = await startStaffedTable({ store: reusable, key });
  const id = randomUUID();
  const done = await first.dealer.command('tiger', 'OpenBets', {}, id);
  await first.close();
  const server = await startPit({ store, key });
  const dealer = await StaffSocket.signIn(server, 'D-1', 'tiger');
  expect(await dealer.command('tiger', 'OpenBets', {}, id)).toEqual(done);
  dealer.terminate();
  await server.close();
});

test('a sign-in session survives a restart with the same cookie', async () => {
  const store = createMemoryStore();
  const key = Buffer.alloc(32, 7);
  const first = await startPit({ store: { ...store, close: async () => {} }, key });
  const cookie = await demoSignIn(first, 'S-1');
  await first.close();
  const second = await startPit({ store, key });
  const supervisor = await StaffSocket.join(second, cookie);
  expect((await supervisor.receive('welcome')).session.number).toBe('S-1');
  supervisor.terminate();
  await second.close();
});

test('a dealer acts only at the table of the console', async () => {
  const server = await startPit({ tables: ['tiger', 'fabulous-4'] });
  await openTable(server);
  const dealer = await StaffSocket.signIn(server, 'D-1', 'fabulous-4');
  expect(await dealer.command('tiger', 'BringShoe', { shoe: 'L1', seal: 'S1' })).toMatchObject({
    code: 'other-console',
  });
  expect(await dealer.command('nowhere', 'OpenBets')).toMatchObject({ code: 'unknown-table' });
  const office = await StaffSocket.signIn(server, 'D-2');
  expect(await office.command('tiger', 'OpenBets')).toMatchObject({ code: 'other-console' });
  // Refusals are counted; a query gives the counts.
  const reply = await office.request({ type: 'query', name: 'tables', params: {} });
  expect(reply).toMatchObject({
    data: { tables: [{ table: 'fabulous-4', open: false }, { refused: { 'other-console': 2 } }] },
  });
  for (const staff of [dealer, office]) staff.terminate();
  await server.close();
});

test('a stored command keeps its reply, also after the dealer moved to another table', async () => {
  const server = await startPit({ tables: ['tiger', 'fabulous-4'] });
  await openTable(server);
  const dealer = await StaffSocket.signIn(server, 'D-1', 'tiger');
  const id = randomUUID();
  const bringShoe = (staff: StaffSocket, as?: string) =>
    staff.command('tiger', 'BringShoe', { shoe: 'L1', seal: 'S1' }, as);
  const done = await bringShoe(dealer, id);
  expect(done).toMatchObject({ type: 'done', events: ['ShoeBrought'] });
  dealer.terminate();
  const elsewhere = await StaffSocket.signIn(server, 'D-1', 'fabulous-4');
  expect(await bringShoe(elsewhere, id)).toEqual(done);
  expect(await bringShoe(elsewhere)).toMatchObject({ code: 'other-console' });
  elsewhere.terminate();
  await server.close();
});

test("view permissions: a dealer sees the console's table; supervising and read-only roles see all", async () => {
  const server = await startPit({ tables: ['tiger', 'fabulous-4'] });
  await openTable(server);
  const viewOf = async (number: string, table: string, as: string, at?: string): Promise<string> => {
    const staff = await StaffSocket.signIn(server, number, at);
    staff.send({ type: 'watch', table, as });
    const reply = await Promise.race([staff.receive('refused'), staff.receive(as as 'dealer')]);
    staff.terminate();
    return reply.type === 'refused' ? reply.code : reply.type;
  };
  expect(await viewOf('D-1', 'tiger', 'dealer', 'tiger')).toBe('dealer');
  expect(await viewOf('D-1', 'tiger', 'supervisor', 'tiger')).toBe('not-your-role');
  expect(await viewOf('D-1', 'tiger', 'dealer', 'fabulous-4')).toBe('not-your-role');
  expect(await viewOf('D-1', 'tiger', 'dealer')).toBe('not-your-role');
  for (const number of ['S-1', 'M-1', 'G-1', 'V-1', 'A-1']) {
    expect(await viewOf(number, 'tiger', 'supervisor')).toBe('supervisor');
  }
  for (const number of ['C-1', 'T-1', 'N-1']) {
    expect(await viewOf(number, 'tiger', 'supervisor')).toBe('not-your-role');
    expect(await viewOf(number, 'tiger', 'dealer')).toBe('not-your-role');
  }
  const dealer = await StaffSocket.signIn(server, 'D-1', 'tiger');
  dealer.send({ type: 'floor', wanted: true });
  expect(await dealer.receive('refused')).toMatchObject({ code: 'not-your-role' });
  expect(await dealer.request({ type: 'query', name: 'sessions', params: {} })).toMatchObject({
    code: 'not-your-role',
  });
  expect(await dealer.request({ type: 'query', name: 'secrets', params: {} })).toMatchObject({ code: 'unknown-query' });
  dealer.terminate();
  await server.close();
});

test('[HOUSE 1] surveillance sees a referral and its decision as soon as they are made, with the reason', async () => {
  const { server, dealer, close } = await startStaffedTable();
  const surveillance = await StaffSocket.signIn(server, 'V-1');
  surveillance.send({ type: 'floor', wanted: true });
  surveillance.send({ type: 'watch', table: 'tiger', as: 'supervisor' });
  await surveillance.receive('supervisor');
  await dealer.command('tiger', 'Refer', { reason: 'a patron touched the shoe' });
  const { view } = await surveillance.receive('floor', (reply) =>
    reply.view.waiting.some(({ what }) => what === 'referred'),
  );
  expect(view.waiting).toMatchObject([{ table: 'tiger', what: 'referred', by: 'ETG 6.1' }]);
  expect((await surveillance.waitForView(({ referred }) => referred.length === 1)).referred).toMatchObject([
    { reason: 'a patron touched the shoe' },
  ]);
  const manager = await StaffSocket.signIn(server, 'G-1');
  const decision = { decision: 'continue', reason: 'nothing moved' };
  expect(await manager.command('tiger', 'DecideReferral', decision)).toMatchObject({ type: 'done' });
  await surveillance.waitForView(({ referred }) => referred.length === 0);
  // What it sees it cannot decide.
  expect(await surveillance.command('tiger', 'Refer', { reason: 'x' })).toMatchObject({ code: 'not-your-role' });
  for (const staff of [surveillance, manager]) staff.terminate();
  await close();
});

test("a dealer's view never contains a terminal, slip or credit", async () => {
  const { server, dealer, supervisor, close } = await startStaffedTable();
  await dealer.command('tiger', 'OpenBets');
  const patron = await PatronSocket.join(server, secretOf('b'), 'tiger');
  const round = await patron.bettingRound();
  patron.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { player: 4300, banker: 1700 } });
  await patron.receive('accepted');
  const { terminal } = (await patron.receive('own')).view;
  await dealer.waitForView(({ slips }) => slips === 1);
  await supervisor.waitForView((view) => 'staked' in view && view.staked === 6000);
  await dealer.command('tiger', 'ReportIrregularity', { kind: 'foreign-card' });
  await dealer.waitForView(({ stopped }) => stopped !== null);
  const rulings = await supervisor.waitForView((view) => 'rulings' in view && view.rulings !== null);
  expect(JSON.stringify(rulings)).toContain(`"${terminal}.1"`);
  await dealer.command('tiger', 'VoidRound', { reason: 'A card of another deck.' });
  const text = JSON.stringify(dealer.received);
  for (const secret of [`"${terminal}`, '"terminal"', '"credit', 'staked', 'rulings']) {
    expect(text).not.toContain(secret);
  }
  // Amounts as whole values: times and hashes may contain any digits.
  const numbers = [...text.matchAll(/(?<=[:[,])-?\d+(?=[,}\]])/g)].map(([digits]) => Number(digits));
  for (const amount of [4300, 1700, 6000]) expect(numbers).not.toContain(amount);
  patron.terminate();
  await close();
});

test('a staff view is made only while it has a subscriber', async () => {
  const { dealer, supervisor, close } = await startStaffedTable();
  supervisor.send({ type: 'leave' });
  await supervisor.request({ type: 'query', name: 'tables', params: {} });
  const from = supervisor.received.length;
  await dealer.command('tiger', 'OpenBets');
  await supervisor.request({ type: 'query', name: 'tables', params: {} });
  expect(supervisor.received.slice(from).map(({ type }) => type)).not.toContain('change');
  await close();
});

test('the floor view lists work items by urgency', async () => {
  const { dealer, supervisor, close } = await startStaffedTable({ tables: ['tiger', 'fabulous-4'] });
  supervisor.send({ type: 'floor', wanted: true });
  const first = await supervisor.receive('floor');
  expect(first.view.waiting.map(({ what }) => what)).toEqual(['not-open']);
  expect(first.view.tables).toMatchObject([
    { table: 'fabulous-4', phase: null, dealer: null },
    { table: 'tiger', phase: 'idle', dealer: 'D-1', attended: true },
  ]);
  await dealer.command('tiger', 'CallSupervisor', { reason: 'a dispute' });
  await dealer.command('tiger', 'OpenBets');
  await dealer.command('tiger', 'ReportIrregularity', { kind: 'foreign-card' });
  const later = await supervisor.receive('floor', ({ view }) => view.waiting.length === 3);
  expect(later.view.waiting.map(({ what }) => what)).toEqual(['stopped', 'call', 'not-open']);
  expect(later.view.tables[1]!.stopped).toMatchObject({ kind: 'foreign-card' });
  await close();
});

test('a sealed shoe is a work item until it is counted', async () => {
  const { dealer, supervisor, close } = await startStaffedTable();
  supervisor.send({ type: 'floor', wanted: true });
  await dealer.command('tiger', 'SealShoe', { seal: '771', to: 'Card room' });
  const { proposal } = await dealer.waitForView((view) => view.proposal !== null);
  await supervisor.approve('tiger', proposal!, 'S-1');
  const { view } = await supervisor.receive('floor', (reply) =>
    reply.view.waiting.some(({ what }) => what === 'sealed-shoe'),
  );
  expect(view.waiting).toMatchObject([
    { table: 'tiger', what: 'sealed-shoe', by: 'HOUSE 7', role: 'supervisor', prompt: { with: { seal: '771' } } },
  ]);
  await close();
});

test('a closing count that differs is a work item of the pit manager until it is explained', async () => {
  const { dealer, supervisor, server, close } = await startStaffedTable();
  const manager = await StaffSocket.signIn(server, 'M-1');
  manager.send({ type: 'floor', wanted: true });
  const counts = Object.fromEntries(cardsOfDeck('french').map((card) => [card, card === '7H' ? 7 : 8]));
  // Each count is on record for the supervisor; the dealer's view says only how often it did not agree.
  expect(await dealer.command('tiger', 'RecordCount', { shoe: 'L1', seen: counts })).toMatchObject({
    events: ['ShoeCounted'],
  });
  const counted = await dealer.waitForView((staff) => staff.shoe?.miscounts === 1);
  expect(JSON.stringify(counted)).not.toContain('ShoeCounted');
  const seen = await supervisor.waitForView(
    (staff) => 'events' in staff && staff.events[0]?.prompt.code === 'ShoeCounted',
  );
  expect('events' in seen && seen.events[0]).toMatchObject({
    prompt: { with: { shoe: 'L1', seen: '415', expected: '416', missing: '7H 1' } },
    from: { number: 'D-1' },
  });
  await dealer.command('tiger', 'EndShoe', { seen: counts });
  const { proposal } = await dealer.waitForView((view) => view.proposal !== null);
  await supervisor.approve('tiger', proposal!, 'S-1');
  const { view } = await manager.receive('floor', (reply) => reply.view.waiting.length > 0);
  expect(view.waiting).toMatchObject([
    { table: 'tiger', what: 'count-differs', by: 'HOUSE 7', role: 'pit-manager', prompt: { with: { seen: '415' } } },
  ]);
  const { shoe } = view.waiting[0]!.prompt.with;
  const explained = await manager.command('tiger', 'InvestigateCount', { shoe, reason: 'a seven lay in the tray' });
  expect(explained).toMatchObject({ type: 'done' });
  await manager.receive('floor', (reply) => reply.view.waiting.length === 0);
  manager.terminate();
  await close();
});

test('the dealer receives messages with their author, and the supervisor the last events', async () => {
  const { dealer, supervisor, close } = await startStaffedTable();
  await supervisor.command('tiger', 'AddNote', { text: 'Fresh cards at nine.', to: 'dealer' });
  const { messages } = await dealer.waitForView((view) => view.messages[0]?.prompt.code === 'note');
  expect(messages[0]).toMatchObject({ prompt: { with: { text: 'Fresh cards at nine.' } }, from: { number: 'S-1' } });
  expect(messages.length).toBeLessThanOrEqual(5);
  await dealer.command('tiger', 'CallSupervisor', { reason: 'a dispute' });
  const view = await supervisor.waitForView((staff) => staff.called !== null);
  expect(view).toMatchObject({ called: { from: { number: 'D-1' } }, dealer: { number: 'D-1', role: 'dealer' } });
  expect('events' in view && view.events[0]).toMatchObject({
    prompt: { code: 'SupervisorCalled' },
    from: { number: 'D-1' },
  });
  await close();
});

test('commands are refused after sign-out, after an ended session and after a lost role', async () => {
  const { server, dealer, supervisor, close } = await startStaffedTable();
  const admin = await StaffSocket.signIn(server, 'N-1');
  const reply = await admin.request({ type: 'query', name: 'sessions', params: {} });
  const sessions = (reply.type === 'answer' ? reply.data['sessions'] : []) as {
    id: string;
    number: string;
    person: string;
  }[];
  const of = (number: string) => sessions.find((staff) => staff.number === number)!;
  const ended = await admin.request({
    type: 'staff',
    request: { type: 'SignOut', session: of('D-1').id, reason: 'ended' },
  });
  expect(ended).toMatchObject({ type: 'done', events: ['SessionEnded'] });
  expect((await dealer.receive('ended')).reason).toBe('ended');
  await dealer.waitForClose();
  const { person } = of('S-1');
  const changed = await admin.request({ type: 'staff', request: { type: 'ChangeRoles', person, roles: ['dealer'] } });
  expect(changed).toMatchObject({ type: 'done', events: ['RolesChanged', 'SessionEnded'] });
  expect((await supervisor.receive('ended')).reason).toBe('role-ended');
  admin.terminate();
  await close();
});

test('a command concurrent with sign-out is refused or done, and never done afterwards', async () => {
  const { server, supervisor, close } = await startStaffedTable();
  const cookie = await demoSignIn(server, 'S-2');
  const other = await StaffSocket.join(server, cookie);
  const signOut = staffRequest(server, 'sign-out', {}, { cookie });
  for (let n = 0; n < 20; n++) {
    other.send({
      type: 'command',
      id: `note-000${n}`,
      table: 'tiger',
      request: { type: 'AddNote', text: `Note ${n}.` },
    });
  }
  await signOut;
  await other.waitForClose();
  const noteCount = async () =>
    (await server.floor.tables.get('tiger')!.processor.lastEntries(100)).filter(
      ({ event }) => event.type === 'NoteAdded',
    ).length;
  const before = await noteCount();
  await supervisor.request({ type: 'query', name: 'tables', params: {} });
  expect(await noteCount()).toBe(before);
  await close();
});

test('an acting role is valid until its expiry', async () => {
  const time = new TestScheduler();
  const { server, close } = await startStaffedTable({ scheduler: time });
  const manager = await StaffSocket.signIn(server, 'M-1');
  const staffList = await manager.request({ type: 'query', name: 'staff', params: {} });
  const list = (staffList.type === 'answer' ? staffList.data['staff'] : []) as { number: string; person: string }[];
  const { person } = list.find(({ number }) => number === 'D-2')!;
  const until = time.now() + 60_000;
  const granted = await manager.request({
    type: 'staff',
    request: { type: 'GrantActingRole', person, as: 'supervisor', from: time.now(), until },
  });
  expect(granted).toMatchObject({ events: ['ActingRoleGranted'] });
  // The one-click list now offers both roles, and no closed account.
  const { body } = await staffRequest(server, 'me');
  expect(body['staff']).toContainEqual({ number: 'D-2', roles: ['dealer', 'supervisor'] });
  expect(body['staff']).toContainEqual({ number: 'D-1', roles: ['dealer'] });
  const { cookie } = await staffRequest(server, 'demo', { number: 'D-2', role: 'supervisor' });
  const acting = await StaffSocket.join(server, cookie!);
  expect((await acting.receive('welcome')).session).toMatchObject({ role: 'dealer', acting: 'supervisor', until });
  acting.send({ type: 'watch', table: 'tiger', as: 'supervisor' });
  await acting.receive('supervisor');
  expect(await acting.command('tiger', 'CallSupervisor', { reason: 'a test' })).toMatchObject({ type: 'done' });
  expect(await acting.command('tiger', 'AnswerCall')).toMatchObject({ type: 'done' });
  await time.advance(62_000);
  // Back in the own role, which has no table here and sees none.
  expect(await acting.receive('refused')).toMatchObject({ code: 'not-your-role' });
  expect(await acting.command('tiger', 'AddNote', { text: 'Still here?' })).toMatchObject({ code: 'other-console' });
  for (const staff of [acting, manager]) staff.terminate();
  await close();
});
