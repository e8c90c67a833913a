import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Server } from '../../../src/server/serverOptions.ts';
import { hashSecret } from '../../../src/server/patron/secretRotationHandler.ts';
import { credentialRefreshEveryMs } from '../../../src/server/patron/deviceConnectionBinder.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { DatabaseUnavailableError } from '../../../src/store/failures.ts';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { demoCredit } from '../../runtime/support/demo.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { bet, here, stake, startTwoNodes, there } from '../support/twoServers.ts';
import { PatronSocket, secretOf } from '../support/testServer.ts';
import { StaffSocket, demoSignIn, staffRequest } from '../staff/pit.ts';

// Two servers on one event store: terminals, secrets, tickets and sign-in sessions.

/** First reply to hello with a secret. */
async function helloReply(server: Server, letter: string): Promise<string | null> {
  const patron = await PatronSocket.connect(server);
  patron.send({ type: 'hello', v: protocolVersion, secret: secretOf(letter) });
  const reply = await Promise.race([patron.receive('welcome'), patron.receive('refused')]);
  patron.terminate();
  return reply.type === 'refused' ? reply.code : reply.terminal;
}

const renew = { type: 'renew', id: 'renew-0001', secret: secretOf('3') };
const dead = { code: 1008, reason: 'secret-revoked' };

test('a terminal of one node is available at the other, with its credit', async () => {
  const { one, other, hints, close } = await startTwoNodes();
  hints.isDropping = true;
  const patron = await PatronSocket.join(one, secretOf('1'), here);
  await bet(patron, here);
  const reconnected = await PatronSocket.join(other, secretOf('1'), there);
  expect(await reconnected.receive('welcome')).toMatchObject({ terminal: 'T1-1' });
  expect(await reconnected.receive('own')).toMatchObject({ view: { credit: demoCredit - stake } });
  await bet(reconnected, there, 'slip-0002');
  await close();
});

test('a secret revoked at one node closes its connections at the other', async () => {
  const { one, other, hints, close } = await startTwoNodes();
  const patron = await PatronSocket.join(one, secretOf('1'), here);
  await bet(patron, here);
  await hints.delivered();
  const remotePatron = await PatronSocket.join(other, secretOf('1'));
  patron.send(renew);
  await patron.receive('renewed');
  expect(await remotePatron.waitForClose()).toEqual(dead);
  expect([await helloReply(other, '1'), await helloReply(other, '3')]).toEqual(['secret-revoked', 'T1-1']);
  await close();
});

test('the sweep closes only the sockets of revoked secrets when the notification was lost', async () => {
  const time = new TestScheduler();
  const { one, other, hints, close } = await startTwoNodes(createMemoryStore(), { scheduler: time });
  await one.floor.terminals.seat(hashSecret(secretOf('1')), demoCredit);
  const [remotePatron, reader] = [
    await PatronSocket.join(other, secretOf('1')),
    await PatronSocket.join(other, secretOf('2')),
  ];
  hints.isDropping = true;
  expect(await one.floor.terminals.renew(hashSecret(secretOf('1')), hashSecret(secretOf('3')))).toBeUndefined();
  await time.advance(credentialRefreshEveryMs - 10);
  expect(remotePatron.closed).toBeUndefined();
  await time.advance(20);
  expect(await remotePatron.waitForClose()).toEqual(dead);
  expect(reader.closed).toBeUndefined();
  await close();
});

test('hello with a revoked secret is refused also when the notification was lost', async () => {
  const { one, other, hints, close } = await startTwoNodes();
  const patron = await PatronSocket.join(one, secretOf('1'), here);
  await bet(patron, here);
  await hints.delivered();
  hints.isDropping = true;
  await one.floor.terminals.bindings.revokeAllOf('T1-1');
  expect(await helloReply(other, '1')).toBe('secret-revoked');
  await close();
});

test('a secret seated at both nodes returns to the terminal that was stored first', async () => {
  const { one, other, hints, close } = await startTwoNodes();
  const [patron, remotePatron] = [
    await PatronSocket.join(one, secretOf('1'), here),
    await PatronSocket.join(other, secretOf('1'), there),
  ];
  await bet(patron, here);
  expect(await remotePatron.waitForClose()).toEqual({ code: 1012, reason: 'bound-elsewhere' });
  hints.isDropping = true;
  const again = await PatronSocket.join(other, secretOf('1'), there);
  expect(await again.receive('welcome')).toMatchObject({ terminal: 'T1-1' });
  await bet(again, there, 'slip-0002');
  await close();
});

