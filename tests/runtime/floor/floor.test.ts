import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { TestClock, flushPromises } from '../../chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../support/demo.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { TableRuntime } from '../../../src/runtime/tables/tableRuntime.ts';
import { BalanceCache } from '../../../src/runtime/stream/balanceCache.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { hashOf } from '../../../src/base/canonicalJson.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { snapshotMac } from '../../../src/store/snapshot.ts';
import { WriteResultUnknownError, type Store } from '../../../src/store/store.ts';
import { sessionCredit, noRetiredShoes, seatPatron, testDependencies } from '../support/testDependencies.ts';

test('bet at a demo table is taken and paid, and the credit adds up', async () => {
  const time = new TestClock(1_700_006_400_000);
  const { dependencies, published } = testDependencies(createMemoryStore(), 'b', time);
  const floor = await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, dependencies);
  const terminal = await seatPatron(floor, 'hash', demoCredit);
  expect(sessionCredit(floor, terminal)).toBe(100_000);
  const table = floor.tables.get('baccarat')!;
  while (table.processor.state?.phase !== 'betting') await time.step();
  const round = table.table.round!.id;
  const submitting = table.submit('c1', {
    type: 'SetSlip',
    actor: { terminal },
    round,
    slip: { player: 1000, tie: 100 },
  });
  await flushPromises();
  expect(await submitting).toMatchObject({ entries: [{ event: { type: 'SlipSet', debit: 1100 } }] });
  expect(
    await table.submit('c1', { type: 'SetSlip', actor: { terminal }, round, slip: { player: 1000, tie: 100 } }),
  ).toMatchObject({
    entries: [{ event: { type: 'SlipSet', debit: 1100 } }],
  });
  expect(await table.submit('c1', { type: 'SetSlip', actor: { terminal }, round, slip: { tie: 100 } })).toMatchObject({
    refused: 'command-reused',
  });
  expect(sessionCredit(floor, terminal)).toBe(98_900);
  while (!published.some(({ event }) => event.type === 'RoundSettled')) await time.step();
  const settled = published.find(({ event }) => event.type === 'RoundSettled')!.event;
  const results = settled['results'] as { [wager: string]: { result: string; pays: [number, number] } };
  const back = (wager: string, stake: number): number => {
    const { result, pays } = results[wager]!;
    return result === 'lose' ? 0 : stake + (stake * pays[0]) / pays[1];
  };
  expect(sessionCredit(floor, terminal)).toBe(98_900 + back('player', 1000) + back('tie', 100));
});

