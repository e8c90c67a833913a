import { existsSync, readFileSync, statSync } from 'node:fs';
import { constants, copyFile, open, rename, rm } from 'node:fs/promises';
import { type Line, type Places, type Signed, lineIn, placesAfter } from './mark.ts';

/** An anchor that cannot be what was written there. */
export class DamagedAnchor extends Error {}

/** An anchor cannot be written where it is to lie. */
export class UnusableAnchor extends Error {}

/** What an anchor knows of a record. */
export type Anchored = {
  readonly last: Line;
  readonly places: Places;
};

/** Up to this, in bytes, and up to so many times the line that it began with, an anchor grows before it is begun anew. */
const longest = 1 << 20;
const growth = 4;

const wayOut = 'put back the anchor, or move it away, which asks for two words at the next start';

/**
 * What an anchor says; undefined where there is none. A line that was cut off was never written, and one of an earlier
 * epoch than the line before it came from a program that had been taken over.
 */
export function anchorIn(file: string): Anchored | undefined {
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  let [last, places]: [Line | undefined, Places] = [undefined, new Map()];
  for (const [place, text] of lines.entries()) {
    const line = lineIn(parted(text));
    const fits = line && (last ? line.signer === last.signer : line.whole);
    if (!fits) throw new DamagedAnchor(`Line ${place + 1} of the anchor ${file} is not as it was written; ${wayOut}.`);
    if (last && line.epoch < last.epoch) continue;
    last = line;
    places = placesAfter(places, line);
  }
  if (last === undefined) throw new DamagedAnchor(`The anchor ${file} is empty; ${wayOut}.`);
  return { last, places };
}

function parted(line: string): Signed {
  const space = line.indexOf(' ');
  return { signature: line.slice(0, Math.max(0, space)), text: line.slice(space + 1) };
}

/** Adds a line to an anchor; durable when it is done. Where it fails, part of the line may stand there. */
export const addLine = (file: string, line: Signed): Promise<void> => write(file, 'a', line);

/** An anchor that begins with this line, in the place of whatever was there; gives its length in bytes. */
export async function beginWith(file: string, line: Signed): Promise<number> {
  const part = `${file}.part`;
  await rm(part, { force: true });
  await write(part, 'wx', line);
  await rename(part, file);
  return statSync(file).size;
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
