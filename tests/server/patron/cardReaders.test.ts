import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { TestScheduler } from '../support/testScheduler.ts';
import { PatronSocket, type TestServerOptions, startTestServer, secretOf } from '../support/testServer.ts';
import { TestCardReaderPort, commandBy, enrolDevice, scannedTable, prepareLiveShoe } from '../support/liveTables.ts';

const key = randomBytes(32);

/** A table with a card reader on a socket, and a test port for its dealer. */
async function startLiveTable(options: TestServerOptions = {}) {
  const store = createMemoryStore();
  const port = new TestCardReaderPort();
  const time = new TestScheduler();
  const secret = await enrolDevice(store, key, 'tiger', 'shoe');
  const server = await startTestServer({
    store,
    key,
    cardReaderPort: port,
    scheduler: time,
    tables: ['tiger', 'baccarat'],
    settings: { ...scannedTable },
    times: { bettingTime: 1_000 },
    ...options,
  });
  const reader = await PatronSocket.join(server, secret);
  await reader.receive('due');
  let ids = 0;
  const scan = async (text: string, id = `scan-${String(ids++).padStart(4, '0')}`, from: PatronSocket = reader) => {
    const since = from.received.length;
    from.send({ type: 'scan', id, table: 'tiger', text });
    for (;;) {
      const reply = from.received
        .slice(since)
        .find((one) => (one.type === 'scanned' || one.type === 'refused') && one.id === id);
      if (reply) return reply;
      await new Promise((done) => setTimeout(done, 2));
    }
  };
  /** The dealer opens bets and calls the close; the automation closes them. */
  const playRound = async (): Promise<void> => {
    const table = server.floor.tables.get('tiger')!;
    if (table.table.phase === 'idle') await commandBy(table, 'd1', 'OpenBets');
    await commandBy(table, 'd1', 'CallClose');
    await time.advanceUntil(() => table.table.phase === 'dealing');
  };
  return { store, port, secret, server, reader, scan, playRound, time };
}

