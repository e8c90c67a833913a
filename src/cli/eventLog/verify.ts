import { countText, pluralNoun } from '../../base/countText.ts';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type AnchorState, readAnchor } from '../../checkpoint/anchorFile.ts';
import { parseSigner } from '../../checkpoint/signingKey.ts';
import { checkSigner, refuseDuringRotation } from '../../checkpoint/openStore.ts';
import { checkKey } from '../../runtime/encryption/encryptedBlobs.ts';
import { readDataKey } from '../../runtime/encryption/dataKey.ts';
import { blobReader } from '../../runtime/tables/encryptedShoes.ts';
import { quoted } from '../../base/refusal.ts';
import { amendments } from '../../verify/amendments.ts';
import { workerPool } from '../../verify/workerPool.ts';
import { type TruncatedStreams, type Signatures } from '../../verify/signatures.ts';
import { type VerifyOptions, type VerifyReport, verifyStore } from '../../verify/verify.ts';
import { verifiedText } from '../../store/authenticatedValues.ts';
import { snapshotSchemaVersion } from '../../store/snapshot.ts';
import { type StoreReader } from '../../store/store.ts';
import { type CliCommand, optionText } from '../support/command.ts';
import {
  type ReadableStore,
  encryptionKeyPath,
  openReadOnlyStore,
  tornCommitText,
  toCliError,
} from '../support/openStore.ts';
import { print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const verifyCommand: CliCommand = {
  help: `Usage: punto verify [--data DIR] [--store ADDRESS] [--key FILE] [--anchor FILE]

  --data DIR     the data folder; "data" unless given. No floor may be running on it.
  --store ADDRESS  a PostgreSQL database instead, such as postgres://user@host:5432/punto, as of one moment, also while
                 tables run; keys and anchor are still those next to DIR
  --key FILE     with --store, the encryption key; DIR.key unless given, if it is there
  --anchor FILE  the anchor of the store, which shows how far the event log once reached; DIR.anchor unless given,
                 if it is there

Recomputes every hash chain and decides every command again: the event log must hold exactly the events that follow.
Settles every round again from its cards, checks every card and every opened shoe against its commitment, recomputes every
posting, balance and stake, and finds every command by its id. Where a decider decides otherwise today, a numbered amendment
must declare it; those that were used are listed. Checks every signature and names the first entry that none covers. With
the keys, as DIR.key and DIR.signer, decrypts all blobs and checks that the checkpoints are signed by this key. Checks that
all staff members held the roles in which they acted. Reports what is unknown without an anchor. A large event log takes all
cores, and progress goes to standard error. Names the first wrong entry; exit code 1. Nothing is written: a read-only folder
is enough.`,
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
      // Read the anchor before the store: nodes may write meanwhile, and the store must reach at least as far.
      const anchor = openAnchor(anchorFile ?? `${folder}.anchor`, anchorFile !== undefined);
      const { streams, entries, rounds, voids, shoes, accounts, ...more } = await verifyWithKeys(
        store,
        { key, signer, ...(anchor && { anchor }) },
        printProgress,
      );
      const { amended, passedOver, signatures, missing, tickets, opened, problem } = more;
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
        ...amendments.flatMap(({ number, description }) => {
          const times = amended.get(number);
          return times === undefined ? [] : [amendmentText(number, description, times)];
        }),
        ...(store.torn ? [tornCommitText(store.torn)] : []),
        ...Array.from(passedOver, ([stream, schemaVersion]) => staleSnapshotText(stream, schemaVersion)),
        ...(signatures ? signatureTexts(signatures) : []),
        ...missing.map(missingText),
      );
      if (problem !== undefined)
        throw new CliError(
          1,
          'damaged-record',
          `${problem} Nothing after it was checked; keep the folder as it is and call the auditor.`,
        );
      if (missing.length > 0) throw toBehindAnchorError(missing);
      if (signatures) checkSignerFile(signer, signatures);
      print(
        output,
        ...ticketTexts(tickets),
        decryptedBlobsText(opened),
        anchorText(anchor),
        'Everything is as it was written, and adds up.',
      );
      return 0;
    } catch (error) {
      throw toCliError(folder, error);
    } finally {
      await store.close();
    }
  },
};

/** Anchor and key paths of a store. A key that is missing is skipped. */
type KeysAndAnchor = { readonly key: string; readonly signer: string; readonly anchor?: AnchorState };

/** Verifies a store with its anchor and the keys that are present. */
export async function verifyWithKeys(
  store: ReadableStore,
  { key, signer, anchor }: KeysAndAnchor,
  printProgress: (line: string) => void,
): Promise<VerifyReport> {
  for (const file of [signer, key]) refuseDuringRotation(file);
  return runVerify(store, printProgress, {
    isSigned: true,
    ...(anchor && { anchor }),
    ...(await decryptOptions(store, key)),
  });
}

