import { existsSync, renameSync } from 'node:fs';
import { previousAnchorPaths } from '../../checkpoint/anchorFile.ts';

/**
 * Renames the data folder of an older demo, with its keys and its anchors. Returns the new path of the folder. The
 * folder is renamed last. So if this is interrupted, the next start finds the folder again and continues with the same
 * new name.
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
