import { countText } from '../base/countText.ts';
import { DamagedRecord, type StoreReader } from '../store/store.ts';
import { type Anchored, DamagedAnchor, anchorIn, formersOf } from './anchorFile.ts';
import { type IntegrityIssue, type HeadPositions, hashOfText } from './checkpointFormat.ts';
import { type Signer } from './signingKey.ts';
import {
  type CheckpointChain,
  type UnsignedRange,
  endingEarly,
  findOther,
  foreignSigner,
  latestBy,
  otherCheckpoint,
  uncoveredText,
} from './checks.ts';

// What the operator has to be asked before a floor goes on with a record.

/** The record does not reach as far as it once did, or nobody can tell whether it does. */
export class BehindAnchor extends Error {
  /** What the operator goes on in spite of, by its words. */
  readonly doubt: IntegrityIssue;

  constructor(doubt: IntegrityIssue, message: string) {
    super(message);
    this.doubt = doubt;
  }
}

/** Streams that end before what is known of them elsewhere. */
type Missing = ReturnType<typeof endingEarly>;

/** What is known of a record when somebody asks whether it is to be trusted. */
type Known = {
  readonly file: string;
  readonly anchor: Anchored | undefined;
  readonly heads: HeadPositions;
  readonly followed: CheckpointChain;
  readonly uncovered: UnsignedRange | undefined;
  readonly signer: Signer | undefined;
  readonly wasSigned: boolean;
};

/** Why the operator has to be asked, if so; or what he was asked before, and the record does not tell yet. */
export async function findRollback(
  store: StoreReader,
  known: Known,
): Promise<BehindAnchor | IntegrityIssue | undefined> {
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
  if (dropped !== undefined) throw new DamagedRecord(dropped);
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
async function otherThan(other: string, store: StoreReader, { file, heads, followed }: Known): Promise<Error> {
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
  return new DamagedRecord(other);
}

/** Why no floor can have written what nobody has signed, if so. */
function strange({ until }: UnsignedRange, followed: CheckpointChain, anchor: Anchored): string | undefined {
  if (followed.last?.closed === true) return 'they stand behind the close of the floor, by which nothing follows';
  return until > (latestBy(followed, anchor) ?? Infinity) ? 'the anchor was told nothing of them in time' : undefined;
}

function unsigned(uncovered: UnsignedRange, why: string, heads: HeadPositions): BehindAnchor {
  const words = confirmationPhrase(`unsigned ${textOf(heads)}`);
  const message =
    `${uncoveredText(uncovered)}, and ${why}: somebody else may have written them. Keep a copy of the folder for the ` +
    `auditor and put back the record as it was signed, or go on with them and with every shoe given up by --go-on "${words}".`;
  return new BehindAnchor({ why: 'unsigned-entries', words, missing: [] }, message);
}

function withoutAnchor(file: string, heads: HeadPositions, uncovered: UnsignedRange | undefined): BehindAnchor {
  const words = confirmationPhrase(`without ${file} ${textOf(heads)}`);
  const message =
    `The anchor ${file} of the record is missing, so nobody can tell whether the record was turned back; put the ` +
    `anchor back, or go on with every shoe given up by --go-on "${words}".`;
  const also = uncovered ? ` ${uncoveredText(uncovered)}.` : '';
  return new BehindAnchor({ why: 'anchor-missing', words, missing: [] }, `${message}${also}`);
}

/** Where all streams end, as one text. */
const textOf = (heads: HeadPositions): string =>
  Array.from(heads, ([stream, { sequence, hash }]) => `${stream} ${sequence} ${hash}\n`)
    .toSorted()
    .join('');

function behind(missing: Missing, { last }: Anchored): BehindAnchor {
  const lost = missing.reduce((sum, { has, known }) => sum + known - has, 0);
  const words = confirmationPhrase(JSON.stringify([missing, last.at, last.epoch]));
  const [first] = missing;
  const message =
    `The record ends too early: ${countText(lost, 'entry', 'entries')} of ${countText(missing.length, 'stream')} that its anchor knows of ` +
    `${lost === 1 ? 'is' : 'are'} missing, among them those of ${first!.stream} after entry ${first!.has} up to ${first!.known}; put back the newest record, or go ` +
    `on without them and with every shoe given up by --go-on "${words}".`;
  return new BehindAnchor({ why: 'behind-anchor', words, missing }, message);
}

/** The record is from before its keys were changed, and nothing else is missing. */
function beforeKeys({ last }: Anchored, heads: HeadPositions): BehindAnchor {
  const words = confirmationPhrase(`before ${last.signer} ${textOf(heads)}`);
  const message =
    `The record is from before its signer handed over to ${last.signer}, as its anchor knows; put back the newest record, ` +
    `or go on with this one and with every shoe given up by --go-on "${words}".`;
  return new BehindAnchor({ why: 'behind-anchor', words, missing: [] }, message);
}

const ranks = ['ace', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'jack', 'queen', 'king'];
const suits = ['clubs', 'diamonds', 'hearts', 'spades'];

/** Two words that go with one state of things and hardly with another, so that nobody says them out of habit. */
export function confirmationPhrase(what: string): string {
  const bytes = Buffer.from(hashOfText(what).slice(-8), 'hex');
  const cardAt = (place: number): string => `${ranks[bytes[place]! % 13]}-of-${suits[bytes[place + 1]! % 4]}`;
  return `${cardAt(0)} ${cardAt(2)}`;
}
