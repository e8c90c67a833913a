import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectTicket } from '../counter.ts';
import { PatronSocket, type TestServerOptions, secretOf } from '../house.ts';
import { StaffSocket, reusableStore, startPit } from './made.ts';

const pin = '246810';

/** A patron whose first bet was withdrawn, so that the demo credit can be collected. */
async function patronAt(
  server: Awaited<ReturnType<typeof startPit>>,
  letter: string,
): Promise<{ guest: PatronSocket; terminal: string }> {
  const guest = await PatronSocket.join(server, secretOf(letter), 'tiger');
  const round = await guest.bettingRound();
  guest.send({ type: 'slip', id: `${letter}-slip-1`, table: 'tiger', round, slip: { tie: 100 } });
  await guest.receive('accepted');
  guest.send({ type: 'slip', id: `${letter}-slip-2`, table: 'tiger', round, slip: {} });
  await guest.receive('accepted', ({ id }) => id === `${letter}-slip-2`);
  return { guest, terminal: (await guest.receive('own')).view.terminal };
}

/** An unattended floor with staff of every role. */
const floor = (options: TestServerOptions = {}) => startPit({ settings: {}, ...options });

test('only the cage takes and pays cash', async () => {
  const server = await floor();
  const { guest, terminal } = await patronAt(server, 'a');
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
  expect((await guest.receive('balance', ({ credit }) => credit === 105_000)).terminal).toBe(terminal);
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
  for (const one of [cage, guest]) one.terminate();
  await server.close();
});

test('a supervisor locks and unlocks a terminal', async () => {
  const server = await floor();
  const { guest, terminal } = await patronAt(server, 'b');
  const supervisor = await StaffSocket.signIn(server, 'S-1');
  const asks = (type: string) =>
    supervisor.request({ type: 'terminal', terminal, request: { type, reason: 'A test.' } });
  expect(await asks('LockTerminal')).toMatchObject({ type: 'done', events: ['TerminalLocked'] });
  expect(await asks('UnlockTerminal')).toMatchObject({ type: 'done', events: ['TerminalUnlocked'] });
  for (const one of [supervisor, guest]) one.terminate();
  await server.close();
});

test('the cage pays a ticket whole and once, however often it is requested', async () => {
  const { store, problem } = reusableStore();
  const server = await floor({ store });
  const { guest } = await patronAt(server, 'c');
  const number = await collectTicket(guest, 'collect-1');
  const cage = await StaffSocket.signIn(server, 'C-1');
  const supervisor = await StaffSocket.signIn(server, 'S-1');
  const pays = (who: StaffSocket, ticket: string, id?: string) => who.request({ type: 'pay', ticket }, id);
  expect(await pays(supervisor, number)).toMatchObject({ code: 'not-your-role', by: 'HOUSE 2' });
  const other = `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`;
  expect(await pays(cage, other)).toMatchObject({ code: 'misread-ticket' });
  const id = randomUUID();
  const [one, two] = await Promise.all([pays(cage, number, id), pays(cage, number)]);
  expect(one).toMatchObject({ type: 'done', events: ['CreditCollected'] });
  expect(two).toMatchObject({ code: 'ticket-paid' });
  expect(await pays(cage, number, id)).toEqual(one);
  expect(await pays(cage, number)).toMatchObject({ code: 'ticket-paid' });
  for (const some of [cage, supervisor, guest]) some.terminate();
  await server.close();
  expect(await problem()).toBeUndefined();
});

test('[HOUSE 2] a supervisor makes a hand-pay above the limit with the PIN of a pit manager, and not more than is owed', async () => {
  const { store, problem } = reusableStore();
  const server = await floor({ store, handPayLimit: 50_000 });
  const { guest, terminal } = await patronAt(server, 'd');
  guest.send({ type: 'collect', id: 'collect-1' });
  expect(await guest.receive('collected')).toMatchObject({ ticket: null, amount: 100_000 });
  const supervisor = await StaffSocket.signIn(server, 'S-1');
  supervisor.send({ type: 'floor', wanted: true });
  const { view } = await supervisor.receive('floor', (told) =>
    told.view.waiting.some(({ what }) => what === 'hand-pay'),
  );
  expect(view.waiting[0]!.prompt).toMatchObject({ code: 'hand-pay', with: { terminal, amount: '100000' } });
  const pays = (fields: object, amount = 100_000) =>
    supervisor.request({
      type: 'terminal',
      terminal,
      request: { type: 'PayByHand', what: 'cancelled-credit', amount },
      ...fields,
    });
  expect(await pays({})).toMatchObject({ code: 'bad-request' });
  expect(await pays({ number: 'M-1', pin: '111222' })).toMatchObject({ code: 'wrong-secret' });
  expect(await pays({ number: 'S-1', pin })).toMatchObject({ code: 'same-person' });
  expect(await pays({ number: 'S-2', pin })).toMatchObject({ code: 'not-your-role' });
  expect(await pays({ number: 'M-1', pin }, 100_001)).toMatchObject({ code: 'over-amount-due' });
  expect(await pays({ number: 'M-1', pin })).toMatchObject({ type: 'done', events: ['HandPaid'] });
  expect(await pays({ number: 'M-1', pin })).toMatchObject({ code: 'over-amount-due' });
  for (const one of [supervisor, guest]) one.terminate();
  await server.close();
  expect(await problem()).toBeUndefined();
});

