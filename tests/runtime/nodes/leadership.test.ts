import { expect, test } from 'vitest';
import { type CommandResult } from '../../../src/runtime/stream/pendingCommand.ts';
import { insecureScryptCost } from '../../../src/runtime/staff/credentialStore.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { flushPromises } from '../../chaos/time.ts';
import { demoCredit } from '../support/demo.ts';
import { seatPatron } from '../support/testDependencies.ts';
import { type TestNode, TestCluster, phaseAt, secondTable, slipOf, tableAt } from '../support/testCluster.ts';

// Several processes on one event store: one leads a table, the others follow it.

/** Two nodes; each leads one table that takes bets. */
async function two(more: Parameters<TestCluster['addNode']>[1] = {}) {
  const nodes = new TestCluster();
  const a = await nodes.addNode('a', more);
  const b = await nodes.addNode('b', more);
  expect(await nodes.takeLease(a, 'baccarat')).toBeUndefined();
  expect(await nodes.takeLease(b, secondTable)).toBeUndefined();
  await nodes.until(() => phaseAt(a) === 'betting' && phaseAt(b, secondTable) === 'betting');
  return { nodes, a, b };
}

const isTaken = (result: CommandResult): boolean => 'entries' in result;

const typesOf = ({ published }: TestNode) => published.map(({ event }) => event.type);

async function expectClean({ store, nodes }: TestCluster): Promise<void> {
  expect((await verifyStore(store)).problem).toBeUndefined();
  for (const { warnings } of nodes.values()) expect(warnings).toEqual([]);
}

test('joining node writes nothing while it opens, and leads nothing until it gets a lease', async () => {
  const nodes = new TestCluster();
  const a = await nodes.addNode('a');
  await nodes.takeLease(a, 'baccarat');
  const before = await nodes.store.heads();
  const appended: string[] = [];
  nodes.beforeAppend = ({ stream }) => void appended.push(stream);
  const b = await nodes.addNode('b');
  expect([appended, await nodes.store.heads()]).toEqual([[], before]);
  expect([b.floor.isLeading('baccarat'), a.floor.isLeading('baccarat'), a.floor.isLeading(secondTable)]).toEqual([
    false,
    true,
    false,
  ]);
  nodes.beforeAppend = () => {};
  await nodes.until(() => phaseAt(a) === 'betting');
  expect([phaseAt(b), tableAt(b).table]).toEqual(['betting', tableAt(a).table]);
  expect(phaseAt(b, secondTable)).toBeUndefined();
  expect(b.floor.streamsInMemory().toSorted()).toEqual(
    ['demo/floor/main', 'demo/staff/main', 'demo/table/baccarat', `demo/table/${secondTable}`].toSorted(),
  );
  await b.floor.recordHeartbeats();
  expect(await nodes.store.heartbeats()).toEqual(new Map());
  await expectClean(nodes);
});

test('slip through a follower is accepted, and published there before its result', async () => {
  const { nodes, a, b } = await two();
  const session = await seatPatron(b.floor, 'hash', demoCredit);
  let wasPublished = false;
  const submitting = tableAt(b).submit('s1', slipOf(b, session, 1000));
  void submitting.then(() => (wasPublished = b.published.some(({ command }) => command.id === 's1')));
  expect(await submitting).toMatchObject({
    entries: [{ event: { type: 'SlipSet', debit: 1000 }, command: { id: 's1' } }],
  });
  expect(wasPublished).toBe(true);
  expect(tableAt(b).table).toEqual(tableAt(a).table);
  // The leader has read the terminal's stream as far as the follower that sent the slip.
  expect([a, b].map(({ floor }) => floor.terminals.creditOf('T2-1'))).toEqual([demoCredit - 1000, demoCredit - 1000]);
  // A resend gets the first result, and another command with its id is refused.
  expect(await tableAt(b).submit('s1', slipOf(b, session, 1000))).toMatchObject({
    entries: [{ command: { id: 's1' } }],
  });
  expect(await tableAt(b).submit('s1', slipOf(b, session, 2000))).toMatchObject({ refused: 'command-reused' });
  expect(await tableAt(b).findResult('s1', slipOf(b, session, 1000))).toMatchObject({
    entries: [{ command: { id: 's1' } }],
  });
  expect(await tableAt(b).findEntries('s1')).toHaveLength(1);
  expect(await tableAt(b).submit('s2', slipOf(b, session, 50))).toMatchObject({ refused: 'off-step-stake' });
  expect(await tableAt(b).submit('\ud800', slipOf(b, session, 50))).toMatchObject({ refused: 'bad-request' });
  const before = a.published.length;
  await nodes.until(() => typesOf(b).includes('RoundSettled') && phaseAt(b) === 'betting');
  expect(a.published.length).toBeGreaterThan(before);
  expect(tableAt(b).table).toEqual(tableAt(a).table);
  expect(typesOf(b).filter((type) => type === 'SlipSet')).toHaveLength(1);
  await expectClean(nodes);
});

