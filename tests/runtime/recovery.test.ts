import { describe, expect, test } from 'vitest';
import { MadeTime, rest } from '../chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from './demo.ts';
import { floorHeartbeat } from '../../src/runtime/ports/heartbeats.ts';
import { FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { type Card } from '../../src/rules/card.ts';
import { certain } from '../../src/rules/certain.ts';
import { memoryStore } from '../../src/store/memoryStore.ts';
import { type Store, type StoredEntry } from '../../src/store/store.ts';
import { gameByName } from '../../src/table/schema/settings.ts';
import { sessionCredit, seatPatron, start, testDependencies } from './made.ts';

type Kept = { readonly entries: readonly StoredEntry[]; readonly sealed: ReadonlyMap<string, Uint8Array> };

/** A round with a bet on it, as it was written, and all that came before. */
async function played(game: string, seed: string): Promise<Kept> {
  const memory = memoryStore();
  const sealed = new Map<string, Uint8Array>();
  const store: Store = {
    ...memory,
    putBlob: async (id, bytes) => {
      sealed.set(id, bytes);
      await memory.putBlob(id, bytes);
    },
  };
  const { dependencies, published, time } = testDependencies(store, seed);
  const settings = demoSettings.filter(({ table }) => table === game);
  const floor = await FloorRuntime.open(demoOwner, settings, demoPace, dependencies);
  const terminal = await seatPatron(floor, 'hash', demoCredit);
  const table = floor.tables.get(game)!;
  while (table.processor.state?.phase !== 'betting') await time.step();
  const round = table.table.round!.id;
  const slip = { player: 1000, tie: 500 };
  void table.submit('bet', { type: 'SetSlip', actor: { terminal }, round, slip });
  await rest();
  while (!published.some(({ event }) => event.type === 'SettlementPosted')) await time.step();
  const entries: StoredEntry[] = [];
  for (const stream of (await store.streams()).toReversed()) {
    for await (const part of store.read(stream)) entries.push(...part);
  }
  return { entries, sealed };
}

/** Whether the entries of a command end there: they are written together, so that no plug comes between them. */
const isBetween = (own: readonly StoredEntry[], count: number): boolean =>
  own[count - 1]!.command.id !== own[count]?.command.id;

/** The record as it stood after so many entries of the table, and the floor that comes back from it after a while. */
async function backAfter(
  game: string,
  { entries, sealed }: Kept,
  count: number,
  away: number,
  spoilt?: 'lost' | 'damaged',
) {
  const store = memoryStore();
  for (const [id, bytes] of sealed) {
    if (spoilt === undefined || !id.startsWith('shoe/')) await store.putBlob(id, bytes);
    else if (spoilt === 'damaged') await store.putBlob(id, bytes.with(100, bytes[100]! ^ 1));
  }
  let at = 0;
  const kept = entries.filter(({ stream, sequence }) => !stream.includes('/table/') || sequence <= count);
  for (const stream of new Set(kept.map((one) => one.stream))) {
    const own = kept.filter((one) => one.stream === stream);
    const again = own.map(({ event, postings, command }) => ({
      event,
      postings: postings.map(({ from, to, amount }) => ({ from, to, amount })),
      ...(command && { command }),
    }));
    expect(await store.append({ stream, after: 0, entries: again })).toHaveProperty('entries');
    at = Math.max(at, ...own.map(({ event }) => event.at));
  }
  await store.recordHeartbeats([floorHeartbeat, `${demoOwner.property}/table/${game}`], at);
  const { dependencies, published, warnings, time } = testDependencies(store, 'back', new MadeTime(at + away));
  const settings = demoSettings.filter(({ table }) => table === game);
  const floor = await FloorRuntime.open(demoOwner, settings, demoPace, dependencies);
  await rest();
  return { floor, table: floor.tables.get(game)!, published, troubles: warnings, store, time };
}

describe.each([
  ['baccarat', 'r1'],
  ['tiger', 'r1'],
  ['tiger', 'r2'],
  ['tiger', 'r5'],
])('[ETG 5.9] a plug pulled at every event of a round of %s (%s)', (game, seed) => {
  const record = played(game, seed);

  test('[ETG 5.9.1, ETG 5.9.2] after long it is void while nothing is decided, and goes on once something is', async () => {
    const whole = await record;
    const own = whole.entries.filter(({ stream }) => stream.includes('/table/'));
    const from = own.findIndex(({ event }) => event.type === 'BetsOpened');
    const seen = new Set<string>();
    for (let count = from + 1; count <= own.length; count++) {
      if (!isBetween(own, count)) continue;
      const entries = own.slice(0, count);
      const { event } = entries.at(-1)!;
      const cards = entries.flatMap((one) => (one.event.type === 'CardDealt' ? [one.event['card'] as Card] : []));
      const { floor, table, published, troubles, store } = await backAfter(game, whole, count, 20_000);
      const decided = published.find(({ event: { type } }) => type === 'RoundVoided' || type === 'RoundResumed');
      const staked = entries.some((one) => one.event.type === 'SlipSet') ? 1500 : 0;
      expect(troubles).toEqual([]);
      if (event.type === 'RoundSettled' || event.type === 'SettlementPosted') expect(decided).toBeUndefined();
      else {
        // What is certain by the cards alone, over all wagers offered.
        const known = certain(gameByName(table.table.settings.game), table.table.settings.offered, cards);
        const goesOn = known.won.length + known.lost.length > 0;
        expect(decided?.event).toMatchObject(
          goesOn
            ? { type: 'RoundResumed', by: expect.stringMatching(/5\.9\.2|HOUSE 6/) as string }
            : { type: 'RoundVoided', by: expect.stringMatching(/5\.9\.1|HOUSE 6/) as string },
        );
        await floor.terminals.open('T1');
        if (!goesOn) expect(sessionCredit(floor, 'T1.1')).toBe(demoCredit);
        else expect(sessionCredit(floor, 'T1.1')).toBe(demoCredit - staked);
        seen.add(decided!.event.type);
      }
      expect((await verifyStore(store)).problem).toBeUndefined();
    }
    expect([...seen].toSorted()).toEqual(['RoundResumed', 'RoundVoided']);
  });

  test('[READING 12] after a short while it goes on as if nothing had been', async () => {
    const whole = await record;
    const own = whole.entries.filter(({ stream }) => stream.includes('/table/'));
    const from = own.findIndex(({ event }) => event.type === 'BetsOpened');
    for (let count = from + 1; count <= own.length; count++) {
      if (!isBetween(own, count)) continue;
      const { published, troubles, store } = await backAfter(game, whole, count, 5_000);
      expect(published.some(({ event: { type } }) => type === 'RoundVoided')).toBe(false);
      expect(troubles).toEqual([]);
      expect((await verifyStore(store)).problem).toBeUndefined();
    }
  });
});

test('[READING 12] stall longer than the interruption time interrupts the round', async () => {
  const { dependencies, published, time } = testDependencies(memoryStore(), 'still');
  const floor = await FloorRuntime.open(demoOwner, demoSettings.slice(0, 1), demoPace, dependencies);
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
  ['lost', /^table tiger: Error: The shoe tiger-\S+ is committed, and not sealed any more\.$/],
  ['damaged', /^table tiger: Error: What is sealed as "tiger-\S+ cannot be opened; /],
] as const)(
  '[READING 29] a shoe whose order is %s gives no further card: its round is void, and another shoe comes',
  async (spoilt, says) => {
    const whole = await played('tiger', 'r1');
    const own = whole.entries.filter(({ stream }) => stream.includes('/table/'));
    const from = own.findIndex(({ event }) => event.type === 'BetsOpened');
    const dealt = own.findLastIndex(({ event }) => event.type === 'CardDealt');
    for (const count of [from, from + 1, from + 4, dealt, own.length]) {
      const { floor, table, published, troubles, store, time } = await backAfter('tiger', whole, count, 1_000, spoilt);
      const seen = (type: string): StoredEntry | undefined => published.find(({ event }) => event.type === type);
      for (let n = 0; n < 50 && seen('ShoeCommitted') === undefined; n++) await time.step();
      expect(troubles).toEqual([expect.stringMatching(says)]);
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
  const whole = await played('tiger', 'r1');
  const { store } = await backAfter('tiger', whole, whole.entries.length, 1_000);
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
    new MadeTime(start + 86_400_000),
  );
  const settings = demoSettings.filter(({ table }) => table === 'tiger' || table === 'baccarat').toReversed();
  await expect(FloorRuntime.open(demoOwner, settings, demoPace, dependencies)).rejects.toThrow('The disk failed.');
  expect(await time.step()).toBe(false);
  expect(await store.heads()).toEqual(before);
});
