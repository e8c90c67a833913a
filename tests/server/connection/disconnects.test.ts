import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { PatronSocket, type TestServerOptions, startTestServer, secretOf } from '../support/testServer.ts';

// Disconnects by a lost network, a frozen terminal or a closed page.

const disconnectedAt = (server: Server) => server.floor.tables.get('tiger')!.table.disconnected;

/** A floor on test time with one table in betting, and patrons with stakes. */
async function startBetting(secrets: string, options: TestServerOptions = {}) {
  const time = new TestScheduler();
  const server = await startTestServer({ tables: ['tiger'], scheduler: time, ...options });
  const patrons: PatronSocket[] = [];
  for (const letter of secrets) {
    const patron = await time.advanceUntilSettled(PatronSocket.join(server, secretOf(letter), 'tiger'));
    const round = await time.advanceUntilSettled(patron.bettingRound());
    patron.send({ type: 'slip', id: `slip-000${letter}`, table: 'tiger', round, slip: { player: 1_000 } });
    await time.advanceUntilSettled(patron.receive('accepted'));
    patrons.push(patron);
  }
  return { server, time, patrons };
}

/** Waits until the server has noticed this number of closed sockets, and three seconds more. */
async function waitUntilNoticed(server: Server, time: TestScheduler, isDone: () => boolean): Promise<void> {
  for (let n = 0; n < 2_000 && !isDone(); n++) {
    await time.advance(100);
    await new Promise((done) => setTimeout(done, 5));
  }
  expect(isDone(), JSON.stringify(disconnectedAt(server))).toBe(true);
}

test('a lost terminal is reported to its table after a delay, and so is its return', async () => {
  const { server, time, patrons } = await startBetting('12');
  patrons[0]!.terminate();
  await waitUntilNoticed(server, time, () => 'T1.1' in disconnectedAt(server));
  expect(disconnectedAt(server)).toEqual({ 'T1.1': { closed: false, back: false } });
  await time.advanceUntilSettled(PatronSocket.join(server, secretOf('1')));
  await waitUntilNoticed(server, time, () => Object.keys(disconnectedAt(server)).length === 0);
  await server.close();
});

test('a frozen terminal is disconnected and reported', async () => {
  const { server, time, patrons } = await startBetting('12', { limits: { pingEveryMs: 100 } });
  patrons[1]!.socket.pause();
  await waitUntilNoticed(server, time, () => 'T2.1' in disconnectedAt(server));
  expect(Object.keys(disconnectedAt(server))).toEqual(['T2.1']);
  patrons[1]!.terminate();
  await server.close();
});

test('a closed page has left the table and is reported only for its stakes', async () => {
  const { server, time, patrons } = await startBetting('1');
  const idle = await time.advanceUntilSettled(PatronSocket.join(server, secretOf('2'), 'tiger'));
  idle.send({ type: 'load', id: 'load-0001', amount: 1_000 });
  await time.advanceUntilSettled(idle.receive('loaded'));
  const pulled = await time.advanceUntilSettled(PatronSocket.join(server, secretOf('3'), 'tiger'));
  pulled.send({ type: 'load', id: 'load-0002', amount: 1_000 });
  await time.advanceUntilSettled(pulled.receive('loaded'));
  idle.socket.close(1001);
  patrons[0]!.socket.close(1001);
  pulled.terminate();
  await waitUntilNoticed(server, time, () => 'T3.1' in disconnectedAt(server));
  await time.advance(5_000);
  expect(Object.keys(disconnectedAt(server)).toSorted()).toEqual(['T1.1', 'T3.1']);
  await server.close();
});

test('a server stop or restart reports no terminal as lost', async () => {
  const [store, key] = [createMemoryStore(), randomBytes(32)];
  const reusable = { ...store, close: () => Promise.resolve() };
  const { server, time, patrons } = await startBetting('12', { store: reusable, key });
  await time.advanceUntilSettled(server.close());
  for (const patron of patrons) await patron.waitForClose();
  const again = await startTestServer({ tables: ['tiger'], scheduler: time, store, key });
  const returning = await time.advanceUntilSettled(PatronSocket.join(again, secretOf('1'), 'tiger'));
  await time.advance(5_000);
  expect(disconnectedAt(again)).toEqual({});
  expect(again.floor.tables.get('tiger')!.table.phase).toBe('betting');
  returning.terminate();
  await again.close();
});
