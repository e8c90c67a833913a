import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Server } from '../../../src/server/serverOptions.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { withCheckDigit } from '../../../src/base/validationNumber.ts';
import { demoCredit } from '../../runtime/support/demo.ts';
import { replyTo, collectTicket } from '../support/moneyReplies.ts';
import {
  type EnrolledSecrets,
  PatronSocket,
  storeWithSecrets,
  startTestServer,
  secretOf,
} from '../support/testServer.ts';

const key = randomBytes(32);
const oneTable = { tables: ['tiger'], key };

const waitForBalance = (
  patron: PatronSocket,
  isExpected: (balance: { credit: number; session: unknown; openStakes: readonly unknown[] }) => boolean = () => true,
) => patron.receive('balance', isExpected);

const expectVerified = async (store: Store): Promise<void> =>
  expect((await verifyStore(store)).problem).toBeUndefined();

test('a terminal receives its balance in the lobby and at a table: credit, session, and open stakes at all tables', async () => {
  const store = createMemoryStore();
  const server = await startTestServer({ ...oneTable, store, tables: ['tiger', 'baccarat'] });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  expect(await waitForBalance(patron)).toMatchObject({
    version: 1,
    terminal: 'T1',
    credit: demoCredit,
    session: null,
    openStakes: [],
    collect: null,
    locked: null,
    owed: 0,
    demo: true,
  });
  const round = await patron.bettingRound();
  patron.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 300 } });
  const staked = await waitForBalance(patron, ({ openStakes }) => openStakes.length > 0);
  expect(staked).toMatchObject({
    credit: demoCredit - 300,
    session: { number: 1, loaded: demoCredit },
    openStakes: [{ table: 'tiger', round, stake: 300 }],
    collect: 'stakes-open',
  });
  // Another page of the terminal receives the same in the lobby, also after a reconnect.
  const other = await PatronSocket.join(server, secretOf('1'));
  const { type: _type, version: _version, ...money } = staked;
  expect(await waitForBalance(other)).toMatchObject(money);
  const from = other.received.length;
  other.send({ type: 'whole', of: 'balance' });
  expect(await other.receive('balance', () => true, from)).toMatchObject({ version: 2, ...money });
  await server.close();
  // After a restart it is the same, read from the event log.
  const next = await startTestServer({ ...oneTable, store, tables: ['tiger', 'baccarat'] });
  const returning = await PatronSocket.join(next, secretOf('1'));
  expect(await waitForBalance(returning)).toMatchObject(money);
  await next.close();
  await expectVerified(store);
});

test.each(['ETG layout-1', 'HOUSE 10'])(
  '[%s] COLLECT gives the whole credit as a ticket, not with open stakes; a resend gives the same ticket',
  async () => {
    const store = createMemoryStore();
    const twoTables = { ...oneTable, store, tables: ['tiger', 'baccarat'] };
    const server = await startTestServer(twoTables);
    const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
    const round = await patron.bettingRound();
    const slip = (id: string, stakes: object) =>
      replyTo(patron, { type: 'slip', id, table: 'tiger', round, slip: stakes });
    await slip('slip-0001', { tie: 300 });
    expect(await replyTo(patron, { type: 'collect', id: 'collect-1' })).toMatchObject({ code: 'stakes-open' });
    // A stake at a table that the terminal has left is open as well.
    patron.send({ type: 'sit', table: 'baccarat' });
    await patron.receive('table', ({ table }) => table === 'baccarat');
    expect(await replyTo(patron, { type: 'collect', id: 'collect-4' })).toMatchObject({ code: 'stakes-open' });
    patron.send({ type: 'sit', table: 'tiger' });
    await slip('slip-0002', {});
    const collected = await replyTo(patron, { type: 'collect', id: 'collect-2' });
    expect(collected).toMatchObject({
      amount: demoCredit,
      hand: false,
      ticket: { number: expect.stringMatching(/^\d{18}$/) },
    });
    expect(await replyTo(patron, { type: 'collect', id: 'collect-2' })).toEqual(collected);
    expect(await replyTo(patron, { type: 'collect', id: 'collect-3' })).toMatchObject({ code: 'nothing-to-collect' });
    expect(await waitForBalance(patron, ({ credit }) => credit === 0)).toMatchObject({
      session: null,
      collect: 'nothing-to-collect',
    });
    await server.close();
    const again = await startTestServer(twoTables);
    const returning = await PatronSocket.join(again, secretOf('1'));
    expect(await replyTo(returning, { type: 'collect', id: 'collect-2' })).toEqual(collected);
    await again.close();
    // The event log does not contain the validation number.
    const { number } = (collected as { ticket: { number: string } }).ticket;
    for (const stream of await store.streams()) {
      for await (const entries of store.read(stream)) expect(JSON.stringify(entries)).not.toContain(number);
    }
    expect(await verifyStore(store)).toMatchObject({
      problem: undefined,
      tickets: { issued: demoCredit, paid: 0, outstanding: demoCredit },
    });
  },
);

