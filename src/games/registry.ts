import { type Game, versionedGameId } from '../rules/game.ts';
import { type Refusal, quoteForMessage, refuse } from '../base/refusal.ts';
import { baccarat } from './baccarat.ts';
import { fortuneSix, noCommissionBaccarat, super6, superSix, tiger, tigerNoCommission } from './electronic.ts';
import { fabulous4 } from './fabulous4.ts';
import { sandsElements } from './sandsElements.ts';
import { sandsSuper } from './sandsSuper.ts';

/** All games in display order. Several versions of one game id may coexist. */
export const games: readonly Game[] = [
  baccarat,
  sandsSuper,
  sandsElements,
  fabulous4,
  superSix,
  fortuneSix,
  super6,
  noCommissionBaccarat,
  tiger,
  tigerNoCommission,
];

/**
 * True when the game is in force at the time `at`. `at` is in property time, such as 2026-11-15T20:00:00. [READING 47,
 * FAB title]
 */
export const isInForce = ({ effective }: Game, at: string): boolean => at >= effective;

/**
 * True for a date, alone or followed by T and a time; the time is not checked. A date alone means the start of that
 * day.
 */
const isTime = (at: unknown): boolean => typeof at === 'string' && /^\d{4}-\d\d-\d\d(T|$)/.test(at);

/**
 * Finds a game. `tiger@2021-10-28` finds that version, in force or not. `tiger` finds the newest version of that game
 * in force at the time `at`.
 */
export function findGame(name: unknown, at: string, among: readonly Game[] = games): Game | Refusal {
  const exact = among.find((game) => versionedGameId(game) === name);
  if (exact) return exact;
  const versions = among.filter(({ id }) => id === name);
  if (versions.length === 0) {
    const id = typeof name === 'string' ? name.split('@')[0] : undefined;
    const versionsOfId = among.filter((game) => game.id === id).map(versionedGameId);
    const names = versionsOfId.length > 0 ? versionsOfId : [...new Set(among.map((game) => game.id))];
    return refuse('unknown-game', `There is no game ${quoteForMessage(name)}; choose one of ${names.join(', ')}.`);
  }
  if (!isTime(at)) {
    return refuse(
      'game-not-in-force',
      `${quoteForMessage(at)} is not a time; write it as 2026-11-15T20:00:00, or name a version.`,
    );
  }
  const newest = versions
    .filter((game) => isInForce(game, at))
    .reduce<Game | undefined>((best, game) => (best && best.effective > game.effective ? best : game), undefined);
  return (
    newest ??
    refuse(
      'game-not-in-force',
      `No version of ${versions[0]!.id} is in force at ${at}; name one, such as ${versionedGameId(versions[0]!)}.`,
    )
  );
}