/** Two cashiers with one console each, because a second sign-in ends the first session. */
async function twoDesks(server: Awaited<ReturnType<typeof startPit>>): Promise<readonly [StaffSocket, StaffSocket]> {
  const administrator = await StaffSocket.signIn(server, 'N-1');
  const request = { type: 'EnrolPerson', number: 'C-2', roles: ['cage'] };
  expect(await administrator.request({ type: 'staff', request })).toMatchObject({ type: 'done' });
  administrator.terminate();
  return [await StaffSocket.signIn(server, 'C-1'), await StaffSocket.signIn(server, 'C-2')];
}

/** Result of a query. */
async function looked(
  who: StaffSocket,
  what: string,
  given: object = {},
): Promise<{ readonly [field: string]: unknown }> {
  const told = await who.request({ type: 'query', name: what, params: given });
  return told.type === 'answer' ? told.data : { ...told };
}

test('two cashiers pay a ticket once, and the ticket shows who paid it and when', async () => {
  const { store, problem } = reusableStore();
  const server = await floor({ store });
  const { guest, terminal } = await patronAt(server, 'e');
  const ticket = await collectTicket(guest, 'collect-1');
  const desks = await twoDesks(server);
  expect(await looked(desks[0], 'ticket', { ticket })).toMatchObject({
    amount: 100_000,
    not: null,
    issued: { terminal },
    paid: null,
  });
  const answers = await Promise.all(desks.map((desk) => desk.request({ type: 'pay', ticket })));
  expect(answers.map(({ type }) => type).toSorted()).toEqual(['done', 'refused']);
  const refusal = answers.find(({ type }) => type === 'refused');
  expect(refusal).toMatchObject({ code: 'ticket-paid', message: expect.stringMatching(/ by C-[12] at /) as string });
  expect(await looked(desks[1], 'ticket', { ticket })).toMatchObject({
    not: 'ticket-paid',
    paid: { number: answers[0]!.type === 'done' ? 'C-1' : 'C-2', terminal: null },
  });
  expect(await looked(desks[1], 'ticket', { ticket: '123' })).toMatchObject({ code: 'misread-ticket' });
  for (const one of [...desks, guest]) one.terminate();
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
  const server = await floor({ store: slow });
  const { guest } = await patronAt(server, 'a');
  const ticket = await collectTicket(guest, 'collect-1');
  const screens = [await StaffSocket.signIn(server, 'C-1'), await StaffSocket.signIn(server, 'C-1')];
  const id = randomUUID();
  const answers = await Promise.all(screens.map((screen) => screen.request({ type: 'pay', ticket }, id)));
  expect(answers[0]).toMatchObject({ type: 'done', events: ['CreditCollected'] });
  expect(answers[1]).toEqual(answers[0]);
  for (const one of [...screens, guest]) one.terminate();
  await server.close();
  expect(await problem()).toBeUndefined();
});

test.each([
  ['before anything is written', 'paid in cash'],
  ['with the ticket in the drawer', 'redeemed'],
])(
  'a payment whose record cannot be read, %s, is neither done nor refused, and is done once when it can',
  async (_, when) => {
    const { store, problem } = reusableStore();
    const bad = { isBad: false };
    const fails = async (): Promise<never> => {
      throw new Error('The disk does not answer.');
    };
    const isPass = (stream: string): boolean => bad.isBad && stream.includes('/cage-');
    const failing: typeof store = {
      ...store,
      read: (stream, ...options) =>
        isPass(stream) && when === 'paid in cash'
          ? { [Symbol.asyncIterator]: () => ({ next: fails }) }
          : store.read(stream, ...options),
      append: async (batch) => {
        const appended = await store.append(batch);
        // The ticket is redeemed by now; the replies to later appends are lost.
        return isPass(batch.stream) && batch.entries[0]?.event.type === 'CreditLoaded' ? fails() : appended;
      },
    };
    const server = await floor({ store: failing, warn: () => {}, onOutage: () => {} });
    const { guest } = await patronAt(server, 'b');
    const ticket = await collectTicket(guest, 'collect-1');
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
    for (const one of [cage, guest]) one.terminate();
    await server.close();
    expect(await problem()).toBeUndefined();
  },
);