test('lost notification is recovered: the result waits until it was published, the rest is found by polling', async () => {
  const { nodes, a, b } = await two();
  const session = await seatPatron(b.floor, 'hash', demoCredit);
  nodes.areHintsLost = true;
  const own = await seatPatron(a.floor, 'other', demoCredit);
  expect(isTaken(await tableAt(a).submit('o1', slipOf(a, own, 700)))).toBe(true);
  await flushPromises();
  expect(tableAt(b).processor.sequence).toBe(tableAt(a).processor.sequence - 1);
  expect(isTaken(await tableAt(b).submit('s1', slipOf(b, session, 1000)))).toBe(true);
  expect(tableAt(b).table).toEqual(tableAt(a).table);
  expect(isTaken(await tableAt(a).submit('o2', slipOf(a, own, 800)))).toBe(true);
  await flushPromises();
  expect(tableAt(b).table).not.toEqual(tableAt(a).table);
  await nodes.poll();
  expect(tableAt(b).table).toEqual(tableAt(a).table);
  expect([...b.published].map(({ command }) => command.id).filter((id) => /^[os]\d$/.test(id))).toEqual([
    'o1',
    's1',
    'o2',
  ]);
  await expectClean(nodes);
});

test('announced entry that does not exist is waited for a while and no longer', async () => {
  const { nodes, a, b } = await two();
  const { sequence } = tableAt(b).processor;
  const until = nodes.time.now + 2_000;
  await nodes.waitFor(
    b.floor.readUpTo(
      new Map([
        [tableAt(b).stream, sequence + 5],
        ['demo/table/none', 3],
        ['strange', 1],
      ]),
    ),
  );
  expect(nodes.time.now).toBeLessThan(until);
  const session = await seatPatron(b.floor, 'hash', demoCredit);
  expect(isTaken(await tableAt(b).submit('s1', slipOf(a, session, 1000)))).toBe(true);
  await expectClean(nodes);
});

test('leader that stops hands over waiting commands, each answered once by its id', async () => {
  const { nodes, a, b } = await two();
  const sessions: string[] = [];
  for (const secret of ['a', 'b', 'c', 'd']) sessions.push(await seatPatron(a.floor, secret, demoCredit));
  const gate = Promise.withResolvers<void>();
  nodes.beforeAppend = ({ stream }) => (stream === tableAt(a).stream ? gate.promise : undefined);
  const results: Promise<CommandResult>[] = [];
  const submitSlip = (node: TestNode, index: number): void => {
    results.push(tableAt(node).submit(`s${index}`, slipOf(a, sessions[index]!, 1000)));
  };
  submitSlip(a, 0);
  await flushPromises();
  // The first is being appended; these wait, one of them from the other node.
  submitSlip(a, 1);
  submitSlip(b, 2);
  await flushPromises();
  expect(a.floor.mayHandOver('baccarat', false)).toBe(false);
  expect(a.floor.mayHandOver('baccarat', true)).toBe(false);
  const released = nodes.releaseLease(a, 'baccarat');
  submitSlip(a, 3);
  await flushPromises();
  nodes.beforeAppend = () => {};
  gate.resolve();
  await released;
  expect(a.published.some(({ command }) => command.id === 's0')).toBe(true);
  expect(a.published.some(({ command }) => command.id === 's1')).toBe(false);
  await nodes.takeLease(b, 'baccarat', nodes.time.now);
  const taken = await nodes.waitFor(Promise.all(results));
  expect(taken.map((result) => ('entries' in result ? result.entries[0]!.command.id : result.refused))).toEqual([
    's0',
    's1',
    's2',
    's3',
  ]);
  expect(Object.keys(tableAt(b).table.round!.slips).toSorted()).toEqual(sessions.toSorted());
  await nodes.poll();
  expect(tableAt(a).table).toEqual(tableAt(b).table);
  await nodes.until(() => typesOf(a).includes('RoundSettled'));
  expect([a.floor.isLeading('baccarat'), b.floor.isLeading('baccarat')]).toEqual([false, true]);
  await expectClean(nodes);
});

