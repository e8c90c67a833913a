import { readFileSync } from 'node:fs';
import { parseGame } from '../../games/parseGame.ts';
import { findGame } from '../../games/registry.ts';
import { type Game, fullNameOf } from '../../rules/game.ts';
import { type Refusal, quoted, refuse } from '../../base/refusal.ts';
import { CliError, unwrap } from './cliError.ts';

/** Finds a game by the name that a person or a line gives. */
export type GameFinder = (name: string) => Game | Refusal;

/** With a file its game is the only one; without, the ten games at the time of this machine. */
export function gameFinder(file: string | undefined): GameFinder {
  if (file === undefined) {
    const now = wallClock(new Date());
    return (name) => findGame(name, now);
  }
  const game = readGame(file);
  return (name) =>
    name === game.id || name === fullNameOf(game)
      ? game
      : refuse('unknown-game', `The file holds ${fullNameOf(game)}, not ${quoted(name)}; name that game or none.`);
}

/** The game that a command is about: the one it names, or the one in its file. */
export function chooseGame(name: string | undefined, file: string | undefined, command: string): Game {
  if (name !== undefined) return unwrap(gameFinder(file)(name));
  if (file !== undefined) return readGame(file);
  throw new CliError(
    2,
    'missing-argument',
    `Name a game, as in \`punto ${command} tiger\`; \`punto games\` lists them.`,
  );
}

const readGame = (file: string): Game => unwrap(parseGame(readJson(file)));

/** What a file of JSON holds. */
export function readJson(file: string): unknown {
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(
      1,
      'unreadable-file',
      `The file ${quoted(file)} cannot be read (${code}); check its name and rights.`,
    );
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = (error as Error).message.replaceAll(/\s+/g, ' ');
    throw new CliError(1, 'not-json', `The file ${quoted(file)} is not JSON in UTF-8 (${reason}); fix it.`);
  }
}

/** Property time as games write it, taking this machine to stand at the property: 2026-11-15T20:00:00. */
function wallClock(at: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
