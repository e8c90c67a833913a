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

/** Error: the anchor file is empty, was changed, or does not belong to this store. */
export class DamagedAnchorError extends Error {}

/** Error: the anchor file cannot be read or written. */
export class UnusableAnchorError extends Error {}

/** Contents of an anchor file. The store must contain every entry that `heads` lists. */
export type AnchorState = {
  readonly last: AnchorLine;
  readonly heads: HeadPositions;
  /**
   * Handovers by which the signing key changed, one after another, from the first signer of the store to the signer of
   * the anchor.
   */
  readonly handovers: readonly SignerHandover[];
};

/** The anchor file is rewritten when it exceeds both this size and `maxGrowth` times its size after the last rewrite. */
const minRotationBytes = 1 << 20;
const maxGrowth = 4;

const remedy = 'restore the anchor, or move it away, start again and confirm with the phrase that the start prints';

/**
 * Reads an anchor file; undefined when the file is missing. Ignores a last line without newline: its write was
 * interrupted. Ignores a line with an earlier epoch than the line before it: a fenced process wrote the line. Ignores
 * any bad line before a line with all heads (`whole`). Throws `DamagedAnchorError` for every other bad line, for
 * example if a head has a lower sequence than in an earlier line of the same epoch.
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
    throw new DamagedAnchorError(`Line ${badLine} of the anchor ${file} was changed or damaged; ${remedy}.`);
  if (last === undefined) throw new DamagedAnchorError(`The anchor ${file} is empty; ${remedy}.`);
  return { last, heads, handovers };
}

function readText(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UnusableAnchorError(`The anchor ${file} cannot be read (${code}); check it, or name another file.`);
  }
}

function isValidSuccessor(
  { whole, epoch, signer, heads }: AnchorLine,
  last: AnchorLine | undefined,
  anchoredHeads: HeadPositions,
): boolean {
  // The first line of an epoch lists all heads. A head may be lower than in the previous epoch, because an operator may
  // have confirmed a start without the lost entries.
  if (last === undefined || epoch > last.epoch) return whole;
  const goesBack = Object.entries(heads).some(([stream, [end]]) => end < (anchoredHeads.get(stream)?.sequence ?? 0));
  const leavesOut = whole && [...anchoredHeads.keys()].some((stream) => !Object.hasOwn(heads, stream));
  return !goesBack && !leavesOut && (whole || signer === last.signer);
}

function splitLine(line: string): SignedText {
  const space = line.indexOf(' ');
  return { signature: line.slice(0, Math.max(0, space)), text: line.slice(space + 1) };
}

/**
 * Appends a line. When the promise resolves, the line is durable. When the promise rejects, the file may contain a part
 * of the line.
 */
export const appendAnchorLine = (file: string, line: SignedText): Promise<void> => write(file, 'a', line);

/** Error codes of a failed replacement of the file; appending to the file may still succeed. */
const appendOnlyErrors: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/**
 * Replaces the contents of the anchor file by this line with all heads. If the file cannot be replaced, appends the
 * line. Returns the size of the file in bytes.
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

/** Appends a line with all heads. If the file ends with an incomplete line, begins a new line first. */
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

/** Copies the anchor file to the next free name `….before-N`, so that a rewrite does not lose it. */
export async function copyAnchorBeforeRewrite(file: string): Promise<void> {
  if (!existsSync(file)) return;
  let number = 1;
  while (existsSync(`${file}.before-${number}`)) number += 1;
  await copyFile(file, `${file}.before-${number}`, constants.COPYFILE_EXCL);
}

/** True when the anchor file is missing or too large. `initialBytes`: size of the file after its last rewrite. */
export const isAnchorRewriteDue = (file: string, initialBytes: number): boolean =>
  (statSync(file, { throwIfNoEntry: false })?.size ?? Infinity) > Math.max(minRotationBytes, maxGrowth * initialBytes);

/** Paths of the kept copies of an anchor file, newest first. */
export function previousAnchorPaths(file: string): readonly string[] {
  const found: string[] = [];
  for (let number = 1; existsSync(`${file}.before-${number}`); number++) found.unshift(`${file}.before-${number}`);
  return found;
}
