import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Server } from '../../src/server/serverOptions.ts';
import { memoryStore } from '../../src/store/memoryStore.ts';
import { type Store } from '../../src/store/store.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { withCheckDigit } from '../../src/base/validationNumber.ts';
import { demoCredit } from '../runtime/demo.ts';
import { replyTo, collectTicket } from './counter.ts';
import { type EnrolledSecrets, PatronSocket, storeWithSecrets, startTestServer, secretOf } from './house.ts';

const key = randomBytes(32);
const one = { tables: ['tiger'], key };

const purseOf = (
  guest: PatronSocket,
  fits: (purse: { credit: number; session: unknown; openStakes: readonly unknown[] }) => boolean = () => true,
) => guest.receive('balance', fits);

const sound = async (store: Store): Promise<void> => expect((await verifyStore(store)).problem).toBeUndefined();

test('a terminal receives its balance in the lobby and at a table: credit, session, and open stakes at all tables', async () => {
  const store = memoryStore();
  const server = await startTestServer({ ...one, store, tables: ['tiger', 'baccarat'] });
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  expect(await purseOf(guest)).toMatchObject({
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
  const round = await guest.bettingRound();
  guest.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { tie: 300 } });
  const staked = await purseOf(guest, ({ openStakes }) => openStakes.length > 0);
  expect(staked).toMatchObject({
    credit: demoCredit - 300,
    session: { number: 1, loaded: demoCredit },
    openStakes: [{ table: 'tiger', round, stake: 300 }],
    collect: 'stakes-open',
  });
  // Another page of the terminal receives the same in the lobby, also after a reconnect.
  const other = await PatronSocket.join(server, secretOf('1'));
  const { type: _type, version: _version, ...money } = staked;
  expect(await purseOf(other)).toMatchObject(money);
  const from = other.received.length;
  other.send({ type: 'whole', of: 'balance' });
  expect(await other.receive('balance', () => true, from)).toMatchObject({ version: 2, ...money });
  await server.close();
  // After a restart it is the same, read from the event log.
  const next = await startTestServer({ ...one, store, tables: ['tiger', 'baccarat'] });
  const back = await PatronSocket.join(next, secretOf('1'));
  expect(await purseOf(back)).toMatchObject(money);
  await next.close();
  await sound(store);
});

test('[ETG layout-1] COLLECT gives the whole credit as a ticket, not with open stakes; a resend gives the same ticket', async () => {
  const store = memoryStore();
  const server = await startTestServer({ ...one, store });
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const round = await guest.bettingRound();
  const slip = (id: string, stakes: object) =>
    replyTo(guest, { type: 'slip', id, table: 'tiger', round, slip: stakes });
  await slip('slip-0001', { tie: 300 });
  expect(await replyTo(guest, { type: 'collect', id: 'collect-1' })).toMatchObject({ code: 'stakes-open' });
  await slip('slip-0002', {});
  const collected = await replyTo(guest, { type: 'collect', id: 'collect-2' });
  expect(collected).toMatchObject({
    amount: demoCredit,
    hand: false,
    ticket: { number: expect.stringMatching(/^\d{18}$/) },
  });
  expect(await replyTo(guest, { type: 'collect', id: 'collect-2' })).toEqual(collected);
  expect(await replyTo(guest, { type: 'collect', id: 'collect-3' })).toMatchObject({ code: 'nothing-to-collect' });
  expect(await purseOf(guest, ({ credit }) => credit === 0)).toMatchObject({
    session: null,
    collect: 'nothing-to-collect',
  });
  await server.close();
  const again = await startTestServer({ ...one, store });
  const back = await PatronSocket.join(again, secretOf('1'));
  expect(await replyTo(back, { type: 'collect', id: 'collect-2' })).toEqual(collected);
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
});