test('[ETG 1.1.12] buying raises the credit, staking moves it to the bet, and collecting leaves none of it against a ticket or hand-pay', async () => {
  for (const [handPay, isByHand] of [
    [demoCredit + 5_000, false],
    [demoCredit + 4_999, true],
  ] as const) {
    const store = createMemoryStore();
    const server = await startTestServer({ ...oneTable, store, handPayLimit: handPay });
    const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
    const other = await PatronSocket.join(server, secretOf('2'), 'tiger');
    const meters = async (credit: number, bet: number) => {
      const balance = await waitForBalance(patron, (message) => message.credit === credit);
      const { view } = await patron.receive('own', (message) => message.view.credit === credit);
      expect(balance.openStakes.reduce((sum, { stake }) => sum + stake, 0)).toBe(bet);
      expect(view.stake).toBe(bet);
    };
    await meters(demoCredit, 0);
    await replyTo(patron, { type: 'load', id: 'load-0001', amount: 5_000 });
    await meters(demoCredit + 5_000, 0);
    const slip = { type: 'slip', table: 'tiger', round: await patron.bettingRound() };
    await replyTo(patron, { ...slip, id: 'slip-0001', slip: { banker: 700, tie: 300 } });
    await meters(demoCredit + 4_000, 1_000);
    await replyTo(patron, { ...slip, id: 'slip-0002', slip: {} });
    const collected = await replyTo(patron, { type: 'collect', id: 'collect-1' });
    expect(collected).toMatchObject({ amount: demoCredit + 5_000, hand: isByHand });
    expect(collected).toMatchObject({ ticket: isByHand ? null : { number: expect.any(String) } });
    await meters(0, 0);
    // Money and stakes of another terminal are its own.
    const ofOther = other.received.flatMap((message) => (message.type === 'balance' ? [message] : []));
    for (const balance of ofOther) expect(balance).toMatchObject({ credit: demoCredit, openStakes: [] });
    expect(ofOther.length).toBeGreaterThan(0);
    await server.close();
    await expectVerified(store);
  }
});

test('a ticket is paid once, at any terminal, and a resend gets the first reply', async () => {
  const store = createMemoryStore();
  const server = await startTestServer({ ...oneTable, store });
  const [first, second] = [
    await PatronSocket.join(server, secretOf('1'), 'tiger'),
    await PatronSocket.join(server, secretOf('2'), 'tiger'),
  ];
  const number = await collectTicket(first, 'collect-1');
  const redeem = { type: 'redeem', id: 'redeem-1', number };
  const both = await Promise.all([replyTo(first, redeem), replyTo(second, redeem)]);
  expect(both.filter(({ type }) => type === 'loaded')).toHaveLength(1);
  expect(both.filter(({ type }) => type === 'refused')).toHaveLength(1);
  const payer = both[0].type === 'loaded' ? first : second;
  expect(await replyTo(payer, redeem)).toEqual({ type: 'loaded', id: 'redeem-1', amount: demoCredit });
  for (const patron of [first, second]) {
    expect(await replyTo(patron, { ...redeem, id: 'redeem-2' })).toMatchObject({ code: 'ticket-paid' });
  }
  await server.close();
  expect(await verifyStore(store)).toMatchObject({
    problem: undefined,
    tickets: { issued: demoCredit, paid: demoCredit, outstanding: 0 },
  });
});