export const amendmentText = (number: number, description: string, times: number): string =>
  `Amendment ${number} (${description.replace(/\.$/, '')}) let ${times.toLocaleString('en')} ${pluralNoun(times, 'command')} stand.`;

const staleSnapshotText = (stream: string, schemaVersion: number): string =>
  `The snapshot of ${stream} has schema version ${schemaVersion}, and this program reads version ${snapshotSchemaVersion}; it was skipped.`;

const isoTime = (time: number): string => new Date(time).toISOString();

export function signatureTexts({ checkpoints, signers, at, uncovered }: Signatures): readonly string[] {
  const unsigned =
    uncovered &&
    `Entry ${uncovered.sequence} of ${uncovered.stream} is the first of ${uncovered.count.toLocaleString('en')} that no signature covers.`;
  if (checkpoints === 0) return ['Nothing is signed: anyone who can write to the folder can have made all of it anew.'];
  const count = `${checkpoints.toLocaleString('en')} ${pluralNoun(checkpoints, 'checkpoint')}`;
  return [
    `${count}, the last of ${isoTime(at!)}, signed by ${signers.join(', then ')}.`,
    unsigned ?? 'Every entry is covered by a signature.',
  ];
}

const missingText = ({ stream, has, expected }: TruncatedStreams[number]): string =>
  `${stream} reaches entry ${has}, and its anchor knows of entry ${expected}.`;

function toBehindAnchorError(missing: TruncatedStreams): CliError {
  const missingCount = missing.reduce((sum, { has, expected }) => sum + expected - has, 0);
  const message = `What is there is as it was written, but ${countText(missingCount, 'entry', 'entries')} that the anchor knows of ${missingCount === 1 ? 'is' : 'are'} missing; put back the newest store.`;
  return new CliError(1, 'behind-anchor', message);
}

const ticketTexts = ({ issued, paid, outstanding }: VerifyReport['tickets']): readonly string[] =>
  issued === 0
    ? []
    : [
        `Tickets for ${issued} were issued and each is paid once at most: ${paid} are paid and ${outstanding} outstanding.`,
      ];

export const decryptedBlobsText = (opened: number): string =>
  opened === 0
    ? 'Blobs were not decrypted: the key is not there.'
    : `Blobs decrypted with the key, as their tables have committed to: ${opened.toLocaleString('en')}.`;

const anchorText = (anchor: AnchorState | undefined): string =>
  anchor === undefined
    ? 'There is no anchor: whether the event log once reached further is unknown.'
    : `It reaches as far as its anchor knows: to ${isoTime(anchor.last.at)}, in ${anchor.heads.size.toLocaleString('en')} ${pluralNoun(anchor.heads.size, 'stream')}.`;

function openAnchor(file: string, isNamed: boolean): AnchorState | undefined {
  const anchor = readAnchor(file);
  if (anchor === undefined && isNamed) {
    throw new CliError(1, 'unreadable-file', `There is no anchor ${quoted(file)}; name the one of this store.`);
  }
  return anchor;
}

/** Options to decrypt blobs and check authenticated values, if the key is present. */
async function decryptOptions(
  store: StoreReader,
  file: string,
): Promise<Pick<VerifyOptions, 'openBlob' | 'isAuthentic'>> {
  if (!existsSync(file)) return {};
  const key = readDataKey(file);
  await checkKey(store, key);
  return {
    openBlob: blobReader(store, key),
    isAuthentic: (kind, id, value) => verifiedText(key, kind, id, value) !== undefined,
  };
}

/** If the signing key is present, it must be the one of the last checkpoint. */
export function checkSignerFile(file: string, { chain }: Signatures): void {
  if (existsSync(file)) checkSigner(parseSigner(readFileSync(file, 'utf8'), file), chain);
}

/** Entries above which worker threads pay off. */
const minEntriesForThreads = 20_000;
const maxThreads = 4;

async function runVerify(
  store: ReadableStore,
  printProgress: (line: string) => void,
  options: Pick<VerifyOptions, 'anchor' | 'openBlob' | 'isAuthentic' | 'isSigned'>,
): Promise<VerifyReport> {
  const onProgress = verifyProgressPrinter(Date.now, printProgress);
  const heads = await store.heads();
  const entries = [...heads.values()].reduce((sum, { sequence }) => sum + sequence, 0);
  const count = entries > minEntriesForThreads ? Math.min(availableParallelism(), maxThreads) : 1;
  // A database snapshot belongs to one connection, so threads cannot share it.
  if (count === 1 || store.folder === undefined) return verifyStore(store, { onProgress, ...options });
  const workers = workerPool(store.folder, count);
  try {
    return await verifyStore(store, { onProgress, checkers: workers, ...options });
  } finally {
    await workers.close();
  }
}

const progressIntervalMs = 2_000;

/** Progress callback that prints at most one line every 2 s. */
export function verifyProgressPrinter(
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
