import { existsSync, renameSync } from 'node:fs';
import { readAnchor } from '../../checkpoint/anchorFile.ts';
import { CheckpointWriter } from '../../checkpoint/checkpointWriter.ts';
import { loadOrCreateSigner } from '../../checkpoint/signingKey.ts';
import { verifyCheckpointChain } from '../../checkpoint/checks.ts';
import { checkAndSignStore } from '../../checkpoint/storeCheck.ts';
import { SecretBindings } from '../../runtime/terminals/secretBindings.ts';
import { checkDataKey, reencryptBlobs } from '../../runtime/encryption/encryptedBlobs.ts';
import { loadOrCreateDataKey } from '../../runtime/encryption/dataKey.ts';
import {
  rederivedKeyWarning,
  readRecordedTicketKeyNames,
  putTicketKey,
  readTicketKeys,
} from '../../runtime/terminals/ticketKeys.ts';
import { quoteForMessage } from '../../base/refusal.ts';
import { reauthenticateValues } from '../../store/authenticatedValues.ts';
import { reauthenticateSnapshots } from '../../store/snapshot.ts';
import { type Store } from '../../store/store.ts';
import { withExclusiveStore, exclusiveStoreOptions } from '../support/exclusiveStore.ts';
import { type CliCommand } from '../support/commandLine.ts';
import { print } from '../support/print.ts';

export const rotateKeysCommand: CliCommand = {
  help: `Usage: punto rotate [--data DIR] [--store ADDRESS] [--key FILE] [--anchor FILE] [--signer FILE]

  --data DIR     the data folder; default "data". No floor may be running on it.
  --store ADDRESS
                 a PostgreSQL database instead, such as postgres://user@host:5432/punto. No node may be running on it.
                 Afterwards give the new keys to all nodes.
  --key FILE     with --store, the encryption key; default DIR.key
  --anchor FILE  the anchor; default DIR.anchor
  --signer FILE  the signing key; default DIR.signer

Replaces the signing key and the encryption key of a store. The old signing key signs the new one in a checkpoint, so that
an auditor who knows the old key can check the new one. Blobs are encrypted again with the new encryption key; snapshots,
the secrets of terminals and the sign-in data of staff are authenticated with it. The old keys stay as FILE.former-N: keep
them safe, since older copies of the store need them. If the command was interrupted, run it again.`,
  options: { ...exclusiveStoreOptions, anchor: { type: 'string' }, signer: { type: 'string' } },
  maxArguments: 0,
  run: (values, _, { output }) =>
    withExclusiveStore(values, async ({ store, key: file, keyPaths: { signer, anchor } }) => {
      // A run first checks that the key belongs to the store. A run that continues an interrupted run skips this check,
      // because the interrupted run has made it.
      const isResumed = existsSync(`${file}.next`);
      if (!isResumed) {
        const key = loadOrCreateDataKey(file, false, false);
        await checkDataKey(store, key);
        for (const number of await storeMissingTicketKeys(store, key)) print(output, restoredTicketKeyText(number));
      }
      print(output, await rotateSigner(store, signer, anchor));
      const { encryptedCount, lostBlobs, droppedSnapshots, foreignBindings, foreignValues } = await rotateDataKey(
        store,
        file,
      );
      print(
        output,
        `Blobs encrypted with the new key ${file}: ${encryptedCount}.`,
        ...lostBlobs.map(lostBlobText),
        ...droppedSnapshots.map(droppedSnapshotText),
        ...foreignBindings.map(foreignBindingText),
        ...foreignValues.map(foreignValueText),
      );
      return 0;
    }),
};

/** Renames the key file FILE to FILE.former-N, and FILE.next to FILE. */
function installNextKey(file: string): void {
  let number = 1;
  while (existsSync(`${file}.former-${number}`)) number += 1;
  if (existsSync(file)) renameSync(file, `${file}.former-${number}`);
  renameSync(`${file}.next`, file);
}

