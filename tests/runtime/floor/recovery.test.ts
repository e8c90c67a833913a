import { describe, expect, test } from 'vitest';
import { TestClock, flushPromises } from '../../chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../support/demo.ts';
import { floorHeartbeatName } from '../../../src/runtime/floor/heartbeats.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { type Card } from '../../../src/rules/card.ts';
import { decidedWagers } from '../../../src/rules/decidedWagers.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store, type StoredEntry } from '../../../src/store/store.ts';
import { gameByName } from '../../../src/table/schema/settings.ts';
import { sessionCredit, seatPatron, start, testDependencies } from '../support/testDependencies.ts';

type StoredRound = { readonly entries: readonly StoredEntry[]; readonly blobs: ReadonlyMap<string, Uint8Array> };

/** A round with a bet as it was stored, and all entries before. */
async function playStoredRound(game: string, seed: string): Promise<StoredRound> {
  const memory = createMemoryStore();
  const blobs = new Map<string, Uint8Array>();
  const store: Store = {
    ...memory,
    putBlob: async (id, bytes) => {
      blobs.set(id, bytes);
      await memory.putBlob(id, bytes);
    },
  };
  const { dependencies, published, time } = testDependencies(store, seed);
  const settings = demoSettings.filter(({ table }) => table === game);
  const floor = await openFloor(demoOwner, settings, demoPace, dependencies);
  const terminal = await seatPatron(floor, 'hash', demoCredit);
  const table = floor.tables.get(game)!;
  while (table.processor.state?.phase !== 'betting') await time.step();
  const round = table.table.round!.id;
  const slip = { player: 1000, tie: 500 };
  void table.submit('bet', { type: 'SetSlip', actor: { terminal }, round, slip });
  await flushPromises();
  while (!published.some(({ event }) => event.type === 'SettlementPosted')) await time.step();
  const entries: StoredEntry[] = [];
  for (const stream of (await store.streams()).toReversed()) {
    for await (const chunk of store.read(stream)) entries.push(...chunk);
  }
  return { entries, blobs };
}

/** Whether a command ends there: its entries are appended together, so that a crash never separates them. */
const isBetween = (own: readonly StoredEntry[], count: number): boolean =>
  own[count - 1]!.command.id !== own[count]?.command.id;

/** The event store after a number of entries of the table, and the floor that starts from it after a while. */
async function restartAfter(
  game: string,
  { entries, blobs }: StoredRound,
  count: number,
  away: number,
  spoilt?: 'lost' | 'damaged',
) {
  const store = createMemoryStore();
  for (const [id, bytes] of blobs) {
    if (spoilt === undefined || !id.startsWith('shoe/')) await store.putBlob(id, bytes);
    else if (spoilt === 'damaged') await store.putBlob(id, bytes.with(100, bytes[100]! ^ 1));
  }
  let at = 0;
  const retained = entries.filter(({ stream, sequence }) => !stream.includes('/table/') || sequence <= count);
  for (const stream of new Set(retained.map((one) => one.stream))) {
    const own = retained.filter((one) => one.stream === stream);
    const copied = own.map(({ event, postings, command }) => ({
      event,
      postings: postings.map(({ from, to, amount }) => ({ from, to, amount })),
      ...(command && { command }),
    }));
    expect(await store.append({ stream, after: 0, entries: copied })).toHaveProperty('entries');
    at = Math.max(at, ...own.map(({ event }) => event.at));
  }
  await store.recordHeartbeats([floorHeartbeatName, `${demoOwner.property}/table/${game}`], at);
  const { dependencies, published, warnings, time } = testDependencies(store, 'back', new TestClock(at + away));
  const settings = demoSettings.filter(({ table }) => table === game);
  const floor = await openFloor(demoOwner, settings, demoPace, dependencies);
  await flushPromises();
  return { floor, table: floor.tables.get(game)!, published, warnings, store, time };
}

