import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type ServerMessage } from '../../../src/wire/messages.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';

/** Sends a request and waits for the reply to its id. */
async function requestReply(
  patron: PatronSocket,
  request: { readonly id: string; readonly [field: string]: unknown },
): Promise<string> {
  const from = patron.received.length;
  patron.send(request);
  const isReply = (message: ServerMessage): boolean => 'id' in message && message.id === request.id;
  const reply = await Promise.race([
    patron.receive('limited', isReply, from),
    patron.receive('accepted', isReply, from),
    patron.receive('refused', isReply, from),
  ]);
  return reply.type === 'refused' ? reply.code : reply.type;
}

const limit = (id: string, limits: object) => ({ type: 'limit', id, ...limits });
const pause = (id: string, minutes: number) => ({ type: 'pause', id, minutes });
const slip = (id: string, round: string, stakes: object) => ({ type: 'slip', id, table: 'tiger', round, slip: stakes });

test('session limits apply at once and can only be tightened; a slip above one is refused, a smaller slip never', async () => {
  const store = { ...createMemoryStore(), close: async () => {} };
  const options = { store, key: randomBytes(32), tables: ['tiger'] };
  const first = await startTestServer(options);
  const patron = await PatronSocket.join(first, secretOf('1'), 'tiger');
  const round = await patron.bettingRound();
  expect((await patron.receive('balance')).limits).toEqual({
    stake: null,
    loss: null,
    pausedUntil: null,
    realityCheckMs: 3_600_000,
    help: null,
  });
  expect(await requestReply(patron, slip('slip-0001', round, { banker: 2_000 }))).toBe('accepted');
  expect(await requestReply(patron, limit('limit-0001', { stake: 1_500, loss: 5_000 }))).toBe('limited');
  expect((await patron.receive('balance', ({ limits }) => limits.stake !== null)).limits).toMatchObject({
    stake: 1_500,
    loss: 5_000,
  });
  // A resend gets the same reply; a looser limit is refused.
  expect(await requestReply(patron, limit('limit-0001', { stake: 1_500, loss: 5_000 }))).toBe('limited');
  expect(await requestReply(patron, limit('limit-0002', { stake: 1_600 }))).toBe('limits-only-tighten');
  expect(await requestReply(patron, limit('limit-0003', {}))).toBe('bad-request');
  expect(await requestReply(patron, slip('slip-0002', round, { banker: 2_000, tie: 100 }))).toBe('over-stake-limit');
  expect(await requestReply(patron, slip('slip-0003', round, { banker: 1_900 }))).toBe('accepted');
  expect(await requestReply(patron, slip('slip-0004', round, { tie: 1_500 }))).toBe('accepted');
  // 1,500 of the loss limit of 5,000 are at stake.
  expect(await requestReply(patron, limit('limit-0004', { loss: 1_400 }))).toBe('limited');
  expect(await requestReply(patron, slip('slip-0005', round, { tie: 1_400 }))).toBe('accepted');
  expect(await requestReply(patron, slip('slip-0006', round, { tie: 1_400, banker: 100 }))).toBe('over-loss-limit');
  patron.terminate();
  await first.close();

  const second = await startTestServer(options);
  const returning = await PatronSocket.join(second, secretOf('1'), 'tiger');
  expect((await returning.receive('balance')).limits).toMatchObject({ stake: 1_500, loss: 1_400 });
  const { openStakes, session, credit } = await returning.receive('balance');
  expect([credit, session, openStakes]).toMatchObject([98_600, { number: 1, loaded: 100_000 }, [{ stake: 1_400 }]]);
  expect(await requestReply(returning, slip('slip-0007', round, { tie: 1_500 }))).toBe('over-loss-limit');
  returning.terminate();
  await second.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('the loss limit allows losing winnings and counts open stakes at other tables as lost', async () => {
  const server = await startTestServer({ tables: ['tiger', 'baccarat'] });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const round = await patron.bettingRound();
  expect(await requestReply(patron, limit('limit-0001', { loss: 1_000 }))).toBe('limited');
  expect(await requestReply(patron, slip('slip-0001', round, { banker: 700 }))).toBe('accepted');
  patron.send({ type: 'sit', table: 'baccarat' });
  const { view } = await patron.receive('table', ({ table }) => table === 'baccarat');
  const there = { type: 'slip', table: 'baccarat', round: view.round!.id } as const;
  expect(await requestReply(patron, { ...there, id: 'slip-0002', slip: { player: 400 } })).toBe('over-loss-limit');
  expect(await requestReply(patron, { ...there, id: 'slip-0003', slip: { player: 300 } })).toBe('accepted');
  const load = { type: 'LoadCredit', method: 'bill', amount: 5_000 };
  // Loaded credit is not a win: the limit does not change.
  expect(await server.floor.terminals.submit('T1', 'load-1', load)).toHaveProperty('entries');
  expect(await requestReply(patron, { ...there, id: 'slip-0004', slip: { player: 400 } })).toBe('over-loss-limit');
  expect(server.floor.terminals.remainingLimits('T1.1', 100_000 + 5_000 + 250)).toEqual({
    stake: null,
    loss: 1_250,
    until: null,
  });
  patron.terminate();
  await server.close();
});

test('a break refuses stakes until its end and can be extended but not shortened', async () => {
  const clock = new TestScheduler();
  const server = await startTestServer({ tables: ['tiger'], scheduler: clock });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const round = await clock.advanceUntilSettled(patron.bettingRound());
  const breakStart = clock.now();
  expect(await requestReply(patron, slip('slip-0001', round, { tie: 300 }))).toBe('accepted');
  expect(await requestReply(patron, pause('pause-0001', 2))).toBe('limited');
  expect((await patron.receive('balance', ({ limits }) => limits.pausedUntil !== null)).limits.pausedUntil).toBe(
    breakStart + 120_000,
  );
  expect(await requestReply(patron, slip('slip-0002', round, { tie: 400 }))).toBe('on-a-break');
  expect(await requestReply(patron, slip('slip-0003', round, { tie: 200 }))).toBe('accepted');
  expect(await requestReply(patron, pause('pause-0002', 1))).toBe('limits-only-tighten');
  expect(await requestReply(patron, pause('pause-0003', 3))).toBe('limited');
  for (const minutes of [0, 1441, 1.5]) {
    expect(await requestReply(patron, pause('pause-0004', minutes))).toBe('bad-request');
  }
  await clock.advance(120_000);
  expect(await requestReply(patron, slip('slip-0004', round, { tie: 400 }))).toBe('on-a-break');
  await clock.advance(60_000);
  expect(await requestReply(patron, slip('slip-0005', round, { tie: 400 }))).toBe('accepted');
  patron.terminate();
  await clock.advanceUntilSettled(server.close());
});

test('[READING 60] limits and breaks end with the session; in a demo they start it before the first bet', async () => {
  const server = await startTestServer({ tables: ['tiger'], limits: { writeBurst: 6, writesPerSecond: 0 } });
  const newcomer = await PatronSocket.join(server, secretOf('2'));
  expect(await requestReply(newcomer, limit('limit-0000', { stake: 100 }))).toBe('not-seated');
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const round = await patron.bettingRound();
  expect(await requestReply(patron, limit('limit-0001', { stake: 100 }))).toBe('limited');
  expect(await requestReply(patron, pause('pause-0001', 60))).toBe('limited');
  expect(await patron.receive('balance', ({ session }) => session !== null)).toMatchObject({ credit: 100_000 });
  await server.floor.terminals.collect('T1', 'collect-1', 'cash');
  expect((await patron.receive('balance', ({ credit }) => credit === 0)).limits).toMatchObject({
    stake: null,
    pausedUntil: null,
  });
  expect(await requestReply(patron, limit('limit-0002', { stake: 50 }))).toBe('no-session');
  await server.floor.terminals.submit('T1', 'load-1', { type: 'LoadCredit', method: 'bill', amount: 5_000 });
  expect(await requestReply(patron, slip('slip-0001', round, { tie: 300 }))).toBe('accepted');
  // Appends per address are limited.
  expect(await requestReply(patron, limit('limit-0003', { stake: 500 }))).toBe('limited');
  expect(await requestReply(patron, limit('limit-0004', { stake: 400 }))).toBe('limited');
  expect(await requestReply(patron, limit('limit-0005', { stake: 300 }))).toBe('too-many-messages');
  newcomer.terminate();
  patron.terminate();
  await server.close();
});
