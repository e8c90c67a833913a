import { existsSync } from 'node:fs';
import { DamagedRecord, type Store, TakenOver } from '../store/store.ts';
import { BehindAnchor, findRollback } from './rollbackCheck.ts';
import { DamagedAnchor, UnusableAnchor, anchorIn } from './anchorFile.ts';
import { CheckpointWriter, type ClusterSigning } from './checkpointWriter.ts';
import { type IntegrityIssue } from './checkpointFormat.ts';
import { type Signer, WrongSigner, signerIn } from './signingKey.ts';
import {
  type CheckpointChain,
  type UnsignedRange,
  checkBalances,
  checkEpochs,
  checkHeads,
  endingEarly,
  findOther,
  followCheckpoints,
  foreignSigner,
  latestBy,
  otherCheckpoint,
  uncoveredIn,
  uncoveredText,
} from './checks.ts';

/** Where the signing key and the anchor of a record lie: both away from the data. */
export type KeyPaths = { readonly signer: string; readonly anchor: string };

/** What a look at a record finds before anything is written to it. */
export type Found = {
  /** What the operator goes on in spite of, or has gone on in spite of before. */
  readonly doubt: IntegrityIssue | undefined;
  /** What nobody has signed. */
  readonly uncovered: UnsignedRange | undefined;
  /** No floor was alive later than this, as far as the anchor knows. */
  readonly latest: number | undefined;
  /**
   * Who keeps the anchor from now on, where others may come to write as well as where they do not. Before anything else is
   * written it is signed how far the record had got.
   */
  readonly keeping: (
    clock: () => number,
    others?: ClusterSigning,
  ) => {
    readonly keeper: CheckpointWriter;
    readonly sign: (isClosed?: boolean) => Promise<void>;
  };
};

/**
 * Looks at what a start trusts: the ends of streams, the signatures in the record, the balances, and whether the record
 * reaches as far as its anchor knows, and no further than it can. One that does not is refused, unless the operator says
 * the words that go with just this. Nothing is written.
 */
export async function checkStore(
  store: Store,
  { signer: keyFile, anchor: file }: KeyPaths,
  said: string | undefined,
): Promise<Found> {
  refuseHalfChanged(keyFile);
  const wasSigned = existsSync(keyFile) || existsSync(file) || store.writerEpoch > 1;
  const heads = await store.heads();
  await checkHeads(store, heads);
  const followed = await followCheckpoints(store);
  await checkEpochs(store, followed);
  const epoch = await openedBy(store);
  const [early] = endingEarly(heads, followed.places);
  if (early) {
    throw new DamagedRecord(
      `The stream ${early.stream} ends with entry ${early.has}, and entry ${early.known} is signed.`,
    );
  }
  const other = await findOther(store, followed.places);
  if (other !== undefined) throw new DamagedRecord(other);
  const anchor = anchorIn(file);
  // A key is made for what nobody has signed, once it is to be signed.
  const isNew = followed.last === undefined && anchor === undefined && !existsSync(keyFile);
  let signer = isNew ? undefined : signerIn(keyFile, false);
  if (signer) checkSigner(signer, followed);
  await checkBalances(store, followed);
  const uncovered = await uncoveredIn(store, heads, followed.places, anchor?.places ?? new Map());
  const found = await findRollback(store, { file, anchor, heads, followed, uncovered, signer, wasSigned });
  if (found instanceof BehindAnchor && said !== found.doubt.words) throw found;
  const isKnown = found !== undefined && !(found instanceof BehindAnchor);
  const doubt = found instanceof BehindAnchor ? found.doubt : found;
  const keeping: Found['keeping'] = (clock, others) => {
    const ownSigner = (): Signer => (signer ??= signerIn(keyFile, true));
    const keeper = new CheckpointWriter({
      store,
      signer: ownSigner,
      file,
      clock,
      followed,
      epoch,
      ...(others && { others }),
    });
    const sign = async (isClosed = false): Promise<void> => {
      await keeper.begin(doubt, isKnown).catch((error: unknown) => {
        throw unusable(file, error);
      });
      await keeper.checkpoint(isClosed);
    };
    return { keeper, sign };
  };
  return { doubt, uncovered, latest: anchor && latestBy(followed, anchor), keeping };
}

/** The same, and signs it at once. */
export async function openChecked(
  store: Store,
  places: KeyPaths,
  clock: () => number,
  said: string | undefined,
  isClosed = false,
): Promise<Omit<Found, 'keeping'> & { readonly keeper: CheckpointWriter }> {
  const { keeping, ...found } = await checkStore(store, places, said);
  const { keeper, sign } = keeping(clock);
  await sign(isClosed);
  return { ...found, keeper };
}

