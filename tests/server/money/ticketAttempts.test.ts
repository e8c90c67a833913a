import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { withCheckDigit } from '../../../src/base/validationNumber.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { replyTo, collectTicket } from '../support/moneyReplies.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';

const key = randomBytes(32);
const oneTable = { tables: ['tiger'], key };

const expectVerified = async (store: Store): Promise<void> =>
  expect((await verifyStore(store)).problem).toBeUndefined();

test('wrong ticket numbers block a terminal and an address and are recorded; a misread number has its own code', async () => {
  const store = createMemoryStore();
  const server = await startTestServer({
    ...oneTable,
    store,
    limits: { maxTicketAttempts: 3, maxTicketAttemptsPerAddress: 5, ticketBlockMs: 600_000 },
  });
  const numberOf = (n: number): string => withCheckDigit(String(n).padStart(17, '0'));
  const redeem = (n: number) => ({ type: 'redeem', id: `redeem-${n}`, number: numberOf(n) });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const good = await collectTicket(patron, 'collect-1');
  const misread = `${good.slice(0, 17)}${(Number(good[17]) + 1) % 10}`;
  for (let n = 0; n < 9; n++) {
    expect(await replyTo(patron, { ...redeem(n), number: misread })).toMatchObject({ code: 'misread-ticket' });
  }
  for (let n = 0; n < 3; n++) expect(await replyTo(patron, redeem(n))).toMatchObject({ code: 'unknown-ticket' });
  expect(await replyTo(patron, redeem(3))).toMatchObject({ code: 'too-many-attempts' });
  // Also a valid number, because a block must not reveal it.
  expect(await replyTo(patron, { ...redeem(4), number: good })).toMatchObject({ code: 'too-many-attempts' });
  const other = await PatronSocket.join(server, secretOf('2'), 'tiger');
  for (let n = 0; n < 2; n++) expect(await replyTo(other, redeem(n))).toMatchObject({ code: 'unknown-ticket' });
  expect(await replyTo(other, redeem(2))).toMatchObject({ code: 'too-many-attempts' });
  await server.close();
  expect(await recordedAttempts(store)).toEqual([
    ['demo/floor/main', 3],
    ['demo/floor/main', 2],
    ['demo/terminal/T1', 3],
  ]);
  expect(await store.streams()).not.toContain('demo/terminal/T2');
  await expectVerified(store);
});

/** Streams that record wrong numbers, with their counts. */
async function recordedAttempts(store: Store): Promise<readonly unknown[]> {
  const attempts: unknown[] = [];
  for (const stream of await store.streams()) {
    for await (const entries of store.read(stream)) {
      for (const { event } of entries)
        if (event.type === 'TicketAttemptsReported') attempts.push([stream, event['attempts']]);
    }
  }
  return attempts;
}

const wrongNumber = (n: number): string => withCheckDigit(String(n).padStart(17, '0'));

test('a reused command id is refused alike for valid and unknown ticket numbers', async () => {
  const server = await startTestServer({ ...oneTable, limits: { maxTicketAttempts: 2, ticketBlockMs: 600_000 } });
  const owner = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const good = await collectTicket(owner, 'collect-1');
  const patron = await PatronSocket.join(server, secretOf('2'), 'tiger');
  await replyTo(patron, { type: 'load', id: 'used-0001', amount: 1_000 });
  for (const number of [wrongNumber(1), good, wrongNumber(2), good]) {
    expect(await replyTo(patron, { type: 'redeem', id: 'used-0001', number })).toMatchObject({
      code: 'command-reused',
    });
  }
  const paid = await replyTo(patron, { type: 'redeem', id: 'redeem-1', number: good });
  expect(paid).toMatchObject({ type: 'loaded' });
  for (let n = 0; n < 9; n++) {
    const requests = { type: 'redeem', id: 'redeem-1', number: wrongNumber(n) };
    expect(await replyTo(patron, requests)).toMatchObject({ code: 'command-reused' });
  }
  expect(await replyTo(patron, { type: 'redeem', id: 'redeem-1', number: good })).toEqual(paid);
  await server.close();
});

test('concurrent ticket numbers are counted one by one, and a new terminal stores nothing for them', async () => {
  const store = createMemoryStore();
  const limits = { maxTicketAttempts: 3, maxTicketAttemptsPerAddress: 7, ticketBlockMs: 600_000 };
  const server = await startTestServer({ ...oneTable, store, limits });
  const owner = await PatronSocket.join(server, secretOf('9'), 'tiger');
  const good = await collectTicket(owner, 'collect-1');
  await replyTo(owner, { type: 'redeem', id: 'redeem-1', number: good });
  const before = await store.streams();
  const codes: unknown[] = [];
  for (const letter of ['1', '2', '3', '4']) {
    const patron = await PatronSocket.join(server, secretOf(letter), 'tiger');
    // A paid ticket is no wrong number and appends nothing either.
    const paid = await replyTo(patron, { type: 'redeem', id: 'redeem-0', number: good });
    expect(paid).toMatchObject({ code: letter === '4' ? 'too-many-attempts' : 'ticket-paid' });
    const requests = Array.from({ length: 12 }, (_, n) => ({
      type: 'redeem',
      id: `guess-${n}00`,
      number: wrongNumber(n),
    }));
    codes.push(
      ...(await Promise.all(requests.map((request) => replyTo(patron, request)))).map(
        (reply) => 'code' in reply && reply.code,
      ),
    );
  }
  expect(codes.filter((code) => code === 'unknown-ticket')).toHaveLength(7);
  expect(codes.filter((code) => code === 'too-many-attempts')).toHaveLength(41);
  expect(await store.streams()).toEqual(before);
  await server.close();
  await expectVerified(store);
});

