import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { CheckpointWriter } from '../../../src/checkpoint/checkpointWriter.ts';
import { loadOrCreateSigner } from '../../../src/checkpoint/signingKey.ts';
import { verifyCheckpointChain } from '../../../src/checkpoint/checks.ts';
import { checkAndSignStore } from '../../../src/checkpoint/storeCheck.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { SecretBindings } from '../../../src/runtime/terminals/secretBindings.ts';
import { loadOrCreateDataKey } from '../../../src/runtime/encryption/dataKey.ts';
import { reencryptBlobs } from '../../../src/runtime/encryption/encryptedBlobs.ts';
import { reauthenticateSnapshots, snapshotSchemaVersion, snapshotMac } from '../../../src/store/snapshot.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { TestClock } from '../../chaos/time.ts';
import { demoOwner, demoPace, demoSettings } from '../../runtime/support/demo.ts';
import { start, testDependencies } from '../../runtime/support/testDependencies.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto } from '../support/punto.ts';

const root = temporaryFolder('rotate');
const first = join(root, 'first', 'data');

const stream = 'demo/table/baccarat';

/** Saves a snapshot at the last entry of the table, authenticated with a key. */
async function saveSnapshot(store: Store, state: string, key: Buffer): Promise<void> {
  const { sequence, hash } = (await store.heads()).get(stream)!;
  await store.saveSnapshot(stream, {
    sequence,
    version: snapshotSchemaVersion,
    state,
    hash: snapshotMac(state, hash, key),
  });
}

/** A store with an encrypted shoe and a snapshot, with keys and anchor. */
beforeAll(async () => {
  const store = await openSqliteStore(first);
  const { writer: checkpointWriter } = await checkAndSignStore(
    store,
    { signer: `${first}.signer`, anchor: `${first}.anchor` },
    Date.now,
    undefined,
  );
  const { dependencies, time } = testDependencies(checkpointWriter.trackedStore(), 'rotate');
  const floor = await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, {
    ...dependencies,
    key: loadOrCreateDataKey(`${first}.key`, true),
  });
  while (floor.tables.get('baccarat')!.processor.state?.phase !== 'betting') await time.step();
  await floor.drain();
  await saveSnapshot(
    store,
    JSON.stringify(floor.tables.get('baccarat')!.table),
    loadOrCreateDataKey(`${first}.key`, false),
  );
  await checkpointWriter.checkpoint();
  await checkpointWriter.anchor();
  await store.close();
});

/** Copies store, keys and anchor. */
function copyStore(name: string): string {
  cpSync(join(root, 'first'), join(root, name), { recursive: true });
  return join(root, name, 'data');
}

/** Errors that a floor reports when it opens the store with its present key. */
async function startupErrors(data: string): Promise<readonly string[]> {
  const store = await openSqliteStore(data);
  const { writer: checkpointWriter } = await checkAndSignStore(
    store,
    { signer: `${data}.signer`, anchor: `${data}.anchor` },
    Date.now,
    undefined,
  );
  const { dependencies, warnings } = testDependencies(
    checkpointWriter.trackedStore(),
    `again-${store.writerEpoch}`,
    new TestClock(start + 60_000),
  );
  const key = loadOrCreateDataKey(`${data}.key`, false);
  await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, { ...dependencies, key });
  await checkpointWriter.checkpoint(true);
  await checkpointWriter.anchor();
  await store.close();
  return warnings;
}

const verifyStore = (data: string) => punto(['verify', '--data', data]);

test('rotate replaces the keys, and the old signing key signs the new one', async () => {
  const data = copyStore('again');
  const before = [readFileSync(`${data}.key`), readFileSync(`${data}.signer`)];
  const { status, stdout } = await punto(['rotate', '--data', data]);
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /^Checkpoints from number 4 on are signed by ed25519:\S+\.\nBlobs encrypted with the new key .+: 3\.\n/,
  );
  expect([readFileSync(`${data}.key.former-1`), readFileSync(`${data}.signer.former-1`)]).toEqual(before);
  expect(readFileSync(`${data}.key`)).not.toEqual(before[0]);
  const after = await verifyStore(data);
  expect(after.status).toBe(0);
  expect(after.stdout).toMatch(/signed by ed25519:\S+, then ed25519:\S+\.\n/);
  expect(after.stdout).toMatch(/Blobs decrypted and equal to .+: 3\./);
  expect((await punto(['rotate', '--data', data])).status).toBe(0);
  expect((await verifyStore(data)).stdout).toMatch(/signed by ed25519:\S+, then ed25519:\S+, then ed25519:\S+\.\n/);
});

test('a floor continues from its snapshots after rotate, which drops and reports one not saved with the old key', async () => {
  const data = copyStore('snapshot');
  expect((await punto(['rotate', '--data', data])).stdout.split('\n')).toHaveLength(3);
  expect(await startupErrors(data)).toEqual([]);
  const store = await openSqliteStore(data);
  const { state } = (await store.snapshot(stream))!;
  await saveSnapshot(store, state, randomBytes(32));
  await store.close();
  expect((await punto(['rotate', '--data', data])).stdout).toMatch(
    /\nThe snapshot of demo\/table\/baccarat was not saved with the former key and was deleted; .+\.\n$/,
  );
  expect(await startupErrors(data)).toEqual([]);
});

