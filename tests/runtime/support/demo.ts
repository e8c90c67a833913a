import { games } from '../../../src/games/registry.ts';
import { versionedGameId, wagerIdsOf } from '../../../src/rules/game.ts';
import { type Pace } from '../../../src/runtime/tables/pacing.ts';

/** A floor for tests, like the demo: one virtual table without staff for each game, called by the game's id. */
export const demoOwner = { property: 'demo', currency: 'XTS' } as const;

export const demoPace: Pace = { betweenRounds: 3_000, betweenCards: 1_200 };

const profile = { name: 'demo', version: '1', approved: games.map(versionedGameId), timeZone: 'UTC', dayStartHour: 6 };

/** Credit that a terminal of the demo floor begins with: 1,000.00. */
export const demoCredit = 100_000;

export const demoSettings = games.map((game) => ({
  ...demoOwner,
  table: game.id,
  profile,
  game: versionedGameId(game),
  limits: Object.fromEntries(
    wagerIdsOf(game).map((wager) => [wager, [100, wager === 'player' || wager === 'banker' ? 50_000 : 10_000]]),
  ),
  bettingTime: 15_000,
  grace: 500,
  pause: 2_000,
  dealing: 'virtual',
  attended: false,
}));
