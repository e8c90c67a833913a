import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { CheckpointWriter } from '../../src/checkpoint/checkpointWriter.ts';
import { loadSigner } from '../../src/checkpoint/signingKey.ts';
import { followCheckpoints } from '../../src/checkpoint/checks.ts';
import { openChecked } from '../../src/checkpoint/openStore.ts';
import { FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { SecretBindings } from '../../src/runtime/terminals/secretBindings.ts';
import { openDataKey } from '../../src/runtime/encryption/dataKey.ts';
import { reencryptBlobs } from '../../src/runtime/encryption/encryptedBlobs.ts';
import { rebindSnapshots, snapshotSchemaVersion, snapshotHash } from '../../src/store/snapshot.ts';
import { sqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { type Store } from '../../src/store/store.ts';
import { MadeTime } from '../chaos/time.ts';
import { demoOwner, demoPace, demoSettings } from '../runtime/demo.ts';
import { start, worldOf } from '../runtime/made.ts';
import { temporaryFolder } from '../temporary.ts';
import { punto } from './punto.ts';

const root = temporaryFolder('rotate');
const first = join(root, 'first', 'data');

const stream = 'demo/table/baccarat';

/** Saves a state of the table at its last entry, bound with a key. */
async function snapshotIn(store: Store, state: string, key: Buffer): Promise<void> {
  const { sequence, hash } = (await store.heads()).get(stream)!;
  await store.saveSnapshot(stream, {
    sequence,
    version: snapshotSchemaVersion,
    state,
    hash: snapshotHash(state, hash, key),
  });
}

/** A record with a sealed shoe, a snapshot, its keys and its anchor. */
beforeAll(async () => {
  const store = await sqliteStore(first);
  const { writer: keeper } = await openChecked(
    store,
    { signer: `${first}.signer`, anchor: `${first}.anchor` },
    Date.now,
    undefined,
  );
  const { world, time } = worldOf(keeper.trackedStore(), 'rotate');
  const floor = await FloorRuntime.open(demoOwner, demoSettings.slice(0, 1), demoPace, {
    ...world,
    key: openDataKey(`${first}.key`, true),
  });
  while (floor.tables.get('baccarat')!.processor.state?.phase !== 'betting') await time.step();
  await floor.drain();
  await snapshotIn(store, JSON.stringify(floor.tables.get('baccarat')!.table), openDataKey(`${first}.key`, false));
  await keeper.checkpoint();
  await keeper.anchor();
  await store.close();
});

/** The same once more, to be given other keys. */
function copied(name: string): string {
  cpSync(join(root, 'first'), join(root, name), { recursive: true });
  return join(root, name, 'data');
}

/** What a floor on the record says that goes wrong when it begins, with the key that lies beside it. */
async function troublesAt(data: string): Promise<readonly string[]> {
  const store = await sqliteStore(data);
  const { writer: keeper } = await openChecked(
    store,
    { signer: `${data}.signer`, anchor: `${data}.anchor` },
    Date.now,
    undefined,
  );
  const { world, troubles } = worldOf(
    keeper.trackedStore(),
    `again-${store.writerEpoch}`,
    new MadeTime(start + 60_000),
  );
  const key = openDataKey(`${data}.key`, false);
  await FloorRuntime.open(demoOwner, demoSettings.slice(0, 1), demoPace, { ...world, key });
  await keeper.checkpoint(true);
  await keeper.anchor();
  await store.close();
  return troubles;
}

const verified = (data: string) => punto(['verify', '--data', data]);

test('a record is given other keys, and whoever knows the old signer can follow', async () => {
  const data = copied('again');
  const before = [readFileSync(`${data}.key`), readFileSync(`${data}.signer`)];
  const { status, stdout } = await punto(['rotate', '--data', data]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^From checkpoint 4 on ed25519:\S+ signs\.\nWhat is sealed \(3\) is sealed with the new key/);
  expect([readFileSync(`${data}.key.former-1`), readFileSync(`${data}.signer.former-1`)]).toEqual(before);
  expect(readFileSync(`${data}.key`)).not.toEqual(before[0]);
  const after = await verified(data);
  expect(after.status).toBe(0);
  expect(after.stdout).toMatch(/signed by ed25519:\S+, then ed25519:\S+\.\n/);
  expect(after.stdout).toMatch(/What is sealed \(3\) opens with the key at hand/);
  expect((await punto(['rotate', '--data', data])).status).toBe(0);
  expect((await verified(data)).stdout).toMatch(/signed by ed25519:\S+, then ed25519:\S+, then ed25519:\S+\.\n/);
});

test('a floor goes on from its snapshots after that; one that the old key has not saved is dropped, and that is said', async () => {
  const data = copied('snapshot');
  expect((await punto(['rotate', '--data', data])).stdout.split('\n')).toHaveLength(3);
  expect(await troublesAt(data)).toEqual([]);
  const store = await sqliteStore(data);
  const { state } = (await store.snapshot(stream))!;
  await snapshotIn(store, state, randomBytes(32));
  await store.close();
  expect((await punto(['rotate', '--data', data])).stdout).toMatch(
    /\nThe snapshot of demo\/table\/baccarat is not one that the former key has saved, and was dropped; .+\.\n$/,
  );
  expect(await troublesAt(data)).toEqual([]);
});

test('a copy from before a change of keys is behind its anchor, and goes on by two words with its own keys', async () => {
  for (const isGrown of [true, false]) {
    const data = copied(`backup-${isGrown}`);
    expect((await punto(['rotate', '--data', data])).status).toBe(0);
    if (isGrown) await troublesAt(data);
    expect((await punto(['rotate', '--data', data])).status).toBe(0);
    rmSync(data, { recursive: true });
    cpSync(first, data, { recursive: true });
    for (const end of ['key', 'signer']) cpSync(`${first}.${end}`, `${data}.${end}`);
    const refused = await punto(['serve', '--data', data]);
    expect(refused.stderr).toMatch(
      isGrown
        ? /^punto: The record ends too early: \d+ entries of \d+ streams .+ \(behind-anchor\)\n$/
        : /^punto: The record is from before its signer handed over to ed25519:.+ \(behind-anchor\)\n$/,
    );
    expect((await verified(data)).status).toBe(1);
    const [, words] = /--go-on "([^"]+)"/.exec(refused.stderr)!;
    const store = await sqliteStore(data);
    const places = { signer: `${data}.signer`, anchor: `${data}.anchor` };
    expect((await openChecked(store, places, Date.now, words)).issue).toMatchObject({
      reason: 'behind-anchor',
      confirmation: words,
    });
    await store.close();
    expect(existsSync(`${data}.anchor.before-1`)).toBe(true);
  }
});

