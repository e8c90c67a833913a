import { type TerminalList } from '../../../src/wire/staff/cageTypes.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectTicket } from '../support/moneyReplies.ts';
import { PatronSocket, type TestServerOptions, secretOf } from '../support/testServer.ts';
import { StaffSocket, reusableStore, startPit } from './pit.ts';

const pin = '246810';

/** A patron whose first bet was withdrawn, so that the demo credit can be collected. */
async function patronAt(
  server: Awaited<ReturnType<typeof startPit>>,
  letter: string,
): Promise<{ patron: PatronSocket; terminal: string }> {
  const patron = await PatronSocket.join(server, secretOf(letter), 'tiger');
  const round = await patron.bettingRound();
  patron.send({ type: 'slip', id: `${letter}-slip-1`, table: 'tiger', round, slip: { tie: 100 } });
  await patron.receive('accepted');
  patron.send({ type: 'slip', id: `${letter}-slip-2`, table: 'tiger', round, slip: {} });
  await patron.receive('accepted', ({ id }) => id === `${letter}-slip-2`);
  return { patron, terminal: (await patron.receive('own')).view.terminal };
}

/** An unattended floor with staff of every role. */
const startUnattendedFloor = (options: TestServerOptions = {}) => startPit({ settings: {}, ...options });

test('only the cage takes and pays cash', async () => {
  const server = await startUnattendedFloor();
  const { patron, terminal } = await patronAt(server, 'a');
  const cage = await StaffSocket.signIn(server, 'C-1');
  const load = (fields: object) => ({
    type: 'terminal',
    terminal,
    request: { type: 'LoadCredit', method: 'cash', amount: 5_000, ...fields },
  });
  const id = randomUUID();
  const done = await cage.request(load({}), id);
  expect(done).toMatchObject({ type: 'done', events: ['CreditLoaded'] });
  expect(await cage.request(load({}), id)).toEqual(done);
  expect((await patron.receive('balance', ({ credit }) => credit === 105_000)).terminal).toBe(terminal);
  expect(await cage.request(load({ method: 'promotion' }))).toMatchObject({ code: 'bad-request' });
  expect(await cage.request({ ...load({}), terminal: 'T99' })).toMatchObject({ code: 'unknown-terminal' });
  expect(await cage.request({ type: 'terminal', terminal, request: { type: 'SeatTerminal' } })).toMatchObject({
    code: 'bad-request',
  });
  for (const number of ['D-1', 'S-1', 'G-1', 'N-1', 'V-1']) {
    const other = await StaffSocket.signIn(server, number);
    expect(await other.request(load({})), number).toMatchObject({ code: 'not-your-role', by: 'HOUSE 2' });
    other.terminate();
  }
  const collect = { type: 'terminal', terminal, request: { type: 'CollectCredit', method: 'cash' } };
  expect(await cage.request(collect)).toMatchObject({ type: 'done', events: ['CreditCollected'] });
  expect(await cage.request(collect)).toMatchObject({ code: 'nothing-to-collect' });
  for (const one of [cage, patron]) one.terminate();
  await server.close();
});

test('a supervisor locks and unlocks a terminal', async () => {
  const server = await startUnattendedFloor();
  const { patron, terminal } = await patronAt(server, 'b');
  const supervisor = await StaffSocket.signIn(server, 'S-1');
  const request = (type: string) =>
    supervisor.request({ type: 'terminal', terminal, request: { type, reason: 'A test.' } });
  expect(await request('LockTerminal')).toMatchObject({ type: 'done', events: ['TerminalLocked'] });
  expect(await request('UnlockTerminal')).toMatchObject({ type: 'done', events: ['TerminalUnlocked'] });
  for (const one of [supervisor, patron]) one.terminate();
  await server.close();
});

test('the cage pays a ticket whole and once, however often it is requested', async () => {
  const { store, problem } = reusableStore();
  const server = await startUnattendedFloor({ store });
  const { patron } = await patronAt(server, 'c');
  const number = await collectTicket(patron, 'collect-1');
  const cage = await StaffSocket.signIn(server, 'C-1');
  const supervisor = await StaffSocket.signIn(server, 'S-1');
  const pay = (staff: StaffSocket, ticket: string, id?: string) => staff.request({ type: 'pay', ticket }, id);
  expect(await pay(supervisor, number)).toMatchObject({ code: 'not-your-role', by: 'HOUSE 2' });
  const other = `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`;
  expect(await pay(cage, other)).toMatchObject({ code: 'misread-ticket' });
  const id = randomUUID();
  const [one, two] = await Promise.all([pay(cage, number, id), pay(cage, number)]);
  expect(one).toMatchObject({ type: 'done', events: ['CreditCollected'] });
  expect(two).toMatchObject({ code: 'ticket-paid' });
  expect(await pay(cage, number, id)).toEqual(one);
  expect(await pay(cage, number)).toMatchObject({ code: 'ticket-paid' });
  for (const some of [cage, supervisor, patron]) some.terminate();
  await server.close();
  expect(await problem()).toBeUndefined();
});

