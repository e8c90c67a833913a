import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Table } from '../../src/table/state.ts';
import { type TerminalBalance } from '../../src/wire/terminalBalance.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { Clock } from './clock.ts';
import { answer } from './counter.ts';
import { Guest, enrolledAt, house, secretOf } from './house.ts';

// Whoever has lost everything leaves nothing of the session to the next one.

/** So long a session with nothing left goes on here. */
const emptySessionMs = 10_000;

/** An enrolled terminal whose patron has lost everything, and its acceptor. */
async function lostAll() {
  const [terminal, acceptor] = ['1', '2'].map(secretOf) as [string, string];
  const key = randomBytes(32);
  const store = await enrolledAt(key, [
    [terminal, 'E7', 'terminal'],
    [acceptor, 'E7', 'acceptor'],
  ]);
  const time = new Clock();
  const server = await house({
    tables: ['tiger'],
    key,
    store,
    credit: null,
    time,
    times: { bettingTime: 1_000 },
    limits: { emptySessionMs },
  });
  const table = (): Table => server.floor.tables.get('tiger')!.table;
  const guest = await Guest.seated(server, terminal, 'tiger');
  const notes = await Guest.seated(server, acceptor);
  await answer(notes, { type: 'load', id: 'load-0001', amount: 100 });
  for (let rounds = 0; server.floor.terminals.creditOf('E7') > 0; rounds++) {
    await time.when(() => table().phase === 'betting');
    const round = table().round!.id;
    const slip = { type: 'slip', table: 'tiger', round, slip: { tie: 100 } };
    expect(await answer(guest, { ...slip, id: `slip-${String(rounds).padStart(4, '0')}` })).toMatchObject({
      type: 'accepted',
    });
    await time.when(() => table().round?.id !== round);
  }
  const lost = await guest.hears(
    'balance',
    ({ credit, session, openStakes }) => credit === 0 && session !== null && openStakes.length === 0,
  );
  expect(lost).toMatchObject({ session: { number: 1, loaded: 100 }, collect: null });
  const end = async (): Promise<void> => {
    await time.until(server.close());
    expect((await verifyStore(store)).problem).toBeUndefined();
  };
  return { time, guest, notes, end };
}

const purseOf = (guest: Guest, fits: (purse: TerminalBalance) => boolean) => guest.hears('balance', fits);

/** What a terminal has at this moment. */
function purseNow(guest: Guest): ReturnType<typeof purseOf> {
  const from = guest.heard.length;
  guest.say({ type: 'whole', of: 'balance' });
  return guest.hears('balance', () => true, from);
}

test('an empty session continues for a while: its limits apply, and the next bill belongs to it', async () => {
  const { time, guest, notes, end } = await lostAll();
  expect(await answer(guest, { type: 'limit', id: 'limit-0001', stake: 100 })).toMatchObject({ type: 'limited' });
  await time.pass(9_000);
  await answer(notes, { type: 'load', id: 'load-0002', amount: 1_000 });
  await time.pass(9_000);
  expect(await purseOf(guest, ({ credit }) => credit === 1_000)).toMatchObject({
    session: { number: 1, loaded: 1_100 },
    limits: { stake: 100 },
  });
  await answer(guest, { type: 'collect', id: 'collect-2' });
  await answer(notes, { type: 'load', id: 'load-0003', amount: 2_000 });
  expect(await purseOf(guest, ({ credit }) => credit === 2_000)).toMatchObject({
    session: { number: 2, loaded: 2_000 },
    limits: { stake: null },
  });
  await end();
});

test('[READING 60] COLLECT of an empty session ends it once, without a ticket; the next patron starts another', async () => {
  const { guest, notes, end } = await lostAll();
  await answer(guest, { type: 'limit', id: 'limit-0001', stake: 100 });
  const left = { type: 'collected', id: 'collect-1', amount: 0, ticket: null, hand: false };
  expect(await answer(guest, { type: 'collect', id: 'collect-1' })).toMatchObject(left);
  expect(await purseOf(guest, ({ session }) => session === null)).toMatchObject({ collect: 'nothing-to-collect' });
  expect(await answer(guest, { type: 'collect', id: 'collect-2' })).toMatchObject({ code: 'nothing-to-collect' });
  await answer(notes, { type: 'load', id: 'load-0002', amount: 1_000 });
  expect(await purseOf(guest, ({ credit }) => credit === 1_000)).toMatchObject({
    session: { number: 2, loaded: 1_000 },
    limits: { stake: null },
  });
  // Asked again after that, it is the answer from before, and touches nothing.
  expect(await answer(guest, { type: 'collect', id: 'collect-1' })).toMatchObject(left);
  expect(await purseNow(guest)).toMatchObject({ credit: 1_000, session: { number: 2 } });
  await end();
});

test('[READING 60] an empty session ends some time after its last event, and after a break', async () => {
  const { time, guest, notes, end } = await lostAll();
  await time.pass(8_000);
  await answer(guest, { type: 'pause', id: 'pause-0001', minutes: 1 });
  await time.pass(69_000);
  expect(await purseNow(guest)).toMatchObject({ session: { number: 1 } });
  await time.pass(2_000);
  await purseOf(guest, ({ session }) => session === null);
  await answer(notes, { type: 'load', id: 'load-0002', amount: 1_000 });
  expect(await purseOf(guest, ({ credit }) => credit === 1_000)).toMatchObject({
    session: { number: 2, loaded: 1_000 },
  });
  await end();
});
