import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { SecretBindings } from '../../../src/runtime/terminals/secretBindings.ts';
import { type OutageReport } from '../../../src/runtime/stream/outageReporter.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';

const renew = (letter: string, id = `renew-${letter}-01`) => ({ type: 'renew', id, secret: secretOf(letter) });

/** Terminal of a secret: null for a new secret, undefined for a revoked one. */
async function terminalOf(server: Server, letter: string): Promise<string | null | undefined> {
  const patron = await PatronSocket.connect(server);
  patron.send({ type: 'hello', v: protocolVersion, secret: secretOf(letter) });
  const message = await Promise.race([patron.receive('welcome'), patron.receive('refused')]);
  if (message.type === 'refused') {
    expect(message.code).toBe('secret-revoked');
    expect(await patron.waitForClose()).toEqual({ code: 1008, reason: 'secret-revoked' });
    return undefined;
  }
  patron.terminate();
  return message.terminal;
}

async function bet(patron: PatronSocket, id = 'slip-0001'): Promise<void> {
  patron.send({ type: 'slip', id, table: 'tiger', round: await patron.bettingRound(), slip: { tie: 100 } });
  await patron.receive('accepted');
}

test('after a secret rotation only the new secret is valid, also after a restart', async () => {
  const store = { ...createMemoryStore(), close: async () => {} };
  const options = { store, key: randomBytes(32), tables: ['tiger'] };
  const first = await startTestServer(options);
  const patron = await PatronSocket.join(first, secretOf('1'), 'tiger');
  const tab = await PatronSocket.join(first, secretOf('1'), 'tiger');
  const other = await PatronSocket.join(first, secretOf('2'), 'tiger');
  await bet(patron);
  await bet(other);
  patron.send(renew('3'));
  expect(await patron.receive('renewed')).toEqual({ type: 'renewed', id: 'renew-3-01' });
  // Only connections with the old secret are closed.
  expect(await tab.waitForClose()).toEqual({ code: 1008, reason: 'secret-revoked' });
  expect(await Promise.all(['1', '2', '3'].map((letter) => terminalOf(first, letter)))).toEqual([
    undefined,
    'T2',
    'T1',
  ]);
  // A resend gets the same reply; a secret that is or was in use is refused.
  const from = patron.received.length;
  patron.send(renew('3'));
  await patron.receive('renewed', () => true, from);
  expect(await patron.refusalOf(renew('1'))).toMatchObject({ code: 'bad-request', id: 'renew-1-01' });
  expect(await patron.refusalOf(renew('2'))).toMatchObject({ code: 'bad-request', id: 'renew-2-01' });
  patron.terminate();
  other.terminate();
  await first.close();
  expect(
    JSON.stringify([...(await store.listValues('binding')), ...(await store.listValues('revoked'))]),
  ).not.toContain('3333');

  const second = await startTestServer(options);
  expect(await Promise.all(['1', '2', '3'].map((letter) => terminalOf(second, letter)))).toEqual([
    undefined,
    'T2',
    'T1',
  ]);
  const returning = await PatronSocket.join(second, secretOf('3'), 'tiger');
  expect((await returning.receive('own')).view).toMatchObject({ terminal: 'T1', credit: 99_900 });
  returning.terminate();
  await second.close();
});

test('a secret can be rotated before the first bet, but not without a seat', async () => {
  const server = await startTestServer({ tables: ['tiger'], limits: { writeBurst: 2, writesPerSecond: 0 } });
  const patron = await PatronSocket.join(server, secretOf('1'));
  expect(await patron.refusalOf(renew('2'))).toMatchObject({ code: 'not-seated', id: 'renew-2-01' });
  patron.send({ type: 'sit', table: 'tiger' });
  patron.send(renew('2'));
  await patron.receive('renewed');
  expect(await terminalOf(server, '1')).toBeUndefined();
  expect(await terminalOf(server, '2')).toBe('T1');
  await bet(patron);
  expect(server.floor.terminals.creditOf('T1')).toBe(99_900);
  // Appends count for the address.
  expect(await patron.refusalOf(renew('3'))).toMatchObject({ code: 'too-many-messages', id: 'renew-3-01' });
  patron.terminate();
  await server.close();
});

test('of two concurrent rotations of one secret one succeeds and the other connection is closed', async () => {
  const server = await startTestServer({ tables: ['tiger'] });
  const patrons = await Promise.all(['2', '3'].map(() => PatronSocket.join(server, secretOf('1'), 'tiger')));
  patrons.forEach((patron, n) => patron.send(renew(String(n + 2))));
  await Promise.race(patrons.map((patron) => patron.waitForClose()));
  const [winner, loser] = patrons[0]!.closed === undefined ? ['2', '3'] : ['3', '2'];
  expect(await terminalOf(server, winner)).toBe('T1');
  expect(await terminalOf(server, loser)).toBeNull();
  expect(await terminalOf(server, '1')).toBeUndefined();
  for (const patron of patrons) patron.terminate();
  await server.close();
});