test('leader whose epoch ends within a batch follows, and nothing is lost or doubled', async () => {
  const { nodes, a, b } = await two();
  const sessions: string[] = [];
  for (const secret of ['a', 'b', 'c']) sessions.push(await seatPatron(a.floor, secret, demoCredit));
  const gate = Promise.withResolvers<void>();
  const { stream } = tableAt(a);
  let isBlocked = true;
  nodes.beforeAppend = (batch) => (batch.stream === stream && isBlocked ? gate.promise : undefined);
  const first = [0, 1].map((index) => tableAt(a).submit(`s${index}`, slipOf(a, sessions[index]!, 1000)));
  await flushPromises();
  const last = tableAt(a).submit('s2', slipOf(a, sessions[2]!, 1000));
  await flushPromises();
  // It slept through its lease; another node leads the table now.
  isBlocked = false;
  await nodes.takeLease(b, 'baccarat', nodes.time.now);
  gate.resolve();
  const results = Promise.all([...first, last]);
  await nodes.until(() => !a.floor.isLeading('baccarat'));
  await nodes.until(() => Object.keys(tableAt(b).table.round!.slips).length === 3);
  expect((await nodes.waitFor(results)).map(isTaken)).toEqual([true, true, true]);
  for (const n of [0, 1, 2]) {
    for (const { published } of [a, b]) {
      expect(published.filter(({ command }) => command.id === `s${n}`)).toHaveLength(1);
    }
  }
  await nodes.until(() => typesOf(a).includes('RoundSettled'));
  expect(tableAt(a).table).toEqual(tableAt(b).table);
  await expectClean(nodes);
});

test('append without a reply is found by the next leader, and not made twice', async () => {
  const { nodes, a, b } = await two();
  const session = await seatPatron(a.floor, 'hash', demoCredit);
  const { stream } = tableAt(a);
  nodes.afterAppend = (batch) => {
    if (batch.stream !== stream) return;
    nodes.afterAppend = () => {};
    throw new Error('The answer was lost.');
  };
  const submitting = tableAt(a).submit('s1', slipOf(a, session, 1000));
  await flushPromises();
  await nodes.releaseLease(a, 'baccarat');
  await nodes.takeLease(b, 'baccarat', nodes.time.now);
  expect(isTaken(await nodes.waitFor(submitting))).toBe(true);
  expect(b.published.filter(({ command }) => command.id === 's1')).toHaveLength(1);
  expect(await nodes.store.balance('demo/XTS/terminal/T1-1.1')).toMatchObject({ amount: demoCredit - 1000 });
  expect(a.floor.terminals.creditOf('T1-1')).toBe(demoCredit - 1000);
  // No reservation is left where it was decided first.
  await nodes.until(() => typesOf(a).includes('RoundSettled') && phaseAt(a) === 'betting');
  const { amount } = await nodes.store.balance('demo/XTS/terminal/T1-1.1');
  expect(await a.floor.terminals.collect('T1-1', 'c1', 'cash')).toMatchObject({ entries: [{ event: { amount } }] });
  await expectClean(nodes);
});

test('leader that could not append for long follows, and leads again later', async () => {
  const { nodes, a, b } = await two();
  const session = await seatPatron(b.floor, 'hash', demoCredit);
  const { stream } = tableAt(a);
  const since = nodes.time.now;
  const away = new Error('The database is away.');
  nodes.beforeAppend = (batch) => {
    if (batch.stream === stream) throw away;
  };
  expect(await nodes.waitFor(tableAt(a).submit('s1', slipOf(a, session, 1000)))).toMatchObject({
    refused: 'result-unknown',
  });
  await nodes.until(() => !tableAt(a).processor.canAppend);
  // It stops leading the table while it retries in vain.
  const trying = Promise.withResolvers<void>();
  let isTrying = false;
  nodes.beforeAppend = (batch) => {
    isTrying ||= batch.stream === stream;
    return batch.stream === stream ? trying.promise : undefined;
  };
  await nodes.until(() => isTrying);
  const released = nodes.releaseLease(a, 'baccarat');
  await flushPromises();
  trying.reject(away);
  await released;
  expect([tableAt(a).processor.canAppend, tableAt(a).processor.isStopped]).toEqual([true, false]);
  nodes.beforeAppend = () => {};
  await nodes.takeLease(b, 'baccarat', since);
  expect(isTaken(await nodes.waitFor(tableAt(a).submit('s2', slipOf(a, session, 1000))))).toBe(true);
  await nodes.releaseLease(b, 'baccarat');
  await nodes.takeLease(a, 'baccarat', nodes.time.now);
  await nodes.until(() => typesOf(b).includes('RoundSettled'));
  await expectClean(nodes);
});

