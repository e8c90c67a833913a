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
import { type ReadableStore, keyPath, openReadOnlyStore, tornCommitText, toCliError } from '../support/openStore.ts';
import { print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const verifyCommand: CliCommand = {
  help: `Usage: punto verify [--data DIR] [--store ADDRESS] [--key FILE] [--anchor FILE]

  --data DIR     the data folder; "data" unless given. No floor may be running on it.
  --store ADDRESS  a PostgreSQL database instead, such as postgres://user@host:5432/punto, as of one moment, also while
                 tables run; keys and anchor are still those beside DIR
  --key FILE     with --store, the key that seals; DIR.key unless given, if it is there
  --anchor FILE  the anchor of the record, by which it is known how far the record once reached; DIR.anchor unless given,
                 if it is there

Recomputes every hash chain, and decides every command once more: the record holds just what the tables lead to. Settles
every round again from its cards, holds every card and every opened shoe against its commitment, works out every posting,
balance and stake, and finds every command by its id. Where a decider leads to something else today, a numbered amendment
must say so; those that were used are listed. Checks every signature and names the first entry that none covers. With the
keys at hand, as DIR.key and DIR.signer, opens what is sealed and sees that the record is signed by its own key. Sees that
everybody held the post that something was done in. Says what cannot be known without an anchor. A large record takes all cores, and how far it is goes to standard error. Names the first entry that is not as it must be; exit
code 1. Nothing is written: a folder that cannot be written to will do.`,
  options: { data: { type: 'string' }, store: { type: 'string' }, key: { type: 'string' }, anchor: { type: 'string' } },
  mostArguments: 0,
  run: async (values, _, { output, errors }) => {
    const folder = optionText(values, 'data') ?? 'data';
    const anchorFile = optionText(values, 'anchor');
    const address = optionText(values, 'store');
    const key = keyPath(optionText(values, 'key'), address, folder);
    const store = await openReadOnlyStore(address, folder);
    const say = (line: string): void => print(errors, line);
    const signer = `${folder}.signer`;
    try {
      // Before the first look at a database that others write to: as of then it reaches as far as its anchor knows.
      const anchor = knownAnchor(anchorFile ?? `${folder}.anchor`, anchorFile !== undefined);
      const { streams, entries, rounds, voids, shoes, accounts, ...more } = await verifyWithKeys(
        store,
        { key, signer, ...(anchor && { anchor }) },
        say,
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
        ...Array.from(passedOver, ([stream, form]) => passedOverLine(stream, form)),
        ...(signatures ? signatureTexts(signatures) : []),
        ...missing.map(missingLine),
      );
      if (problem !== undefined)
        throw new CliError(
          1,
          'damaged-record',
          `${problem} Nothing after it was checked; keep the folder as it is and call the auditor.`,
        );
      if (missing.length > 0) throw behind(missing);
      if (signatures) checkSignerFile(signer, signatures);
      print(
        output,
        ...ticketLines(tickets),
        decryptedText(opened),
        anchorLine(anchor),
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

/** What is known of a record elsewhere: its anchor, and where its keys lie if they are at hand. */
type AtHand = { readonly key: string; readonly signer: string; readonly anchor?: AnchorState };

/** Checks a record with all that is at hand. */
export async function verifyWithKeys(
  store: ReadableStore,
  { key, signer, anchor }: AtHand,
  say: (line: string) => void,
): Promise<VerifyReport> {
  for (const file of [signer, key]) refuseDuringRotation(file);
  return checked(store, say, { isSigned: true, ...(anchor && { anchor }), ...(await withKey(store, key)) });
}

export const amendmentText = (number: number, says: string, times: number): string =>
  `Amendment ${number} (${says.replace(/\.$/, '')}) let ${times.toLocaleString('en')} ${pluralNoun(times, 'command')} stand.`;

const passedOverLine = (stream: string, form: number): string =>
  `The snapshot of ${stream} is of form ${form}, and this program reads form ${snapshotSchemaVersion}; it was passed over.`;

const told = (time: number): string => new Date(time).toISOString();

/** What is signed, and what is not. */
export function signatureTexts({ checkpoints, signers, at, uncovered }: Signatures): readonly string[] {
  const open =
    uncovered &&
    `Entry ${uncovered.sequence} of ${uncovered.stream} is the first of ${uncovered.count.toLocaleString('en')} that no signature covers.`;
  if (checkpoints === 0) return ['Nothing is signed: whoever can write to the folder can have made all of it anew.'];
  const count = `${checkpoints.toLocaleString('en')} ${pluralNoun(checkpoints, 'checkpoint')}`;
  return [
    `${count}, the last of ${told(at!)}, signed by ${signers.join(', then ')}.`,
    open ?? 'Every entry is covered by a signature.',
  ];
}

const missingLine = ({ stream, has, known }: TruncatedStreams[number]): string =>
  `${stream} reaches entry ${has}, and its anchor knows of entry ${known}.`;

function behind(missing: TruncatedStreams): CliError {
  const lost = missing.reduce((sum, { has, known }) => sum + known - has, 0);
  const message = `What is there is as it was written, but ${countText(lost, 'entry', 'entries')} that the anchor knows of ${lost === 1 ? 'is' : 'are'} missing; put back the newest record.`;
  return new CliError(1, 'behind-anchor', message);
}

/** What became of the tickets, where there are any. */
const ticketLines = ({ issued, paid, outstanding }: VerifyReport['tickets']): readonly string[] =>
  issued === 0
    ? []
    : [
        `Tickets for ${issued} were issued and each is paid once at most: ${paid} are paid and ${outstanding} outstanding.`,
      ];

export const decryptedText = (opened: number): string =>
  opened === 0
    ? 'What is sealed was not opened: its key is not at hand.'
    : `What is sealed (${opened.toLocaleString('en')}) opens with the key at hand, and is what its tables have committed to.`;

/** How far the record reaches, as far as that can be known. */
const anchorLine = (anchor: AnchorState | undefined): string =>
  anchor === undefined
    ? 'No anchor is at hand: whether the record once reached further cannot be known.'
    : `It reaches as far as its anchor knows: to ${told(anchor.last.at)}, in ${anchor.heads.size.toLocaleString('en')} ${pluralNoun(anchor.heads.size, 'stream')}.`;

function knownAnchor(file: string, isNamed: boolean): AnchorState | undefined {
  const anchor = readAnchor(file);
  if (anchor === undefined && isNamed) {
    throw new CliError(1, 'unreadable-file', `There is no anchor ${quoted(file)}; name the one of this record.`);
  }
  return anchor;
}

/** Opens what is sealed, where the key is at hand. */
async function withKey(store: StoreReader, file: string): Promise<Pick<VerifyOptions, 'openBlob' | 'isAuthentic'>> {
  if (!existsSync(file)) return {};
  const key = readDataKey(file);
  await checkKey(store, key);
  return {
    openBlob: blobReader(store, key),
    isAuthentic: (kind, id, value) => verifiedText(key, kind, id, value) !== undefined,
  };
}

/** Where the key that signs is at hand, it is that of the record. */
export function checkSignerFile(file: string, { chain }: Signatures): void {
  if (existsSync(file)) checkSigner(parseSigner(readFileSync(file, 'utf8'), file), chain);
}

/** From so many entries on it is worth while to start threads. */
const large = 20_000;
const mostThreads = 4;

async function checked(
  store: ReadableStore,
  say: (line: string) => void,
  how: Pick<VerifyOptions, 'anchor' | 'openBlob' | 'isAuthentic' | 'isSigned'>,
): Promise<VerifyReport> {
  const hear = progressReporter(Date.now, say);
  const heads = await store.heads();
  const entries = [...heads.values()].reduce((sum, { sequence }) => sum + sequence, 0);
  const count = entries > large ? Math.min(availableParallelism(), mostThreads) : 1;
  // A database is read as of one moment, which is one connection's.
  if (count === 1 || store.folder === undefined) return verifyStore(store, { onProgress: hear, ...how });
  const checkers = workerPool(store.folder, count);
  try {
    return await verifyStore(store, { onProgress: hear, checkers, ...how });
  } finally {
    await checkers.close();
  }
}

/** So many milliseconds lie between two words on how far it is. */
const between = 2_000;

/** Says now and then how far it is. */
export function progressReporter(
  clock: () => number,
  say: (line: string) => void,
): (read: number, all: number) => void {
  let said = clock();
  return (read, all) => {
    if (clock() - said < between) return;
    said = clock();
    say(`${read.toLocaleString('en')} of ${all.toLocaleString('en')} ${pluralNoun(all, 'entry', 'entries')} checked`);
  };
}
