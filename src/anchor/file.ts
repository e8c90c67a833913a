import { existsSync, readFileSync, statSync } from 'node:fs';
import { addToFile, placeFile } from '../store/placing.ts';
import { type Line, type Places, type Signed, lineIn, placesAfter } from './mark.ts';

/** An anchor that cannot be what was written there. */
export class DamagedAnchor extends Error {}

/** What an anchor knows of a record. */
export type Anchored = {
  readonly last: Line;
  readonly places: Places;
};

/** Beyond this, in bytes, the lines of an anchor are written anew as one. */
const longest = 1 << 20;

/** What an anchor says; undefined where there is none. A line that was cut off was never written. */
export function anchorIn(file: string): Anchored | undefined {
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  let [last, places]: [Line | undefined, Places] = [undefined, new Map()];
  for (const [place, text] of lines.entries()) {
    const line = lineIn(parted(text));
    const fits = line && (last ? line.epoch >= last.epoch && line.signer === last.signer : line.whole);
    if (!fits) {
      throw new DamagedAnchor(`Line ${place + 1} of the anchor ${file} is not as it was written; put back the anchor.`);
    }
    last = line;
    places = placesAfter(places, line);
  }
  if (last === undefined) throw new DamagedAnchor(`The anchor ${file} is empty; put back the anchor.`);
  return { last, places };
}

function parted(line: string): Signed {
  const space = line.indexOf(' ');
  return { signature: line.slice(0, Math.max(0, space)), text: line.slice(space + 1) };
}

const lineOf = ({ text, signature }: Signed): string => `${signature} ${text}\n`;

/** Adds a line to an anchor; durable when it returns. */
export const addLine = (file: string, line: Signed): void => addToFile(file, lineOf(line));

/** An anchor that begins with this line, in the place of whatever was there. */
export const beginWith = (file: string, line: Signed): void => placeFile(file, lineOf(line));

/** Whether an anchor is to be begun anew: it has grown long, or somebody took it away. */
export const isDue = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? Infinity) > longest;
