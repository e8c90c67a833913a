import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { cardsOf } from '../../../src/rules/card.ts';
import { memoryStore } from '../../../src/store/memoryStore.ts';
import { Guest, secretOf } from '../house.ts';
import { Clock } from '../clock.ts';
import { Colleague, clicked, keptRecord, opened, pit, request, withShoe } from './made.ts';

const pin = '246810';

/** A table that was opened by two, with a shoe, a dealer and a supervisor at it. */
async function staffed(wanted: Parameters<typeof pit>[0] = {}) {
  const server = await pit(wanted);
  await opened(server);
  const dealer = await Colleague.clicked(server, 'D-1', 'tiger');
  const supervisor = await Colleague.clicked(server, 'S-1');
  dealer.say({ type: 'watch', table: 'tiger', as: 'dealer' });
  supervisor.say({ type: 'watch', table: 'tiger', as: 'supervisor' });
  await dealer.hears('dealer');
  await supervisor.hears('supervisor');
  await withShoe(dealer, supervisor);
  const close = async (): Promise<void> => {
    dealer.leave();
    supervisor.leave();
    await server.close();
  };
  return { server, dealer, supervisor, close };
}

test('a table is opened by two persons with the settings that were shown', async () => {
  const server = await pit();
  const dealer = await Colleague.clicked(server, 'D-1', 'tiger');
  dealer.say({ type: 'watch', table: 'tiger', as: 'dealer' });
  expect(await dealer.hears('refused')).toMatchObject({ code: 'not-open' });
  const manager = await Colleague.clicked(server, 'M-1');
  const told = await manager.asks({ type: 'query', name: 'settings', params: { table: 'tiger' } });
  expect(told).toMatchObject({ type: 'answer', data: { settings: null, wanted: { table: 'tiger' } } });
  const hash = told.type === 'answer' ? told.data['hash'] : '';
  const open = (fields: object): object => ({ type: 'open', table: 'tiger', hash, number: 'G-1', pin, ...fields });
  const asks = (fields: object) => manager.asks(open(fields) as { type: string });
  expect(await asks({ hash: `sha256:${'0'.repeat(64)}` })).toMatchObject({ code: 'changed-proposal' });
  expect(await asks({ pin: '111222' })).toMatchObject({ code: 'wrong-secret' });
  expect(await asks({ number: 'S-1' })).toMatchObject({ code: 'not-your-role' });
  expect(await asks({ number: 'M-1' })).toMatchObject({ code: 'not-your-role' });
  expect(await dealer.asks(open({}) as { type: string })).toMatchObject({ code: 'not-your-role' });
  const id = randomUUID();
  const done = await asks({ id });
  expect(done).toMatchObject({ type: 'done', events: ['TableOpened'], sequence: 1 });
  // It is in the record, whatever becomes of a PIN that is given for it once more.
  expect(await asks({ id, pin: '111222' })).toEqual(done);
  expect(await asks({})).toMatchObject({ code: 'already-open' });
  expect((await dealer.hears('dealer')).view).toMatchObject({ table: 'tiger', next: ['BringShoe'] });
  for (const one of [dealer, manager]) one.leave();
  await server.close();
});

test('a staff command is done once, whatever the number of resends, and its view precedes the reply', async () => {
  const { dealer, close } = await staffed();
  const id = randomUUID();
  const from = dealer.heard.length;
  const done = await dealer.commands('tiger', 'OpenBets', {}, id);
  expect(done).toMatchObject({ type: 'done', id, events: ['BetsOpened'] });
  const since = dealer.heard.slice(from).map(({ type }) => type);
  expect(since.indexOf('change')).toBeLessThan(since.indexOf('done'));
  expect(dealer.view!.phase).toBe('betting');
  expect(await dealer.commands('tiger', 'OpenBets', {}, id)).toEqual(done);
  expect(await dealer.commands('tiger', 'CallClose', {}, id)).toMatchObject({
    type: 'refused',
    code: 'command-reused',
  });
  expect(await dealer.commands('tiger', 'OpenBets')).toMatchObject({ type: 'refused', code: 'not-now' });
  await close();
});

