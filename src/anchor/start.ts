import { existsSync } from 'node:fs';
import { DamagedRecord, type Store, TakenOver } from '../store/store.ts';
import { type Anchored, DamagedAnchor, UnusableAnchor, anchorIn, formersOf } from './file.ts';
import { Keeper } from './keeper.ts';
import { type Doubt, type Places as Heads, hashOfText } from './mark.ts';
import { type Signer, WrongSigner, signerIn } from './signer.ts';
import {
  type Followed,
  type Uncovered,
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
} from './standing.ts';

/** Where the signing key and the anchor of a record lie: both away from the data. */
export type Places = { readonly signer: string; readonly anchor: string };

/** Streams that end before what is known of them elsewhere. */
type Missing = ReturnType<typeof endingEarly>;

/** The record does not reach as far as it once did, or nobody can tell whether it does. */
export class BehindAnchor extends Error {
  /** What the operator goes on in spite of, by its words. */
  readonly doubt: Doubt;

  constructor(doubt: Doubt, message: string) {
    super(message);
    this.doubt = doubt;
  }
}

/** The record is another than the one that was signed. */
class OtherRecord extends DamagedRecord {}

/** What a look at a record finds before anything is written to it. */
export type Found = {
  /** What the operator goes on in spite of, or has gone on in spite of before. */
  readonly doubt: Doubt | undefined;
  /** What nobody has signed. */
  readonly uncovered: Uncovered | undefined;
  /** No floor was alive later than this, as far as the anchor knows. */
  readonly latest: number | undefined;
  /** Who keeps the anchor from now on. Before anything else is written it is signed how far the record had got. */
  readonly keeping: (clock: () => number) => {
    readonly keeper: Keeper;
    readonly sign: (isClosed?: boolean) => Promise<void>;
  };
};

/**
 * Looks at what a start trusts: the ends of streams, the signatures in the record, the balances, and whether the record
 * reaches as far as its anchor knows, and no further than it can. One that does not is refused, unless the operator says
 * the words that go with just this. Nothing is written.
 */
