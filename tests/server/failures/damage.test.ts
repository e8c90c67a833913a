import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { MemoryStoreContents, createMemoryStore } from '../../../src/store/memoryStore.ts';
import { DamagedEntryError } from '../../../src/store/store.ts';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { PatronSocket, startTestServer, secretOf } from '../support/testServer.ts';

/** Memory store, and a function that changes a byte in the last entry of a stream. */
function damagedStore() {
  const memory = new MemoryStoreContents();
  const damage = (stream: string, type: string): void => {
    const rows = memory.streams.get(stream)!;
    const index = rows.findLastIndex(({ body }) => String(body).includes(`"type":"${type}"`));
    const changed = { ...rows[index]!, body: String(rows[index]!.body).replace('"amount":', '"amounT":') };
    expect(changed.body).not.toBe(rows[index]!.body);
    for (const subject of memory.subjects.values()) {
      const also = subject.indexOf(rows[index]!);
      if (also >= 0) subject[also] = changed;
    }
    rows[index] = changed;
  };
  return { memory, damage };
}

test.each([
  ['a returning patron', 'demo/terminal/T1', 'CreditLoaded', { type: 'sit', table: 'tiger' }],
  ['a recall', 'demo/table/tiger', 'SlipSet', { type: 'recall', id: 'recall-0001' }],
] as const)('a corrupt entry stops the server when %s reads it', async (_, stream, type, request) => {
  const { memory, damage } = damagedStore();
  const key = randomBytes(32);
  const fatalErrors: unknown[] = [];
  const warnings: string[] = [];
  const warn = (what: string): void => void warnings.push(what);
  const options = {
    tables: ['tiger', 'baccarat'],
    key,
    warn: warn,
    onFatal: (error: unknown) => void fatalErrors.push(error),
  };
  const first = await startTestServer({ ...options, store: createMemoryStore(memory) });
  const patron = await PatronSocket.join(first, secretOf('1'), 'tiger');
  patron.send({
    type: 'slip',
    id: 'slip-0001',
    table: 'tiger',
    round: await patron.bettingRound(),
    slip: { tie: 100 },
  });
  await patron.receive('accepted');
  await first.close();
  const second = await startTestServer({ ...options, store: createMemoryStore(memory) });
  damage(stream, type);
  const returning = await PatronSocket.connect(second);
  returning.send({ type: 'hello', v: protocolVersion, secret: secretOf('1') });
  returning.send(request);
  while (fatalErrors.length === 0) await new Promise((resolve) => void setImmediate(resolve));
  expect(fatalErrors).toEqual([expect.any(DamagedEntryError)]);
  expect(warnings).toEqual([]);
  returning.terminate();
  await second.close();
});