test("a person cannot use another's command ids", async () => {
  const { dealer, supervisor, close } = await staffed();
  const id = randomUUID();
  expect(await supervisor.commands('tiger', 'AddNote', { text: 'Watch seat 4.' }, id)).toMatchObject({ type: 'done' });
  expect(await dealer.commands('tiger', 'OpenBets', {}, id)).toMatchObject({ type: 'done' });
  await close();
});

test('a lost reply is given again after a restart', async () => {
  const store = memoryStore();
  const key = Buffer.alloc(32, 7);
  const kept = { ...store, close: async () => {} };
  const first = await staffed({ store: kept, key });
  const id = randomUUID();
  const done = await first.dealer.commands('tiger', 'OpenBets', {}, id);
  await first.close();
  const server = await pit({ store, key });
  const dealer = await Colleague.clicked(server, 'D-1', 'tiger');
  expect(await dealer.commands('tiger', 'OpenBets', {}, id)).toEqual(done);
  dealer.leave();
  await server.close();
});

test('a sign-in session survives a restart with the same cookie', async () => {
  const store = memoryStore();
  const key = Buffer.alloc(32, 7);
  const first = await pit({ store: { ...store, close: async () => {} }, key });
  const cookie = await clicked(first, 'S-1');
  await first.close();
  const second = await pit({ store, key });
  const supervisor = await Colleague.welcome(second, cookie);
  expect((await supervisor.hears('welcome')).session.number).toBe('S-1');
  supervisor.leave();
  await second.close();
});

test('a dealer acts only at the table of the console', async () => {
  const server = await pit({ tables: ['tiger', 'fabulous-4'] });
  await opened(server);
  const dealer = await Colleague.clicked(server, 'D-1', 'fabulous-4');
  expect(await dealer.commands('tiger', 'BringShoe', { shoe: 'L1', seal: 'S1' })).toMatchObject({
    code: 'other-console',
  });
  expect(await dealer.commands('nowhere', 'OpenBets')).toMatchObject({ code: 'unknown-table' });
  const office = await Colleague.clicked(server, 'D-2');
  expect(await office.commands('tiger', 'OpenBets')).toMatchObject({ code: 'other-console' });
  // What was refused is counted, and told to whoever asks.
  const told = await office.asks({ type: 'query', name: 'tables', params: {} });
  expect(told).toMatchObject({
    data: { tables: [{ table: 'fabulous-4', open: false }, { refused: { 'other-console': 2 } }] },
  });
  for (const one of [dealer, office]) one.leave();
  await server.close();
});

test('a stored command keeps its reply, also after the dealer moved to another table', async () => {
  const server = await pit({ tables: ['tiger', 'fabulous-4'] });
  await opened(server);
  const dealer = await Colleague.clicked(server, 'D-1', 'tiger');
  const id = randomUUID();
  const brings = (who: Colleague, as?: string) => who.commands('tiger', 'BringShoe', { shoe: 'L1', seal: 'S1' }, as);
  const done = await brings(dealer, id);
  expect(done).toMatchObject({ type: 'done', events: ['ShoeBrought'] });
  dealer.leave();
  const elsewhere = await Colleague.clicked(server, 'D-1', 'fabulous-4');
  expect(await brings(elsewhere, id)).toEqual(done);
  expect(await brings(elsewhere)).toMatchObject({ code: 'other-console' });
  elsewhere.leave();
  await server.close();
});