export async function looked(
  store: Store,
  { signer: keyFile, anchor: file }: Places,
  said: string | undefined,
): Promise<Found> {
  refuseHalfChanged(keyFile);
  const wasSigned = existsSync(keyFile) || existsSync(file) || store.held > 1;
  const heads = await store.heads();
  await checkHeads(store, heads);
  const followed = await followCheckpoints(store);
  await checkEpochs(store, followed);
  const [early] = endingEarly(heads, followed.places);
  if (early) {
    throw new OtherRecord(
      `The stream ${early.stream} ends with entry ${early.has}, and entry ${early.known} is signed.`,
    );
  }
  const other = await findOther(store, followed.places);
  if (other !== undefined) throw new OtherRecord(other);
  const anchor = anchorIn(file);
  // A key is made for what nobody has signed, once it is to be signed.
  const isNew = followed.last === undefined && anchor === undefined && !existsSync(keyFile);
  let signer = isNew ? undefined : signerIn(keyFile, false);
  if (signer) checkSigner(signer, followed);
  await checkBalances(store, followed);
  const uncovered = await uncoveredIn(store, heads, followed.places, anchor?.places ?? new Map());
  const found = await doubted(store, { file, anchor, heads, followed, uncovered, signer, wasSigned });
  if (found instanceof BehindAnchor && said !== found.doubt.words) throw found;
  const isKnown = found !== undefined && !(found instanceof BehindAnchor);
  const doubt = found instanceof BehindAnchor ? found.doubt : found;
  const keeping: Found['keeping'] = (clock) => {
    const ownSigner = (): Signer => (signer ??= signerIn(keyFile, true));
    const keeper = new Keeper({ store, signer: ownSigner, file, clock, followed });
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
export async function trusted(
  store: Store,
  places: Places,
  clock: () => number,
  said: string | undefined,
  isClosed = false,
): Promise<Omit<Found, 'keeping'> & { readonly keeper: Keeper }> {
  const { keeping, ...found } = await looked(store, places, said);
  const { keeper, sign } = keeping(clock);
  await sign(isClosed);
  return { ...found, keeper };
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
export function checkSigner({ name }: Signer, { last }: Followed): void {
  if (last === undefined || last.signer === name) return;
  throw new WrongSigner(`The record is signed by ${last.signer} and the key at hand is ${name}; put back its own key.`);
}

/** What is known of a record when somebody asks whether it is to be trusted. */
type Known = {
  readonly file: string;
  readonly anchor: Anchored | undefined;
  readonly heads: Heads;
  readonly followed: Followed;
  readonly uncovered: Uncovered | undefined;
  readonly signer: Signer | undefined;
  readonly wasSigned: boolean;
};

/** Why the operator has to be asked, if so; or what he was asked before, and the record does not tell yet. */
async function doubted(store: Store, known: Known): Promise<BehindAnchor | Doubt | undefined> {
  const { file, anchor, heads, followed, uncovered, signer, wasSigned } = known;
  if (anchor === undefined) {
    // A record that was never signed has no anchor to miss.
    const isSigned = followed.last !== undefined || (wasSigned && heads.size > 0);
    return isSigned ? withoutAnchor(file, heads, uncovered) : undefined;
  }
  const foreign = foreignSigner([...new Set([...followed.signers, ...(signer ? [signer.name] : [])])], anchor);
  if (foreign !== undefined) throw new DamagedAnchor(`${foreign} Put back the anchor of this record.`);
  const other = await findOther(store, anchor.places);
  if (other !== undefined) throw await otherThan(other, store, known);
  const missing = endingEarly(heads, anchor.places);
  if (missing.length > 0) return behind(missing, anchor);
  const { signers } = followed;
  if (signers.length > 0 && !signers.includes(anchor.last.signer)) return beforeKeys(anchor, heads);
  const dropped = otherCheckpoint(followed, anchor);
  if (dropped !== undefined) throw new OtherRecord(dropped);
  const why = uncovered && strange(uncovered, followed, anchor);
  return why === undefined ? anchor.last.doubt : unsigned(uncovered!, why, heads);
}

/** An anchor that was kept, if it is as it was written. */
function intact(file: string): Anchored | undefined {
  try {
    return anchorIn(file);
  } catch (error) {
    if (error instanceof DamagedAnchor) return undefined;
    throw error;
  }
}

/** What is to be done about a record that is another than the anchor knows; perhaps an anchor that was kept knows it. */
async function otherThan(other: string, store: Store, { file, heads, followed }: Known): Promise<Error> {
  for (const former of formersOf(file)) {
    const anchor = intact(former);
    const isIt =
      anchor !== undefined &&
      foreignSigner(followed.signers, anchor) === undefined &&
      endingEarly(heads, anchor.places).length === 0 &&
      otherCheckpoint(followed, anchor) === undefined &&
      (await findOther(store, anchor.places)) === undefined;
    if (!isIt) continue;
    return new DamagedAnchor(
      `${other} It is the record from before somebody went on with less, as ${former} knows it; to go on with this one, ` +
        `keep ${file} and put ${former} in its place.`,
    );
  }
  return new OtherRecord(other);
}

/** Why no floor can have written what nobody has signed, if so. */
function strange({ until }: Uncovered, followed: Followed, anchor: Anchored): string | undefined {
  if (followed.last?.closed === true) return 'they stand behind the close of the floor, by which nothing follows';
  return until > (latestBy(followed, anchor) ?? Infinity) ? 'the anchor was told nothing of them in time' : undefined;
}

function unsigned(uncovered: Uncovered, why: string, heads: Heads): BehindAnchor {
  const words = wordsFor(`unsigned ${textOf(heads)}`);
  const message =
    `${uncoveredText(uncovered)}, and ${why}: somebody else may have written them. Keep a copy of the folder for the ` +
    `auditor and put back the record as it was signed, or go on with them and with every shoe given up by --go-on "${words}".`;
  return new BehindAnchor({ why: 'unsigned-entries', words, missing: [] }, message);
}

function withoutAnchor(file: string, heads: Heads, uncovered: Uncovered | undefined): BehindAnchor {
  const words = wordsFor(`without ${file} ${textOf(heads)}`);
  const message =
    `The anchor ${file} of the record is missing, so nobody can tell whether the record was turned back; put the ` +
    `anchor back, or go on with every shoe given up by --go-on "${words}".`;
  const also = uncovered ? ` ${uncoveredText(uncovered)}.` : '';
  return new BehindAnchor({ why: 'anchor-missing', words, missing: [] }, `${message}${also}`);
}

/** Where all streams end, as one text. */
const textOf = (heads: Heads): string =>
  Array.from(heads, ([stream, { sequence, hash }]) => `${stream} ${sequence} ${hash}\n`)
    .toSorted()
    .join('');

function behind(missing: Missing, { last }: Anchored): BehindAnchor {
  const lost = missing.reduce((sum, { has, known }) => sum + known - has, 0);
  const words = wordsFor(JSON.stringify([missing, last.at, last.epoch]));
  const [first] = missing;
  const message =
    `The record ends too early: ${lost} entries of ${missing.length} streams that its anchor knows of are missing, among ` +
    `them those of ${first!.stream} after entry ${first!.has} up to ${first!.known}; put back the newest record, or go ` +
    `on without them and with every shoe given up by --go-on "${words}".`;
  return new BehindAnchor({ why: 'behind-anchor', words, missing }, message);
}

/** The record is from before its keys were changed, and nothing else is missing. */
function beforeKeys({ last }: Anchored, heads: Heads): BehindAnchor {
  const words = wordsFor(`before ${last.signer} ${textOf(heads)}`);
  const message =
    `The record is from before its signer handed over to ${last.signer}, as its anchor knows; put back the newest record, ` +
    `or go on with this one and with every shoe given up by --go-on "${words}".`;
  return new BehindAnchor({ why: 'behind-anchor', words, missing: [] }, message);
}

const ranks = ['ace', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'jack', 'queen', 'king'];
const suits = ['clubs', 'diamonds', 'hearts', 'spades'];

/** Two words that go with one state of things and hardly with another, so that nobody says them out of habit. */
export function wordsFor(what: string): string {
  const bytes = Buffer.from(hashOfText(what).slice(-8), 'hex');
  const cardAt = (place: number): string => `${ranks[bytes[place]! % 13]}-of-${suits[bytes[place + 1]! % 4]}`;
  return `${cardAt(0)} ${cardAt(2)}`;
}
