import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hashSecret } from '../../../src/server/patron/secretRotationHandler.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { StaffSocket } from '../staff/pit.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { PatronSocket, secretOf } from '../support/testServer.ts';
import { bet, here, startTwoNodes, there } from '../support/twoServers.ts';

// One command id at two servers, of which one has an old view: both give the result that is stored.

const reboundElsewhere = { code: 1012, reason: 'bound-elsewhere' };

/** Sends a request of a terminal whose secret another node has bound in the meantime: gives the refusal or the close. */
async function refusalOrClose(patron: PatronSocket, request: { readonly id: string }): Promise<unknown> {
  patron.send(request);
  return patron.receive('refused', ({ id }) => id === request.id).catch(() => patron.waitForClose());
}

test('a ticket that a new terminal has redeemed at one node is not refused at another node that has its own terminal for the secret', async () => {
  const { one, other, hints, close } = await startTwoNodes();
  const issuer = await PatronSocket.join(one, secretOf('1'), here);
  issuer.send({ type: 'load', id: 'load-0001', amount: 5_000 });
  await issuer.receive('loaded');
  issuer.send({ type: 'collect', id: 'collect-1' });
  const { number } = (await issuer.receive('collected')).ticket!;
  hints.isDropping = true;
  const patron = await PatronSocket.join(one, secretOf('2'), here);
  const remotePatron = await PatronSocket.join(other, secretOf('2'), there);
  const redeem = { type: 'redeem', id: 'redeem-01', number };
  patron.send(redeem);
  await patron.receive('loaded', ({ id }) => id === redeem.id);
  expect(await refusalOrClose(remotePatron, redeem)).toEqual(reboundElsewhere);
  const again = await PatronSocket.join(other, secretOf('2'), there);
  again.send(redeem);
  await again.receive('loaded', ({ id }) => id === redeem.id);
  await close();
});

test('a first bet stored at one node is not refused after the close at another node that has its own terminal for the secret', async () => {
  const time = new TestScheduler();
  const { one, other, hints, close } = await startTwoNodes(createMemoryStore(), {
    scheduler: time,
    times: { bettingTime: 1_000, grace: 0, pause: 60_000 },
    tables: [here],
  });
  hints.isDropping = true;
  const tableOf = (server: Server) => server.floor.tables.get(here)!;
  const readTable = (): Promise<void> =>
    other.floor.readUpTo(new Map([['demo/table/tiger', tableOf(one).processor.sequence]]));
  await time.advanceUntil(() => tableOf(one).table.phase === 'betting');
  await readTable();
  const patron = await time.advanceUntilSettled(PatronSocket.join(one, secretOf('1'), here));
  const remotePatron = await time.advanceUntilSettled(PatronSocket.join(other, secretOf('1'), here));
  const round = await patron.bettingRound();
  const slip = { type: 'slip', id: 'slip-0001', table: here, round, slip: { tie: 100 } };
  patron.send(slip);
  await patron.receive('accepted');
  await time.advanceUntil(() => !['betting', 'closing'].includes(tableOf(one).table.phase));
  await readTable();
  expect(await refusalOrClose(remotePatron, slip)).toEqual(reboundElsewhere);
  const again = await time.advanceUntilSettled(PatronSocket.join(other, secretOf('1'), here));
  again.send(slip);
  await again.receive('accepted');
  for (const socket of [patron, again]) socket.terminate();
  await time.advanceUntilSettled(close());
});

test('a first bet without stakes is stored once, although another node with an old view has its own terminal for the secret', async () => {
  const time = new TestScheduler();
  const store = createMemoryStore();
  const { one, other, hints, close } = await startTwoNodes(store, {
    scheduler: time,
    times: { bettingTime: 1_000, grace: 0, pause: 0 },
    tables: [here],
  });
  hints.isDropping = true;
  const { processor } = one.floor.tables.get(here)!;
  const isBetting = (): boolean => processor.state!.phase === 'betting';
  await time.advanceUntil(isBetting);
  await other.floor.readUpTo(new Map([['demo/table/tiger', processor.sequence]]));
  const patron = await time.advanceUntilSettled(PatronSocket.join(one, secretOf('1'), here));
  const remotePatron = await time.advanceUntilSettled(PatronSocket.join(other, secretOf('1'), here));
  const earlier = processor.state!.round!.id;
  await time.advanceUntil(() => isBetting() && processor.state!.round!.id !== earlier);
  const slip = { type: 'slip', id: 'slip-0001', table: here, round: processor.state!.round!.id, slip: {} };
  patron.send(slip);
  await patron.receive('accepted');
  expect(await refusalOrClose(remotePatron, slip)).toEqual(reboundElsewhere);
  const slips: unknown[] = [];
  for await (const entries of store.read('demo/table/tiger'))
    for (const { event } of entries) if (event.type === 'SlipSet') slips.push(event['terminal']);
  expect(slips).toEqual(['T1-1.1']);
  patron.terminate();
  await time.advanceUntilSettled(close());
});