test('a ticket redeemed at a terminal shows which one', async () => {
  const server = await floor();
  const { guest, terminal } = await patronAt(server, 'f');
  const ticket = await collectTicket(guest, 'collect-1');
  guest.send({ type: 'redeem', id: 'redeem-1', number: ticket });
  await guest.receive('loaded');
  const cage = await StaffSocket.signIn(server, 'C-1');
  expect(await looked(cage, 'ticket', { ticket })).toMatchObject({
    not: 'ticket-paid',
    issued: { terminal },
    paid: { number: null, terminal },
  });
  for (const one of [cage, guest]) one.terminate();
  await server.close();
});

/** The pending proposal at the only terminal, as this staff member sees it. */
async function proposalAt(who: StaffSocket): Promise<{ readonly id: string; readonly hash: string } | null> {
  const { terminals } = (await looked(who, 'terminals')) as unknown as {
    terminals: readonly { proposal: { id: string; hash: string } | null }[];
  };
  return terminals[0]!.proposal;
}

test('[HOUSE 2] a hand-pay is proposed by one person, signed by another, and paid once by the cage', async () => {
  const { store, problem } = reusableStore();
  const server = await floor({ store, handPayLimit: 50_000 });
  const { guest, terminal } = await patronAt(server, 'd');
  guest.send({ type: 'collect', id: 'collect-1' });
  await guest.receive('collected');
  const [supervisor, manager] = [await StaffSocket.signIn(server, 'S-1'), await StaffSocket.signIn(server, 'M-1')];
  const [cage, other] = await twoDesks(server);
  const limits = { handPay: 50_000, nameFrom: null };
  expect(await looked(supervisor, 'terminals')).toMatchObject({
    terminals: [{ terminal, online: true, table: 'tiger', locked: 'hand-pay', owed: 100_000, signed: [], credit: 0 }],
    need: 1,
    limits,
  });
  const proposes = (who: StaffSocket, type = 'ProposeHandPay') =>
    who.request({ type: 'terminal', terminal, request: { type, what: 'cancelled-credit', amount: 100_000 } });
  const signs = async (who: StaffSocket, more: object = {}) => {
    const { id: proposal, hash } = (await proposalAt(supervisor)) ?? { id: 'P1', hash: `sha256:${'0'.repeat(64)}` };
    return who.request({ type: 'terminal', terminal, request: { type: 'ApproveHandPay', proposal, hash }, ...more });
  };
  const pays = (who: StaffSocket, signature = 1) =>
    who.request({ type: 'terminal', terminal, request: { type: 'PaySigned', signature } });
  expect(await pays(cage)).toMatchObject({ code: 'unknown-hand-pay' });
  expect(await signs(supervisor, { number: 'M-1', pin })).toMatchObject({ code: 'unknown-proposal' });
  expect(await proposes(supervisor, 'SignHandPay')).toMatchObject({ code: 'bad-request' });
  expect(await proposes(cage)).toMatchObject({ code: 'not-your-role', by: 'HOUSE 2' });
  expect(await proposes(manager)).toMatchObject({ type: 'done', events: ['HandPayProposed'] });
  expect(await signs(manager)).toMatchObject({ code: 'same-person' });
  expect(await signs(manager, { number: 'M-1', pin })).toMatchObject({ code: 'same-person' });
  expect(await proposes(supervisor)).toMatchObject({ type: 'done', events: ['HandPayProposed'] });
  expect(await proposalAt(manager)).toMatchObject({
    id: 'P2',
    amount: 100_000,
    from: { number: 'S-1', role: 'supervisor' },
    second: 'pit-manager',
  });
  supervisor.send({ type: 'floor', wanted: true });
  const { view } = await supervisor.receive('floor', (told) =>
    told.view.waiting.some(({ hash }) => hash !== undefined),
  );
  expect(view.waiting.find(({ what }) => what === 'hand-pay')).toMatchObject({
    role: 'pit-manager',
    prompt: { with: { terminal, amount: '100000' } },
    hash: (await proposalAt(manager))!.hash,
  });
  expect(await signs(supervisor)).toMatchObject({ code: 'not-your-role' });
  expect(await signs(supervisor, { number: 'S-2', pin })).toMatchObject({ code: 'not-your-role' });
  expect(await signs(supervisor, { number: 'M-1', pin: '111222' })).toMatchObject({ code: 'wrong-secret' });
  expect(await signs(supervisor, { number: 'M-1' })).toMatchObject({ code: 'bad-request' });
  const both = ['HandPayApproved', 'HandPaySigned'];
  const { id: bound, hash } = (await proposalAt(manager))!;
  const again = { type: 'terminal', terminal, request: { type: 'ApproveHandPay', proposal: bound, hash } } as const;
  const id = randomUUID();
  const signed = await supervisor.request({ ...again, id, number: 'M-1', pin });
  expect(signed).toMatchObject({ type: 'done', events: both });
  // The command is stored, so the PIN of a resend does not matter.
  expect(await supervisor.request({ ...again, id, number: 'M-1', pin: '111222' })).toEqual(signed);
  expect(await proposes(supervisor)).toMatchObject({ code: 'over-amount-due' });
  // A signed hand-pay is withdrawn before payment and signed again, now by the second person in an own session.
  const withdraw = { type: 'WithdrawHandPay', signature: 1, reason: 'The wrong amount was read out.' };
  expect(await cage.request({ type: 'terminal', terminal, request: withdraw })).toMatchObject({
    code: 'not-your-role',
  });
  expect(await supervisor.request({ type: 'terminal', terminal, request: withdraw })).toMatchObject({
    type: 'done',
    events: ['HandPayWithdrawn'],
  });
  expect(await pays(cage)).toMatchObject({ code: 'hand-pay-withdrawn' });
  expect(await proposes(supervisor)).toMatchObject({ type: 'done' });
  const { id: proposal } = (await proposalAt(supervisor))!;
  expect(
    await supervisor.request({ type: 'terminal', terminal, request: { type: 'WithdrawHandPayProposal', proposal } }),
  ).toMatchObject({ type: 'done', events: ['HandPayProposalWithdrawn'] });
  expect(await proposalAt(supervisor)).toBeNull();
  expect(await proposes(supervisor)).toMatchObject({ type: 'done' });
  expect(await signs(manager)).toMatchObject({ type: 'done', events: both });
  expect(await looked(cage, 'handpays')).toMatchObject({
    signed: [{ terminal, signature: 2, amount: 100_000, first: 'S-1', second: 'M-1' }],
    limits,
  });
  for (const who of [supervisor, manager]) expect(await pays(who, 2)).toMatchObject({ code: 'not-your-role' });
  const answers = await Promise.all([pays(cage, 2), pays(other, 2)]);
  expect(answers.map(({ type }) => type).toSorted()).toEqual(['done', 'refused']);
  expect(answers.find(({ type }) => type === 'refused')).toMatchObject({ code: 'hand-pay-paid' });
  expect(await looked(cage, 'handpays')).toMatchObject({ signed: [] });
  const reason = 'Paid by hand.';
  expect(
    await supervisor.request({ type: 'terminal', terminal, request: { type: 'UnlockTerminal', reason } }),
  ).toMatchObject({ type: 'done' });
  for (const one of [supervisor, manager, cage, other, guest]) one.terminate();
  await server.close();
  expect(await problem()).toBeUndefined();
});

test('queries of cage, floor and administrators are answered to their roles only', async () => {
  const server = await floor();
  const may: { readonly [what: string]: readonly string[] } = {
    terminals: ['S-1', 'M-1', 'G-1', 'C-1', 'T-1', 'A-1', 'V-1'],
    handpays: ['S-1', 'M-1', 'G-1', 'C-1', 'A-1', 'V-1'],
    held: ['C-1', 'A-1', 'V-1'],
    names: ['N-1'],
  };
  for (const number of ['D-1', 'S-1', 'M-1', 'G-1', 'C-1', 'T-1', 'A-1', 'V-1', 'N-1']) {
    const who = await StaffSocket.signIn(server, number);
    for (const [what, posts] of Object.entries(may)) {
      const { type, code } = (await who.request({ type: 'query', name: what, params: {} })) as {
        type: string;
        code?: string;
      };
      expect(`${number} ${what} ${type} ${code}`).toBe(
        posts.includes(number) ? `${number} ${what} answer undefined` : `${number} ${what} refused not-your-role`,
      );
    }
    who.terminate();
  }
  await server.close();
});
