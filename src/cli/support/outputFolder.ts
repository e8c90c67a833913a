import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { quoteForMessage } from '../../base/refusal.ts';
import { type OptionValues, optionText } from './commandLine.ts';
import { CliError } from './cliError.ts';

/**
 * Creates a folder and the parents that it lacks. They are created one by one, so that an error names the folder that
 * could not be created.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** Runs `work`. File-system errors of `work` are thrown as `CliError`. */
export function withWriteErrorsAsCliError<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    throw new CliError(
      1,
      'unwritable-output',
      `${quoteForMessage(path)} cannot be written (${code}); choose another folder.`,
    );
  }
}

/**
 * Gives the path of the folder in --out, and creates the folder if it does not exist. Throws if the folder exists and
 * is not empty.
 */
export function createEmptyOutputFolder(values: OptionValues, command: string): string {
  const out = optionText(values, 'out');
  if (out === undefined) {
    throw new CliError(2, 'missing-argument', `Give a folder to write into: \`punto ${command} --out DIR\`.`);
  }
  const folder = resolve(out);
  withWriteErrorsAsCliError(() => makeFolder(folder));
  if (withWriteErrorsAsCliError(() => readdirSync(folder)).length > 0) {
    throw new CliError(
      1,
      'folder-not-empty',
      `${quoteForMessage(folder)} is not empty; choose a folder that is new or empty.`,
    );
  }
  return folder;
}
