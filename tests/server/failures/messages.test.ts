import { once } from 'node:events';
import { expect, test } from 'vitest';
import { type RandomSource, createSeededRandom } from '../../../src/runtime/ports/random.ts';
import { demoSettings } from '../../runtime/support/demo.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type ServerMessage, serverMessageSchemas } from '../../../src/wire/messages.ts';
import { seed } from '../../seed.ts';
import { times } from '../../times.ts';
import { PatronSocket, startTestServer } from '../support/testServer.ts';

const messages = times(20_000);
const clients = 8;
/** Messages that one client sends at once. */
const batchSize = 25;

const settings = demoSettings.filter(({ table }) => ['tiger', 'sands-elements'].includes(table));

/** Sends random messages and checks each received one against its schema. */
class RandomClient {
  /** Unanswered requests by id; negative for one with too many replies. */
  readonly unanswered = new Map<string, number>();
  readonly problems: string[] = [];
  replies = 0;
  readonly #patron: PatronSocket;
  readonly #name: string;
  readonly #random: RandomSource;
  #rounds = new Map<string, string>();
  #last: unknown = { type: 'leave' };
  #slips = 0;

  constructor(patron: PatronSocket, name: string, random: RandomSource) {
    this.#patron = patron;
    this.#name = name;
    this.#random = random;
    patron.socket.on('message', (data: Buffer) => this.#accept(JSON.parse(data.toString('utf8')) as ServerMessage));
  }

  /** Sends messages and waits for the reply to each slip. */
  async sendBatch(): Promise<void> {
    for (let n = 0; n < batchSize; n++) this.#sendNext();
    while (this.unanswered.size > 0) await once(this.#patron.socket, 'message');
    this.#patron.received.splice(0);
  }

  leave(): void {
    this.#patron.terminate();
  }

  #accept(message: ServerMessage): void {
    const problem = serverMessageSchemas[message.type].check(message);
    if (problem) this.problems.push(JSON.stringify(problem));
    if (message.type === 'table' && message.view.round) this.#rounds.set(message.table, message.view.round.id);
    const round = message.type === 'change' ? (message.fields?.round ?? message.parts?.round) : undefined;
    if (message.type === 'change' && round?.id !== undefined) this.#rounds.set(message.table, round.id);
    if ((message.type !== 'accepted' && message.type !== 'refused') || message.id === null) return;
    this.replies += 1;
    const left = (this.unanswered.get(message.id) ?? 0) - 1;
    if (left < 0) this.problems.push(`${message.id} has more replies than requests`);
    if (left === 0) this.unanswered.delete(message.id);
    else this.unanswered.set(message.id, left);
  }

  #sendNext(): void {
    const message = this.#random.below(6) === 0 ? this.#last : this.#anything();
    this.#last = message;
    if (typeof message === 'object' && message !== null && 'id' in message) {
      const id = String(message.id);
      this.unanswered.set(id, (this.unanswered.get(id) ?? 0) + 1);
    }
    this.#patron.send(message);
  }

  #anything(): unknown {
    const { table, limits } = settings[this.#random.below(settings.length)]!;
    switch (this.#random.below(10)) {
      case 0:
        return { type: 'sit', table };
      case 1:
        return { type: 'whole', of: ['lobby', 'table', 'own', 'all'][this.#random.below(4)] };
      case 2:
        return { ...this.#slip(table, limits), terminal: 'T1' };
      case 3:
        return ['{', '[]', 'null', '"slip"', '{"type":"toString"}', '{"type":"slip"}'][this.#random.below(6)];
      case 4:
        return this.#random.below(10) === 0 ? { type: 'leave' } : { type: 'sit', table: 'lion' };
      case 5:
        return { ...this.#slip(table, limits), round: 'demo/tiger/x/y/1' };
      default:
        return this.#slip(table, limits);
    }
  }

  /** Stakes inside and outside the limits, also off the step. */
  #slip(table: string, limits: object): object {
    const wagers = Object.keys(limits);
    const stakes = Array.from({ length: this.#random.below(4) }, () => [
      wagers[this.#random.below(wagers.length)]!,
      this.#random.below(300) * 50,
    ]);
    const id = `${this.#name}-${String(this.#slips++).padStart(8, '0')}`;
    return { type: 'slip', id, table, round: this.#rounds.get(table) ?? 'none', slip: Object.fromEntries(stakes) };
  }
}

test(`${messages.toLocaleString('en')} messages of any kind, seed ${seed}: each slip gets one reply per send, and the event log verifies`, async () => {
  const store = createMemoryStore();
  const server = await startTestServer({
    store,
    tables: settings.map(({ table }) => table),
    times: { bettingTime: 300, grace: 20, pause: 20 },
    pace: { betweenRounds: 20, betweenCards: 10 },
    limits: {
      messageBurst: 1_000_000,
      messagesPerSecond: 1_000_000,
      maxSlipsPerRound: 1_000_000,
      writeBurst: 1_000_000,
      writesPerSecond: 1_000_000,
    },
  });
  const all = await Promise.all(
    Array.from({ length: clients }, async (_, n) => {
      const { table } = settings[n % settings.length]!;
      const patron = await PatronSocket.join(server, n.toString(16).repeat(64), table);
      return new RandomClient(patron, `talker-${n}`, createSeededRandom(`${seed} ${n}`));
    }),
  );
  for (let sent = 0; sent < messages; sent += clients * batchSize)
    await Promise.all(all.map((client) => client.sendBatch()));
  expect(all.flatMap(({ problems }) => problems)).toEqual([]);
  expect(all.reduce((sum, { replies }) => sum + replies, 0)).toBeGreaterThan(messages / 3);
  for (const client of all) client.leave();
  await server.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});
