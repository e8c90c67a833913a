import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { logOf } from './dataFolder.ts';
import { DamagedRecord } from '../store.ts';

// What SQLite has written ahead lies in a log of frames, one page in each, chained by checksums. On opening it takes all
// frames up to the first that does not fit, in silence. So the log is looked at before: a commit is on the disk before the
// next one begins, and a bad frame before a later commit is no unfinished write but damage.

const headerSize = 32;
const frameHeader = 24;
/** Where the first page of a record tells its form. */
const formAt = 60;

/** What a log holds. */
export type WalInfo = {
  /** Frames that stand in finished commits. */
  readonly committed: number;
  /** Frames of a commit that was not finished; a power cut or a kill leaves them behind, and they count for nothing. */
  readonly torn: number;
  /** The form of the record, where a finished commit tells it. */
  readonly form?: number;
};

type Sum = readonly [number, number];
type Header = { readonly pageSize: number; readonly salts: Sum; readonly sum: Sum; readonly isBig: boolean };

const empty: WalInfo = { committed: 0, torn: 0 };

/** What a log holds, from its bytes in order; one that has lost something that was finished is refused. */
export function logIn(bytes: (size: number) => Buffer): WalInfo {
  const head = bytes(headerSize);
  if (head.length < headerSize) return empty;
  const header = headerOf(head);
  if (header === undefined) {
    if (!isAllZero(bytes)) throw new DamagedRecord('The head of the log record.sqlite-wal is damaged.');
    return empty;
  }
  const frames = new Frames(header);
  const size = frameHeader + header.pageSize;
  for (let frame = bytes(size); frame.length > 0; frame = bytes(size)) frames.take(frame);
  return frames.log();
}

/** The log of a record in a file. Nobody may write to it meanwhile. */
export function readWal(record: string): WalInfo {
  const file = logOf(record);
  if (!existsSync(file)) return empty;
  const open = openSync(file, 'r');
  try {
    return logIn((size) => {
      const bytes = Buffer.alloc(size);
      return bytes.subarray(0, readSync(open, bytes));
    });
  } finally {
    closeSync(open);
  }
}

function headerOf(head: Buffer): Header | undefined {
  const magic = head.readUInt32BE(0);
  const pageSize = head.readUInt32BE(8);
  if (magic >>> 1 !== 0x377f0682 >>> 1 || pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) {
    return undefined;
  }
  const isBig = (magic & 1) === 1;
  const sum = sumAt(head, 24);
  if (!isSame(sumOf([0, 0], head.subarray(0, 24), isBig), sum)) return undefined;
  return { pageSize, salts: sumAt(head, 16), sum, isBig };
}

const sumAt = (bytes: Buffer, at: number): Sum => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];

const isSame = (one: Sum, other: Sum): boolean => one[0] === other[0] && one[1] === other[1];

/** The running checksum of a log, taken further by these bytes. */
function sumOf([first, second]: Sum, bytes: Buffer, isBig: boolean): Sum {
  const word = (at: number): number => (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + word(at) + second) >>> 0;
    second = (second + word(at + 4) + first) >>> 0;
  }
  return [first, second];
}

function isAllZero(bytes: (size: number) => Buffer): boolean {
  for (let part = bytes(65_536); part.length > 0; part = bytes(65_536)) {
    if (part.some((byte) => byte !== 0)) return false;
  }
  return true;
}

class Frames {
  readonly #header: Header;
  /** The checksum that the frame before holds. */
  #sum: Sum;
  #frames = 0;
  #committed = 0;
  #torn = 0;
  #form: number | undefined;
  #nextForm: number | undefined;
  /** The first frame that does not fit. */
  #bad: number | undefined;
  /** Whether the commit that the bad frame stands in ended. */
  #isOver = false;
  /** Good frames behind that. */
  #later = 0;

  constructor(header: Header) {
    this.#header = header;
    this.#sum = header.sum;
  }

  take(frame: Buffer): void {
    const { pageSize, salts, isBig } = this.#header;
    this.#frames += 1;
    // A last piece that is too short for a frame.
    if (frame.length < frameHeader + pageSize) {
      if (frame.length >= 16 && isSame(sumAt(frame, 8), salts)) this.#torn += 1;
      return;
    }
    // Frames with other salts are left of an earlier turn of the log.
    const isOfTurn = isSame(sumAt(frame, 8), salts);
    const kept = sumAt(frame, 16);
    const sum = sumOf(sumOf(this.#sum, frame.subarray(0, 8), isBig), frame.subarray(frameHeader), isBig);
    const isGood = isSame(sum, kept) && frame.readUInt32BE(0) !== 0;
    if (this.#bad === undefined && isGood && !isOfTurn) this.#refuse('bears the mark of another turn of the log');
    const endsCommit = frame.readUInt32BE(4) !== 0;
    if (this.#bad === undefined && isGood) this.#follow(frame, endsCommit);
    else this.#leap(isOfTurn, isGood, endsCommit);
    this.#sum = kept;
  }

  log(): WalInfo {
    if (this.#later > 0) {
      this.#refuse(`does not fit its checksum, and ${this.#later} good frames of later commits stand behind it`);
    }
    return { committed: this.#committed, torn: this.#torn, ...(this.#form !== undefined && { form: this.#form }) };
  }

  #follow(frame: Buffer, endsCommit: boolean): void {
    if (frame.readUInt32BE(0) === 1) this.#nextForm = frame.readUInt32BE(frameHeader + formAt);
    this.#torn += 1;
    if (!endsCommit) return;
    this.#committed = this.#frames;
    this.#torn = 0;
    this.#form = this.#nextForm;
  }

  /** A frame at or behind the first bad one, held against the checksum in the frame before it. */
  #leap(isOfTurn: boolean, isGood: boolean, endsCommit: boolean): void {
    this.#bad ??= this.#frames;
    if (!isOfTurn) return;
    this.#torn += 1;
    if (this.#isOver && isGood) this.#later += 1;
    if (endsCommit) this.#isOver = true;
  }

  #refuse(what: string): never {
    throw new DamagedRecord(`Frame ${this.#bad ?? this.#frames} of the log record.sqlite-wal ${what}.`);
  }
}