test('a command id that another request used is refused', async () => {
  const server = await startTestServer(oneTable);
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  expect(await replyTo(patron, { type: 'load', id: 'same-0001', amount: 1_000 })).toMatchObject({ type: 'loaded' });
  expect(await replyTo(patron, { type: 'load', id: 'same-0001', amount: 2_000 })).toMatchObject({
    code: 'command-reused',
  });
  expect(await replyTo(patron, { type: 'collect', id: 'same-0001' })).toMatchObject({ code: 'command-reused' });
  const number = await collectTicket(patron, 'collect-1');
  expect(await replyTo(patron, { type: 'redeem', id: 'same-0001', number })).toMatchObject({ code: 'command-reused' });
  expect(await replyTo(patron, { type: 'redeem', id: 'collect-1', number })).toMatchObject({ code: 'command-reused' });
  await server.close();
});

test('the demo acceptor adds bills to the credit of a new terminal', async () => {
  const store = createMemoryStore();
  const server = await startTestServer({ ...oneTable, store });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const load = { type: 'load', id: 'load-0001', amount: 5_000 };
  expect(await replyTo(patron, load)).toEqual({ type: 'loaded', id: 'load-0001', amount: 5_000 });
  expect(await replyTo(patron, load)).toEqual({ type: 'loaded', id: 'load-0001', amount: 5_000 });
  expect(await replyTo(patron, { ...load, id: 'load-0002', amount: 4_999 })).toMatchObject({ code: 'unknown-bill' });
  expect(await waitForBalance(patron, ({ credit }) => credit !== demoCredit)).toMatchObject({
    credit: demoCredit + 5_000,
    session: { number: 1, loaded: demoCredit + 5_000 },
  });
  // A client without a seat has no money.
  const newcomer = await PatronSocket.join(server, secretOf('2'));
  expect(await replyTo(newcomer, load)).toMatchObject({ code: 'not-seated' });
  await server.close();
  await expectVerified(store);
});

test('refused money commands store nothing at a new terminal', async () => {
  const store = { ...createMemoryStore(), close: async () => {} };
  const server = await startTestServer({ ...oneTable, store, tables: ['tiger'] });
  const rich = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const paid = await collectTicket(rich, 'collect-1');
  expect(await replyTo(rich, { type: 'redeem', id: 'redeem-1', number: paid })).toMatchObject({ type: 'loaded' });
  const before = await store.heads();
  const patron = await PatronSocket.join(server, secretOf('2'), 'tiger');
  for (const [request, code] of [
    [{ type: 'load', amount: 4_999 }, 'unknown-bill'],
    [{ type: 'redeem', number: withCheckDigit('0'.repeat(17)) }, 'unknown-ticket'],
    [{ type: 'redeem', number: paid }, 'ticket-paid'],
  ] as const) {
    expect(await replyTo(patron, { ...request, id: `none-${code}` })).toMatchObject({ code });
  }
  expect([await store.heads(), (await store.listValues('binding')).size]).toEqual([before, 1]);
  await server.close();
  await expectVerified(store);
});

test.each(['HOUSE 2', 'HOUSE 10'])(
  '[%s] COLLECT above the hand-pay limit gives no ticket and locks the terminal until two persons have paid',
  async () => {
    const store = createMemoryStore();
    const server = await startTestServer({ ...oneTable, store, handPayLimit: demoCredit - 1 });
    const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
    const collected = { type: 'collected', id: 'collect-1', amount: demoCredit, ticket: null, hand: true };
    expect(await replyTo(patron, { type: 'collect', id: 'collect-1' })).toEqual(collected);
    expect(await replyTo(patron, { type: 'collect', id: 'collect-1' })).toEqual(collected);
    expect(await patron.receive('balance', ({ locked }) => locked !== null)).toMatchObject({
      locked: 'hand-pay',
      collect: 'terminal-locked',
      credit: 0,
      owed: demoCredit,
    });
    expect(await replyTo(patron, { type: 'load', id: 'load-0001', amount: 1_000 })).toMatchObject({
      code: 'terminal-locked',
    });
    const { terminals } = server.floor;
    const actor = { person: 's1' };
    const context = { authority: { role: 'supervisor' } };
    const pay = { type: 'PayByHand', what: 'cancelled-credit', amount: demoCredit, actor, second: { person: 'p1' } };
    const contexts = { ...context, secondAuthority: { role: 'pit-manager' } };
    expect(await terminals.submit('T1', 'pay-1', pay, contexts)).toHaveProperty('entries');
    await patron.receive('balance', ({ locked, owed }) => locked === 'hand-pay' && owed === 0);
    expect(await terminals.submit('T1', 'pay-2', pay, contexts)).toMatchObject({ refused: 'over-amount-due' });
    await terminals.submit('T1', 'unlock-1', { type: 'UnlockTerminal', reason: 'It is paid.', actor }, context);
    expect(await replyTo(patron, { type: 'load', id: 'load-0002', amount: 1_000 })).toMatchObject({ type: 'loaded' });
    await server.close();
    await expectVerified(store);
  },
);