test('two concurrent first bets of one secret at two nodes create one terminal', async () => {
  const { store, one, other, hints, close } = await startTwoNodes();
  hints.isDropping = true;
  const seats = await Promise.all([
    PatronSocket.join(one, secretOf('1'), here),
    PatronSocket.join(other, secretOf('1'), there),
  ] as const);
  const bets = await Promise.all(
    seats.map(async (patron, index) => {
      const table = index === 0 ? here : there;
      const betting = bet(patron, table).then(() => true);
      return Promise.race([betting.catch(() => false), patron.waitForClose().then(() => false)]);
    }),
  );
  expect(bets.filter(Boolean)).toHaveLength(1);
  const terminals = (await store.streams()).filter((stream) => stream.includes('/terminal/'));
  expect(terminals).toHaveLength(1);
  const loser = bets[0] ? { server: other, table: there } : { server: one, table: here };
  const again = await PatronSocket.join(loser.server, secretOf('1'), loser.table);
  const { terminal } = await again.receive('welcome');
  expect(terminals).toEqual([`demo/terminal/${terminal}`]);
  await bet(again, loser.table, 'slip-0002');
  await close();
});

test('a first bet stored at one node is accepted at a node that has not read its terminal, also after the close', async () => {
  const memory = createMemoryStore();
  const written = Promise.withResolvers<void>();
  const store: Store = {
    ...memory,
    append: async (batch) => {
      // The secret is bound before the terminal has entries.
      if (batch.stream === 'demo/terminal/T1-1') await written.promise;
      return memory.append(batch);
    },
  };
  const time = new TestScheduler();
  const { one, other, hints, close } = await startTwoNodes(store, {
    scheduler: time,
    times: { bettingTime: 1_000, grace: 0, pause: 60_000 },
    tables: [here],
  });
  hints.isDropping = true;
  const isPhase = (phase: string) => (): boolean => one.floor.tables.get(here)!.table.phase === phase;
  await time.advanceUntil(isPhase('betting'));
  const patron = await time.advanceUntilSettled(PatronSocket.join(one, secretOf('1'), here));
  const round = await patron.bettingRound();
  const slip = (id: string, tie: number) => ({ type: 'slip', id, table: here, round, slip: { tie } });
  patron.send(slip('slip-0001', 100));
  while ((await memory.listValues('binding')).size === 0) await setTimeout(1);
  const stream = 'demo/table/tiger';
  const readTable = (): Promise<void> =>
    other.floor.readUpTo(new Map([[stream, one.floor.tables.get(here)!.processor.sequence]]));
  await readTable();
  const returning = await time.advanceUntilSettled(PatronSocket.join(other, secretOf('1'), here));
  expect(await returning.receive('welcome')).toMatchObject({ terminal: 'T1-1' });
  written.resolve();
  await patron.receive('accepted');
  patron.send(slip('slip-0002', 200));
  await patron.receive('accepted', ({ id }) => id === 'slip-0002');
  await time.advanceUntil(() => !isPhase('betting')() && !isPhase('closing')());
  await readTable();
  for (const [id, tie] of [
    ['slip-0001', 100],
    ['slip-0002', 200],
  ] as const) {
    returning.send(slip(id, tie));
    const reply = await Promise.race([
      returning.receive('accepted', (message) => message.id === id),
      returning.receive('refused', (message) => message.id === id),
    ]);
    expect(reply).toMatchObject({ type: 'accepted', id });
  }
  for (const socket of [patron, returning]) socket.terminate();
  await time.advanceUntilSettled(close());
});

test('a ticket of one node is paid at the other, and only once when both pay at the same time', async () => {
  const { one, other, close } = await startTwoNodes();
  const patron = await PatronSocket.join(one, secretOf('1'), here);
  const remotePatron = await PatronSocket.join(other, secretOf('2'), there);
  for (const attempt of [1, 2]) {
    patron.send({ type: 'load', id: `load-000${attempt}`, amount: 5_000 });
    await patron.receive('loaded', ({ id }) => id === `load-000${attempt}`);
    patron.send({ type: 'collect', id: `collect-${attempt}` });
    const { ticket } = await patron.receive('collected', ({ id }) => id === `collect-${attempt}`);
    const id = `redeem-0${attempt}`;
    const askers = attempt === 1 ? [remotePatron] : [patron, remotePatron];
    for (const asker of askers) asker.send({ type: 'redeem', id, number: ticket!.number });
    const replies = await Promise.all(
      askers.map((asker) =>
        Promise.race([
          asker.receive('loaded', (reply) => reply.id === id),
          asker.receive('refused', (reply) => reply.id === id),
        ]),
      ),
    );
    expect(replies.filter(({ type }) => type === 'loaded')).toHaveLength(1);
    for (const reply of replies) if (reply.type === 'refused') expect(reply.code).toBe('ticket-paid');
  }
  await close();
});

test('a printer at another node receives the ticket', async () => {
  const { one, other, close } = await startTwoNodes();
  const patron = await PatronSocket.join(one, secretOf('1'), here);
  await bet(patron, here);
  await one.floor.terminals.bindings.bind(hashSecret(secretOf('9')), 'T1-1', 'printer');
  const printer = await PatronSocket.join(other, secretOf('9'));
  patron.send({ type: 'slip', id: 'slip-0002', table: here, round: await patron.bettingRound(), slip: {} });
  await patron.receive('accepted', ({ id }) => id === 'slip-0002');
  patron.send({ type: 'collect', id: 'collect-1' });
  const { ticket } = await patron.receive('collected');
  await other.floor.terminals.refresh('T1-1');
  expect(await printer.receive('collected')).toMatchObject({ id: 'collect-1', ticket: { number: ticket!.number } });
  await close();
});