test('a card reader deals on behalf of the dealer: the first card is burned, others fill the slots of the table of play', async () => {
  const { store, server, reader, scan, playRound, time } = await startLiveTable();
  expect(reader.received.map(({ type }) => type)).toEqual(['welcome', 'due']);
  expect(await reader.receive('due')).toMatchObject({ table: 'tiger', slot: null, burn: false, shoe: null });
  const table = await prepareLiveShoe(server, 'tiger');
  await reader.receive('due', ({ burn }) => burn);
  expect(await scan('5H')).toEqual({ type: 'scanned', id: 'scan-0000', card: '5H', slot: null });
  await playRound();
  await reader.receive('due', ({ slot }) => slot === 'P1');
  const dealt = [];
  for (const text of ['2C', '10d', '2D', '7S', '3H']) {
    dealt.push(await scan(text));
    await time.advance(300);
  }
  expect(dealt).toMatchObject([
    { card: '2C', slot: 'P1' },
    { card: 'TD', slot: 'B1' },
    { card: '2D', slot: 'P2' },
    { card: '7S', slot: 'B2' },
    { card: '3H', slot: 'P3' },
  ]);
  expect(dealt.some((one) => 'together' in one)).toBe(false);
  expect(table.table.phase).toBe('result');
  expect(table.table.shoe).toMatchObject({ drawn: 11, burned: true });
  const due = reader.received.findLast(({ type }) => type === 'due');
  expect(due).toMatchObject({
    slot: null,
    burn: false,
    shoe: { out: 11, size: 416, deck: 'french', seen: { '2C': 1 } },
  });
  await server.close();
  const entries = [];
  for await (const some of store.read('demo/table/tiger', 0, 100)) entries.push(...some);
  const cards = entries.filter(({ event }) => event.type === 'CardDealt' || event.type === 'CardsBurned');
  expect(cards).toHaveLength(6);
  for (const { event } of cards) expect(event).toMatchObject({ actor: { person: 'd1', role: 'dealer' } });
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('a resent scan is dealt once, on any connection, also while the first is in process', async () => {
  const { server, reader, scan, secret, port, playRound } = await startLiveTable();
  const table = await prepareLiveShoe(server, 'tiger');
  expect(await scan('5H', 'scan-first')).toMatchObject({ card: '5H', slot: null });
  await playRound();
  expect(await scan('2C', 'scan-again')).toMatchObject({ slot: 'P1' });
  reader.terminate();
  const reconnected = await PatronSocket.join(server, secret);
  await reconnected.receive('due', ({ slot }) => slot === 'B1');
  // Another dealer has taken over.
  port.dealer = 's1';
  expect(await scan('2C', 'scan-again', reconnected)).toMatchObject({ type: 'scanned', card: '2C', slot: 'P1' });
  port.dealer = 'd1';
  reconnected.send({ type: 'scan', id: 'scan-twice', table: 'tiger', text: '3C' });
  reconnected.send({ type: 'scan', id: 'scan-twice', table: 'tiger', text: '3C' });
  expect(await scan('4C', 'scan-after', reconnected)).toMatchObject({ card: '4C', slot: 'P2' });
  expect(table.table.round!.cards).toEqual(['2C', '3C', '4C']);
  reconnected.terminate();
  await server.close();
});

test('a refused card is reported to the reader and the dealer, with the reason', async () => {
  const { server, port, scan, playRound } = await startLiveTable();
  const table = await prepareLiveShoe(server, 'tiger');
  port.dealer = undefined;
  expect(await scan('5H')).toMatchObject({ type: 'refused', code: 'no-dealer' });
  port.dealer = 'd1';
  expect(await scan('XX')).toMatchObject({ code: 'unreadable-scan' });
  expect(await scan('L3')).toMatchObject({ code: 'unreadable-scan' });
  expect(await scan('5H')).toMatchObject({ type: 'scanned', slot: null });
  // A card leaves the shoe before the close of bets.
  await commandBy(table, 'd1', 'OpenBets');
  expect(await scan('9S')).toMatchObject({ code: 'not-now', by: 'ETG 3.2' });
  expect(port.refusedScans.map(({ table: at, text, code }) => [at, text, code])).toEqual([
    ['tiger', '5H', 'no-dealer'],
    ['tiger', 'XX', 'unreadable-scan'],
    ['tiger', 'L3', 'unreadable-scan'],
    ['tiger', '9S', 'not-now'],
  ]);
  await playRound();
  for (const text of ['9S', '2C', '9H', '4D']) expect(await scan(text)).toMatchObject({ type: 'scanned' });
  expect(await scan('8C')).toMatchObject({ code: 'card-after-deal' });
  await server.close();
});

test('two cards within 300 ms are marked and the dealer is warned; the cutting card is reported and not counted', async () => {
  const { server, port, scan, playRound, time } = await startLiveTable({
    scanFormat: { pattern: '<S-R>', cut: '<CC>' },
  });
  const table = await prepareLiveShoe(server, 'tiger');
  expect(await scan('5H')).toMatchObject({ code: 'unreadable-scan' });
  expect(await scan('<H-5>')).toMatchObject({ card: '5H' });
  await playRound();
  expect(await scan('<C-2>')).not.toHaveProperty('together');
  expect(await scan('<cc>')).toEqual({ type: 'scanned', id: 'scan-0003', card: null, slot: null });
  expect(table.table.shoe!.roundsLeft).toBe(0);
  await time.advance(300);
  expect(await scan('<S-9>')).not.toHaveProperty('together');
  await time.advance(299);
  expect(await scan('<H-9>')).toMatchObject({ card: '9H', together: true });
  expect(port.simultaneousScans).toEqual([['<S-9>', '<H-9>']]);
  await server.close();
});

test('a card reader can only deal at its table, and no other client can', async () => {
  const { server, reader, secret } = await startLiveTable();
  const refusedTo = async (from: PatronSocket, message: object) => (await from.refusalOf(message)).code;
  for (const message of [
    { type: 'scan', id: 'scan-0001', table: 'baccarat', text: '5H' },
    { type: 'sit', table: 'tiger' },
    { type: 'watch', table: 'tiger' },
    { type: 'watch-lobby', wanted: true },
    { type: 'leave' },
    { type: 'slip', id: 'slip-0001', table: 'tiger', round: 'r', slip: { tie: 100 } },
    { type: 'load', id: 'load-0001', amount: 1_000 },
    { type: 'collect', id: 'coll-0001' },
    { type: 'recall', id: 'reca-0001' },
    { type: 'renew', id: 'rene-0001', secret: secretOf('7') },
    { type: 'whole', of: 'lobby' },
    { type: 'hello', v: protocolVersion, secret },
  ]) {
    expect(await refusedTo(reader, message), message.type).toBe('not-enrolled');
  }
  const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
  const screen = await PatronSocket.connect(server);
  screen.send({ type: 'hello', v: protocolVersion });
  await screen.receive('welcome');
  for (const from of [patron, screen]) {
    expect(await refusedTo(from, { type: 'scan', id: 'scan-0002', table: 'tiger', text: '5H' })).toBe('not-enrolled');
  }
  // The secret of a card reader cannot be renewed by a terminal.
  expect((await patron.refusalOf({ type: 'renew', id: 'rene-0002', secret })).code).toBe('bad-request');
  await server.close();
});

test('a chip table can be watched, and has no seats', async () => {
  const server = await startTestServer({ tables: ['baccarat'], settings: { ...scannedTable, bets: 'chips' } });
  const patron = await PatronSocket.join(server, secretOf('1'));
  const { tiles } = await patron.receive('lobby');
  expect(tiles).toMatchObject([{ table: 'baccarat', attended: true, bets: 'chips', ready: false }]);
  expect(await patron.refusalOf({ type: 'sit', table: 'baccarat' })).toMatchObject({ code: 'no-terminals' });
  patron.send({ type: 'watch', table: 'baccarat' });
  expect((await patron.receive('table')).view).toMatchObject({
    attended: true,
    bets: 'chips',
    shoe: null,
    opensAt: null,
  });
  await server.close();
});