test('[HOUSE 2] a supervisor makes a hand-pay above the limit with the PIN of a pit manager, and not more than is owed', async () => {
  const { store, problem } = reusableStore();
  const server = await startUnattendedFloor({ store, handPayLimit: 50_000 });
  const { patron, terminal } = await patronAt(server, 'd');
  patron.send({ type: 'collect', id: 'collect-1' });
  expect(await patron.receive('collected')).toMatchObject({ ticket: null, amount: 100_000 });
  const supervisor = await StaffSocket.signIn(server, 'S-1');
  supervisor.send({ type: 'floor', wanted: true });
  const { view } = await supervisor.receive('floor', (reply) =>
    reply.view.waiting.some(({ what }) => what === 'hand-pay'),
  );
  expect(view.waiting[0]!.prompt).toMatchObject({ code: 'hand-pay', with: { terminal, amount: '100000' } });
  const pay = (fields: object, amount = 100_000) =>
    supervisor.request({
      type: 'terminal',
      terminal,
      request: { type: 'PayByHand', what: 'cancelled-credit', amount },
      ...fields,
    });
  expect(await pay({})).toMatchObject({ code: 'pin-required', by: 'HOUSE 2' });
  expect(await pay({ number: 'M-1', pin: '111222' })).toMatchObject({ code: 'wrong-secret' });
  expect(await pay({ number: 'S-1', pin })).toMatchObject({ code: 'same-person' });
  expect(await pay({ number: 'S-2', pin })).toMatchObject({ code: 'not-your-role' });
  expect(await pay({ number: 'M-1', pin }, 100_001)).toMatchObject({ code: 'over-amount-due' });
  expect(await pay({ number: 'M-1', pin })).toMatchObject({ type: 'done', events: ['HandPaid'] });
  expect(await pay({ number: 'M-1', pin })).toMatchObject({ code: 'over-amount-due' });
  for (const one of [supervisor, patron]) one.terminate();
  await server.close();
  expect(await problem()).toBeUndefined();
});

/** Two cashiers with one console each, because a second sign-in ends the first session. */
async function signInTwoCages(
  server: Awaited<ReturnType<typeof startPit>>,
): Promise<readonly [StaffSocket, StaffSocket]> {
  const administrator = await StaffSocket.signIn(server, 'N-1');
  const request = { type: 'EnrolPerson', number: 'C-2', roles: ['cage'] };
  expect(await administrator.request({ type: 'staff', request })).toMatchObject({ type: 'done' });
  administrator.terminate();
  return [await StaffSocket.signIn(server, 'C-1'), await StaffSocket.signIn(server, 'C-2')];
}

/** Result of a query. */
async function query(
  staff: StaffSocket,
  name: string,
  params: object = {},
): Promise<{ readonly [field: string]: unknown }> {
  const reply = await staff.request({ type: 'query', name, params });
  return reply.type === 'answer' ? reply.data : { ...reply };
}

test('two cashiers pay a ticket once, and the ticket shows who paid it and when', async () => {
  const { store, problem } = reusableStore();
  const server = await startUnattendedFloor({ store });
  const { patron, terminal } = await patronAt(server, 'e');
  const ticket = await collectTicket(patron, 'collect-1');
  const cages = await signInTwoCages(server);
  expect(await query(cages[0], 'ticket', { ticket })).toMatchObject({
    amount: 100_000,
    not: null,
    issued: { terminal },
    paid: null,
  });
  const replies = await Promise.all(cages.map((cage) => cage.request({ type: 'pay', ticket })));
  expect(replies.map(({ type }) => type).toSorted()).toEqual(['done', 'refused']);
  const refusal = replies.find(({ type }) => type === 'refused');
  expect(refusal).toMatchObject({ code: 'ticket-paid', message: expect.stringMatching(/ by C-[12] at /) as string });
  expect(await query(cages[1], 'ticket', { ticket })).toMatchObject({
    not: 'ticket-paid',
    paid: { number: replies[0]!.type === 'done' ? 'C-1' : 'C-2', terminal: null },
  });
  expect(await query(cages[1], 'ticket', { ticket: '123' })).toMatchObject({ code: 'misread-ticket' });
  for (const one of [...cages, patron]) one.terminate();
  await server.close();
  expect(await problem()).toBeUndefined();
});

