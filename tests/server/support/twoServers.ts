import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type Server } from '../../../src/server/serverOptions.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { demoSettings } from '../../runtime/support/demo.ts';
import { HintBus } from '../../runtime/support/twoFloors.ts';
import { type PatronSocket, type TestServerOptions, startTestServer } from './testServer.ts';

// Two servers on one event store. Each has its own table; leader election is not part of these tests.

export const here = 'tiger';
export const there = demoSettings.find(({ table }) => table !== here)!.table;
export const stake = 1_000;

export async function startTwoNodes(store: Store = createMemoryStore(), options: TestServerOptions = {}) {
  const hints = new HintBus();
  const key = randomBytes(32);
  const open = async (opening: number, table: string): Promise<Server> => {
    const { cluster, attach } = hints.addNode(store);
    const reusable = { ...store, close: async () => {} };
    // The first server that closes has closed the floor for both, so the second may warn.
    const warn = (what: string, error: unknown): void => {
      if (what !== 'closing') throw new Error(what, { cause: error });
    };
    const server = await startTestServer({
      store: reusable,
      key,
      tables: [table],
      openingNumber: opening,
      cluster,
      warn,
      ...options,
    });
    attach(server.floor);
    // Tables that both nodes have are led by the first.
    if (options.tables === undefined || opening === 1) await server.floor.lead(table, undefined);
    return server;
  };
  const servers = [await open(1, here), await open(2, there)] as const;
  const close = (): Promise<unknown> => Promise.all(servers.map((server) => server.close()));
  return { store, hints, one: servers[0], other: servers[1], close };
}

export async function bet(patron: PatronSocket, table: string, id = 'slip-0001'): Promise<void> {
  patron.send({ type: 'slip', id, table, round: await patron.bettingRound(), slip: { player: stake } });
  const reply = await Promise.race([
    patron.receive('accepted', (one) => one.id === id),
    patron.receive('refused', (one) => one.id === id),
  ]);
  expect(reply.type === 'refused' ? reply.code : reply.type).toBe('accepted');
}
