import { setTimeout } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { CredentialStore } from '../../../src/runtime/staff/credentialStore.ts';
import { hashSecret } from '../../../src/server/patron/secretRotationHandler.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { StoreWriterEndedError } from '../../../src/store/failures.ts';
import { type Store } from '../../../src/store/store.ts';
import { HintBus } from '../../runtime/support/twoFloors.ts';
import { StaffSocket, startPit } from '../staff/pit.ts';
import { PatronSocket, secretOf, startTestServer, type TestServerOptions } from '../support/testServer.ts';

/** Delay of each read about a terminal, so that a task with such a read takes longer than the rest of a shutdown. */
const slowReadMs = 500;

/**
 * Memory store that reports how it was used at its close: operations that were in flight and operations that began
 * later. Once `isSlow` is set, its reads about terminals are slow.
 */
class ClosingStore {
  isSlow = false;
  readonly atClose: string[] = [];
  readonly #memory = createMemoryStore();
  readonly #inFlight = new Map<object, string>();
  #isClosed = false;
  #slowCount = 0;

  /** Number of slow reads so far. */
  get slowCount(): number {
    return this.#slowCount;
  }

  readonly store: Store = {
    ...this.#memory,
    read: (stream, after, size) => this.#pages(stream, () => this.#memory.read(stream, after, size)),
    findCommands: (ids) => this.#read(ids, () => this.#memory.findCommands(ids)),
    balance: (account) => this.#read([account], () => this.#memory.balance(account)),
    findBySubject: (subject, range) => this.#read([subject], () => this.#memory.findBySubject(subject, range)),
    listValues: (kind, ids) => this.#read([kind], () => this.#memory.listValues(kind, ids)),
    append: (batch) => this.#use('append', () => this.#memory.append(batch)),
    putValue: (kind, id, value) => this.#use('putValue', () => this.#memory.putValue(kind, id, value)),
    close: async () => {
      this.atClose.push(...this.#inFlight.values());
      this.#isClosed = true;
    },
  };

  async #use<Result>(name: string, operation: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) {
      this.atClose.push(name);
      throw new StoreWriterEndedError('The event store is closed.');
    }
    const key = {};
    this.#inFlight.set(key, name);
    try {
      return await operation();
    } finally {
      this.#inFlight.delete(key);
    }
  }

  /** Carries out a read. Waits first if it is about a terminal, by stream, account, session, command or secret. */
  #read<Result>(about: readonly string[], operation: () => Promise<Result>): Promise<Result> {
    return this.#use(about.join(' '), async () => {
      if (this.isSlow && about.some((text) => /(^|\/)T\d|^patron$/.test(text))) {
        this.#slowCount += 1;
        await setTimeout(slowReadMs);
      }
      return operation();
    });
  }

  async *#pages<Page>(stream: string, read: () => AsyncIterable<Page>): AsyncGenerator<Page> {
    await this.#read([stream], async () => {});
    yield* read();
  }
}

/** Starts a server on the store; later warnings and failures are collected. */
async function startOn(closing: ClosingStore, options: TestServerOptions = {}, start = startTestServer) {
  const problems: string[] = [];
  const server = await start({
    store: closing.store,
    tables: ['tiger'],
    warn: (subject, error) => problems.push(`${subject}: ${String(error)}`),
    onOutage: ({ error }) => problems.push(`outage: ${String(error)}`),
    onFatal: (error) => problems.push(`fatal: ${String(error)}`),
    ...options,
  });
  return { server, problems };
}

/** Waits longer than the tasks that were started before the close could take. */
const waitForLateTasks = (): Promise<void> => setTimeout(4 * slowReadMs);

for (const isClustered of [false, true]) {
  const where = isClustered ? 'node of a cluster' : 'single server';

  test(`a ${where} closes its store only after the requests of its terminals`, async () => {
    const closing = new ClosingStore();
    const { cluster } = new HintBus().addNode(closing.store);
    const { server, problems } = await startOn(closing, isClustered ? { cluster, openingNumber: 1 } : {});
    if (isClustered) await server.floor.lead('tiger', undefined);
    const patron = await PatronSocket.join(server, secretOf('1'), 'tiger');
    patron.send({ type: 'load', id: 'load-0001', amount: 10_000 });
    await patron.receive('loaded');
    closing.isSlow = true;
    patron.send({ type: 'load', id: 'load-0002', amount: 10_000 });
    patron.send({ type: 'recall', id: 'recall-001' });
    await vi.waitFor(() => expect(closing.slowCount).toBe(2), { timeout: 60_000 });
    await server.close();
    await waitForLateTasks();
    expect([closing.atClose, problems]).toEqual([[], []]);
  });
}

test('a node closes its store only after it has read a secret that another node has bound', async () => {
  const closing = new ClosingStore();
  const { cluster } = new HintBus().addNode(closing.store);
  const { server, problems } = await startOn(closing, { cluster, openingNumber: 1 });
  closing.isSlow = true;
  const reading = server.floor.valueChanged('patron', hashSecret(secretOf('1')));
  await server.close();
  await reading;
  expect([closing.atClose, problems]).toEqual([[], []]);
});

test('a server closes its store only after a request of staff whose new password is being hashed', async () => {
  const closing = new ClosingStore();
  const scryptCost = { N: 2 ** 14, r: 8, p: 16 };
  const { server, problems } = await startOn(closing, { initialStaff: { demo: true, scryptCost } }, startPit);
  const admin = await StaffSocket.signIn(server, 'N-1');
  const [person] = Object.keys(server.floor.staff.state!.members);
  const hashing = vi.spyOn(CredentialStore.prototype, 'saveSecret');
  closing.isSlow = true;
  admin.send({ type: 'staff', id: 'staff-0001', request: { type: 'SetSecret', person, kind: 'password' } });
  await vi.waitFor(() => expect(hashing).toHaveBeenCalled(), { timeout: 60_000 });
  await server.close();
  await Promise.all(hashing.mock.results.map(({ value }) => value as Promise<void>));
  hashing.mockRestore();
  await waitForLateTasks();
  expect([closing.atClose, problems]).toEqual([[], []]);
});