test("view permissions: a dealer sees the console's table; supervising and read-only roles see all", async () => {
  const server = await pit({ tables: ['tiger', 'fabulous-4'] });
  await opened(server);
  const sees = async (number: string, table: string, as: string, at?: string): Promise<string> => {
    const one = await Colleague.clicked(server, number, at);
    one.say({ type: 'watch', table, as });
    const told = await Promise.race([one.hears('refused'), one.hears(as as 'dealer')]);
    one.leave();
    return told.type === 'refused' ? told.code : told.type;
  };
  expect(await sees('D-1', 'tiger', 'dealer', 'tiger')).toBe('dealer');
  expect(await sees('D-1', 'tiger', 'supervisor', 'tiger')).toBe('not-your-role');
  expect(await sees('D-1', 'tiger', 'dealer', 'fabulous-4')).toBe('not-your-role');
  expect(await sees('D-1', 'tiger', 'dealer')).toBe('not-your-role');
  for (const number of ['S-1', 'M-1', 'G-1', 'V-1', 'A-1']) {
    expect(await sees(number, 'tiger', 'supervisor')).toBe('supervisor');
  }
  for (const number of ['C-1', 'T-1', 'N-1']) {
    expect(await sees(number, 'tiger', 'supervisor')).toBe('not-your-role');
    expect(await sees(number, 'tiger', 'dealer')).toBe('not-your-role');
  }
  const dealer = await Colleague.clicked(server, 'D-1', 'tiger');
  dealer.say({ type: 'floor', wanted: true });
  expect(await dealer.hears('refused')).toMatchObject({ code: 'not-your-role' });
  expect(await dealer.asks({ type: 'query', name: 'sessions', params: {} })).toMatchObject({ code: 'not-your-role' });
  expect(await dealer.asks({ type: 'query', name: 'secrets', params: {} })).toMatchObject({ code: 'unknown-query' });
  dealer.leave();
  await server.close();
});

test("a dealer's view never contains a terminal, slip or credit", async () => {
  const { server, dealer, supervisor, close } = await staffed();
  await dealer.commands('tiger', 'OpenBets');
  const patron = await Guest.seated(server, secretOf('b'), 'tiger');
  const round = await patron.round();
  patron.say({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { player: 4300, banker: 1700 } });
  await patron.hears('accepted');
  const { terminal } = (await patron.hears('own')).view;
  await dealer.sees(({ slips }) => slips === 1);
  await supervisor.sees((view) => 'staked' in view && view.staked === 6000);
  await dealer.commands('tiger', 'ReportIrregularity', { kind: 'foreign-card' });
  await dealer.sees(({ stopped }) => stopped !== null);
  const rulings = await supervisor.sees((view) => 'rulings' in view && view.rulings !== null);
  expect(JSON.stringify(rulings)).toContain(`"${terminal}.1"`);
  await dealer.commands('tiger', 'VoidRound', { reason: 'A card of another deck.' });
  const said = JSON.stringify(dealer.heard);
  for (const secret of [`"${terminal}`, '"terminal"', '"credit', 'staked', 'rulings']) {
    expect(said).not.toContain(secret);
  }
  // Amounts as whole values: times and hashes may hold any digits.
  const numbers = [...said.matchAll(/(?<=[:[,])-?\d+(?=[,}\]])/g)].map(([text]) => Number(text));
  for (const amount of [4300, 1700, 6000]) expect(numbers).not.toContain(amount);
  patron.leave();
  await close();
});

test('a staff view is made only while it has a subscriber', async () => {
  const { dealer, supervisor, close } = await staffed();
  supervisor.say({ type: 'leave' });
  await supervisor.asks({ type: 'query', name: 'tables', params: {} });
  const from = supervisor.heard.length;
  await dealer.commands('tiger', 'OpenBets');
  await supervisor.asks({ type: 'query', name: 'tables', params: {} });
  expect(supervisor.heard.slice(from).map(({ type }) => type)).not.toContain('change');
  await close();
});

