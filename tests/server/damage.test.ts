import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Memory, memoryStore } from '../../src/store/memoryStore.ts';
import { DamagedEntry } from '../../src/store/store.ts';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';
import { PatronSocket, startTestServer, secretOf } from './house.ts';

/** Memory store, and a function that changes a byte in the last entry of a stream. */
function record() {
  const memory = new Memory();
  const damage = (stream: string, type: string): void => {
    const rows = memory.streams.get(stream)!;
    const place = rows.findLastIndex(({ body }) => String(body).includes(`"type":"${type}"`));
    const changed = { ...rows[place]!, body: String(rows[place]!.body).replace('"amount":', '"amounT":') };
    expect(changed.body).not.toBe(rows[place]!.body);
    for (const known of memory.subjects.values()) {
      const also = known.indexOf(rows[place]!);
      if (also >= 0) known[also] = changed;
    }
    rows[place] = changed;
  };
  return { memory, damage };
}

test.each([
  ['a patron who comes back', 'demo/terminal/T1', 'CreditLoaded', { type: 'sit', table: 'tiger' }],
  ['a recall', 'demo/table/tiger', 'SlipSet', { type: 'recall', id: 'recall-0001' }],
] as const)(
  'an entry that is not what was written ends the program where %s meets it',
  async (_, stream, type, asks) => {
    const { memory, damage } = record();
    const key = randomBytes(32);
    const lost: unknown[] = [];
    const troubles: string[] = [];
    const fault = (what: string): void => void troubles.push(what);
    const options = {
      tables: ['tiger', 'baccarat'],
      key,
      warn: fault,
      onFatal: (error: unknown) => void lost.push(error),
    };
    const first = await startTestServer({ ...options, store: memoryStore(memory) });
    const guest = await PatronSocket.join(first, secretOf('1'), 'tiger');
    guest.send({
      type: 'slip',
      id: 'slip-0001',
      table: 'tiger',
      round: await guest.bettingRound(),
      slip: { tie: 100 },
    });
    await guest.receive('accepted');
    await first.close();
    const second = await startTestServer({ ...options, store: memoryStore(memory) });
    damage(stream, type);
    const back = await PatronSocket.connect(second);
    back.send({ type: 'hello', v: protocolVersion, secret: secretOf('1') });
    back.send(asks);
    while (lost.length === 0) await new Promise((resolve) => void setImmediate(resolve));
    expect(lost).toEqual([expect.any(DamagedEntry)]);
    expect(troubles).toEqual([]);
    back.terminate();
    await second.close();
  },
);