test('two concurrent payments with one id are one payment with one reply', async () => {
  const { store, problem } = reusableStore();
  const [second, collected] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let lookups = 0;
  // The second read of the ticket is delayed until the other payment is complete, if there is a second read.
  const slow: typeof store = {
    ...store,
    findCommands: async (ids) => {
      const found = await store.findCommands(ids);
      const [first = ''] = ids;
      if (first.startsWith('seat/cage-')) await Promise.race([second.promise, setTimeout(300)]);
      if (!first.startsWith('redeem/') || ++lookups !== 2) return found;
      second.resolve();
      await Promise.race([collected.promise, setTimeout(300)]);
      return found;
    },
    append: async (batch) => {
      const appended = await store.append(batch);
      if (batch.stream.includes('/cage-') && batch.entries[0]?.event.type === 'CreditCollected') collected.resolve();
      return appended;
    },
  };
  const server = await startUnattendedFloor({ store: slow });
  const { patron } = await patronAt(server, 'a');
  const ticket = await collectTicket(patron, 'collect-1');
  const screens = [await StaffSocket.signIn(server, 'C-1'), await StaffSocket.signIn(server, 'C-1')];
  const id = randomUUID();
  const replies = await Promise.all(screens.map((screen) => screen.request({ type: 'pay', ticket }, id)));
  expect(replies[0]).toMatchObject({ type: 'done', events: ['CreditCollected'] });
  expect(replies[1]).toEqual(replies[0]);
  for (const one of [...screens, patron]) one.terminate();
  await server.close();
  expect(await problem()).toBeUndefined();
});

test.each([
  ['before the first append', 'paid in cash'],
  ['after the ticket was redeemed', 'redeemed'],
])(
  'a payment is neither done nor refused while its stream cannot be read (%s), and is done once afterwards',
  async (_, when) => {
    const { store, problem } = reusableStore();
    const bad = { isBad: false };
    const failRead = async (): Promise<never> => {
      throw new Error('The disk does not answer.');
    };
    const isPass = (stream: string): boolean => bad.isBad && stream.includes('/cage-');
    const failing: typeof store = {
      ...store,
      read: (stream, ...options) =>
        isPass(stream) && when === 'paid in cash'
          ? { [Symbol.asyncIterator]: () => ({ next: failRead }) }
          : store.read(stream, ...options),
      append: async (batch) => {
        const appended = await store.append(batch);
        // The ticket is redeemed by now; the replies to later appends are lost.
        return isPass(batch.stream) && batch.entries[0]?.event.type === 'CreditLoaded' ? failRead() : appended;
      },
    };
    const server = await startUnattendedFloor({ store: failing, warn: () => {}, onOutage: () => {} });
    const { patron } = await patronAt(server, 'b');
    const ticket = await collectTicket(patron, 'collect-1');
    const cage = await StaffSocket.signIn(server, 'C-1');
    const id = randomUUID();
    bad.isBad = true;
    const first = await cage.request({ type: 'pay', ticket }, id);
    if (when === 'paid in cash') expect(first).toMatchObject({ type: 'refused', code: 'result-unknown' });
    bad.isBad = false;
    const done = await cage.request({ type: 'pay', ticket }, id);
    expect(done).toMatchObject({ type: 'done', events: ['CreditCollected'] });
    expect(await cage.request({ type: 'pay', ticket }, id)).toEqual(done);
    expect(await cage.request({ type: 'pay', ticket })).toMatchObject({ code: 'ticket-paid' });
    for (const one of [cage, patron]) one.terminate();
    await server.close();
    expect(await problem()).toBeUndefined();
  },
);

test('a ticket redeemed at a terminal shows which one', async () => {
  const server = await startUnattendedFloor();
  const { patron, terminal } = await patronAt(server, 'f');
  const ticket = await collectTicket(patron, 'collect-1');
  patron.send({ type: 'redeem', id: 'redeem-1', number: ticket });
  await patron.receive('loaded');
  const cage = await StaffSocket.signIn(server, 'C-1');
  expect(await query(cage, 'ticket', { ticket })).toMatchObject({
    not: 'ticket-paid',
    issued: { terminal },
    paid: { number: null, terminal },
  });
  for (const one of [cage, patron]) one.terminate();
  await server.close();
});