test('the floor view lists work items by urgency', async () => {
  const { dealer, supervisor, close } = await staffed({ tables: ['tiger', 'fabulous-4'] });
  supervisor.say({ type: 'floor', wanted: true });
  const first = await supervisor.hears('floor');
  expect(first.view.waiting.map(({ what }) => what)).toEqual(['not-open']);
  expect(first.view.tables).toMatchObject([
    { table: 'fabulous-4', phase: null, dealer: null },
    { table: 'tiger', phase: 'idle', dealer: 'D-1', attended: true },
  ]);
  await dealer.commands('tiger', 'CallSupervisor', { reason: 'a dispute' });
  await dealer.commands('tiger', 'OpenBets');
  await dealer.commands('tiger', 'ReportIrregularity', { kind: 'foreign-card' });
  const later = await supervisor.hears('floor', ({ view }) => view.waiting.length === 3);
  expect(later.view.waiting.map(({ what }) => what)).toEqual(['stopped', 'call', 'not-open']);
  expect(later.view.tables[1]!.stopped).toMatchObject({ kind: 'foreign-card' });
  await close();
});

test('a sealed shoe is a work item until it is counted', async () => {
  const { dealer, supervisor, close } = await staffed();
  supervisor.say({ type: 'floor', wanted: true });
  await dealer.commands('tiger', 'SealShoe', { seal: '771', to: 'Card room' });
  const { proposal } = await dealer.sees((view) => view.proposal !== null);
  await supervisor.commands('tiger', 'Approve', { proposal: proposal!.id, hash: proposal!.hash });
  const { view } = await supervisor.hears('floor', (told) =>
    told.view.waiting.some(({ what }) => what === 'sealed-shoe'),
  );
  expect(view.waiting).toMatchObject([
    { table: 'tiger', what: 'sealed-shoe', by: 'HOUSE 7', role: 'supervisor', prompt: { with: { seal: '771' } } },
  ]);
  await close();
});

test('a closing count that differs is a work item of the pit manager until it is explained', async () => {
  const { dealer, supervisor, server, close } = await staffed();
  const manager = await Colleague.clicked(server, 'M-1');
  manager.say({ type: 'floor', wanted: true });
  const seen = Object.fromEntries(cardsOf('french').map((card) => [card, card === '7H' ? 7 : 8]));
  await dealer.commands('tiger', 'EndShoe', { seen });
  const { proposal } = await dealer.sees((view) => view.proposal !== null);
  await supervisor.commands('tiger', 'Approve', { proposal: proposal!.id, hash: proposal!.hash });
  const { view } = await manager.hears('floor', (told) => told.view.waiting.length > 0);
  expect(view.waiting).toMatchObject([
    { table: 'tiger', what: 'count-differs', by: 'HOUSE 7', role: 'pit-manager', prompt: { with: { seen: '415' } } },
  ]);
  const { shoe } = view.waiting[0]!.prompt.with;
  const looked = await manager.commands('tiger', 'InvestigateCount', { shoe, reason: 'a seven lay in the tray' });
  expect(looked).toMatchObject({ type: 'done' });
  await manager.hears('floor', (told) => told.view.waiting.length === 0);
  manager.leave();
  await close();
});

test('the dealer receives messages with their author, and the supervisor the last events', async () => {
  const { dealer, supervisor, close } = await staffed();
  await supervisor.commands('tiger', 'AddNote', { text: 'Fresh cards at nine.', to: 'dealer' });
  const { messages } = await dealer.sees((view) => view.messages[0]?.prompt.code === 'note');
  expect(messages[0]).toMatchObject({ prompt: { with: { text: 'Fresh cards at nine.' } }, from: { number: 'S-1' } });
  expect(messages.length).toBeLessThanOrEqual(5);
  await dealer.commands('tiger', 'CallSupervisor', { reason: 'a dispute' });
  const view = await supervisor.sees((one) => one.called !== null);
  expect(view).toMatchObject({ called: { from: { number: 'D-1' } }, dealer: { number: 'D-1', role: 'dealer' } });
  expect('events' in view && view.events[0]).toMatchObject({
    prompt: { code: 'SupervisorCalled' },
    from: { number: 'D-1' },
  });
  await close();
});