test('[ETG 1.1.12] buying raises the credit, staking moves it to the bet, and collecting leaves none of it against a ticket or hand-pay', async () => {
  for (const [handPay, isByHand] of [
    [demoCredit + 5_000, false],
    [demoCredit + 4_999, true],
  ] as const) {
    const store = memoryStore();
    const server = await startTestServer({ ...one, store, handPayLimit: handPay });
    const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
    const meters = async (credit: number, bet: number) => {
      const purse = await purseOf(guest, (told) => told.credit === credit);
      const { view } = await guest.receive('own', (told) => told.view.credit === credit);
      expect(purse.openStakes.reduce((sum, { stake }) => sum + stake, 0)).toBe(bet);
      expect(view.stake).toBe(bet);
    };
    await meters(demoCredit, 0);
    await replyTo(guest, { type: 'load', id: 'load-0001', amount: 5_000 });
    await meters(demoCredit + 5_000, 0);
    const slip = { type: 'slip', table: 'tiger', round: await guest.bettingRound() };
    await replyTo(guest, { ...slip, id: 'slip-0001', slip: { banker: 700, tie: 300 } });
    await meters(demoCredit + 4_000, 1_000);
    await replyTo(guest, { ...slip, id: 'slip-0002', slip: {} });
    const collected = await replyTo(guest, { type: 'collect', id: 'collect-1' });
    expect(collected).toMatchObject({ amount: demoCredit + 5_000, hand: isByHand });
    expect(collected).toMatchObject({ ticket: isByHand ? null : { number: expect.any(String) } });
    await meters(0, 0);
    await server.close();
    await sound(store);
  }
});

test('a ticket is paid once, at any terminal, and a resend gets the first reply', async () => {
  const store = memoryStore();
  const server = await startTestServer({ ...one, store });
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
  for (const guest of [first, second]) {
    expect(await replyTo(guest, { ...redeem, id: 'redeem-2' })).toMatchObject({ code: 'ticket-paid' });
  }
  await server.close();
  expect(await verifyStore(store)).toMatchObject({
    problem: undefined,
    tickets: { issued: demoCredit, paid: demoCredit, outstanding: 0 },
  });
});

test('a command id that another request used is refused', async () => {
  const server = await startTestServer(one);
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  expect(await replyTo(guest, { type: 'load', id: 'same-0001', amount: 1_000 })).toMatchObject({ type: 'loaded' });
  expect(await replyTo(guest, { type: 'load', id: 'same-0001', amount: 2_000 })).toMatchObject({
    code: 'command-reused',
  });
  expect(await replyTo(guest, { type: 'collect', id: 'same-0001' })).toMatchObject({ code: 'command-reused' });
  const number = await collectTicket(guest, 'collect-1');
  expect(await replyTo(guest, { type: 'redeem', id: 'same-0001', number })).toMatchObject({ code: 'command-reused' });
  expect(await replyTo(guest, { type: 'redeem', id: 'collect-1', number })).toMatchObject({ code: 'command-reused' });
  await server.close();
});

test('the demo acceptor adds bills to the credit of a new terminal', async () => {
  const store = memoryStore();
  const server = await startTestServer({ ...one, store });
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const load = { type: 'load', id: 'load-0001', amount: 5_000 };
  expect(await replyTo(guest, load)).toEqual({ type: 'loaded', id: 'load-0001', amount: 5_000 });
  expect(await replyTo(guest, load)).toEqual({ type: 'loaded', id: 'load-0001', amount: 5_000 });
  expect(await replyTo(guest, { ...load, id: 'load-0002', amount: 4_999 })).toMatchObject({ code: 'unknown-bill' });
  expect(await purseOf(guest, ({ credit }) => credit !== demoCredit)).toMatchObject({
    credit: demoCredit + 5_000,
    session: { number: 1, loaded: demoCredit + 5_000 },
  });
  // A client without a seat has no money.
  const stranger = await PatronSocket.join(server, secretOf('2'));
  expect(await replyTo(stranger, load)).toMatchObject({ code: 'not-seated' });
  await server.close();
  await sound(store);
});

test('refused money commands store nothing at a new terminal', async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const server = await startTestServer({ ...one, store, tables: ['tiger'] });
  const rich = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const paid = await collectTicket(rich, 'collect-1');
  expect(await replyTo(rich, { type: 'redeem', id: 'redeem-1', number: paid })).toMatchObject({ type: 'loaded' });
  const before = await store.heads();
  const guest = await PatronSocket.join(server, secretOf('2'), 'tiger');
  for (const [asks, code] of [
    [{ type: 'load', amount: 4_999 }, 'unknown-bill'],
    [{ type: 'redeem', number: withCheckDigit('0'.repeat(17)) }, 'unknown-ticket'],
    [{ type: 'redeem', number: paid }, 'ticket-paid'],
  ] as const) {
    expect(await replyTo(guest, { ...asks, id: `none-${code}` })).toMatchObject({ code });
  }
  expect([await store.heads(), (await store.listValues('patron')).size]).toEqual([before, 1]);
  await server.close();
  await sound(store);
});