test('a secret rotation during an outage is refused with its id and succeeds when sent again', async () => {
  const store = createMemoryStore();
  let left = Infinity;
  const disk: Store = {
    ...store,
    putValue: async (...what) => {
      if (left-- <= 0) throw new Error('The disk is full.');
      return store.putValue(...what);
    },
  };
  const message: OutageReport[] = [];
  const server = await startTestServer({ store: disk, tables: ['tiger'], onOutage: (outage) => message.push(outage) });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  await bet(patron);
  for (const index of [0, 1]) {
    left = index;
    expect(await patron.refusalOf(renew('2'))).toMatchObject({ code: 'cannot-record', id: 'renew-2-01' });
    expect(await terminalOf(server, '1')).toBe('T1');
  }
  expect(message.length).toBeGreaterThan(0);
  left = Infinity;
  patron.send(renew('2'));
  await patron.receive('renewed');
  expect([await terminalOf(server, '1'), await terminalOf(server, '2')]).toEqual([undefined, 'T1']);
  patron.terminate();
  await server.close();
});

test('a secret rotation before the first bet stores nothing, and the seat expires', async () => {
  const store = createMemoryStore();
  const time = new TestScheduler();
  const server = await startTestServer({
    store,
    tables: ['tiger'],
    scheduler: time,
    limits: { maxSeats: 1, seatMs: 60_000 },
  });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const tab = await PatronSocket.join(server, secretOf('1'), 'tiger');
  for (const letter of ['2', '3', '4']) {
    patron.send(renew(letter));
    await patron.receive('renewed', ({ id }) => id === `renew-${letter}-01`);
  }
  expect([(await store.listValues('revoked')).size, (await store.listValues('binding')).size]).toEqual([0, 0]);
  // A replaced connection may close last.
  patron.terminate();
  await patron.waitForClose();
  await tab.waitForClose();
  await time.advance(61_000);
  const other = await PatronSocket.join(server, secretOf('5'), 'tiger');
  expect((await other.receive('own')).view.terminal).toBe('T2');
  other.terminate();
  await time.advanceUntilSettled(server.close());
});

test('a defect in secret rotation is reported with the id of the request', async () => {
  const server = await startTestServer({ tables: ['tiger'], warn: () => {} });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  server.floor.terminals.renew = () => Promise.reject(new Error('Something of ours is wrong.'));
  expect(await patron.refusalOf(renew('2'))).toMatchObject({ code: 'broken', id: 'renew-2-01' });
  patron.terminate();
  await server.close();
});

const key = randomBytes(32);

test("a secret binding without the store's key is rejected", async () => {
  const store = createMemoryStore();
  const bindings = new SecretBindings(store, key);
  await bindings.bind('a', 'T1');
  await bindings.bind('b', 'T2');
  const [, binding] = [...(await store.listValues('binding'))][0]!;
  await store.putValue('binding', 'mine', binding);
  await store.putValue('binding', 'own', 'T1');
  await store.putValue('binding', 'b', binding);
  const after = new SecretBindings(store, key);
  expect((await after.load()).toSorted()).toEqual(['T1', 'T1', 'T1']);
  expect(['a', 'b', 'mine', 'own'].map((secret) => after.terminalOf(secret))).toEqual([
    'T1',
    undefined,
    undefined,
    undefined,
  ]);
  const next = randomBytes(32);
  await after.rewriteWith(next);
  const other = new SecretBindings(store, next);
  await other.load();
  expect(['a', 'b', 'mine'].map((secret) => other.terminalOf(secret))).toEqual(['T1', undefined, undefined]);
});

test('a revoked terminal has no valid secret, whatever a failing disk left', async () => {
  const store = createMemoryStore();
  const bindings = new SecretBindings(store, key);
  for (const [secret, terminal] of [
    ['a', 'T1'],
    ['b', 'T1'],
    ['c', 'T2'],
  ] as const) {
    await bindings.bind(secret, terminal);
  }
  let writes = 0;
  const failing = new SecretBindings(
    {
      ...store,
      putValue: async (...what) => {
        if (++writes === 2) throw new Error('The disk is gone.');
        return store.putValue(...what);
      },
    },
    key,
  );
  await failing.load();
  await expect(failing.revokeAllOf('T1')).rejects.toThrow('The disk is gone.');
  const after = new SecretBindings(store, key);
  await after.load();
  expect(['a', 'b', 'c'].map((secret) => [after.terminalOf(secret), after.isRevoked(secret)])).toEqual([
    [undefined, true],
    ['T1', false],
    ['T2', false],
  ]);
  expect(await after.revokeAllOf('T1')).toBe(1);
  expect(await after.revokeAllOf('T1')).toBe(0);
  expect(Array.from((await store.listValues('binding')).values(), (binding) => binding.split(' ')[0])).toEqual([
    'T1',
    'T2',
  ]);
});