test('a ticket that is paid with one id at two nodes is one payment with one reply', async () => {
  const memory = createMemoryStore();
  const replied = Promise.withResolvers<unknown>();
  let duringLookup: (() => Promise<void>) | undefined;
  const store: Store = {
    ...memory,
    findCommands: async (ids) => {
      const found = await memory.findCommands(ids);
      const action = ids.some((id) => id.startsWith('redeem/')) ? duringLookup : undefined;
      if (action) duringLookup = undefined;
      await action?.();
      return found;
    },
    append: async (batch) => {
      const isPaid = batch.stream.includes('/cage-') && batch.entries[0]?.event.type === 'CreditCollected';
      // The cash is recorded only after the other node had time to reply.
      if (isPaid) await Promise.race([replied.promise, setTimeout(300)]);
      return memory.append(batch);
    },
  };
  const { one, other, close } = await startTwoNodes(store, { initialStaff: { demo: true } });
  const patron = await PatronSocket.join(one, secretOf('1'), here);
  patron.send({ type: 'load', id: 'load-0001', amount: 5_000 });
  await patron.receive('loaded');
  patron.send({ type: 'collect', id: 'collect-1' });
  const { number: ticket } = (await patron.receive('collected')).ticket!;
  const cage = await StaffSocket.signIn(one, 'C-1');
  const otherCage = await StaffSocket.signIn(other, 'C-1');
  const payment = { type: 'pay', id: 'payment-1', ticket };
  let reply: unknown;
  // The first node redeems the ticket after the other node has looked for that, and has not yet paid it.
  duringLookup = async () => {
    reply = cage.request(payment);
    const isRedeemed = async (): Promise<boolean> =>
      (await memory.findCommands([`redeem/${other.floor.tickets.find(ticket)!}`])).size > 0;
    while (!(await isRedeemed())) await setTimeout(1);
    await other.floor.tickets.refreshNumber(ticket);
  };
  const otherReply = await otherCage.request(payment);
  replied.resolve(undefined);
  expect(otherReply).toMatchObject({ type: 'done', events: ['CreditCollected'] });
  expect(await reply).toEqual(otherReply);
  for (const socket of [cage, otherCage, patron]) socket.terminate();
  await close();
});

test('a node that has not read the first credit of a terminal does not refuse its commands', async () => {
  const { one, other, hints, close } = await startTwoNodes(createMemoryStore(), { demoCredit: null });
  hints.isDropping = true;
  for (const [terminal, letter, acceptorLetter] of [
    ['T1', '1', 'a'],
    ['T2', '2', 'b'],
  ] as const) {
    const { bindings } = one.floor.terminals;
    await bindings.bind(hashSecret(secretOf(letter)), terminal);
    await bindings.bind(hashSecret(secretOf(acceptorLetter)), terminal, 'acceptor');
    const patron = await PatronSocket.join(other, secretOf(letter), there);
    await patron.receive('balance');
    const acceptor = await PatronSocket.join(one, secretOf(acceptorLetter));
    acceptor.send({ type: 'load', id: 'load-0001', amount: 5_000 });
    await acceptor.receive('loaded');
    const request = terminal === 'T1' ? { type: 'collect' } : { type: 'limit', stake: 1_000 };
    patron.send({ ...request, id: 'request-1' });
    const reply = await Promise.race([
      patron.receive('collected'),
      patron.receive('limited'),
      patron.receive('refused', ({ id }) => id === 'request-1'),
    ]);
    expect(reply.type).toBe(terminal === 'T1' ? 'collected' : 'limited');
    for (const socket of [patron, acceptor]) socket.terminate();
  }
  await close();
});