test('a copy from before rotate is behind its anchor, and --go-on accepts it with its own keys', async () => {
  for (const isGrown of [true, false]) {
    const data = copyStore(`backup-${isGrown}`);
    expect((await punto(['rotate', '--data', data])).status).toBe(0);
    if (isGrown) await startupErrors(data);
    expect((await punto(['rotate', '--data', data])).status).toBe(0);
    rmSync(data, { recursive: true });
    cpSync(first, data, { recursive: true });
    for (const end of ['key', 'signer']) cpSync(`${first}.${end}`, `${data}.${end}`);
    const refused = await punto(['serve', '--data', data]);
    expect(refused.stderr).toMatch(
      isGrown
        ? /^punto: The event store ends too early: its anchor lists \d+ more entries of \d+ streams, such as .+ \(behind-anchor\)\n$/
        : /^punto: The event store lacks the key rotation to ed25519:.+ that its anchor lists; .+ \(behind-anchor\)\n$/,
    );
    expect((await verifyStore(data)).status).toBe(1);
    const [, confirmation] = /--go-on "([^"]+)"/.exec(refused.stderr)!;
    const store = await openSqliteStore(data);
    const keyPaths = { signer: `${data}.signer`, anchor: `${data}.anchor` };
    expect((await checkAndSignStore(store, keyPaths, Date.now, confirmation)).issue).toMatchObject({
      reason: 'behind-anchor',
      confirmation,
    });
    await store.close();
    expect(existsSync(`${data}.anchor.before-1`)).toBe(true);
  }
});

test('rotate reports a binding not written with the old key and does not accept it', async () => {
  const data = copyStore('strange');
  const store = await openSqliteStore(data);
  await new SecretBindings(store, loadOrCreateDataKey(`${data}.key`, false)).bind('good', 'T8');
  await new SecretBindings(store, randomBytes(32)).bind('bad', 'T9');
  await store.close();
  const { status, stdout } = await punto(['rotate', '--data', data]);
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /\nA secret of the terminal "T9" was not written with the former key and stays invalid; .+\n$/,
  );
  expect(stdout).not.toContain('"T8"');
  const after = await openSqliteStore(data);
  const links = new SecretBindings(after, loadOrCreateDataKey(`${data}.key`, false));
  expect(await links.load()).toEqual(['T9']);
  expect([links.terminalOf('good'), links.terminalOf('bad')]).toEqual(['T8', undefined]);
  await after.close();
});

test('rotate is refused without the old keys', async () => {
  const data = copyStore('missing');
  renameSync(`${data}.signer`, `${data}.away`);
  expect((await punto(['rotate', '--data', data])).stderr).toMatch(/is missing; restore .* \(wrong-key\)\n$/);
  renameSync(`${data}.away`, `${data}.signer`);
  rmSync(`${data}.key`);
  expect((await punto(['rotate', '--data', data])).stderr).toMatch(/is missing; put back .* \(wrong-key\)\n$/);
});

test('rotate keeps and reports a damaged blob, and is refused with a wrong key', async () => {
  const data = copyStore('damaged');
  const store = await openSqliteStore(data);
  const shoe = (await store.blobIds()).find((id) => id.startsWith('shoe/'));
  const bytes = (await store.blob(shoe!))!;
  await store.putBlob(shoe!, bytes.with(100, bytes[100]! ^ 1));
  await store.close();
  const { status, stdout } = await punto(['rotate', '--data', data]);
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /\nBlobs encrypted with .+: 2\.\nThe blob of the shoe baccarat-1-\S+ cannot be decrypted and stays/,
  );
  expect(await startupErrors(data)).toEqual([expect.stringMatching(/^table baccarat: .+ cannot be decrypted; /)]);
  writeFileSync(`${data}.key`, randomBytes(32));
  expect((await punto(['rotate', '--data', data])).stderr).toMatch(
    /; put back the key that encrypted its data\. \(wrong-key\)\n$/,
  );
  expect(existsSync(`${data}.key.next`)).toBe(false);
});

test('rotate completes an interrupted run', async () => {
  const data = copyStore('handover');
  const store = await openSqliteStore(data);
  const [former, next] = [loadOrCreateSigner(`${data}.signer`, false), loadOrCreateSigner(`${data}.signer.next`, true)];
  const followed = await verifyCheckpointChain(store);
  await new CheckpointWriter({
    store,
    signer: () => next,
    previousSigner: former,
    file: `${data}.anchor`,
    clock: Date.now,
    chain: followed,
  }).checkpoint();
  const keys = [loadOrCreateDataKey(`${data}.key`, false), loadOrCreateDataKey(`${data}.key.next`, true)] as const;
  await reencryptBlobs(store, ...keys);
  await reauthenticateSnapshots(store, ...keys);
  await store.close();
  expect((await punto(['serve', '--data', data])).stderr).toMatch(/run `punto rotate` again first\. \(wrong-key\)\n$/);
  expect((await verifyStore(data)).stderr).toMatch(/run `punto rotate` again first\. \(wrong-key\)\n$/);
  // Between the two names that change at the end.
  rmSync(`${data}.signer`);
  rmSync(`${data}.key`);
  const { status, stdout } = await punto(['rotate', '--data', data]);
  expect([status, stdout]).toEqual([0, expect.not.stringContaining('dropped')]);
  expect((await verifyStore(data)).status).toBe(0);
  expect(await startupErrors(data)).toEqual([]);
});