test('a link that the old key has not written is said, and is not followed with the new one', async () => {
  const data = copied('strange');
  const store = await sqliteStore(data);
  await new SecretBindings(store, openDataKey(`${data}.key`, false)).bind('good', 'T8');
  await new SecretBindings(store, randomBytes(32)).bind('bad', 'T9');
  await store.close();
  const { status, stdout } = await punto(['rotate', '--data', data]);
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /\nA link to the terminal "T9" is not one that the former key has written, and is not followed with the new one either; .+\n$/,
  );
  expect(stdout).not.toContain('"T8"');
  const after = await sqliteStore(data);
  const links = new SecretBindings(after, openDataKey(`${data}.key`, false));
  expect(await links.load()).toEqual(['T9']);
  expect([links.terminalOf('good'), links.terminalOf('bad')]).toEqual(['T8', undefined]);
  await after.close();
});

test('without the old keys nobody gives it new ones', async () => {
  const data = copied('missing');
  renameSync(`${data}.signer`, `${data}.away`);
  expect((await punto(['rotate', '--data', data])).stderr).toMatch(/is missing; put back .* \(wrong-key\)\n$/);
  renameSync(`${data}.away`, `${data}.signer`);
  rmSync(`${data}.key`);
  expect((await punto(['rotate', '--data', data])).stderr).toMatch(/is missing; put back .* \(wrong-key\)\n$/);
});

test('a seal that is damaged stays as it is, and is said; with a key that is not the one of the record nothing is begun', async () => {
  const data = copied('damaged');
  const store = await sqliteStore(data);
  const shoe = (await store.blobIds()).find((id) => id.startsWith('shoe/'));
  const bytes = (await store.blob(shoe!))!;
  await store.putBlob(shoe!, bytes.with(100, bytes[100]! ^ 1));
  await store.close();
  const { status, stdout } = await punto(['rotate', '--data', data]);
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /\nWhat is sealed \(2\) is sealed with .+\nWhat is sealed as the shoe baccarat-1-\S+ cannot be opened, and stays/,
  );
  expect(await troublesAt(data)).toEqual([expect.stringMatching(/^table baccarat: .+ cannot be opened; /)]);
  writeFileSync(`${data}.key`, randomBytes(32));
  expect((await punto(['rotate', '--data', data])).stderr).toMatch(
    /; put back the key that sealed it\. \(wrong-key\)\n$/,
  );
  expect(existsSync(`${data}.key.next`)).toBe(false);
});

test('one that was interrupted is brought to its end by the next', async () => {
  const handed = copied('handed');
  const store = await sqliteStore(handed);
  const [former, next] = [loadSigner(`${handed}.signer`, false), loadSigner(`${handed}.signer.next`, true)];
  const followed = await followCheckpoints(store);
  await new CheckpointWriter({
    store,
    signer: () => next,
    previousSigner: former,
    file: `${handed}.anchor`,
    clock: Date.now,
    chain: followed,
  }).checkpoint();
  const keys = [openDataKey(`${handed}.key`, false), openDataKey(`${handed}.key.next`, true)] as const;
  await reencryptBlobs(store, ...keys);
  await rebindSnapshots(store, ...keys);
  await store.close();
  expect((await punto(['serve', '--data', handed])).stderr).toMatch(
    /run `punto rotate` again first\. \(wrong-key\)\n$/,
  );
  expect((await verified(handed)).stderr).toMatch(/run `punto rotate` again first\. \(wrong-key\)\n$/);
  // Between the two names that change at the end.
  rmSync(`${handed}.signer`);
  rmSync(`${handed}.key`);
  const { status, stdout } = await punto(['rotate', '--data', handed]);
  expect([status, stdout]).toEqual([0, expect.not.stringContaining('dropped')]);
  expect((await verified(handed)).status).toBe(0);
  expect(await troublesAt(handed)).toEqual([]);
});
