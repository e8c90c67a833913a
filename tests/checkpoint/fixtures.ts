import { join } from 'node:path';
import { expect } from 'vitest';
import { type SignerAndAnchorPaths, checkAndSignStore } from '../../src/checkpoint/storeCheck.ts';
import { type Account } from '../../src/ledger/accounts.ts';
import { createMemoryStore } from '../../src/store/memoryStore.ts';
import { type NewEntry, type Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../temporary.ts';

/** Folder for the tests of a file, removed after them; each call gives paths of a signing key and an anchor. */
export function checkpointFolder() {
  const root = temporaryFolder('anchor');
  let folders = 0;
  const newKeyPaths = (): SignerAndAnchorPaths => {
    const folder = join(root, String(folders++));
    return { signer: `${folder}.signer`, anchor: `${folder}.anchor` };
  };
  return { root, newKeyPaths, openSigned: () => openSignedStore(newKeyPaths()) };
}

export const clock = (): number => 1_700_000_000_000;
const external: Account = 'sg1/SGD/external/T7';
export const credit: Account = 'sg1/SGD/terminal/T7.1';

export const entry = (id: string, amount = 0): NewEntry => ({
  event: { type: 'Noted', v: 1, at: 1 },
  postings: amount === 0 ? [] : [{ from: external, to: credit, amount }],
  command: {
    id,
    hash: `sha256:${'1'.repeat(64)}`,
    request: { type: 'Note', actor: { system: 'x' } },
    context: {},
    decider: 'x@1',
  },
});

/** Appends entries to a stream, each of which loads 1. */
export async function grow(store: Store, stream: string, count: number): Promise<void> {
  const after = (await store.heads()).get(stream)?.sequence ?? 0;
  const entries = Array.from({ length: count }, (_, n) => entry(`${stream}-${after + n}`, 1));
  expect(await store.append({ stream, after, entries })).toHaveProperty('entries');
}

/** Event store of two streams with checkpoints and an anchor. */
async function openSignedStore(files: SignerAndAnchorPaths) {
  const inner = createMemoryStore();
  const { writer, issue } = await checkAndSignStore(inner, files, clock, undefined);
  expect(issue).toBeUndefined();
  const store = writer.trackedStore();
  await grow(store, 'a', 3);
  await writer.checkpoint();
  await writer.anchor();
  await grow(store, 'a', 2);
  await grow(store, 'b', 1);
  await writer.anchor();
  return { inner, store, files, writer };
}

/** Copy of the event store without the tail of its streams, as an older backup. */
export async function rolledBackCopy(
  { store }: { readonly store: Store },
  ends: { readonly [stream: string]: number },
): Promise<Store> {
  const copy = createMemoryStore();
  for (const [stream, end] of Object.entries(ends)) {
    for await (const entries of store.read(stream)) {
      const some = entries.slice(0, end).map(({ event, postings, command }) => ({
        event,
        postings: postings.map(({ from, to, amount }) => ({ from, to, amount })),
        command,
      }));
      if (some.length > 0) await copy.append({ stream, after: 0, entries: some });
    }
  }
  for await (const some of store.checkpoints()) for (const one of some) await copy.saveCheckpoint(one);
  return copy;
}