/** The pending proposal at the only terminal, as this staff member sees it. */
async function proposalAt(staff: StaffSocket): Promise<{ readonly id: string; readonly hash: string } | null> {
  const { terminals } = (await query(staff, 'terminals')) as unknown as {
    terminals: readonly { proposal: { id: string; hash: string } | null }[];
  };
  return terminals[0]!.proposal;
}

test('[HOUSE 2] a hand-pay is proposed by one person, signed by another, and paid once by the cage', async () => {
  const { store, problem } = reusableStore();
  const server = await startUnattendedFloor({ store, handPayLimit: 50_000 });
  const { patron, terminal } = await patronAt(server, 'd');
  patron.send({ type: 'collect', id: 'collect-1' });
  await patron.receive('collected');
  const [supervisor, manager] = [await StaffSocket.signIn(server, 'S-1'), await StaffSocket.signIn(server, 'M-1')];
  const [cage, other] = await signInTwoCages(server);
  const limits = { handPay: 50_000, nameFrom: null };
  expect(await query(supervisor, 'terminals')).toMatchObject({
    terminals: [{ terminal, online: true, table: 'tiger', locked: 'hand-pay', owed: 100_000, signed: [], credit: 0 }],
    need: 1,
    limits,
  });
  const owedSince = async (): Promise<number | null | undefined> =>
    ((await query(supervisor, 'terminals')) as TerminalList).terminals[0]?.owedSince;
  const due = await owedSince();
  expect(due).not.toBeNull();
  const propose = (staff: StaffSocket, type = 'ProposeHandPay') =>
    staff.request({ type: 'terminal', terminal, request: { type, what: 'cancelled-credit', amount: 100_000 } });
  const approve = async (staff: StaffSocket, more: object = {}) => {
    const { id: proposal, hash } = (await proposalAt(supervisor)) ?? { id: 'P1', hash: `sha256:${'0'.repeat(64)}` };
    return staff.request({ type: 'terminal', terminal, request: { type: 'ApproveHandPay', proposal, hash }, ...more });
  };
  const pay = (staff: StaffSocket, signature = 1) =>
    staff.request({ type: 'terminal', terminal, request: { type: 'PaySigned', signature } });
  expect(await pay(cage)).toMatchObject({ code: 'unknown-hand-pay' });
  expect(await approve(supervisor, { number: 'M-1', pin })).toMatchObject({ code: 'unknown-proposal' });
  expect(await propose(supervisor, 'SignHandPay')).toMatchObject({ code: 'bad-request' });
  expect(await propose(cage)).toMatchObject({ code: 'not-your-role', by: 'HOUSE 2' });
  expect(await propose(manager)).toMatchObject({ type: 'done', events: ['HandPayProposed'] });
  expect(await approve(manager)).toMatchObject({ code: 'pin-required', by: 'HOUSE 2' });
  expect(await approve(manager, { number: 'M-1', pin })).toMatchObject({ code: 'same-person' });
  expect(await propose(supervisor)).toMatchObject({ type: 'done', events: ['HandPayProposed'] });
  expect(await proposalAt(manager)).toMatchObject({
    id: 'P2',
    amount: 100_000,
    from: { number: 'S-1', role: 'supervisor' },
    second: 'pit-manager',
  });
  supervisor.send({ type: 'floor', wanted: true });
  const { view } = await supervisor.receive('floor', (reply) =>
    reply.view.waiting.some(({ hash }) => hash !== undefined),
  );
  expect(view.waiting.find(({ what }) => what === 'hand-pay')).toMatchObject({
    role: 'pit-manager',
    prompt: { with: { terminal, amount: '100000' } },
    hash: (await proposalAt(manager))!.hash,
  });
  expect(await approve(supervisor, { number: 'S-2', pin })).toMatchObject({ code: 'not-your-role' });
  expect(await approve(supervisor, { number: 'M-1', pin: '111222' })).toMatchObject({ code: 'wrong-secret' });
  expect(await approve(supervisor, { number: 'M-1' })).toMatchObject({ code: 'pin-required' });
  const both = ['HandPayApproved', 'HandPaySigned'];
  const { id: binding, hash } = (await proposalAt(manager))!;
  const again = { type: 'terminal', terminal, request: { type: 'ApproveHandPay', proposal: binding, hash } } as const;
  const id = randomUUID();
  const signed = await supervisor.request({ ...again, id, number: 'M-1', pin });
  expect(signed).toMatchObject({ type: 'done', events: both });
  // The command is stored, so the PIN of a resend does not matter.
  expect(await supervisor.request({ ...again, id, number: 'M-1', pin: '111222' })).toEqual(signed);
  expect(await propose(supervisor)).toMatchObject({ code: 'over-amount-due' });
  // A signed hand-pay is withdrawn before payment and signed again, now with the PIN at the second person's own desk.
  const withdraw = { type: 'WithdrawHandPay', signature: 1, reason: 'The wrong amount was read out.' };
  expect(await cage.request({ type: 'terminal', terminal, request: withdraw })).toMatchObject({
    code: 'not-your-role',
  });
  expect(await supervisor.request({ type: 'terminal', terminal, request: withdraw })).toMatchObject({
    type: 'done',
    events: ['HandPayWithdrawn'],
  });
  expect(await pay(cage)).toMatchObject({ code: 'hand-pay-withdrawn' });
  expect(await propose(supervisor)).toMatchObject({ type: 'done' });
  const { id: proposal } = (await proposalAt(supervisor))!;
  expect(
    await supervisor.request({ type: 'terminal', terminal, request: { type: 'WithdrawHandPayProposal', proposal } }),
  ).toMatchObject({ type: 'done', events: ['HandPayProposalWithdrawn'] });
  expect(await proposalAt(supervisor)).toBeNull();
  expect(await propose(supervisor)).toMatchObject({ type: 'done' });
  // The session of the unlocked desk is not enough.
  expect(await approve(manager)).toMatchObject({ code: 'pin-required' });
  expect(await approve(manager, { number: 'M-1', pin })).toMatchObject({ type: 'done', events: both });
  expect(await query(cage, 'handpays')).toMatchObject({
    signed: [{ terminal, signature: 2, amount: 100_000, first: 'S-1', second: 'M-1' }],
    limits,
  });
  // Every step leaves the time since which the hand-pay is due.
  expect(await owedSince()).toBe(due);
  for (const staff of [supervisor, manager]) expect(await pay(staff, 2)).toMatchObject({ code: 'not-your-role' });
  const replies = await Promise.all([pay(cage, 2), pay(other, 2)]);
  expect(replies.map(({ type }) => type).toSorted()).toEqual(['done', 'refused']);
  expect(replies.find(({ type }) => type === 'refused')).toMatchObject({ code: 'hand-pay-paid' });
  expect(await query(cage, 'handpays')).toMatchObject({ signed: [] });
  expect(await query(supervisor, 'terminals')).toMatchObject({
    terminals: [{ locked: 'hand-pay', owed: 0, owedSince: null, credit: 0 }],
  });
  const reason = 'Paid by hand.';
  expect(
    await supervisor.request({ type: 'terminal', terminal, request: { type: 'UnlockTerminal', reason } }),
  ).toMatchObject({ type: 'done' });
  for (const one of [supervisor, manager, cage, other, patron]) one.terminate();
  await server.close();
  expect(await problem()).toBeUndefined();
});

test('queries of cage, floor and administrators are answered to their roles only', async () => {
  const server = await startUnattendedFloor();
  const may: { readonly [name: string]: readonly string[] } = {
    terminals: ['S-1', 'M-1', 'G-1', 'C-1', 'T-1', 'A-1', 'V-1'],
    handpays: ['S-1', 'M-1', 'G-1', 'C-1', 'A-1', 'V-1'],
    unclaimed: ['C-1', 'A-1', 'V-1'],
    names: ['N-1'],
  };
  for (const number of ['D-1', 'S-1', 'M-1', 'G-1', 'C-1', 'T-1', 'A-1', 'V-1', 'N-1']) {
    const staff = await StaffSocket.signIn(server, number);
    for (const [name, roles] of Object.entries(may)) {
      const { type, code } = (await staff.request({ type: 'query', name, params: {} })) as {
        type: string;
        code?: string;
      };
      expect(`${number} ${name} ${type} ${code}`).toBe(
        roles.includes(number) ? `${number} ${name} answer undefined` : `${number} ${name} refused not-your-role`,
      );
    }
    staff.terminate();
  }
  await server.close();
});