/** Replaces the signing key: the old key signs a checkpoint that names the new key. Returns the line to print. */
async function rotateSigner(store: Store, file: string, anchor: string): Promise<string> {
  // The time of a checkpoint is never before that of the last checkpoint, even if the clock of this machine was set
  // back.
  const lastCheckpointAt = readAnchor(anchor)?.last.at ?? 0;
  const clock = (): number => Math.max(Date.now(), lastCheckpointAt);
  const isResumed = existsSync(`${file}.next`);
  // A run that does not continue an interrupted run makes the checks of `punto serve`. It throws if `punto serve` would
  // not start.
  if (!isResumed) await checkAndSignStore(store, { signer: file, anchor }, clock, undefined, true);
  const nextKey = loadOrCreateSigner(`${file}.next`, true);
  // If an interrupted run has signed the new key, only the renaming of the key files is left to do.
  if ((await verifyCheckpointChain(store)).last?.signer !== nextKey.name) {
    const formerKey = loadOrCreateSigner(file, false);
    const followed = await verifyCheckpointChain(store);
    await new CheckpointWriter({
      store,
      signer: () => nextKey,
      previousSigner: formerKey,
      file: anchor,
      clock,
      chain: followed,
    }).checkpoint(true);
  }
  installNextKey(file);
  const followed = await verifyCheckpointChain(store);
  const signer = loadOrCreateSigner(file, false);
  const checkpointWriter = new CheckpointWriter({ store, signer: () => signer, file: anchor, clock, chain: followed });
  // The operator may have accepted an integrity issue. It stays in the anchor until it is recorded in the floor stream.
  await checkpointWriter.beginAnchor(readAnchor(anchor)?.last.issue, true);
  return `Checkpoints from number ${followed.last?.number ?? 0} on are signed by ${nextKey.name}.`;
}

/**
 * Stores ticket keys that are missing or damaged in the store. They are derived from the old encryption key, so this
 * must be done before the rotation. Returns the numbers of these ticket keys.
 */
async function storeMissingTicketKeys(store: Store, key: Buffer): Promise<readonly number[]> {
  const { keys, rederived } = await readTicketKeys(store, key, await readRecordedTicketKeyNames(store, key));
  for (const number of rederived) await putTicketKey(store, number, keys[number - 1]!, key);
  return rederived;
}

const restoredTicketKeyText = (number: number): string =>
  `${rederivedKeyWarning(number).message.replace(/\.$/, '')}; ${rederivedKeyWarning(number).consequence}.`;

const lostBlobText = (id: string): string =>
  id === 'pins'
    ? 'The key of the PINs cannot be decrypted and stays as it is; no PIN is valid any more, so issue a new PIN to every staff member.'
    : id.startsWith('tickets/')
      ? `The blob ${id} cannot be decrypted and stays as it is; no ticket uses it.`
      : lostShoeText(id);

const lostShoeText = (shoe: string): string =>
  `The blob of the shoe ${shoe} cannot be decrypted and stays as it is; if the shoe is at a table, the next start retires it.`;

const droppedSnapshotText = (stream: string): string =>
  `The snapshot of ${stream} was not saved with the former key and was deleted; the next start rebuilds the state from the entries.`;

const foreignBindingText = (terminal: string): string =>
  `A secret of the terminal ${quoteForMessage(terminal)} was not written with the former key and stays invalid; find out who wrote to the event store.`;

const foreignValueText = (what: string): string =>
  `The value ${what} in the key-value table was not written with the former key and stays invalid; find out who wrote to the event store.`;

type RotationResult = {
  readonly encryptedCount: number;
  /** Names of blobs that could be decrypted with neither the former key nor the next key. */
  readonly lostBlobs: readonly string[];
  /** Streams with a snapshot that neither of the two keys authenticates. The snapshot was deleted. */
  readonly droppedSnapshots: readonly string[];
  /** Terminals with a secret that neither of the two keys authenticates. */
  readonly foreignBindings: readonly string[];
  /** Values in the key-value table that neither of the two keys authenticates. */
  readonly foreignValues: readonly string[];
};

/**
 * Encrypts all blobs with a new key, and computes the authentication codes of secrets, values and snapshots with it.
 * Then the new key replaces the old key.
 */
async function rotateDataKey(store: Store, file: string): Promise<RotationResult> {
  // If a run was interrupted between its two renames, does the second rename.
  if (!existsSync(file) && existsSync(`${file}.next`)) installNextKey(file);
  const formerKey = loadOrCreateDataKey(file, false, false);
  const nextKey = loadOrCreateDataKey(`${file}.next`, !existsSync(`${file}.next`), false);
  const bindings = new SecretBindings(store, formerKey);
  await bindings.load();
  const { encryptedCount, lostBlobs } = await reencryptBlobs(store, formerKey, nextKey);
  await bindings.rewriteWith(nextKey);
  // By now the next key authenticates all valid secrets. So a secret that it does not authenticate was not written by
  // Punto.
  const foreignBindings = await new SecretBindings(store, nextKey).load();
  const foreignValues = await reauthenticateValues(store, formerKey, nextKey);
  const droppedSnapshots = await reauthenticateSnapshots(store, formerKey, nextKey);
  installNextKey(file);
  return { encryptedCount, lostBlobs, droppedSnapshots, foreignBindings, foreignValues };
}
