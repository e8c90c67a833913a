import { countText, pluralNoun } from '../../base/countText.ts';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type AnchorState, readAnchor } from '../../checkpoint/anchorFile.ts';
import { parseSigner } from '../../checkpoint/signingKey.ts';
import { checkSignerOfStore, refuseAfterInterruptedKeyRotation } from '../../checkpoint/storeCheck.ts';
import { checkDataKey } from '../../runtime/encryption/encryptedBlobs.ts';
import { readDataKey } from '../../runtime/encryption/dataKey.ts';
import { createBlobDecrypter } from '../../runtime/tables/encryptedShoes.ts';
import { quoteForMessage } from '../../base/refusal.ts';
import { deciderAmendments } from '../../verify/amendments.ts';
import { startVerifyWorkerPool } from '../../verify/workerPool.ts';
import { type TruncatedStreams, type SignatureReport } from '../../verify/signatures.ts';
import { type VerifyOptions, type VerifyReport, verifyStore } from '../../verify/verify.ts';
import { textOfAuthenticValue } from '../../store/authenticatedValues.ts';
import { snapshotSchemaVersion } from '../../store/snapshot.ts';
import { type StoreReader } from '../../store/store.ts';
import { type CliCommand, optionText } from '../support/commandLine.ts';
import {
  type ReadableStore,
  encryptionKeyPath,
  openReadOnlyStore,
  tornCommitText,
  storeErrorToCliError,
} from '../support/openStore.ts';
import { print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const verifyCommand: CliCommand = {
  help: `Usage: punto verify [--data DIR] [--store ADDRESS] [--key FILE] [--anchor FILE]

  --data DIR       the data folder; default "data". No floor may be running on it.
  --store ADDRESS  a PostgreSQL database instead, such as postgres://user@host:5432/punto; it is read as of one moment, and
                   nodes may be running on it. The keys and the anchor are still those next to DIR.
  --key FILE       with --store, the encryption key; default DIR.key
  --anchor FILE    the anchor of the store, which shows how far the event log once reached; default DIR.anchor

Reads the whole event log and checks:
- every hash chain, and that each command is found by its id;
- every decision: each command is decided again and must give the stored events. If a decider has changed since, a numbered
  amendment must declare it; the amendments that were used are listed;
- every settlement, from the cards of its round; every card and every ended shoe, against its commitment;
- every posting, balance and stake; every ticket, which is paid once at most;
- that staff members held the roles in which they acted;
- every signature; the first entry that no signature covers is named;
- with DIR.key, that all blobs can be decrypted; with DIR.signer, that this key signed the last checkpoint.
Without an anchor the check cannot tell whether entries at the end are missing. The check ends at the first wrong entry,
names it and exits with code 1. Nothing is written, so a read-only folder is enough. A large event log uses up to four
cores; progress is printed to standard error.`,
  options: { data: { type: 'string' }, store: { type: 'string' }, key: { type: 'string' }, anchor: { type: 'string' } },
  maxArguments: 0,
  run: async (values, _, { output, errors }) => {
    const folder = optionText(values, 'data') ?? 'data';
    const anchorFile = optionText(values, 'anchor');
    const address = optionText(values, 'store');
    const key = encryptionKeyPath(optionText(values, 'key'), address, folder);
    const store = await openReadOnlyStore(address, folder);
    const printProgress = (line: string): void => print(errors, line);
    const signer = `${folder}.signer`;
    try {
      // The anchor is read before the store. Nodes may write in between. Read in this order, the store must reach at
      // least as far as the anchor.
      const anchor = openAnchor(anchorFile ?? `${folder}.anchor`, anchorFile !== undefined);
      const { streams, entries, rounds, voids, shoes, accounts, ...more } = await verifyStoreWithKeys(
        store,
        { key, signer, ...(anchor && { anchor }) },
        printProgress,
      );
      const { amendmentUses, ignoredSnapshots, signatures, truncatedStreams, tickets, openedBlobs, problem } = more;
      print(
        output,
        [
          countText(streams, 'stream'),
          countText(entries, 'entry', 'entries'),
          `${countText(rounds, 'round')} settled`,
          `${voids} void`,
          `${countText(shoes, 'shoe')} ended`,
          countText(accounts, 'account'),
        ].join(', '),
        ...deciderAmendments.flatMap(({ number, description }) => {
          const times = amendmentUses.get(number);
          return times === undefined ? [] : [amendmentText(number, description, times)];
        }),
        ...(store.torn ? [tornCommitText(store.torn)] : []),
        ...Array.from(ignoredSnapshots, ([stream, schemaVersion]) => staleSnapshotText(stream, schemaVersion)),
        ...(signatures ? checkpointSignatureTexts(signatures) : []),
        ...truncatedStreams.map(missingText),
      );
      if (problem !== undefined)
        throw new CliError(
          1,
          'damaged-record',
          `${problem} The check stopped there; keep the folder as it is and call the auditor.`,
        );
      if (truncatedStreams.length > 0) throw toBehindAnchorError(truncatedStreams);
      if (signatures) checkSignerFileOfStore(signer, signatures);
      print(
        output,
        ...ticketTexts(tickets),
        decryptedBlobsText(openedBlobs),
        anchorText(anchor),
        'Everything is as it was written, and all amounts add up.',
      );
      return 0;
    } catch (error) {
      throw storeErrorToCliError(folder, error);
    } finally {
      await store.close();
    }
  },
};

/** Paths of the encryption key and the signing key, and the content of the anchor. The key files need not exist. */
type KeysAndAnchor = { readonly key: string; readonly signer: string; readonly anchor?: AnchorState };

/**
 * Verifies a store with its anchor, and decrypts blobs if the encryption key exists. Throws if a key rotation was
 * interrupted, because the keys may then not fit.
 */
export async function verifyStoreWithKeys(
  store: ReadableStore,
  { key, signer, anchor }: KeysAndAnchor,
  printProgress: (line: string) => void,
): Promise<VerifyReport> {
  for (const file of [signer, key]) refuseAfterInterruptedKeyRotation(file);
  return runVerify(store, printProgress, {
    isSigned: true,
    ...(anchor && { anchor }),
    ...(await decryptOptions(store, key)),
  });
}

export const amendmentText = (number: number, description: string, times: number): string =>
  `Amendment ${number} (${description.replace(/\.$/, '')}) was needed for ${times.toLocaleString('en')} ${pluralNoun(times, 'command')}.`;

const staleSnapshotText = (stream: string, schemaVersion: number): string =>
  `The snapshot of ${stream} has schema version ${schemaVersion}, and this program reads version ${snapshotSchemaVersion}; it was skipped.`;

const isoTime = (time: number): string => new Date(time).toISOString();

export function checkpointSignatureTexts({ checkpoints, signers, at, unsigned }: SignatureReport): readonly string[] {
  const unsignedText =
    unsigned &&
    `Entry ${unsigned.sequence} of ${unsigned.stream} is the first of ${unsigned.count.toLocaleString('en')} entries without a signature.`;
  if (checkpoints === 0)
    return ['No checkpoint is signed yet: anyone who can write to this event store could have rewritten all of it.'];
  const count = `${checkpoints.toLocaleString('en')} ${pluralNoun(checkpoints, 'checkpoint')}`;
  return [
    `${count}, the last of ${isoTime(at!)}, signed by ${signers.join(', then ')}.`,
    unsignedText ?? 'Every entry is covered by a signature.',
  ];
}

const missingText = ({ stream, has, expected }: TruncatedStreams[number]): string =>
  `The stream ${stream} has only ${countText(has, 'entry', 'entries')}, but the anchor lists entry ${expected}.`;

function toBehindAnchorError(missing: TruncatedStreams): CliError {
  const missingCount = missing.reduce((sum, { has, expected }) => sum + expected - has, 0);
  const message = `All entries in the store are as they were written, but ${countText(missingCount, 'entry', 'entries')} listed in the anchor ${missingCount === 1 ? 'is' : 'are'} missing; put back the newest store.`;
  return new CliError(1, 'behind-anchor', message);
}

const ticketTexts = ({ issued, paid, outstanding }: VerifyReport['tickets']): readonly string[] =>
  issued === 0
    ? []
    : [
        `Tickets for ${issued} cents were issued, and none was paid twice: ${paid} cents are paid and ${outstanding} cents outstanding.`,
      ];

export const decryptedBlobsText = (opened: number): string =>
  opened === 0
    ? 'No blob was decrypted: there is no key file, or the store has no blobs.'
    : `Blobs decrypted and equal to their commitments, if they have one: ${opened.toLocaleString('en')}.`;

const anchorText = (anchor: AnchorState | undefined): string =>
  anchor === undefined
    ? 'There is no anchor, so the event log may once have reached further.'
    : `The event log reaches as far as its anchor: to ${isoTime(anchor.last.at)}, in ${anchor.heads.size.toLocaleString('en')} ${pluralNoun(anchor.heads.size, 'stream')}.`;

function openAnchor(file: string, isNamed: boolean): AnchorState | undefined {
  const anchor = readAnchor(file);
  if (anchor === undefined && isNamed) {
    throw new CliError(
      1,
      'unreadable-file',
      `There is no anchor ${quoteForMessage(file)}; give the anchor of this store.`,
    );
  }
  return anchor;
}

/**
 * Makes the functions that decrypt blobs and check authenticated values. If there is no key file, the result is empty.
 */
async function decryptOptions(
  store: StoreReader,
  file: string,
): Promise<Pick<VerifyOptions, 'openBlob' | 'isAuthentic'>> {
  if (!existsSync(file)) return {};
  const key = readDataKey(file);
  await checkDataKey(store, key);
  return {
    openBlob: createBlobDecrypter(store, key),
    isAuthentic: (kind, id, value) => textOfAuthenticValue(key, kind, id, value) !== undefined,
  };
}

/**
 * Throws `UnusableSigningKeyError` if the last checkpoint was signed with another key than that in the file. If there
 * is no file, does nothing.
 */
export function checkSignerFileOfStore(file: string, { chain }: SignatureReport): void {
  if (existsSync(file)) checkSignerOfStore(parseSigner(readFileSync(file, 'utf8'), file), chain);
}

/** With more entries than this, worker threads are faster than a single thread. */
const minEntriesForThreads = 20_000;
const maxThreads = 4;

async function runVerify(
  store: ReadableStore,
  printProgress: (line: string) => void,
  options: Pick<VerifyOptions, 'anchor' | 'openBlob' | 'isAuthentic' | 'isSigned'>,
): Promise<VerifyReport> {
  const onProgress = createVerifyProgressPrinter(Date.now, printProgress);
  const heads = await store.heads();
  const entries = [...heads.values()].reduce((sum, { sequence }) => sum + sequence, 0);
  const count = entries > minEntriesForThreads ? Math.min(availableParallelism(), maxThreads) : 1;
  // A database shows a consistent state to one connection only. So only a data folder can be checked by several
  // threads.
  if (count === 1 || store.folder === undefined) return verifyStore(store, { onProgress, ...options });
  const workers = startVerifyWorkerPool(store.folder, count);
  try {
    return await verifyStore(store, { onProgress, checkers: workers, ...options });
  } finally {
    await workers.close();
  }
}

const progressIntervalMs = 2_000;

/** Progress callback that prints at most one line every 2 s. */
export function createVerifyProgressPrinter(
  clock: () => number,
  printProgress: (line: string) => void,
): (read: number, total: number) => void {
  let lastPrintedAt = clock();
  return (read, total) => {
    if (clock() - lastPrintedAt < progressIntervalMs) return;
    lastPrintedAt = clock();
    printProgress(
      `${read.toLocaleString('en')} of ${total.toLocaleString('en')} ${pluralNoun(total, 'entry', 'entries')} checked`,
    );
  };
}