describe.each([
  ['HOUSE 6', 'baccarat', 'r1'],
  ['ETG 5.9', 'tiger', 'r1'],
  ['ETG 5.9', 'tiger', 'r2'],
  ['ETG 5.9', 'tiger', 'r5'],
])('[%s] crash after each event of a round of %s (%s)', (_, game, seed) => {
  const storedRound = playStoredRound(game, seed);

  test('[ETG 5.9.1, ETG 5.9.2] round is voided after a long stop while nothing is decided, and continues once something is', async () => {
    const whole = await storedRound;
    const own = whole.entries.filter(({ stream }) => stream.includes('/table/'));
    const from = own.findIndex(({ event }) => event.type === 'BetsOpened');
    const seen = new Set<string>();
    for (let count = from + 1; count <= own.length; count++) {
      if (!isBetween(own, count)) continue;
      const entries = own.slice(0, count);
      const { event } = entries.at(-1)!;
      const cards = entries.flatMap((one) => (one.event.type === 'CardDealt' ? [one.event['card'] as Card] : []));
      const { floor, table, published, warnings, store } = await restartAfter(game, whole, count, 20_000);
      const decided = published.find(({ event: { type } }) => type === 'RoundVoided' || type === 'RoundResumed');
      const staked = entries.some((one) => one.event.type === 'SlipSet') ? 1500 : 0;
      expect(warnings).toEqual([]);
      if (event.type === 'RoundSettled' || event.type === 'SettlementPosted') expect(decided).toBeUndefined();
      else {
        // Facts that the cards alone decide, over all offered wagers.
        const certainWagers = decidedWagers(gameByName(table.table.settings.game), table.table.settings.offered, cards);
        const continues = certainWagers.won.length + certainWagers.lost.length > 0;
        expect(decided?.event).toMatchObject(
          continues
            ? { type: 'RoundResumed', by: expect.stringMatching(/5\.9\.2|HOUSE 6/) as string }
            : { type: 'RoundVoided', by: expect.stringMatching(/5\.9\.1|HOUSE 6/) as string },
        );
        await floor.terminals.open('T1');
        if (!continues) expect(sessionCredit(floor, 'T1.1')).toBe(demoCredit);
        else expect(sessionCredit(floor, 'T1.1')).toBe(demoCredit - staked);
        seen.add(decided!.event.type);
      }
      expect((await verifyStore(store)).problem).toBeUndefined();
    }
    expect([...seen].toSorted()).toEqual(['RoundResumed', 'RoundVoided']);
  });

  test('[READING 12] round continues normally after a short stop', async () => {
    const whole = await storedRound;
    const own = whole.entries.filter(({ stream }) => stream.includes('/table/'));
    const from = own.findIndex(({ event }) => event.type === 'BetsOpened');
    for (let count = from + 1; count <= own.length; count++) {
      if (!isBetween(own, count)) continue;
      const { published, warnings, store } = await restartAfter(game, whole, count, 5_000);
      expect(published.some(({ event: { type } }) => type === 'RoundVoided')).toBe(false);
      expect(warnings).toEqual([]);
      expect((await verifyStore(store)).problem).toBeUndefined();
    }
  });
});

test.each(['HOUSE 6', 'READING 12'])('[%s] stall longer than the interruption time interrupts the round', async () => {
  const { dependencies, published, time } = testDependencies(createMemoryStore(), 'still');
  const floor = await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, dependencies);
  const table = floor.tables.get('baccarat')!;
  const until = async (phase: string): Promise<void> => {
    while (table.processor.state?.phase !== phase) await time.step();
  };
  await until('betting');
  time.now += 60_000;
  await time.step();
  expect(published.at(-1)!.event).toMatchObject({ type: 'RoundVoided', by: 'HOUSE 6' });
  await until('dealing');
  while (table.table.round!.cards.length < 3) await time.step();
  time.now += 60_000;
  await time.step();
  expect(published.at(-1)!.event).toMatchObject({ type: 'RoundResumed', by: 'HOUSE 6' });
  await until('idle');
  expect(published.at(-1)!.event.type).toBe('RoundSettled');
});

test.each([
  ['lost', /^table tiger: Error: The encrypted order of the shoe tiger-\S+ is committed, but its blob is missing\.$/],
  ['damaged', /^table tiger: Error: The encrypted blob "tiger-\S+ cannot be decrypted; /],
] as const)(
  '[READING 29] shoe with an order that is %s deals no further card: its round is voided, and another shoe comes',
  async (spoilt, message) => {
    const whole = await playStoredRound('tiger', 'r1');
    const own = whole.entries.filter(({ stream }) => stream.includes('/table/'));
    const from = own.findIndex(({ event }) => event.type === 'BetsOpened');
    const dealt = own.findLastIndex(({ event }) => event.type === 'CardDealt');
    for (const count of [from, from + 1, from + 4, dealt, own.length]) {
      const { floor, table, published, warnings, store, time } = await restartAfter(
        'tiger',
        whole,
        count,
        1_000,
        spoilt,
      );
      const seen = (type: string): StoredEntry | undefined => published.find(({ event }) => event.type === type);
      for (let n = 0; n < 50 && seen('ShoeCommitted') === undefined; n++) await time.step();
      expect(warnings).toEqual([expect.stringMatching(message)]);
      expect(seen('IrregularityFound')?.event).toMatchObject({ kind: 'order-altered' });
      const voided = count > from && count < own.length;
      expect(seen('RoundVoided') !== undefined).toBe(voided);
      await floor.terminals.open('T1');
      if (voided) expect(sessionCredit(floor, 'T1.1')).toBe(demoCredit);
      expect(seen('ShoeEnded')?.event).toMatchObject({ unopened: true });
      expect(seen('ShoeCommitted')?.event['shoe']).not.toBe(own[0]!.event['shoe']);
      for (let n = 0; n < 50 && table.table.phase !== 'dealing'; n++) await time.step();
      expect(table.table.phase).toBe('dealing');
      expect((await verifyStore(store)).problem).toBeUndefined();
    }
  },
);

test('nothing is written before everything has been read', async () => {
  const whole = await playStoredRound('tiger', 'r1');
  const { store } = await restartAfter('tiger', whole, whole.entries.length, 1_000);
  const before = await store.heads();
  const { dependencies, time } = testDependencies(
    {
      ...store,
      read: (stream, after, atOnce) => {
        if (stream.endsWith('/baccarat')) throw new Error('The disk failed.');
        return store.read(stream, after, atOnce);
      },
    },
    'first',
    new TestClock(start + 86_400_000),
  );
  const settings = demoSettings.filter(({ table }) => table === 'tiger' || table === 'baccarat').toReversed();
  await expect(openFloor(demoOwner, settings, demoPace, dependencies)).rejects.toThrow('The disk failed.');
  expect(await time.step()).toBe(false);
  expect(await store.heads()).toEqual(before);
});
