import { type DecidedWagers, decidedWagers as certainAfter } from '../../rules/decidedWagers.ts';
import { parseDealtCards } from '../../rules/deal.ts';
import { parse } from '../../base/schema.ts';
import * as s from '../../base/schemas.ts';
import { type Game, parseWagerIds } from '../../rules/game.ts';
import { type Refusal, isRefused } from '../../base/refusal.ts';
import { parseShoeDecks } from '../../rules/shoe.ts';
import { parseCardsOption, parseDecksOption, throwIfGivenWithJsonl } from '../support/arguments.ts';
import { type GameFinder, chooseGame, createGameFinder } from '../support/chooseGame.ts';
import { type CliCommand, optionText, repeatedOptionTexts } from '../support/commandLine.ts';
import { type LineHandler, answerJsonLines } from '../support/jsonLines.ts';
import { print } from '../support/print.ts';
import { unwrap } from '../support/cliError.ts';

export const certainWagersCommand: CliCommand = {
  help: `Usage: punto certain GAME --cards "9S 2C 9H" [--decks N] [--wager WAGER ...]
       punto certain --jsonl < prefixes.jsonl

  GAME            a game such as tiger, or one version of it such as tiger@2021-10-28
  --cards "..."   the cards dealt so far, in dealing order, none to six
  --decks N       decks in the shoe, 4 to 10; default 8
  --wager WAGER   a wager that the table offers; may be given several times; default all
  --file FILE     a game from a JSON file instead, as \`punto rules GAME --json\` prints it
  --jsonl         one JSON object per line on standard input, one answer per line on standard output:
                  {"game":"tiger","wagers":["tie","tiger"],"cards":["9S","2C","9H"]}
                  "wagers" and "decks" may be left out`,
  options: {
    cards: { type: 'string' },
    decks: { type: 'string' },
    wager: { type: 'string', multiple: true },
    file: { type: 'string' },
    jsonl: { type: 'boolean' },
  },
  maxArguments: 1,
  run: (values, [name], pipes) => {
    const file = optionText(values, 'file');
    if (values['jsonl']) {
      throwIfGivenWithJsonl(values, name, ['cards', 'decks', 'wager']);
      return answerJsonLines(pipes, certainHandler(createGameFinder(file)));
    }
    const game = chooseGame(name, file, 'certain');
    const wagers = values['wager'] === undefined ? undefined : repeatedOptionTexts(values, 'wager');
    const { established, won, lost } = unwrap(
      certaintyOf(game, wagers, parseCardsOption(values, 'certain'), parseDecksOption(values)),
    );
    print(
      pipes.output,
      established
        ? 'An outcome is established: after an interruption the round continues.'
        : 'No outcome is established: after an interruption the round is void.',
      `won   ${won.join(' ') || '-'}`,
      `lost  ${lost.join(' ') || '-'}`,
    );
    return 0;
  },
};

const requestSchema = s.object('a request', {
  game: s.string,
  wagers: s.optional(s.strings),
  cards: s.strings,
  decks: s.optional(s.number),
});

function certainHandler(find: GameFinder): LineHandler {
  return (request) => {
    const fields = parse(request, requestSchema);
    if (isRefused(fields)) return fields;
    const game = find(fields.game);
    if (isRefused(game)) return game;
    return certaintyOf(game, fields.wagers, fields.cards, fields.decks);
  };
}

function certaintyOf(
  game: Game,
  offered: readonly string[] | undefined,
  cardTexts: readonly string[],
  decks: unknown,
): DecidedWagers | Refusal {
  const wagers = parseWagerIds(game, offered);
  if (isRefused(wagers)) return wagers;
  const shoe = parseShoeDecks(game.deck, decks);
  if (isRefused(shoe)) return shoe;
  const cards = parseDealtCards(cardTexts, shoe);
  if (isRefused(cards)) return cards;
  return certainAfter(game, wagers, cards);
}