test('a terminal with credit history is not blocked by wrong numbers of its address', async () => {
  const server = await startTestServer({
    ...oneTable,
    limits: { maxTicketAttempts: 3, maxTicketAttemptsPerAddress: 3, ticketBlockMs: 600_000 },
  });
  const [owner, guesser, fresh] = [
    await PatronSocket.join(server, secretOf('1'), 'tiger'),
    await PatronSocket.join(server, secretOf('2'), 'tiger'),
    await PatronSocket.join(server, secretOf('3'), 'tiger'),
  ];
  const number = await collectTicket(owner, 'collect-1');
  for (let n = 0; n < 3; n++) await replyTo(guesser, { type: 'redeem', id: `redeem-${n}`, number: wrongNumber(n) });
  const redeem = { type: 'redeem', id: 'redeem-9', number };
  for (const barred of [guesser, fresh])
    expect(await replyTo(barred, redeem)).toMatchObject({ code: 'too-many-attempts' });
  expect(await replyTo(owner, redeem)).toMatchObject({ type: 'loaded' });
  await server.close();
});

test("a blocked address may still probe, and a terminal's block ends with its session", async () => {
  const clock = new TestScheduler();
  const limits = {
    maxTicketAttempts: 2,
    maxTicketAttemptsPerAddress: 2,
    ticketBlockMs: 600_000,
    ticketProbeEveryMs: 5_000,
  };
  const server = await startTestServer({ ...oneTable, scheduler: clock, limits });
  const [owner, guesser, fresh] = [
    await PatronSocket.join(server, secretOf('1'), 'tiger'),
    await PatronSocket.join(server, secretOf('2'), 'tiger'),
    await PatronSocket.join(server, secretOf('3'), 'tiger'),
  ];
  await replyTo(owner, { type: 'load', id: 'load-0001', amount: 1_000 });
  for (const patron of [guesser, owner]) {
    for (let n = 0; n < 2; n++) await replyTo(patron, { type: 'redeem', id: `redeem-${n}`, number: wrongNumber(n) });
  }
  const number = await collectTicket(owner, 'collect-1');
  const redeem = { type: 'redeem', id: 'redeem-9', number };
  expect(await replyTo(fresh, redeem)).toMatchObject({ code: 'too-many-attempts' });
  await clock.advance(5_000);
  expect(await replyTo(guesser, redeem)).toMatchObject({ code: 'too-many-attempts' });
  expect(await replyTo(fresh, redeem)).toMatchObject({ type: 'loaded' });
  expect(await replyTo(owner, redeem)).toMatchObject({ code: 'ticket-paid' });
  for (const patron of [owner, guesser, fresh]) patron.terminate();
  await clock.advanceUntilSettled(server.close());
});

test('wrong ticket numbers are summed up in the floor stream once a minute', async () => {
  const store = createMemoryStore();
  const clock = new TestScheduler();
  const server = await startTestServer({
    ...oneTable,
    store,
    scheduler: clock,
    limits: { maxTicketAttempts: 1, maxTicketAttemptsPerAddress: 10, ticketBlockMs: 0 },
  });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  for (let n = 0; n < 30; n++) {
    await replyTo(patron, { type: 'redeem', id: `redeem-${n}`, number: wrongNumber(n) });
  }
  expect(await recordedAttempts(store)).toEqual([['demo/floor/main', 1]]);
  await clock.advance(60_000);
  expect(await recordedAttempts(store)).toEqual([
    ['demo/floor/main', 1],
    ['demo/floor/main', 29],
  ]);
  await clock.advance(600_000);
  expect(await recordedAttempts(store)).toHaveLength(2);
  patron.terminate();
  await clock.advanceUntilSettled(server.close());
});

test('a resend of a paid ticket gets its reply during a block', async () => {
  const server = await startTestServer({ ...oneTable, limits: { maxTicketAttempts: 1, ticketBlockMs: 600_000 } });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const number = await collectTicket(patron, 'collect-1');
  const redeem = { type: 'redeem', id: 'redeem-1', number };
  const loaded = await replyTo(patron, redeem);
  await replyTo(patron, { ...redeem, id: 'redeem-2', number: withCheckDigit('0'.repeat(17)) });
  expect(await replyTo(patron, redeem)).toEqual(loaded);
  expect(await replyTo(patron, { ...redeem, id: 'redeem-3' })).toMatchObject({ code: 'too-many-attempts' });
  await server.close();
});