test('used-up demo credit is refilled with a notice, after the last stake is decided', async () => {
  const store = createMemoryStore();
  const quick = { bettingTime: 300, grace: 0, pause: 0 };
  const server = await startTestServer({ ...oneTable, store, times: quick, demoCredit: 1_000 });
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  let bets = 0;
  const stop = setInterval(() => {
    const message = patron.received.findLast(({ type }) => type === 'table');
    const round = message?.type === 'table' && message.view.phase === 'betting' ? message.view.round!.id : undefined;
    if (round === undefined) return;
    patron.send({
      type: 'slip',
      id: `slip-${String(bets++).padStart(6, '0')}`,
      table: 'tiger',
      round,
      slip: { tie: 1_000 },
    });
  }, 50);
  expect(await patron.receive('refilled')).toEqual({ type: 'refilled', amount: 1_000 });
  clearInterval(stop);
  const balance = patron.received.findLast(({ type }) => type === 'balance');
  expect(balance).toMatchObject({ credit: 1_000, openStakes: [], session: { number: 1 } });
  await server.close();
  await expectVerified(store);
});

async function startRealMoneyServer(
  ...enrolled: EnrolledSecrets
): Promise<{ readonly server: Server; readonly store: Store }> {
  const store = await storeWithSecrets(key, enrolled);
  return { server: await startTestServer({ ...oneTable, store, demoCredit: null }), store };
}

