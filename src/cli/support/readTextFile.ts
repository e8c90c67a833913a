import { readFileSync } from 'node:fs';
import { CliError } from './cliError.ts';

/**
 * Reads a text file that the user named. `what` is the kind of file for the error, such as `key`. Throws a `CliError`
 * if the file cannot be read.
 */
export function readTextFile(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = `The ${what} file ${JSON.stringify(file)} cannot be read (${code}); check its name and permissions.`;
    throw new CliError(1, 'unreadable-file', message);
  }
}
