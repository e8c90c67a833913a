import { existsSync, renameSync } from 'node:fs';
import { previousAnchorPaths } from '../../checkpoint/anchorFile.ts';

/**
 * Renames the data folder of an older demo, with its keys and anchors, and returns the new path. The folder is renamed
 * last, so that a start after an interruption finds it and completes the renaming with the same name.
 */
export function renameOlderDemo(data: string): string {
  const anchor = `${data}.anchor`;
  let number = 1;
  while (existsSync(`${data}-older-${number}`)) number += 1;
  const target = `${data}-older-${number}`;
  for (const path of [`${data}.key`, `${data}.signer`, ...previousAnchorPaths(anchor), anchor, data]) {
    if (existsSync(path))
      renameSync(
        path,
        path.replace(data, () => target),
      );
  }
  return target;
}
