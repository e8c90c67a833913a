import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { walPath } from './dataFolder.ts';
import { DamagedStoreError } from '../store.ts';

// Check of the write-ahead log (WAL) before SQLite opens it. The WAL is a sequence of frames, one page each, chained
// by checksums. SQLite silently ignores everything from the first bad frame on. But a commit is on disk before the
// next commit begins. So if good frames of a later commit follow a bad frame, the file is damaged, and not merely cut
// off.

const headerSize = 32;
const frameHeaderSize = 24;
/** Offset of `user_version` in the first page. */
const userVersionOffset = 60;

export type WalCheckResult = {
  /** Number of frames of finished commits. */
  readonly committed: number;
  /** Number of frames of an unfinished commit, after a power cut or a kill; SQLite ignores them. */
  readonly torn: number;
  /**
   * Schema version after the last finished commit. Absent when no finished commit contains the first page, which has
   * the version.
   */
  readonly schemaVersion?: number;
};

type Checksum = readonly [number, number];
type Header = {
  readonly pageSize: number;
  readonly salts: Checksum;
  readonly checksum: Checksum;
  readonly isBigEndian: boolean;
};

const emptyWal: WalCheckResult = { committed: 0, torn: 0 };

/**
 * Checks the frames of a WAL; `read` returns its next bytes. Throws `DamagedStoreError` when the header is damaged, or when
 * good frames of a later commit follow a bad frame.
 */
export function checkWalFrames(read: (size: number) => Buffer): WalCheckResult {
  const header = read(headerSize);
  if (header.length < headerSize) return emptyWal;
  const parsed = parseHeader(header);
  if (parsed === undefined) {
    if (!isAllZero(read))
      throw new DamagedStoreError('The header of the write-ahead log record.sqlite-wal is damaged.');
    return emptyWal;
  }
  const frames = new FrameChecker(parsed);
  const size = frameHeaderSize + parsed.pageSize;
  for (let frame = read(size); frame.length > 0; frame = read(size)) frames.check(frame);
  return frames.result();
}

/** Checks the WAL of a database file. Precondition: no process writes to the file. */
export function checkWalFile(database: string): WalCheckResult {
  const file = walPath(database);
  if (!existsSync(file)) return emptyWal;
  const handle = openSync(file, 'r');
  try {
    return checkWalFrames((size) => {
      const bytes = Buffer.alloc(size);
      return bytes.subarray(0, readSync(handle, bytes));
    });
  } finally {
    closeSync(handle);
  }
}

function parseHeader(header: Buffer): Header | undefined {
  const magic = header.readUInt32BE(0);
  const pageSize = header.readUInt32BE(8);
  if (magic >>> 1 !== 0x377f0682 >>> 1 || pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) {
    return undefined;
  }
  const isBigEndian = (magic & 1) === 1;
  const checksum = checksumAt(header, 24);
  if (!isEqual(extendChecksum([0, 0], header.subarray(0, 24), isBigEndian), checksum)) return undefined;
  return { pageSize, salts: checksumAt(header, 16), checksum, isBigEndian };
}

const checksumAt = (bytes: Buffer, offset: number): Checksum => [
  bytes.readUInt32BE(offset),
  bytes.readUInt32BE(offset + 4),
];

const isEqual = (a: Checksum, b: Checksum): boolean => a[0] === b[0] && a[1] === b[1];

/** Extends the cumulative WAL checksum of SQLite by these bytes. */
function extendChecksum([first, second]: Checksum, bytes: Buffer, isBigEndian: boolean): Checksum {
  const word = (offset: number): number => (isBigEndian ? bytes.readUInt32BE(offset) : bytes.readUInt32LE(offset));
  for (let offset = 0; offset < bytes.length; offset += 8) {
    first = (first + word(offset) + second) >>> 0;
    second = (second + word(offset + 4) + first) >>> 0;
  }
  return [first, second];
}

function isAllZero(read: (size: number) => Buffer): boolean {
  for (let chunk = read(65_536); chunk.length > 0; chunk = read(65_536)) {
    if (chunk.some((byte) => byte !== 0)) return false;
  }
  return true;
}

class FrameChecker {
  readonly #header: Header;
  /** Stored checksum of the last checked frame; before the first frame, the checksum of the header. */
  #checksum: Checksum;
  #frames = 0;
  #committed = 0;
  #torn = 0;
  #schemaVersion: number | undefined;
  #nextSchemaVersion: number | undefined;
  #firstBadFrame: number | undefined;
  /** True after the end of the commit that contains the first bad frame. */
  #hasBadCommitEnded = false;
  /** Number of valid frames after the commit that contains the first bad frame. */
  #laterGoodFrames = 0;

  constructor(header: Header) {
    this.#header = header;
    this.#checksum = header.checksum;
  }

  check(frame: Buffer): void {
    const { pageSize, salts, isBigEndian } = this.#header;
    this.#frames += 1;
    // The file may end within a frame.
    if (frame.length < frameHeaderSize + pageSize) {
      if (frame.length >= 16 && isEqual(checksumAt(frame, 8), salts)) this.#torn += 1;
      return;
    }
    // A frame with other salts is left over from an earlier use of the WAL file.
    const hasCurrentSalts = isEqual(checksumAt(frame, 8), salts);
    const stored = checksumAt(frame, 16);
    const checksum = extendChecksum(
      extendChecksum(this.#checksum, frame.subarray(0, 8), isBigEndian),
      frame.subarray(frameHeaderSize),
      isBigEndian,
    );
    const isValid = isEqual(checksum, stored) && frame.readUInt32BE(0) !== 0;
    if (this.#firstBadFrame === undefined && isValid && !hasCurrentSalts)
      throw new DamagedStoreError(`${this.#badFrameText} belongs to an earlier use of the log.`);
    const endsCommit = frame.readUInt32BE(4) !== 0;
    if (this.#firstBadFrame === undefined && isValid) this.#acceptFrame(frame, endsCommit);
    else this.#skipFrame(hasCurrentSalts, isValid, endsCommit);
    this.#checksum = stored;
  }

  result(): WalCheckResult {
    if (this.#laterGoodFrames > 0) {
      throw new DamagedStoreError(
        `${this.#badFrameText} has a wrong checksum, and ${this.#laterGoodFrames} good frames of later commits follow it.`,
      );
    }
    return {
      committed: this.#committed,
      torn: this.#torn,
      ...(this.#schemaVersion !== undefined && { schemaVersion: this.#schemaVersion }),
    };
  }

  #acceptFrame(frame: Buffer, endsCommit: boolean): void {
    if (frame.readUInt32BE(0) === 1) this.#nextSchemaVersion = frame.readUInt32BE(frameHeaderSize + userVersionOffset);
    this.#torn += 1;
    if (!endsCommit) return;
    this.#committed = this.#frames;
    this.#torn = 0;
    this.#schemaVersion = this.#nextSchemaVersion;
  }

  /**
   * Counts the first bad frame and all frames after it, except frames of an earlier use of the file, whose salts
   * differ. `isValid` means that the checksum of the frame continues the checksum of the frame before.
   */
  #skipFrame(hasCurrentSalts: boolean, isValid: boolean, endsCommit: boolean): void {
    this.#firstBadFrame ??= this.#frames;
    if (!hasCurrentSalts) return;
    this.#torn += 1;
    if (this.#hasBadCommitEnded && isValid) this.#laterGoodFrames += 1;
    if (endsCommit) this.#hasBadCommitEnded = true;
  }

  get #badFrameText(): string {
    return `Frame ${this.#firstBadFrame ?? this.#frames} of the write-ahead log record.sqlite-wal`;
  }
}
