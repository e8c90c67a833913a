import { once } from 'node:events';
import { expect, test } from 'vitest';
import { type RandomSource, seededRandom } from '../../src/runtime/ports/random.ts';
import { demoSettings } from '../runtime/demo.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { memoryStore } from '../../src/store/memoryStore.ts';
import { type ServerMessage, serverMessages } from '../../src/wire/messages.ts';
import { seed } from '../seed.ts';
import { times } from '../times.ts';
import { PatronSocket, startTestServer } from './house.ts';

const messages = times(20_000);
const talkers = 8;
/** Messages that one client sends at once. */
const breath = 25;

const settings = demoSettings.filter(({ table }) => ['tiger', 'sands-elements'].includes(table));

/** Sends random messages and checks each received one against its schema. */
class Talker {
  /** Unanswered requests by id; negative for one with too many replies. */
  readonly open = new Map<string, number>();
  readonly wrong: string[] = [];
  answers = 0;
  readonly #guest: PatronSocket;
  readonly #name: string;
  readonly #chance: RandomSource;
  #rounds = new Map<string, string>();
  #last: unknown = { type: 'leave' };
  #slips = 0;

  constructor(guest: PatronSocket, name: string, chance: RandomSource) {
    this.#guest = guest;
    this.#name = name;
    this.#chance = chance;
    guest.socket.on('message', (data: Buffer) => this.#hear(JSON.parse(data.toString('utf8')) as ServerMessage));
  }

  /** Sends messages and waits for the reply to each slip. */
  async speak(): Promise<void> {
    for (let n = 0; n < breath; n++) this.#say();
    while (this.open.size > 0) await once(this.#guest.socket, 'message');
    this.#guest.received.splice(0);
  }

  leave(): void {
    this.#guest.terminate();
  }

  #hear(tell: ServerMessage): void {
    const problem = serverMessages[tell.type].check(tell);
    if (problem) this.wrong.push(JSON.stringify(problem));
    if (tell.type === 'table' && tell.view.round) this.#rounds.set(tell.table, tell.view.round.id);
    const round = tell.type === 'change' ? (tell.fields?.round ?? tell.parts?.round) : undefined;
    if (tell.type === 'change' && round?.id !== undefined) this.#rounds.set(tell.table, round.id);
    if ((tell.type !== 'accepted' && tell.type !== 'refused') || tell.id === null) return;
    this.answers += 1;
    const left = (this.open.get(tell.id) ?? 0) - 1;
    if (left < 0) this.wrong.push(`${tell.id} was answered once more than it was asked`);
    if (left === 0) this.open.delete(tell.id);
    else this.open.set(tell.id, left);
  }

  #say(): void {
    const message = this.#chance.below(6) === 0 ? this.#last : this.#anything();
    this.#last = message;
    if (typeof message === 'object' && message !== null && 'id' in message) {
      const id = String(message.id);
      this.open.set(id, (this.open.get(id) ?? 0) + 1);
    }
    this.#guest.send(message);
  }

  #anything(): unknown {
    const { table, limits } = settings[this.#chance.below(settings.length)]!;
    switch (this.#chance.below(10)) {
      case 0:
        return { type: 'sit', table };
      case 1:
        return { type: 'whole', of: ['lobby', 'table', 'own', 'all'][this.#chance.below(4)] };
      case 2:
        return { ...this.#slip(table, limits), terminal: 'T1' };
      case 3:
        return ['{', '[]', 'null', '"slip"', '{"type":"toString"}', '{"type":"slip"}'][this.#chance.below(6)];
      case 4:
        return this.#chance.below(10) === 0 ? { type: 'leave' } : { type: 'sit', table: 'lion' };
      case 5:
        return { ...this.#slip(table, limits), round: 'demo/tiger/x/y/1' };
      default:
        return this.#slip(table, limits);
    }
  }

  /** Stakes inside and outside the limits, also off the step. */
  #slip(table: string, limits: object): object {
    const wagers = Object.keys(limits);
    const stakes = Array.from({ length: this.#chance.below(4) }, () => [
      wagers[this.#chance.below(wagers.length)]!,
      this.#chance.below(300) * 50,
    ]);
    const id = `${this.#name}-${String(this.#slips++).padStart(8, '0')}`;
    return { type: 'slip', id, table, round: this.#rounds.get(table) ?? 'none', slip: Object.fromEntries(stakes) };
  }
}

test(`${messages.toLocaleString('en')} messages of any kind, seed ${seed}: each slip is answered as often as it is sent, and the record verifies`, async () => {
  const store = memoryStore();
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
    Array.from({ length: talkers }, async (_, n) => {
      const { table } = settings[n % settings.length]!;
      const guest = await PatronSocket.join(server, n.toString(16).repeat(64), table);
      return new Talker(guest, `talker-${n}`, seededRandom(`${seed} ${n}`));
    }),
  );
  for (let said = 0; said < messages; said += talkers * breath) await Promise.all(all.map((one) => one.speak()));
  expect(all.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(all.reduce((sum, { answers }) => sum + answers, 0)).toBeGreaterThan(messages / 3);
  for (const one of all) one.leave();
  await server.close();
  expect((await verifyStore(store)).problem).toBeUndefined();
});
