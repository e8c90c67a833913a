import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Table } from '../../../src/table/state.ts';
import { type TerminalMoneyState } from '../../../src/wire/terminalMoneyState.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { replyTo } from '../support/moneyReplies.ts';
import { PatronSocket, storeWithSecrets, startTestServer, secretOf } from '../support/testServer.ts';

// A session whose credit is lost leaves nothing to the next patron.

/** Time until a session without credit ends. */
const emptySessionMs = 10_000;

/** An enrolled terminal whose patron has lost all credit, and its bill acceptor. */
async function loseAllCredit() {
  const [terminal, acceptor] = ['1', '2'].map(secretOf) as [string, string];
  const key = randomBytes(32);
  const store = await storeWithSecrets(key, [
    [terminal, 'E7', 'terminal'],
    [acceptor, 'E7', 'acceptor'],
  ]);
  const time = new TestScheduler();
  const server = await startTestServer({
    tables: ['tiger'],
    key,
    store,
    demoCredit: null,
    scheduler: time,
    times: { bettingTime: 1_000 },
    limits: { emptySessionMs },
  });
  const table = (): Table => server.floor.tables.get('tiger')!.table;
  const patron = await PatronSocket.join(server, terminal, 'tiger');
  const billAcceptor = await PatronSocket.join(server, acceptor);
  await replyTo(billAcceptor, { type: 'load', id: 'load-0001', amount: 100 });
  for (let rounds = 0; server.floor.terminals.creditOf('E7') > 0; rounds++) {
    await time.advanceUntil(() => table().phase === 'betting');
    const round = table().round!.id;
    const slip = { type: 'slip', table: 'tiger', round, slip: { tie: 100 } };
    expect(await replyTo(patron, { ...slip, id: `slip-${String(rounds).padStart(4, '0')}` })).toMatchObject({
      type: 'accepted',
    });
    await time.advanceUntil(() => table().round?.id !== round);
  }
  const lost = await patron.receive(
    'balance',
    ({ credit, session, openStakes }) => credit === 0 && session !== null && openStakes.length === 0,
  );
  expect(lost).toMatchObject({ session: { number: 1, loaded: 100 }, collect: null });
  const end = async (): Promise<void> => {
    await time.advanceUntilSettled(server.close());
    expect((await verifyStore(store)).problem).toBeUndefined();
  };
  return { time, patron, billAcceptor, end };
}

const waitForBalance = (patron: PatronSocket, isExpected: (balance: TerminalMoneyState) => boolean) =>
  patron.receive('balance', isExpected);

/** Latest balance of a terminal. */
function currentBalance(patron: PatronSocket): ReturnType<typeof waitForBalance> {
  const from = patron.received.length;
  patron.send({ type: 'whole', of: 'balance' });
  return patron.receive('balance', () => true, from);
}

test('an empty session continues for a while: its limits apply, and the next bill belongs to it', async () => {
  const { time, patron, billAcceptor, end } = await loseAllCredit();
  expect(await replyTo(patron, { type: 'limit', id: 'limit-0001', stake: 100 })).toMatchObject({ type: 'limited' });
  await time.advance(9_000);
  await replyTo(billAcceptor, { type: 'load', id: 'load-0002', amount: 1_000 });
  await time.advance(9_000);
  expect(await waitForBalance(patron, ({ credit }) => credit === 1_000)).toMatchObject({
    session: { number: 1, loaded: 1_100 },
    limits: { stake: 100 },
  });
  await replyTo(patron, { type: 'collect', id: 'collect-2' });
  await replyTo(billAcceptor, { type: 'load', id: 'load-0003', amount: 2_000 });
  expect(await waitForBalance(patron, ({ credit }) => credit === 2_000)).toMatchObject({
    session: { number: 2, loaded: 2_000 },
    limits: { stake: null },
  });
  await end();
});

test('[READING 60] COLLECT of an empty session ends it once, without a ticket; the next patron starts another', async () => {
  const { patron, billAcceptor, end } = await loseAllCredit();
  await replyTo(patron, { type: 'limit', id: 'limit-0001', stake: 100 });
  const left = { type: 'collected', id: 'collect-1', amount: 0, ticket: null, hand: false };
  expect(await replyTo(patron, { type: 'collect', id: 'collect-1' })).toMatchObject(left);
  expect(await waitForBalance(patron, ({ session }) => session === null)).toMatchObject({
    collect: 'nothing-to-collect',
  });
  expect(await replyTo(patron, { type: 'collect', id: 'collect-2' })).toMatchObject({ code: 'nothing-to-collect' });
  await replyTo(billAcceptor, { type: 'load', id: 'load-0002', amount: 1_000 });
  expect(await waitForBalance(patron, ({ credit }) => credit === 1_000)).toMatchObject({
    session: { number: 2, loaded: 1_000 },
    limits: { stake: null },
  });
  // A later resend gets the first reply and has no effect.
  expect(await replyTo(patron, { type: 'collect', id: 'collect-1' })).toMatchObject(left);
  expect(await currentBalance(patron)).toMatchObject({ credit: 1_000, session: { number: 2 } });
  await end();
});

test('[READING 60] an empty session ends some time after its last event, and after a break', async () => {
  const { time, patron, billAcceptor, end } = await loseAllCredit();
  await time.advance(8_000);
  await replyTo(patron, { type: 'pause', id: 'pause-0001', minutes: 1 });
  await time.advance(69_000);
  expect(await currentBalance(patron)).toMatchObject({ session: { number: 1 } });
  await time.advance(2_000);
  await waitForBalance(patron, ({ session }) => session === null);
  await replyTo(billAcceptor, { type: 'load', id: 'load-0002', amount: 1_000 });
  expect(await waitForBalance(patron, ({ credit }) => credit === 1_000)).toMatchObject({
    session: { number: 2, loaded: 1_000 },
  });
  await end();
});
