import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { countText } from '../../base/countText.ts';
import { writeFileAtomic } from '../../store/atomicFile.ts';

/** Error: the data key cannot be used. It is missing, damaged or of another store, or its rotation is unfinished. */
export class UnusableDataKeyError extends Error {}

/**
 * Opens the data key, which encrypts shoes and other blobs, and sets the mode of its file to 0600. The file is created
 * only if `isNew`: with a new key the blobs of an existing store would be lost. While a key rotation is unfinished, the
 * function throws `UnusableDataKeyError`. Only the key rotation itself sets `isInUse` to false, so that it can go on.
 */
export function loadOrCreateDataKey(file: string, isNew: boolean, isInUse = true): Buffer {
  if (existsSync(`${file}.next`) && isInUse) {
    throw new UnusableDataKeyError(
      `A key rotation is unfinished (${file}.next exists). Run \`punto rotate\` again first.`,
    );
  }
  if (!existsSync(file)) {
    if (!isNew)
      throw new UnusableDataKeyError(
        `The key ${file} is missing; put back the key that encrypted the data of this store.`,
      );
    writeFileAtomic(file, randomBytes(32));
  }
  chmodSync(file, 0o600);
  return readDataKey(file);
}

export function readDataKey(file: string): Buffer {
  const key = readFileSync(file);
  if (key.length === 32) return key;
  throw new UnusableDataKeyError(
    `The key ${file} has ${countText(key.length, 'byte')} instead of 32; put back the key that encrypted the data.`,
  );
}
