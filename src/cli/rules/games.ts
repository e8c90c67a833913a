import { games as allGames } from '../../games/registry.ts';
import { cardsOfDeck } from '../../rules/card.ts';
import { type Game, chipStepOf, wagerIdsOf } from '../../rules/game.ts';
import { hashOf } from '../../base/canonicalJson.ts';
import { type CliCommand } from '../support/commandLine.ts';
import { formatColumns, print } from '../support/print.ts';

const summaryOf = (game: Game) => ({
  id: game.id,
  version: game.version,
  name: game.name,
  book: game.book,
  effective: game.effective,
  deck: game.deck,
  deckCards: cardsOfDeck(game.deck).length,
  stepCents: chipStepOf(game),
  wagers: wagerIdsOf(game),
  hash: hashOf(game),
});

export const gamesCommand: CliCommand = {
  help: `Usage: punto games [--json]

  --json   print a JSON array instead of a table`,
  options: { json: { type: 'boolean' } },
  maxArguments: 0,
  run: ({ json }, _, { output }) => {
    const list = allGames.map(summaryOf);
    if (json) print(output, JSON.stringify(list, null, 2));
    else print(output, ...gameListLines());
    return 0;
  },
};

export const gameListLines = (): readonly string[] =>
  formatColumns(
    ['game', 'version', 'in force from', 'book', '>cards', '>wagers', 'name'],
    allGames.map((game) => [
      game.id,
      game.version,
      game.effective.replace('T', ' '),
      game.book,
      String(cardsOfDeck(game.deck).length),
      String(wagerIdsOf(game).length),
      game.name,
    ]),
  );