test("a second person approves at the first person's console, for one proposal and hash", async () => {
  const { store, problem } = keptRecord();
  const { dealer, supervisor, close } = await staffed({ store });
  await dealer.commands('tiger', 'EndShoe', { seen: {} });
  const { proposal } = await dealer.sees((view) => view.proposal !== null);
  const consent = (fields: object) =>
    dealer.asks({
      type: 'consent',
      table: 'tiger',
      proposal: proposal!.id,
      hash: proposal!.hash,
      number: 'S-2',
      pin,
      ...fields,
    });
  expect(await consent({ pin: '111222' })).toMatchObject({ code: 'wrong-secret' });
  expect(await consent({ number: 'D-1' })).toMatchObject({ code: 'same-person' });
  expect(await consent({ number: 'D-2' })).toMatchObject({ code: 'not-your-role' });
  expect(await consent({ number: 'C-1' })).toMatchObject({ code: 'not-your-role' });
  expect(await consent({ proposal: 'P99' })).toMatchObject({ code: 'unknown-proposal' });
  expect(await consent({ hash: `sha256:${'1'.repeat(64)}` })).toMatchObject({ code: 'changed-proposal' });
  const id = randomUUID();
  const done = await consent({ id });
  expect(done).toMatchObject({ type: 'done', events: ['Approved', 'ShoeEnded'] });
  expect(await consent({ id })).toEqual(done);
  // It is in the record, whatever becomes of a PIN that is given for it once more.
  expect(await consent({ id, pin: '111222' })).toEqual(done);
  // Nobody is signed in by it.
  expect(await supervisor.sees((view) => view.shoe === null)).toMatchObject({ dealer: { number: 'D-1' } });
  await close();
  expect(await problem()).toBeUndefined();
});

test('an expired, withdrawn or replaced proposal cannot be approved', async () => {
  const time = new Clock();
  const { dealer, supervisor, close } = await staffed({ time });
  const proposed = async () => {
    const before = dealer.view?.proposal?.id;
    await dealer.commands('tiger', 'EndShoe', { seen: {} });
    return (await dealer.sees((view) => view.proposal !== null && view.proposal.id !== before)).proposal!;
  };
  const approve = ({ id: proposal, hash }: { id: string; hash: string }) =>
    supervisor.commands('tiger', 'Approve', { proposal, hash });
  const old = await proposed();
  await time.pass(121_000);
  expect(await approve(old)).toMatchObject({ code: 'expired-proposal' });
  const replaced = await proposed();
  const next = await proposed();
  expect(await approve(replaced)).toMatchObject({ code: 'unknown-proposal' });
  expect(await dealer.commands('tiger', 'WithdrawProposal', { proposal: next.id })).toMatchObject({ type: 'done' });
  expect(await approve(next)).toMatchObject({ code: 'unknown-proposal' });
  expect(await approve(await proposed())).toMatchObject({ type: 'done' });
  await close();
});

test('wrong PINs lock the number of the second person', async () => {
  const { dealer, close } = await staffed();
  await dealer.commands('tiger', 'EndShoe', { seen: {} });
  const { proposal } = await dealer.sees((view) => view.proposal !== null);
  const consent = (guess: string) =>
    dealer.asks({
      type: 'consent',
      table: 'tiger',
      proposal: proposal!.id,
      hash: proposal!.hash,
      number: 'S-1',
      pin: guess,
    });
  const codes: unknown[] = [];
  for (let n = 0; n < 5; n++) codes.push(await consent(`11122${n}`));
  expect(codes.map((one) => (one as { code: string }).code)).toEqual([
    ...Array.from({ length: 4 }, () => 'wrong-secret'),
    'sign-in-locked',
  ]);
  expect(await consent(pin)).toMatchObject({ code: 'sign-in-locked' });
  await close();
});

