import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { quoted } from '../../base/refusal.ts';
import { type Values, optionText } from './command.ts';
import { CliError } from './cliError.ts';

/** A folder with all above it, one by one: what cannot be made is said at once. */
export function makeFolder(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** Does what writes files; what cannot be written ends the command. */
export function withWriteErrors<Gives>(work: () => Gives): Gives {
  try {
    return work();
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    throw new CliError(1, 'unwritable-output', `${quoted(path)} cannot be written (${code}); choose another folder.`);
  }
}

/** The folder that --out names, made if it is not there. One that holds something is left alone. */
export function emptyOutputFolder(values: Values, command: string): string {
  const out = optionText(values, 'out');
  if (out === undefined) {
    throw new CliError(2, 'missing-argument', `Name a folder to write into: \`punto ${command} --out DIR\`.`);
  }
  const folder = resolve(out);
  withWriteErrors(() => makeFolder(folder));
  if (withWriteErrors(() => readdirSync(folder)).length > 0) {
    throw new CliError(1, 'folder-not-empty', `${quoted(folder)} is not empty; choose a folder that is new or empty.`);
  }
  return folder;
}
