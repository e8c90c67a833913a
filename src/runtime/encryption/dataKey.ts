import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { countText } from '../../base/countText.ts';
import { writeFileAtomic } from '../../store/atomicFile.ts';

/** The data key is not the one that encrypted the blobs of the store. */
export class WrongKey extends Error {}

/**
 * Opens the data key, which encrypts shoes and other blobs at rest. The file is outside the data folder, with mode
 * 0600. It is created for a new store only: with another key the blobs of an existing store would be lost.
 */
export function openDataKey(file: string, isNew: boolean, isInUse = true): Buffer {
  if (existsSync(`${file}.next`) && isInUse) {
    throw new WrongKey(`The keys were being changed, as ${file}.next tells; run \`punto rotate\` again first.`);
  }
  if (!existsSync(file)) {
    if (!isNew) throw new WrongKey(`The key ${file} is missing; put back the key that sealed the shoes of the record.`);
    writeFileAtomic(file, randomBytes(32));
  }
  // Restores mode 0600 whatever happened to the file.
  chmodSync(file, 0o600);
  return readDataKey(file);
}

/** Reads the data key without changing its file. */
export function readDataKey(file: string): Buffer {
  const key = readFileSync(file);
  if (key.length === 32) return key;
  throw new WrongKey(
    `The key ${file} has ${countText(key.length, 'byte')}; put back the key of 32 bytes that sealed the shoes.`,
  );
}