/** How often the record has been opened by now: of several who have it open, the one who signs need not be the last. */
const openedBy = async (store: Store): Promise<number> => Math.max(store.writerEpoch, await store.epoch());

/**
 * What a program looks at that joins others on a record while they write: that it has the key by which the record is signed,
 * and that the record still reaches as far as this program's own anchor knows, if it has one. Ends move meanwhile, and are
 * whoever signs to judge. Nothing is written. Gives the checkpoints by then, so that whoever takes over need not follow them all.
 */
export async function checkOnJoin(store: Store, { signer: keyFile, anchor: file }: KeyPaths): Promise<CheckpointChain> {
  refuseHalfChanged(keyFile);
  // What an anchor knows is read first: by then the record reaches as far, and only grows.
  const anchor = anchorIn(file);
  const signer = signerIn(keyFile, false);
  const followed = await followedBy(store, signer);
  if (anchor === undefined) return followed;
  const foreign = foreignSigner([...new Set([...followed.signers, signer.name])], anchor);
  if (foreign !== undefined) throw new DamagedAnchor(`${foreign} Put back the anchor of this record.`);
  const [early] = endingEarly(await store.heads(), anchor.places);
  const other =
    early === undefined
      ? ((await findOther(store, anchor.places)) ?? otherCheckpoint(followed, anchor))
      : `The stream ${early.stream} ends with entry ${early.has}, and the anchor ${file} knows of entry ${early.known}.`;
  if (other === undefined) return followed;
  throw new DamagedAnchor(
    `${other} Put back the newest record; where the others have gone on without it, keep the anchor ${file} elsewhere.`,
  );
}

/** The checkpoints of a record that this signer signs. */
async function followedBy(store: Store, signer: Signer, before?: CheckpointChain): Promise<CheckpointChain> {
  const followed = await followCheckpoints(store, () => {}, before);
  await checkEpochs(store, followed);
  checkSigner(signer, followed);
  return followed;
}

/**
 * Begins to sign a record that others write to meanwhile, where whoever signed before does not any more. What was signed is
 * believed, and what was written since is read: by that all of it is signed at once. The anchor is begun anew when it is told
 * something next.
 */
export async function takeOverSigning(
  store: Store,
  { signer: keyFile, anchor: file }: KeyPaths,
  clock: () => number,
  others: ClusterSigning,
  before?: CheckpointChain,
): Promise<CheckpointWriter> {
  refuseHalfChanged(keyFile);
  const seen = anchorIn(file)?.places ?? new Map();
  const signer = signerIn(keyFile, false);
  for (let followed = before; ;) {
    followed = await followedBy(store, signer, followed);
    if (followed.last?.closed === true) await refuseBehindClose(store, followed);
    const epoch = await openedBy(store);
    const keeper = new CheckpointWriter({ store, signer: () => signer, file, clock, followed, epoch, others, seen });
    try {
      await keeper.checkpoint();
      return keeper;
    } catch (error) {
      // What the one before had still under way came first: it is followed as well.
      if (!(error instanceof TakenOver) || !(await others.isHolder())) throw error;
    }
  }
}

/** Whoever begins a floor that was closed signs it before anything is written. */
async function refuseBehindClose(store: Store, { places }: CheckpointChain): Promise<void> {
  const uncovered = await uncoveredIn(store, await store.heads(), places);
  if (uncovered === undefined) return;
  throw new DamagedRecord(
    `${uncoveredText(uncovered)}, and they stand behind the close of the floor, by which nothing follows.`,
  );
}

/** Refuses to go on while keys are being changed. */
export function refuseHalfChanged(keyFile: string): void {
  if (!existsSync(`${keyFile}.next`)) return;
  throw new WrongSigner(`The keys were being changed, as ${keyFile}.next tells; run \`punto rotate\` again first.`);
}

/** What of it is the anchor's matter; that another program has taken over is not. */
function unusable(file: string, error: unknown): unknown {
  if (error instanceof TakenOver || error instanceof DamagedRecord) return error;
  const { code = String(error) } = error as NodeJS.ErrnoException;
  return new UnusableAnchor(`The anchor ${file} cannot be written (${code}); see to its folder, or name another.`);
}

/** The key at hand is the one by which the record was signed last. */
export function checkSigner({ name }: Signer, { last }: CheckpointChain): void {
  if (last === undefined || last.signer === name) return;
  throw new WrongSigner(`The record is signed by ${last.signer} and the key at hand is ${name}; put back its own key.`);
}