test('command is not accepted when the leader cannot be reached, and nothing comes of it later', async () => {
  const { nodes, a, b } = await two();
  const session = await seatPatron(b.floor, 'hash', demoCredit);
  nodes.disconnect(a);
  const request = slipOf(b, session, 1000);
  expect(await nodes.waitFor(tableAt(b).submit('s1', request))).toMatchObject({ refused: 'cannot-record' });
  nodes.reconnect(a);
  await nodes.poll();
  expect(await tableAt(b).findResult('s1', request)).toBeUndefined();
  await expectClean(nodes);
});

test.each([
  ['[HOUSE 6] within ten seconds a round continues', 7_000, 'InterruptionLogged', 'RoundSettled'],
  ['[HOUSE 6] later an undecided round is voided', 11_000, 'Interrupted', 'RoundVoided'],
])('table of a killed node is led again: %s', async (_, span, logged, ended) => {
  const { nodes, a, b } = await two();
  const session = await seatPatron(b.floor, 'hash', demoCredit);
  const round = tableAt(b).table.round!.id;
  expect(isTaken(await tableAt(b).submit('s1', slipOf(b, session, 1000)))).toBe(true);
  const since = nodes.time.now;
  // It sends and publishes nothing any more.
  nodes.nodes.delete('a');
  await a.floor.follow('baccarat');
  nodes.time.now += span;
  await nodes.takeLease(b, 'baccarat', since);
  expect(typesOf(b)).toContain(logged);
  await nodes.until(() => b.published.some(({ event }) => event.type === ended && event['round'] === round));
  await nodes.until(() => phaseAt(b) === 'betting');
  expect(
    b.published.filter(({ event }) => event['round'] === round && /^Round(Settled|Voided)$/.test(event.type)),
  ).toHaveLength(1);
  await expectClean(nodes);
});

test('three nodes hand a table round between rounds, and no round is interrupted', async () => {
  const { nodes, a, b } = await two();
  const c = await nodes.addNode('c');
  const session = await seatPatron(c.floor, 'hash', demoCredit);
  const all = [a, b, c];
  for (let n = 0; n < 6; n++) {
    const [from, to] = [all[n % 3]!, all[(n + 1) % 3]!];
    await nodes.until(() => phaseAt(from) === 'betting');
    await flushPromises();
    expect(isTaken(await tableAt(c).submit(`s${n}`, slipOf(c, session, 100)))).toBe(true);
    await nodes.until(() => from.floor.mayHandOver('baccarat', false));
    await nodes.releaseLease(from, 'baccarat');
    await nodes.takeLease(to, 'baccarat', nodes.time.now);
  }
  await nodes.until(() => phaseAt(a) === 'betting');
  await nodes.poll();
  expect(typesOf(c).filter((type) => type === 'RoundSettled').length).toBeGreaterThanOrEqual(6);
  expect(typesOf(c).some((type) => /Interrupt|Void/.test(type))).toBe(false);
  for (const node of [b, c]) expect(tableAt(node).table).toEqual(tableAt(a).table);
  for (const { floor } of [b, c]) await floor.drain(false);
  expect([...(await nodes.store.heads())].some(([, { epoch }]) => epoch > 6)).toBe(true);
  // A server records the heartbeat of the floor right before it closes the floor.
  await nodes.store.recordHeartbeats(['floor'], nodes.time.now);
  await a.floor.drain();
  await expectClean(nodes);
});

test('staff command through a follower is decided by a leader that has read the same staff entries', async () => {
  const staff = { demo: true, scryptCost: insecureScryptCost };
  const { nodes, a, b } = await two({ staff });
  expect(b.floor.staff.state).toEqual(a.floor.staff.state);
  nodes.areHintsLost = true;
  const signedIn = await b.floor.staff.signIns.demoSignIn({ number: 'S-1' });
  if ('refused' in signedIn) throw new Error(signedIn.message);
  const { session } = signedIn;
  expect(a.floor.staff.session(session.id)).toBeUndefined();
  const note = { type: 'AddNote', actor: { person: session.person }, text: 'A spill on the felt.' };
  const context = b.floor.staff.contextFor(session);
  expect(await tableAt(b).submit('n1', note, nodes.time.now, context as never)).toMatchObject({
    entries: [{ event: { type: 'NoteAdded' }, command: { context: { grant: b.floor.staff.sequence } } }],
  });
  expect(a.floor.staff.session(session.id)).toEqual(session);
  // Staff entries without a notification are read before a refusal.
  const other = await b.floor.staff.signIns.demoSignIn({ number: 'S-2' });
  if ('refused' in other) throw new Error(other.message);
  expect(await a.floor.staff.lock(other.session.id)).toBeUndefined();
  expect(await b.floor.staff.signOut(other.session.id)).toBeUndefined();
  expect(await a.floor.staff.signOut('Q9')).toMatchObject({ refused: expect.any(String) });
  await expectClean(nodes);
});