test('[HOUSE 2] COLLECT above the hand-pay limit gives no ticket and locks the terminal until two persons have paid', async () => {
  const store = memoryStore();
  const server = await startTestServer({ ...one, store, handPayLimit: demoCredit - 1 });
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const collected = { type: 'collected', id: 'collect-1', amount: demoCredit, ticket: null, hand: true };
  expect(await replyTo(guest, { type: 'collect', id: 'collect-1' })).toEqual(collected);
  expect(await replyTo(guest, { type: 'collect', id: 'collect-1' })).toEqual(collected);
  expect(await guest.receive('balance', ({ locked }) => locked !== null)).toMatchObject({
    locked: 'hand-pay',
    collect: 'terminal-locked',
    credit: 0,
    owed: demoCredit,
  });
  expect(await replyTo(guest, { type: 'load', id: 'load-0001', amount: 1_000 })).toMatchObject({
    code: 'terminal-locked',
  });
  const { terminals } = server.floor;
  const actor = { person: 's1' };
  const post = { authority: { role: 'supervisor' } };
  const pay = { type: 'PayByHand', what: 'cancelled-credit', amount: demoCredit, actor, second: { person: 'p1' } };
  const posts = { ...post, secondAuthority: { role: 'pit-manager' } };
  expect(await terminals.submit('T1', 'pay-1', pay, posts)).toHaveProperty('entries');
  await guest.receive('balance', ({ locked, owed }) => locked === 'hand-pay' && owed === 0);
  expect(await terminals.submit('T1', 'pay-2', pay, posts)).toMatchObject({ refused: 'over-amount-due' });
  await terminals.submit('T1', 'unlock-1', { type: 'UnlockTerminal', reason: 'It is paid.', actor }, post);
  expect(await replyTo(guest, { type: 'load', id: 'load-0002', amount: 1_000 })).toMatchObject({ type: 'loaded' });
  await server.close();
  await sound(store);
});

test('used-up demo credit is refilled with a notice, after the last stake is decided', async () => {
  const store = memoryStore();
  const quick = { bettingTime: 300, grace: 0, pause: 0 };
  const server = await startTestServer({ ...one, store, times: quick, demoCredit: 1_000 });
  const guest = await PatronSocket.join(server, secretOf('1'), 'tiger');
  let bets = 0;
  const stop = setInterval(() => {
    const told = guest.received.findLast(({ type }) => type === 'table');
    const round = told?.type === 'table' && told.view.phase === 'betting' ? told.view.round!.id : undefined;
    if (round === undefined) return;
    guest.send({
      type: 'slip',
      id: `slip-${String(bets++).padStart(6, '0')}`,
      table: 'tiger',
      round,
      slip: { tie: 1_000 },
    });
  }, 50);
  expect(await guest.receive('refilled')).toEqual({ type: 'refilled', amount: 1_000 });
  clearInterval(stop);
  const purse = guest.received.findLast(({ type }) => type === 'balance');
  expect(purse).toMatchObject({ credit: 1_000, openStakes: [], session: { number: 1 } });
  await server.close();
  await sound(store);
});

async function real(...enrolled: EnrolledSecrets): Promise<{ readonly server: Server; readonly store: Store }> {
  const store = await storeWithSecrets(key, enrolled);
  return { server: await startTestServer({ ...one, store, demoCredit: null }), store };
}