test('a sign-in session is valid at both nodes until it ends at either', async () => {
  const time = new TestScheduler();
  const { one, other, hints, close } = await startTwoNodes(createMemoryStore(), {
    initialStaff: { demo: true },
    scheduler: time,
  });
  const cookie = await demoSignIn(one, 'S-1');
  hints.isDropping = true;
  const second = await demoSignIn(one, 'S-2');
  for (const [mine, number] of [
    [cookie, 'S-1'],
    [second, 'S-2'],
  ] as const) {
    expect((await staffRequest(other, 'me', undefined, { cookie: mine })).body).toMatchObject({ session: { number } });
  }
  const [first, loser] = [await StaffSocket.connect(other, cookie), await StaffSocket.connect(other, second)];
  hints.isDropping = false;
  await staffRequest(one, 'sign-out', {}, { cookie });
  expect(await first.waitForClose()).toMatchObject({ code: 1008 });
  hints.isDropping = true;
  await staffRequest(one, 'sign-out', {}, { cookie: second });
  expect((await staffRequest(other, 'me', undefined, { cookie: second })).body).toMatchObject({ session: null });
  await expect(StaffSocket.connect(other, second)).rejects.toThrow('401');
  await time.advance(credentialRefreshEveryMs);
  expect(await loser.waitForClose()).toMatchObject({ code: 1008 });
  await close();
});

test('while the store cannot be read a patron reconnects later and a resent slip has an unknown result', async () => {
  const memory = createMemoryStore();
  let isAway = false;
  const throwWhileAway = (): void => {
    if (isAway) throw new DatabaseUnavailableError('away');
  };
  const store: Store = {
    ...memory,
    findCommands: async (...what) => {
      throwWhileAway();
      return memory.findCommands(...what);
    },
    balance: async (...what) => {
      throwWhileAway();
      return memory.balance(...what);
    },
  };
  const reply: string[] = [];
  const outage = ({ state }: { readonly state: string }): void => void reply.push(state);
  const { one, other, close } = await startTwoNodes(store, { onOutage: outage });
  const patron = await PatronSocket.join(one, secretOf('1'), here);
  await bet(patron, here);
  const again = {
    type: 'slip',
    id: 'slip-0001',
    table: here,
    round: await patron.bettingRound(),
    slip: { player: stake },
  };
  patron.send({ type: 'leave' });
  isAway = true;
  expect(await patron.refusalOf(again)).toMatchObject({ code: 'result-unknown', id: 'slip-0001' });
  const elsewhere = await PatronSocket.connect(other);
  elsewhere.send({ type: 'hello', v: protocolVersion, secret: secretOf('1') });
  expect(await elsewhere.receive('refused')).toMatchObject({ code: 'cannot-record' });
  expect(await elsewhere.waitForClose()).toEqual({ code: 1013, reason: 'cannot-record' });
  // Both servers report an outage and no defect.
  expect(reply.filter((state) => state === 'begun')).toHaveLength(2);
  isAway = false;
  const receivedCount = patron.received.length;
  patron.send(again);
  await patron.receive('accepted', ({ id }) => id === 'slip-0001', receivedCount);
  patron.terminate();
  await close();
});

test('while the store does not answer, secrets and sessions are refused', async () => {
  const memory = createMemoryStore();
  let isAway = false;
  const store: Store = {
    ...memory,
    listValues: async (...what) => {
      if (isAway) throw new Error('away');
      return memory.listValues(...what);
    },
  };
  const nothing = (): void => {};
  const { one, other, close } = await startTwoNodes(store, {
    initialStaff: { demo: true },
    onOutage: nothing,
    warn: nothing,
  });
  const cookie = await demoSignIn(one, 'S-1');
  isAway = true;
  const patron = await PatronSocket.connect(other);
  patron.send({ type: 'hello', v: protocolVersion, secret: secretOf('1') });
  expect(await patron.receive('refused')).toMatchObject({ code: 'cannot-record' });
  expect(await patron.waitForClose()).toEqual({ code: 1013, reason: 'cannot-record' });
  await expect(StaffSocket.connect(other, cookie)).rejects.toThrow('503');
  for (const [name, responses] of [
    ['me', undefined],
    ['lock', {}],
  ] as const) {
    expect(await staffRequest(other, name, responses, { cookie })).toMatchObject({
      status: 503,
      body: { code: 'cannot-record' },
    });
  }
  isAway = false;
  expect(await helloReply(other, '1')).toBeNull();
  expect((await staffRequest(other, 'me', undefined, { cookie })).body).toMatchObject({ session: { number: 'S-1' } });
  await close();
});
