import { cardsOfDeck } from '../../rules/card.ts';
import { factNames, factValues } from '../../rules/facts.ts';
import { countText } from '../../base/countText.ts';
import { type Game, versionedGameId, chipStepOf } from '../../rules/game.ts';
import { hashOf } from '../../base/canonicalJson.ts';
import { chooseGame } from '../support/chooseGame.ts';
import { type CliCommand, optionText } from '../support/commandLine.ts';
import { formatColumns, print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';
import { factMeanings, payTableRows } from '../../rules/payTableText.ts';

export const rulesCommand: CliCommand = {
  help: `Usage: punto rules GAME [--json]
       punto rules --file game.json [--json]
       punto rules --facts [--json]

  GAME          a game such as tiger, or one version of it such as tiger@2021-10-28
  --file FILE   a game from a JSON file instead; the file is checked
  --facts       list the facts that pay lines may use, and their values
  --json        print JSON instead of a table; for a game, in the format that --file reads`,
  options: { json: { type: 'boolean' }, facts: { type: 'boolean' }, file: { type: 'string' } },
  maxArguments: 1,
  run: (values, [name], { output }) => {
    const file = optionText(values, 'file');
    if (values['facts']) {
      if (name !== undefined || file !== undefined) {
        throw new CliError(
          2,
          'unexpected-argument',
          'The facts are the same for every game; leave the game out with --facts.',
        );
      }
      print(output, ...(values['json'] ? [JSON.stringify(factValues, null, 2)] : factTable()));
      return 0;
    }
    const game = chooseGame(name, file, 'rules');
    print(output, ...(values['json'] ? [JSON.stringify(game, null, 2)] : payTableLines(game)));
    return 0;
  },
};

const factTable = (): readonly string[] =>
  formatColumns(
    ['fact', 'values', 'meaning'],
    factNames.map((name) => [name, factValues[name].join(' '), factMeanings[name]]),
  );

export function payTableLines(game: Game): readonly string[] {
  const rows = Object.entries(game.wagers).flatMap(([id, wager]) =>
    payTableRows(wager).map((row, index) => [index === 0 ? `${id}${wager.optional ? ' *' : ''}` : '', ...row]),
  );
  const optional = Object.values(game.wagers).some((wager) => wager.optional);
  return [
    `${game.name} (${versionedGameId(game)}), book ${game.book}, in force from ${game.effective.replace('T', ' ')}`,
    `4 to 10 decks of ${cardsOfDeck(game.deck).length} cards; stakes in steps of ${countText(chipStepOf(game), 'cent')}; ${hashOf(game)}`,
    '',
    ...formatColumns(['wager', 'when', 'pays', 'clause'], rows),
    ...(optional ? ['', '* A table need not offer this wager.'] : []),
  ];
}