test('floor entries of another node are read before a table is led', async () => {
  const { nodes, a, b } = await two();
  nodes.areHintsLost = true;
  await a.floor.floorStream.recordWrongTicketNumbers(3, nodes.time.now);
  const read: string[] = [];
  const { read: reading } = nodes.store;
  (nodes.store as { read: typeof reading }).read = (stream, ...more) => {
    read.push(stream);
    return reading(stream, ...more);
  };
  await nodes.releaseLease(a, 'baccarat');
  await nodes.takeLease(b, 'baccarat', nodes.time.now);
  expect(read).toContain('demo/floor/main');
  await expectClean(nodes);
});

test('table dealt without a pause rests for a moment between rounds, so that it can be handed over', async () => {
  const nodes = new TestCluster(undefined, { betweenRounds: 0, betweenCards: 0 });
  const a = await nodes.addNode('a');
  await nodes.takeLease(a, 'baccarat');
  const rested: number[] = [];
  let since: number | undefined;
  await nodes.until(() => {
    const { table } = tableAt(a);
    if (a.floor.mayHandOver('baccarat', false)) since ??= table.at;
    else if (since !== undefined) {
      rested.push(table.at - since);
      since = undefined;
    }
    return typesOf(a).filter((type) => type === 'RoundSettled').length === 2;
  });
  expect(rested.length).toBeGreaterThanOrEqual(2);
  for (const time of rested) expect(time).toBeGreaterThanOrEqual(50);
  await expectClean(nodes);
});

test('after an accepted rollback earlier state of a table is lost, whichever node leads first, and later state is not', async () => {
  const { nodes, a, b } = await two();
  const issue = { reason: 'behind-anchor', confirmation: 'nine-hearts two-clubs', missing: [] } as const;
  for (const node of [a, b]) nodes.kill(node);
  await nodes.time.step();
  const first = await nodes.addNode('c', { integrityIssue: issue });
  const joining = await nodes.addNode('d');
  const lostAt = (table: string) =>
    joining.published.flatMap(({ stream, event }) =>
      event.type === 'Interrupted' && stream.endsWith(`/${table}`) ? [event['stateLost']] : [],
    );
  await nodes.takeLease(first, 'baccarat');
  await nodes.takeLease(joining, secondTable);
  expect([lostAt('baccarat'), lostAt(secondTable)]).toEqual([[true], [true]]);
  await nodes.until(() => phaseAt(first) === 'betting' && phaseAt(first, secondTable) === 'betting');
  await nodes.takeLease(first, secondTable);
  await nodes.takeLease(joining, 'baccarat');
  // After a short gap nothing is reported, and the rounds continue.
  expect([lostAt('baccarat'), lostAt(secondTable)]).toEqual([[true], [true]]);
  expect([phaseAt(joining), phaseAt(first, secondTable)]).toEqual(['betting', 'betting']);
  await expectClean(nodes);
});

test('stopping node reads no more notifications and leaves no command waiting', async () => {
  const { nodes, a, b } = await two();
  const session = await seatPatron(b.floor, 'hash', demoCredit);
  nodes.disconnect(b);
  const [one, slip] = [slipOf(b, session, 1000), slipOf(b, session, 2000)];
  const submitting = tableAt(b).submit('s1', one);
  await flushPromises();
  await b.floor.stop();
  expect([await submitting, await tableAt(b).submit('s2', slip)]).toMatchObject([
    { refused: 'result-unknown' },
    { refused: 'result-unknown' },
  ]);
  const at = tableAt(b).processor.sequence;
  await nodes.until(() => phaseAt(a) !== 'betting');
  await b.floor.readUpTo(await headsOf(nodes));
  expect(tableAt(b).processor.sequence).toBe(at);
  await expectClean(nodes);
});

const headsOf = async ({ store }: TestCluster): Promise<ReadonlyMap<string, number>> =>
  new Map([...(await store.heads())].map(([stream, { sequence }]) => [stream, sequence]));
