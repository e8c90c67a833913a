import { existsSync, readFileSync, statSync } from 'node:fs';
import { constants, copyFile, open, rename, rm } from 'node:fs/promises';
import {
  type Handover,
  type AnchorLine,
  type HeadPosition,
  type HeadPositions,
  type Signed,
  goOn,
  lineIn,
} from './checkpointFormat.ts';

/** An anchor that cannot be what was written there. */
export class DamagedAnchor extends Error {}

/** An anchor cannot be read or written where it is to lie. */
export class UnusableAnchor extends Error {}

/** What an anchor knows of a record. */
export type Anchored = {
  readonly last: AnchorLine;
  readonly places: HeadPositions;
  /** How its signer came to sign, where others did before. */
  readonly handovers: readonly Handover[];
};

/** Up to this, in bytes, and up to so many times the line that it began with, an anchor grows before it is begun anew. */
const longest = 1 << 20;
const growth = 4;

const wayOut = 'put back the anchor, or move it away, which asks for two words at the next start';

/**
 * What an anchor says; undefined where there is none. A line that was cut off was never written, and one of an earlier
 * epoch than the line before it came from a program that had been taken over. Where a line names all streams anew, what is
 * bad before it does not matter; none goes back behind those before it.
 */
export function anchorIn(file: string): Anchored | undefined {
  const lines = textIn(file)?.split('\n').slice(0, -1);
  if (lines === undefined) return undefined;
  let [last, bad]: [AnchorLine | undefined, number | undefined] = [undefined, undefined];
  let handovers: readonly Handover[] = [];
  const places = new Map<string, HeadPosition>();
  for (const [place, text] of lines.entries()) {
    const line = lineIn(parted(text));
    if (line && last && line.epoch < last.epoch) continue;
    if (line === undefined || !follows(line, last, places)) {
      bad ??= place + 1;
      continue;
    }
    if (line.whole) {
      bad = undefined;
      handovers = line.handovers ?? [];
    }
    goOn(places, line);
    last = line;
  }
  if (bad !== undefined)
    throw new DamagedAnchor(`Line ${bad} of the anchor ${file} is not as it was written; ${wayOut}.`);
  if (last === undefined) throw new DamagedAnchor(`The anchor ${file} is empty; ${wayOut}.`);
  return { last, places, handovers };
}

function textIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UnusableAnchor(`The anchor ${file} cannot be read (${code}); see to it, or name another.`);
  }
}

/** Whether a line can stand behind what is known by then. */
function follows(
  { whole, epoch, signer, heads }: AnchorLine,
  last: AnchorLine | undefined,
  places: HeadPositions,
): boolean {
  // Whoever begins a later epoch may have gone on with less.
  if (last === undefined || epoch > last.epoch) return whole;
  const goesBack = Object.entries(heads).some(([stream, [end]]) => end < (places.get(stream)?.sequence ?? 0));
  const leavesOut = whole && [...places.keys()].some((stream) => !Object.hasOwn(heads, stream));
  return !goesBack && !leavesOut && (whole || signer === last.signer);
}

function parted(line: string): Signed {
  const space = line.indexOf(' ');
  return { signature: line.slice(0, Math.max(0, space)), text: line.slice(space + 1) };
}

/** Adds a line to an anchor; durable when it is done. Where it fails, part of the line may stand there. */
export const addLine = (file: string, line: Signed): Promise<void> => write(file, 'a', line);

/** What the system says of a file that can be added to, and not replaced. */
const onlyGrows: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/**
 * An anchor that begins with this line, in the place of whatever was there; where that can only be added to, it goes on
 * with this line. Gives its length in bytes.
 */
export async function beginWith(file: string, line: Signed, replace = rename): Promise<number> {
  const part = `${file}.part`;
  try {
    await rm(part, { force: true });
    await write(part, 'wx', line);
    await replace(part, file);
  } catch (error) {
    await rm(part, { force: true });
    if (!onlyGrows.has((error as NodeJS.ErrnoException).code) || !existsSync(file)) throw error;
    await goOnWith(file, line);
  }
  return statSync(file).size;
}

/** Adds a line that names all streams behind whatever is there, be it half a line. */
async function goOnWith(file: string, { text, signature }: Signed): Promise<void> {
  const isHalf = !(textIn(file) ?? '').endsWith('\n');
  await write(file, 'a', { text, signature: `${isHalf ? '\n' : ''}${signature}` });
}

async function write(file: string, flags: 'a' | 'wx', { text, signature }: Signed): Promise<void> {
  const handle = await open(file, flags, 0o600);
  try {
    await handle.writeFile(`${signature} ${text}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Keeps an anchor beside itself before it is begun anew, under a name that nothing else has. */
export async function keepFormer(file: string): Promise<void> {
  if (!existsSync(file)) return;
  let number = 1;
  while (existsSync(`${file}.before-${number}`)) number += 1;
  await copyFile(file, `${file}.before-${number}`, constants.COPYFILE_EXCL);
}

/** Whether an anchor that began with so many bytes is to be begun anew: it has grown long, or somebody took it away. */
export const isDue = (file: string, begun: number): boolean =>
  (statSync(file, { throwIfNoEntry: false })?.size ?? Infinity) > Math.max(longest, growth * begun);

/** The anchors that were kept beside one, the last first. */
export function formersOf(file: string): readonly string[] {
  const found: string[] = [];
  for (let number = 1; existsSync(`${file}.before-${number}`); number++) found.unshift(`${file}.before-${number}`);
  return found;
}