test('a node that has not read that a terminal was unlocked does not refuse its slip', async () => {
  const { one, other, hints, close } = await startTwoNodes();
  const patron = await PatronSocket.join(one, secretOf('1'), here);
  await bet(patron, here);
  const bySupervisor = (type: string) =>
    one.floor.terminals.submit(
      'T1-1',
      type,
      { type, reason: 'Inspection.', actor: { person: 's1' } },
      { authority: { role: 'supervisor' } },
    );
  expect(await bySupervisor('LockTerminal')).toHaveProperty('entries');
  hints.isDropping = true;
  const remotePatron = await PatronSocket.join(other, secretOf('1'), there);
  expect(await remotePatron.receive('balance')).toMatchObject({ locked: 'Inspection.' });
  expect(await bySupervisor('UnlockTerminal')).toHaveProperty('entries');
  await bet(remotePatron, there, 'slip-0002');
  for (const socket of [patron, remotePatron]) socket.terminate();
  await close();
});

test('a connection that took its seat at another node gets the reply that is stored there', async () => {
  const { one, other, hints, close } = await startTwoNodes(createMemoryStore(), { tables: [here] });
  hints.isDropping = true;
  const unseated = await PatronSocket.join(other, secretOf('1'));
  const patron = await PatronSocket.join(one, secretOf('1'), here);
  const round = await patron.bettingRound();
  const slip = { type: 'slip', id: 'slip-0001', table: here, round, slip: { tie: 100 } };
  const withdrawn = { ...slip, id: 'slip-0002', slip: {} };
  const collect = { type: 'collect', id: 'collect-1' };
  for (const message of [slip, withdrawn, collect]) patron.send(message);
  const collected = await patron.receive('collected');
  for (const message of [slip, withdrawn, collect]) unseated.send(message);
  expect(await unseated.receive('accepted', ({ id }) => id === slip.id)).toMatchObject({ slip: slip.slip });
  expect(await unseated.receive('accepted', ({ id }) => id === withdrawn.id)).toMatchObject({ slip: {} });
  expect(await unseated.receive('collected')).toEqual(collected);
  const newcomer = await PatronSocket.join(other, secretOf('2'));
  expect(await newcomer.refusalOf(collect)).toMatchObject({ code: 'not-seated' });
  for (const socket of [patron, unseated, newcomer]) socket.terminate();
  await close();
});

test('a stored approval keeps its reply at a node that has not read the account of the approver', async () => {
  const { one, other, hints, close } = await startTwoNodes(createMemoryStore(), {
    initialStaff: { demo: true },
    handPayLimit: 1_000,
  });
  const patron = await PatronSocket.join(one, secretOf('1'), here);
  await bet(patron, here);
  patron.send({ type: 'slip', id: 'slip-0002', table: here, round: await patron.bettingRound(), slip: {} });
  patron.send({ type: 'collect', id: 'collect-1' });
  await patron.receive('collected');
  const terminal = 'T1-1';
  const supervisor = await StaffSocket.signIn(one, 'S-1');
  const remoteSupervisor = await StaffSocket.signIn(other, 'S-1');
  const administrator = await StaffSocket.signIn(one, 'N-1');
  hints.isDropping = true;
  const enrolment = { type: 'EnrolPerson', number: 'M-9', roles: ['pit-manager'] };
  await administrator.request({ type: 'staff', request: enrolment });
  const { person } = Object.values(one.floor.staff.state!.members).find(({ number }) => number === 'M-9')!;
  const pinReply = await administrator.request({ type: 'staff', request: { type: 'SetSecret', person, kind: 'pin' } });
  const pin = String(pinReply.type === 'answer' ? pinReply.data['secret'] : '');
  const hand = { type: 'ProposeHandPay', what: 'cancelled-credit', amount: one.floor.terminals.handPayOwed(terminal) };
  expect(await supervisor.request({ type: 'terminal', terminal, request: hand })).toMatchObject({ type: 'done' });
  const { id: proposal, hash } = one.floor.terminals.proposedAt(terminal)!;
  const request = { type: 'ApproveHandPay', proposal, hash };
  const approval = { type: 'terminal', id: 'approval-1', terminal, request, number: 'M-9', pin };
  const done = await supervisor.request(approval);
  expect(done).toMatchObject({ type: 'done', events: ['HandPayApproved', 'HandPaySigned'] });
  // The PIN of a resend does not matter, since the command is stored.
  expect(await remoteSupervisor.request({ ...approval, pin: '111222' })).toEqual(done);
  for (const socket of [patron, supervisor, remoteSupervisor, administrator]) socket.terminate();
  await close();
});
