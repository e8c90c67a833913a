import { readFileSync } from 'node:fs';
import { parseGame } from '../../games/parseGame.ts';
import { findGame } from '../../games/registry.ts';
import { type Game, versionedGameId } from '../../rules/game.ts';
import { type Refusal, quoteForMessage, refuse } from '../../base/refusal.ts';
import { CliError, unwrap } from './cliError.ts';

/** Finds a game by a name such as tiger or tiger@2021-10-28. */
export type GameFinder = (name: string) => Game | Refusal;

/**
 * Makes a game finder. With a file, the finder finds only the game in the file. Without a file, it finds the built-in
 * games; an id without version means the version in force now.
 */
export function createGameFinder(file: string | undefined): GameFinder {
  if (file === undefined) {
    const now = localTime(new Date());
    return (name) => findGame(name, now);
  }
  const game = readGame(file);
  return (name) =>
    name === game.id || name === versionedGameId(game)
      ? game
      : refuse(
          'unknown-game',
          `The file contains ${versionedGameId(game)}, not ${quoteForMessage(name)}; name that game, or leave the name out.`,
        );
}

/** Gives the game that the command line names. Without a name, gives the game in the file. */
export function chooseGame(name: string | undefined, file: string | undefined, command: string): Game {
  if (name !== undefined) return unwrap(createGameFinder(file)(name));
  if (file !== undefined) return readGame(file);
  throw new CliError(
    2,
    'missing-argument',
    `Name a game, as in \`punto ${command} tiger\`; \`punto games\` lists them.`,
  );
}

const readGame = (file: string): Game => unwrap(parseGame(readJsonFile(file)));

export function readJsonFile(file: string): unknown {
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(
      1,
      'unreadable-file',
      `The file ${quoteForMessage(file)} cannot be read (${code}); check its name and permissions.`,
    );
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = (error as Error).message.replaceAll(/\s+/g, ' ');
    throw new CliError(1, 'not-json', `The file ${quoteForMessage(file)} is not JSON in UTF-8 (${reason}); fix it.`);
  }
}

/** Local time of this machine in the format of `Game.effective`: 2026-11-15T20:00:00. */
function localTime(at: Date): string {
  const twoDigits = (n: number): string => String(n).padStart(2, '0');
  const day = `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
  return `${day}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}:${twoDigits(at.getSeconds())}`;
}
