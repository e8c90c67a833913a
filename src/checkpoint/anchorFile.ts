import { existsSync, readFileSync, statSync } from 'node:fs';
import { constants, copyFile, open, rename, rm } from 'node:fs/promises';
import {
  type SignerHandover,
  type AnchorLine,
  type HeadPosition,
  type HeadPositions,
  type SignedText,
  applyHeads,
  parseSignedAnchorLine,
} from './checkpointFormat.ts';

/** The anchor file differs from what was written. */
export class DamagedAnchor extends Error {}

/** The anchor file cannot be read or written. */
export class UnusableAnchor extends Error {}

/** Contents of an anchor file: signed heads that the store must reach. */
export type AnchorState = {
  readonly last: AnchorLine;
  readonly heads: HeadPositions;
  /** Handovers by which its signer came to sign. */
  readonly handovers: readonly SignerHandover[];
};

/** The anchor is rewritten once it exceeds this size and `maxGrowth` times its first line. */
const minRotationBytes = 1 << 20;
const maxGrowth = 4;

const remedy = 'put back the anchor, or move it away, which asks for two words at the next start';

/**
 * Undefined when there is no anchor. A last line without newline was never written completely. A line of an earlier epoch
 * than the one before it came from a fenced process; both are ignored. A line with all heads (`whole`) makes bad lines
 * before it irrelevant. No line may go back behind earlier ones.
 */
export function readAnchor(file: string): AnchorState | undefined {
  const lines = readText(file)?.split('\n').slice(0, -1);
  if (lines === undefined) return undefined;
  let last: AnchorLine | undefined;
  let badLine: number | undefined;
  let handovers: readonly SignerHandover[] = [];
  const heads = new Map<string, HeadPosition>();
  for (const [index, text] of lines.entries()) {
    const line = parseSignedAnchorLine(splitLine(text));
    if (line && last && line.epoch < last.epoch) continue;
    if (line === undefined || !isValidSuccessor(line, last, heads)) {
      badLine ??= index + 1;
      continue;
    }
    if (line.whole) {
      badLine = undefined;
      handovers = line.handovers ?? [];
    }
    applyHeads(heads, line);
    last = line;
  }
  if (badLine !== undefined)
    throw new DamagedAnchor(`Line ${badLine} of the anchor ${file} is not as it was written; ${remedy}.`);
  if (last === undefined) throw new DamagedAnchor(`The anchor ${file} is empty; ${remedy}.`);
  return { last, heads, handovers };
}

function readText(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UnusableAnchor(`The anchor ${file} cannot be read (${code}); see to it, or name another.`);
  }
}

function isValidSuccessor(
  { whole, epoch, signer, heads }: AnchorLine,
  last: AnchorLine | undefined,
  anchoredHeads: HeadPositions,
): boolean {
  // A later epoch may have gone on with fewer entries, confirmed by the operator.
  if (last === undefined || epoch > last.epoch) return whole;
  const goesBack = Object.entries(heads).some(([stream, [end]]) => end < (anchoredHeads.get(stream)?.sequence ?? 0));
  const leavesOut = whole && [...anchoredHeads.keys()].some((stream) => !Object.hasOwn(heads, stream));
  return !goesBack && !leavesOut && (whole || signer === last.signer);
}

function splitLine(line: string): SignedText {
  const space = line.indexOf(' ');
  return { signature: line.slice(0, Math.max(0, space)), text: line.slice(space + 1) };
}

/** Durable when it resolves. After a failure a part of the line may have been written. */
export const appendAnchorLine = (file: string, line: SignedText): Promise<void> => write(file, 'a', line);

/** Errors for a file that can be appended to, but not replaced. */
const appendOnlyErrors: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/**
 * Replaces the anchor by this line; a file that can only be appended to goes on with it. Returns the size of the file in
 * bytes.
 */
export async function replaceAnchor(file: string, line: SignedText, replace = rename): Promise<number> {
  const temporary = `${file}.part`;
  try {
    await rm(temporary, { force: true });
    await write(temporary, 'wx', line);
    await replace(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    if (!appendOnlyErrors.has((error as NodeJS.ErrnoException).code) || !existsSync(file)) throw error;
    await appendWholeLine(file, line);
  }
  return statSync(file).size;
}

/** The line names all heads, so it may follow an incomplete line. */
async function appendWholeLine(file: string, { text, signature }: SignedText): Promise<void> {
  const isCutOff = !(readText(file) ?? '').endsWith('\n');
  await write(file, 'a', { text, signature: `${isCutOff ? '\n' : ''}${signature}` });
}

async function write(file: string, flags: 'a' | 'wx', { text, signature }: SignedText): Promise<void> {
  const handle = await open(file, flags, 0o600);
  try {
    await handle.writeFile(`${signature} ${text}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Copies the anchor to the next free name `….before-N` before it is rewritten. */
export async function keepPreviousAnchor(file: string): Promise<void> {
  if (!existsSync(file)) return;
  let number = 1;
  while (existsSync(`${file}.before-${number}`)) number += 1;
  await copyFile(file, `${file}.before-${number}`, constants.COPYFILE_EXCL);
}

/** True when the anchor has grown too large, or is missing. */
export const isAnchorRewriteDue = (file: string, initialBytes: number): boolean =>
  (statSync(file, { throwIfNoEntry: false })?.size ?? Infinity) > Math.max(minRotationBytes, maxGrowth * initialBytes);

/** Newest first. */
export function previousAnchorPaths(file: string): readonly string[] {
  const found: string[] = [];
  for (let number = 1; existsSync(`${file}.before-${number}`); number++) found.unshift(`${file}.before-${number}`);
  return found;
}