test('seat that cannot be stored is refused and starts later; no two secrets share a terminal', async () => {
  const time = new TestClock(1_700_006_400_000);
  const store = createMemoryStore();
  let failing: 'never' | 'before' | 'after' = 'never';
  const disk: Store = {
    ...store,
    append: async (batch) => {
      if (failing === 'before') throw new Error('The disk failed before the write.');
      const appended = await store.append(batch);
      if (failing === 'after') {
        failing = 'never';
        throw new WriteResultUnknownError('The answer of the disk was lost.');
      }
      return appended;
    },
  };
  const { dependencies, warnings, failures } = testDependencies(disk, 'c', time);
  const floor = await openFloor(demoOwner, [], demoPace, dependencies);
  const first = await seatPatron(floor, 'a', demoCredit);
  failing = 'before';
  const refused = floor.terminals.seat('b', demoCredit);
  while (await time.step());
  expect(await refused).toMatchObject({ refused: 'cannot-record' });
  expect(failures).toEqual(Array.from({ length: 6 }, () => 'T2: Error: The disk failed before the write.'));
  expect(warnings).toEqual([]);
  expect(floor.terminals.bindings.terminalOf('b')).toBe('T2');
  failing = 'after';
  const losing = seatPatron(floor, 'c', demoCredit);
  while (await time.step());
  const lost = await losing;
  const others = [await seatPatron(floor, 'b', demoCredit), await seatPatron(floor, 'd', demoCredit)];
  expect([first, ...others, lost]).toEqual(['T1.1', 'T2.1', 'T4.1', 'T3.1']);
  for (const session of [first, lost, ...others]) expect(sessionCredit(floor, session)).toBe(demoCredit);
  const reopened = await openFloor(demoOwner, [], demoPace, testDependencies(store, 'd', time).dependencies);
  expect(['a', 'b', 'c', 'd'].map((secret) => reopened.terminals.bindings.terminalOf(secret))).toEqual([
    'T1',
    'T2',
    'T3',
    'T4',
  ]);
  expect(await seatPatron(reopened, 'e', demoCredit)).toBe('T5.1');
  // Whatever happened to the bindings, no patron gets a terminal that another has used.
  for (const secret of ['a', 'b', 'c', 'd', 'e']) await store.putValue('binding', secret, undefined);
  const later = await openFloor(demoOwner, [], demoPace, testDependencies(store, 'e', time).dependencies);
  expect(await seatPatron(later, 'f', demoCredit)).toBe('T6.1');
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('crashed table answers so while the others continue, and its event log stays sound', async () => {
  const store = createMemoryStore();
  const { dependencies, published, warnings, failures, time } = testDependencies(store, 'e');
  const floor = await openFloor(demoOwner, demoSettings, demoPace, dependencies);
  const terminal = await seatPatron(floor, 'hash', demoCredit);
  const slip = { type: 'SetSlip', actor: { terminal }, round: 'any', slip: { tie: 100 } } as const;
  const defect = {
    get credit(): number {
      throw new Error('Something of ours is wrong.');
    },
  };
  const tiger = floor.tables.get('tiger')!;
  const broken = tiger.submit('broken', slip, time.now, defect);
  const rounds = (): number => published.filter(({ event }) => event.type === 'RoundSettled').length;
  for (let n = 0; n < 20_000 && rounds() < 30; n++) await time.step();
  expect(rounds()).toBeGreaterThanOrEqual(30);
  expect(warnings).toEqual(['tiger has stopped: Error: Something of ours is wrong.']);
  expect(failures).toEqual([]);
  expect(await broken).toMatchObject({ refused: 'table-stopped' });
  expect(await tiger.submit('late', slip)).toMatchObject({ refused: 'table-stopped' });
  expect(published.some(({ stream, event }) => stream.endsWith('/tiger') && event.type === 'RoundSettled')).toBe(false);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('credit is spent once when many tables take it at the same moment', async () => {
  const { dependencies, time } = testDependencies(createMemoryStore(), 'f');
  const floor = await openFloor(demoOwner, demoSettings, demoPace, dependencies);
  const terminal = await seatPatron(floor, 'hash', demoCredit);
  while ([...floor.tables.values()].some(({ table }) => table.phase !== 'betting')) await time.step();
  const results = await Promise.all(
    [...floor.tables.values()].map((table, n) =>
      table.submit(`c${n}`, {
        type: 'SetSlip',
        actor: { terminal },
        round: table.table.round!.id,
        slip: { player: 30_000 },
      }),
    ),
  );
  const refused = results.flatMap((result) => ('refused' in result ? [result.refused] : []));
  expect(refused).toEqual(Array.from({ length: 7 }, () => 'not-enough-credit'));
  expect(sessionCredit(floor, terminal)).toBe(10_000);
});

test('command id that comes twice at once is decided once, and refused for another request', async () => {
  const { dependencies, published, time } = testDependencies(createMemoryStore(), 'g');
  const floor = await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, dependencies);
  const terminal = await seatPatron(floor, 'hash', demoCredit);
  const table = floor.tables.get('baccarat')!;
  while (table.processor.state?.phase !== 'betting') await time.step();
  const slip = { type: 'SetSlip', actor: { terminal }, round: table.table.round!.id, slip: { tie: 100 } } as const;
  const [one, two, other] = await Promise.all([
    table.submit('c1', slip),
    table.submit('c1', slip),
    table.submit('c1', { ...slip, slip: { tie: 200 } }),
  ]);
  expect(one).toMatchObject({ entries: [{ event: { type: 'SlipSet', slip: { tie: 100 } } }] });
  expect(two).toBe(one);
  expect(other).toMatchObject({ refused: 'command-reused' });
  expect(published.filter(({ event }) => event.type === 'SlipSet')).toHaveLength(1);
});

test('shoe that cannot be encrypted is shuffled again a little later, and its root is stored after its blob', async () => {
  const store = createMemoryStore();
  let failing = 3;
  const disk: Store = {
    ...store,
    putBlob: async (id, bytes) => {
      if (id.startsWith('shoe/') && failing-- > 0) throw new Error('The disk failed.');
      await store.putBlob(id, bytes);
    },
    append: async (request) => {
      for (const { event } of request.entries) {
        if (event.type === 'ShoeCommitted') expect(await store.blob(`shoe/${String(event['shoe'])}`)).toBeDefined();
      }
      return store.append(request);
    },
  };
  const { dependencies, published, warnings, failures, time } = testDependencies(disk, 'h');
  await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, dependencies);
  for (let n = 0; n < 100 && !published.some(({ event }) => event.type === 'BetsOpened'); n++) await time.step();
  expect(published.map(({ event }) => event.type)).toEqual(expect.arrayContaining(['ShoeCommitted', 'BetsOpened']));
  expect(failures).toEqual(Array.from({ length: 3 }, () => 'the dealer of table baccarat: Error: The disk failed.'));
  expect(warnings).toEqual([]);
});

test('slip without a change is recorded, so that a later resend changes nothing', async () => {
  const { dependencies, time } = testDependencies(createMemoryStore(), 'i');
  const floor = await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, dependencies);
  const terminal = await seatPatron(floor, 'hash', demoCredit);
  const table = floor.tables.get('baccarat')!;
  while (table.processor.state?.phase !== 'betting') await time.step();
  const round = table.table.round!.id;
  const slip = (id: string, tie: number) =>
    table.submit(id, { type: 'SetSlip', actor: { terminal }, round, slip: { tie } });
  await slip('c1', 100);
  const second = await slip('c2', 100);
  await slip('c3', 500);
  expect(await slip('c2', 100)).toEqual(second);
  expect(table.table.round!.slips[terminal]).toEqual({ tie: 500 });
  expect(sessionCredit(floor, terminal)).toBe(demoCredit - 500);
  expect(await slip('c2', 500)).toMatchObject({ refused: 'command-reused' });
});

describe('snapshots', () => {
  /** A table with a snapshot and a bet in the open round. */
  async function openWithSnapshot(disk: (store: Store) => Store = (store) => store) {
    const store = createMemoryStore();
    const { dependencies, published, warnings, time } = testDependencies(disk(store), 'j');
    const floor = await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, dependencies);
    const terminal = await seatPatron(floor, 'hash', demoCredit);
    const table = floor.tables.get('baccarat')!;
    while (table.processor.sequence < 2_100 || table.table.phase !== 'betting') await time.step();
    return { store, floor, table, terminal, published, warnings, time };
  }

  test('table loads from a snapshot, and from the first entry when the snapshot is not authentic', async () => {
    const { store, table, time } = await openWithSnapshot();
    const stream = 'demo/table/baccarat';
    const saved = (await store.snapshot(stream))!;
    expect(saved.sequence).toBeGreaterThan(1_999);
    const expected = hashOf(table.table);
    const other = `table baccarat: Error: The snapshot of ${stream} is not authentic; the state of the stream is computed from all entries.`;
    const forged = saved.state.replace('"tie":[100,10000]', '"tie":[100,90000]');
    expect(forged).not.toBe(saved.state);
    let head = '';
    for await (const [entry] of store.read(stream, saved.sequence - 1, 1)) {
      head = entry!.hash;
      break;
    }
    for (const [bad, message] of [
      [saved, []],
      [{ ...saved, state: forged }, [other]],
      // Without the key, a forger can only use a plain hash, or another key.
      [
        {
          ...saved,
          state: forged,
          hash: `hmac-sha256:${createHash('sha256').update(`${head}\n${forged}`).digest('hex')}`,
        },
        [other],
      ],
      [{ ...saved, state: forged, hash: snapshotMac(forged, head, randomBytes(32)) }, [other]],
      [{ ...saved, state: '{oops' }, [other]],
      [{ ...saved, sequence: saved.sequence - 1 }, [other]],
      [{ ...saved, sequence: 1_000_000 }, [other]],
      [{ ...saved, version: 1 }, [expect.stringContaining('has schema version 1, and this program reads version')]],
    ] as const) {
      await store.saveSnapshot(stream, bad);
      const { dependencies, warnings } = testDependencies(store, 'k', new TestClock(time.now));
      const back = new TableRuntime(
        { settings: demoSettings[0]!, pace: demoPace },
        demoOwner,
        new BalanceCache(new Map()),
        dependencies,
        noRetiredShoes,
      );
      await back.load();
      expect(hashOf(back.table)).toBe(expected);
      expect(warnings).toEqual(message);
    }
  });

  test('snapshot that cannot be saved changes no result', async () => {
    let saves = 0;
    const { table, terminal, warnings, floor } = await openWithSnapshot((store) => ({
      ...store,
      saveSnapshot: async () => {
        saves += 1;
        throw new Error('The disk failed.');
      },
    }));
    expect(saves).toBeGreaterThan(0);
    expect(warnings).toHaveLength(saves);
    const round = table.table.round!.id;
    const [one, other] = await Promise.all(
      [{ tie: 100 }, { tie: 99 }].map((slip, n) =>
        table.submit(`s${n}`, { type: 'SetSlip', actor: { terminal }, round, slip }),
      ),
    );
    expect(one).toHaveProperty('entries');
    expect(other).toHaveProperty('refused');
    expect(sessionCredit(floor, terminal)).toBe(demoCredit - 100);
  });
});