test('commands are refused after sign-out, after an ended session and after a lost role', async () => {
  const { server, dealer, supervisor, close } = await staffed();
  const admin = await Colleague.clicked(server, 'N-1');
  const told = await admin.asks({ type: 'query', name: 'sessions', params: {} });
  const sessions = (told.type === 'answer' ? told.data['sessions'] : []) as {
    id: string;
    number: string;
    person: string;
  }[];
  const of = (number: string) => sessions.find((one) => one.number === number)!;
  const ended = await admin.asks({
    type: 'staff',
    request: { type: 'SignOut', session: of('D-1').id, reason: 'ended' },
  });
  expect(ended).toMatchObject({ type: 'done', events: ['SessionEnded'] });
  expect((await dealer.hears('ended')).reason).toBe('ended');
  await dealer.left();
  const { person } = of('S-1');
  const posts = await admin.asks({ type: 'staff', request: { type: 'ChangeRoles', person, roles: ['dealer'] } });
  expect(posts).toMatchObject({ type: 'done', events: ['RolesChanged', 'SessionEnded'] });
  expect((await supervisor.hears('ended')).reason).toBe('role-ended');
  admin.leave();
  await close();
});

test('a command concurrent with sign-out is refused or done, and never done afterwards', async () => {
  const { server, supervisor, close } = await staffed();
  const cookie = await clicked(server, 'S-2');
  const other = await Colleague.welcome(server, cookie);
  const gone = request(server, 'sign-out', {}, { cookie });
  for (let n = 0; n < 20; n++) {
    other.say({
      type: 'command',
      id: `note-000${n}`,
      table: 'tiger',
      request: { type: 'AddNote', text: `Note ${n}.` },
    });
  }
  await gone;
  await other.left();
  const notes = async () =>
    (await server.floor.tables.get('tiger')!.processor.lastEntries(100)).filter(
      ({ event }) => event.type === 'NoteAdded',
    ).length;
  const written = await notes();
  await supervisor.asks({ type: 'query', name: 'tables', params: {} });
  expect(await notes()).toBe(written);
  await close();
});

test('an acting role is valid until its expiry', async () => {
  const time = new Clock();
  const { server, close } = await staffed({ time });
  const manager = await Colleague.clicked(server, 'M-1');
  const people = await manager.asks({ type: 'query', name: 'staff', params: {} });
  const list = (people.type === 'answer' ? people.data['staff'] : []) as { number: string; person: string }[];
  const { person } = list.find(({ number }) => number === 'D-2')!;
  const until = time.now() + 60_000;
  const given = await manager.asks({
    type: 'staff',
    request: { type: 'GrantActingRole', person, as: 'supervisor', from: time.now(), until },
  });
  expect(given).toMatchObject({ events: ['ActingRoleGranted'] });
  // One click offers both from now on, and no account that has ended.
  const { body } = await request(server, 'me');
  expect(body['staff']).toContainEqual({ number: 'D-2', roles: ['dealer', 'supervisor'] });
  expect(body['staff']).toContainEqual({ number: 'D-1', roles: ['dealer'] });
  const { cookie } = await request(server, 'demo', { number: 'D-2', role: 'supervisor' });
  const acting = await Colleague.welcome(server, cookie!);
  expect((await acting.hears('welcome')).session).toMatchObject({ role: 'dealer', acting: 'supervisor', until });
  acting.say({ type: 'watch', table: 'tiger', as: 'supervisor' });
  await acting.hears('supervisor');
  expect(await acting.commands('tiger', 'CallSupervisor', { reason: 'a test' })).toMatchObject({ type: 'done' });
  expect(await acting.commands('tiger', 'AnswerCall')).toMatchObject({ type: 'done' });
  await time.pass(62_000);
  // Back in the own post, which has no table here and sees none.
  expect(await acting.hears('refused')).toMatchObject({ code: 'not-your-role' });
  expect(await acting.commands('tiger', 'AddNote', { text: 'Still here?' })).toMatchObject({ code: 'other-console' });
  for (const one of [acting, manager]) one.leave();
  await close();
});