test('with real money only an enrolled terminal takes a seat and only an enrolled acceptor loads', async () => {
  const [terminal, acceptor, printer] = ['1', '2', '3'].map(secretOf) as [string, string, string];
  const { server, store } = await startRealMoneyServer(
    [terminal, 'E7', 'terminal'],
    [acceptor, 'E7', 'acceptor'],
    [printer, 'E7', 'printer'],
  );
  const newcomer = await PatronSocket.join(server, secretOf('9'));
  expect(await newcomer.refusalOf({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'not-enrolled' });

  const patron = await PatronSocket.join(server, terminal, 'tiger');
  expect(await waitForBalance(patron)).toMatchObject({
    terminal: 'E7',
    credit: 0,
    collect: 'nothing-to-collect',
    demo: false,
  });
  const load = { type: 'load', id: 'load-0001', amount: 12_345 };
  expect(await replyTo(patron, load)).toMatchObject({ code: 'not-enrolled' });

  const [billAcceptor, paper] = [await PatronSocket.join(server, acceptor), await PatronSocket.join(server, printer)];
  expect(await billAcceptor.receive('welcome')).toMatchObject({ terminal: 'E7' });
  expect(await billAcceptor.refusalOf({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'not-enrolled' });
  expect(await replyTo(billAcceptor, { type: 'collect', id: 'collect-1' })).toMatchObject({ code: 'not-enrolled' });
  expect(await replyTo(paper, load)).toMatchObject({ code: 'not-enrolled' });
  expect(await replyTo(billAcceptor, load)).toEqual({ type: 'loaded', id: 'load-0001', amount: 12_345 });
  expect(await waitForBalance(patron, ({ credit }) => credit > 0)).toMatchObject({
    credit: 12_345,
    session: { loaded: 12_345 },
  });
  billAcceptor.terminate();

  // The printer receives the ticket to print.
  const collected = await replyTo(patron, { type: 'collect', id: 'collect-1' });
  expect(await paper.receive('collected')).toEqual(collected);
  await server.close();
  await expectVerified(store);
});

test('with real money used-up credit is not refilled', async () => {
  const [terminal, acceptor] = ['1', '2'].map(secretOf) as [string, string];
  const { server } = await startRealMoneyServer([terminal, 'E7', 'terminal'], [acceptor, 'E7', 'acceptor']);
  const patron = await PatronSocket.join(server, terminal, 'tiger');
  const billAcceptor = await PatronSocket.join(server, acceptor);
  await replyTo(billAcceptor, { type: 'load', id: 'load-0001', amount: 10 });
  await waitForBalance(patron, ({ credit }) => credit === 10);
  await replyTo(patron, { type: 'collect', id: 'collect-1' });
  await waitForBalance(patron, ({ credit }) => credit === 0);
  expect(patron.received.map(({ type }) => type)).not.toContain('refilled');
  await server.close();
});

test("the key of a device cannot become a patron's secret, and the device continues", async () => {
  const [terminal, acceptor] = ['1', '2'].map(secretOf) as [string, string];
  const { server } = await startRealMoneyServer([terminal, 'E7', 'terminal'], [acceptor, 'E8', 'acceptor']);
  const patron = await PatronSocket.join(server, terminal, 'tiger');
  const renew = { type: 'renew', id: 'renew-0001', secret: acceptor };
  expect(await patron.refusalOf(renew)).toMatchObject({ code: 'bad-request', id: 'renew-0001' });
  const billAcceptor = await PatronSocket.join(server, acceptor);
  expect(await replyTo(billAcceptor, { type: 'load', id: 'load-0001', amount: 100 })).toMatchObject({ type: 'loaded' });
  await server.close();
});

test('a bill that would exceed the largest exact credit is refused, and the terminal continues', async () => {
  const [terminal, acceptor] = ['1', '2'].map(secretOf) as [string, string];
  const { server, store } = await startRealMoneyServer([terminal, 'E7', 'terminal'], [acceptor, 'E7', 'acceptor']);
  const patron = await PatronSocket.join(server, terminal, 'tiger');
  const billAcceptor = await PatronSocket.join(server, acceptor);
  const maxAmount = Number.MAX_SAFE_INTEGER;
  const load = (n: number, amount: number) => replyTo(billAcceptor, { type: 'load', id: `load-000${n}`, amount });
  expect(await load(1, maxAmount - 100)).toMatchObject({ type: 'loaded' });
  expect(await load(2, 101)).toMatchObject({ code: 'over-count' });
  expect(await load(3, 100)).toMatchObject({ type: 'loaded' });
  // Meters also count all credit that was loaded.
  expect(await replyTo(patron, { type: 'collect', id: 'collect-1' })).toMatchObject({ amount: maxAmount });
  expect(await load(4, 1)).toMatchObject({ code: 'over-count' });
  await server.close();
  await expectVerified(store);
});

test('a printer receives each ticket once, also those issued while it was away or the server was down', async () => {
  const [terminal, acceptor, printer] = ['1', '2', '3'].map(secretOf) as [string, string, string];
  const { server, store } = await startRealMoneyServer(
    [terminal, 'E7', 'terminal'],
    [acceptor, 'E7', 'acceptor'],
    [printer, 'E7', 'printer'],
  );
  let n = 0;
  const issue = async (on: Server): Promise<unknown> => {
    const [patron, billAcceptor] = [
      await PatronSocket.join(on, terminal, 'tiger'),
      await PatronSocket.join(on, acceptor),
    ];
    await replyTo(billAcceptor, { type: 'load', id: `load-000${(n += 1)}`, amount: 100 * n });
    const collect = { type: 'collect', id: `collect-${n}` };
    const collected = await replyTo(patron, collect);
    // A resend gets the same ticket, which is printed once.
    expect(await replyTo(patron, collect)).toEqual(collected);
    patron.terminate();
    billAcceptor.terminate();
    return collected;
  };
  const printed = ({ received }: PatronSocket): unknown[] => received.filter(({ type }) => type === 'collected');
  const tickets = [await issue(server), await issue(server)];
  const paper = await PatronSocket.join(server, printer);
  await paper.receive('collected', ({ id }) => id === 'collect-2');
  tickets.push(await issue(server));
  await paper.receive('collected', ({ id }) => id === 'collect-3');
  expect(printed(paper)).toEqual(tickets);
  paper.terminate();
  tickets.push(await issue(server));
  await server.close();
  const next = await startTestServer({ ...oneTable, store, demoCredit: null });
  const returning = await PatronSocket.join(next, printer);
  await returning.receive('collected');
  tickets.push(await issue(next));
  await returning.receive('collected', ({ id }) => id === 'collect-5');
  expect(printed(returning)).toEqual(tickets.slice(3));
  await next.close();
});