test('with real money only an enrolled terminal takes a seat and only an enrolled acceptor loads', async () => {
  const [terminal, acceptor, printer] = ['1', '2', '3'].map(secretOf) as [string, string, string];
  const { server, store } = await real(
    [terminal, 'E7', 'terminal'],
    [acceptor, 'E7', 'acceptor'],
    [printer, 'E7', 'printer'],
  );
  const stranger = await PatronSocket.join(server, secretOf('9'));
  expect(await stranger.refusalOf({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'not-enrolled' });

  const guest = await PatronSocket.join(server, terminal, 'tiger');
  expect(await purseOf(guest)).toMatchObject({ terminal: 'E7', credit: 0, collect: 'nothing-to-collect', demo: false });
  const load = { type: 'load', id: 'load-0001', amount: 12_345 };
  expect(await replyTo(guest, load)).toMatchObject({ code: 'not-enrolled' });

  const [notes, paper] = [await PatronSocket.join(server, acceptor), await PatronSocket.join(server, printer)];
  expect(await notes.receive('welcome')).toMatchObject({ terminal: 'E7' });
  expect(await notes.refusalOf({ type: 'sit', table: 'tiger' })).toMatchObject({ code: 'not-enrolled' });
  expect(await replyTo(notes, { type: 'collect', id: 'collect-1' })).toMatchObject({ code: 'not-enrolled' });
  expect(await replyTo(paper, load)).toMatchObject({ code: 'not-enrolled' });
  expect(await replyTo(notes, load)).toEqual({ type: 'loaded', id: 'load-0001', amount: 12_345 });
  expect(await purseOf(guest, ({ credit }) => credit > 0)).toMatchObject({
    credit: 12_345,
    session: { loaded: 12_345 },
  });
  notes.terminate();

  // The printer receives the ticket to print.
  const collected = await replyTo(guest, { type: 'collect', id: 'collect-1' });
  expect(await paper.receive('collected')).toEqual(collected);
  await server.close();
  await sound(store);
});

test('with real money used-up credit is not refilled', async () => {
  const [terminal, acceptor] = ['1', '2'].map(secretOf) as [string, string];
  const { server } = await real([terminal, 'E7', 'terminal'], [acceptor, 'E7', 'acceptor']);
  const guest = await PatronSocket.join(server, terminal, 'tiger');
  const notes = await PatronSocket.join(server, acceptor);
  await replyTo(notes, { type: 'load', id: 'load-0001', amount: 10 });
  await purseOf(guest, ({ credit }) => credit === 10);
  await replyTo(guest, { type: 'collect', id: 'collect-1' });
  await purseOf(guest, ({ credit }) => credit === 0);
  expect(guest.received.map(({ type }) => type)).not.toContain('refilled');
  await server.close();
});

test("the key of a device cannot become a patron's secret, and the device continues", async () => {
  const [terminal, acceptor] = ['1', '2'].map(secretOf) as [string, string];
  const { server } = await real([terminal, 'E7', 'terminal'], [acceptor, 'E8', 'acceptor']);
  const guest = await PatronSocket.join(server, terminal, 'tiger');
  const renew = { type: 'renew', id: 'renew-0001', secret: acceptor };
  expect(await guest.refusalOf(renew)).toMatchObject({ code: 'bad-request', id: 'renew-0001' });
  const notes = await PatronSocket.join(server, acceptor);
  expect(await replyTo(notes, { type: 'load', id: 'load-0001', amount: 100 })).toMatchObject({ type: 'loaded' });
  await server.close();
});

test('a bill that would exceed the largest exact credit is refused, and the terminal continues', async () => {
  const [terminal, acceptor] = ['1', '2'].map(secretOf) as [string, string];
  const { server, store } = await real([terminal, 'E7', 'terminal'], [acceptor, 'E7', 'acceptor']);
  const guest = await PatronSocket.join(server, terminal, 'tiger');
  const notes = await PatronSocket.join(server, acceptor);
  const most = Number.MAX_SAFE_INTEGER;
  const load = (n: number, amount: number) => replyTo(notes, { type: 'load', id: `load-000${n}`, amount });
  expect(await load(1, most - 100)).toMatchObject({ type: 'loaded' });
  expect(await load(2, 101)).toMatchObject({ code: 'over-count' });
  expect(await load(3, 100)).toMatchObject({ type: 'loaded' });
  // Meters also count all credit that was loaded.
  expect(await replyTo(guest, { type: 'collect', id: 'collect-1' })).toMatchObject({ amount: most });
  expect(await load(4, 1)).toMatchObject({ code: 'over-count' });
  await server.close();
  await sound(store);
});

test('a printer receives each ticket once, also those issued while it was away or the server was down', async () => {
  const [terminal, acceptor, printer] = ['1', '2', '3'].map(secretOf) as [string, string, string];
  const { server, store } = await real(
    [terminal, 'E7', 'terminal'],
    [acceptor, 'E7', 'acceptor'],
    [printer, 'E7', 'printer'],
  );
  let n = 0;
  const issue = async (on: Server): Promise<unknown> => {
    const [guest, notes] = [await PatronSocket.join(on, terminal, 'tiger'), await PatronSocket.join(on, acceptor)];
    await replyTo(notes, { type: 'load', id: `load-000${(n += 1)}`, amount: 100 * n });
    const collect = { type: 'collect', id: `collect-${n}` };
    const collected = await replyTo(guest, collect);
    // A resend gets the same ticket, which is printed once.
    expect(await replyTo(guest, collect)).toEqual(collected);
    guest.terminate();
    notes.terminate();
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
  const next = await startTestServer({ ...one, store, demoCredit: null });
  const back = await PatronSocket.join(next, printer);
  await back.receive('collected');
  tickets.push(await issue(next));
  await back.receive('collected', ({ id }) => id === 'collect-5');
  expect(printed(back)).toEqual(tickets.slice(3));
  await next.close();
});
