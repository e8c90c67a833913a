import { formatMoney } from '../../base/formatMoney.ts';
import { type Card } from '../../rules/card.ts';
import { type Deal, parseDeal } from '../../rules/deal.ts';
import { parse } from '../../base/schema.ts';
import * as s from '../../base/schemas.ts';
import { type Game, versionedGameId, wagerIdsOf, parseWagerIds } from '../../rules/game.ts';
import { totalOf } from '../../rules/hand.ts';
import { hashOf } from '../../base/canonicalJson.ts';
import { type Ratio, formatRatio } from '../../base/ratio.ts';
import { isRefused, quoteForMessage } from '../../base/refusal.ts';
import { type SettledStake, wagerOutcomeOf, settle as settleStake } from '../../rules/settle.ts';
import { parseShoeDecks } from '../../rules/shoe.ts';
import { type GameFinder, chooseGame, createGameFinder } from '../support/chooseGame.ts';
import { parseCardsOption, parseDecksOption, throwIfGivenWithJsonl } from '../support/arguments.ts';
import {
  type CliCommand,
  type OptionValues,
  parseNumber,
  optionText,
  repeatedOptionTexts,
} from '../support/commandLine.ts';
import { type LineHandler, answerJsonLines } from '../support/jsonLines.ts';
import { formatColumns, print } from '../support/print.ts';
import { CliError, unwrap } from '../support/cliError.ts';

export const settleCommand: CliCommand = {
  help: `Usage: punto settle GAME --cards "9S 2C 9H 4D" [--decks N] [--stake WAGER=CENTS ...]
       punto settle --jsonl < rounds.jsonl

  GAME                   a game such as tiger, or one version of it such as tiger@2021-10-28
  --cards "..."          the cards in dealing order: Player, Banker, Player, Banker, then third cards
  --decks N              decks in the shoe, 4 to 10; default 8
  --stake WAGER=CENTS    a stake in cents; may be given for several wagers
  --file FILE            a game from a JSON file instead, as \`punto rules GAME --json\` prints it
  --jsonl                one JSON object per line on standard input, one answer per line on standard output:
                         {"game":"tiger","decks":8,"cards":["9S","2C","9H","4D"]}
                         "decks" may be left out; "wagers" may list the wagers to settle`,
  options: {
    cards: { type: 'string' },
    decks: { type: 'string' },
    stake: { type: 'string', multiple: true },
    file: { type: 'string' },
    jsonl: { type: 'boolean' },
  },
  maxArguments: 1,
  run: (values, [name], pipes) => {
    const file = optionText(values, 'file');
    if (values['jsonl']) {
      throwIfGivenWithJsonl(values, name, ['cards', 'decks', 'stake']);
      return answerJsonLines(pipes, settleHandler(createGameFinder(file)));
    }
    const game = chooseGame(name, file, 'settle');
    const deal = unwrap(
      parseDeal(parseCardsOption(values, 'settle'), unwrap(parseShoeDecks(game.deck, parseDecksOption(values)))),
    );
    const stakes = stakesOption(values);
    unwrap(parseWagerIds(game, [...stakes.keys()]));
    print(pipes.output, ...settlementLines(game, deal, stakes));
    return 0;
  },
};

function stakesOption(values: OptionValues): ReadonlyMap<string, number> {
  const stakes = new Map<string, number>();
  for (const stake of repeatedOptionTexts(values, 'stake')) {
    const [, wager, cents] = /^([^=]+)=(.+)$/.exec(stake) ?? [];
    if (wager === undefined || cents === undefined) {
      throw new CliError(
        2,
        'malformed-argument',
        `The stake ${quoteForMessage(stake)} is not WAGER=CENTS; write it as in --stake banker=1000.`,
      );
    }
    if (stakes.has(wager)) {
      throw new CliError(
        2,
        'malformed-argument',
        `There are two stakes on ${quoteForMessage(wager)}; give their sum as one stake.`,
      );
    }
    stakes.set(wager, parseNumber(cents, `The stake on ${quoteForMessage(wager)}`));
  }
  return stakes;
}

const requestSchema = s.object('a round', {
  game: s.string,
  cards: s.strings,
  decks: s.optional(s.number),
  wagers: s.optional(s.strings),
});

function settleHandler(find: GameFinder): LineHandler {
  const hashes = new WeakMap<Game, string>();
  return (request) => {
    const fields = parse(request, requestSchema);
    if (isRefused(fields)) return fields;
    const game = find(fields.game);
    if (isRefused(game)) return game;
    const ids = parseWagerIds(game, fields.wagers);
    if (isRefused(ids)) return ids;
    const shoe = parseShoeDecks(game.deck, fields.decks);
    if (isRefused(shoe)) return shoe;
    const deal = parseDeal(fields.cards, shoe);
    if (isRefused(deal)) return deal;
    let hash = hashes.get(game);
    if (hash === undefined) hashes.set(game, (hash = hashOf(game)));
    return roundOf(game, hash, deal, ids);
  };
}

const handOf = (cards: readonly Card[]) => ({ cards, total: totalOf(cards) });

const roundOf = (game: Game, hash: string, deal: Deal, ids: readonly string[]) => ({
  game: game.id,
  version: game.version,
  hash,
  cards: deal.cards,
  player: handOf(deal.hands.player),
  banker: handOf(deal.hands.banker),
  winner: deal.facts.winner,
  wagers: Object.fromEntries(
    ids.map((id) => {
      const { result, net, by } = wagerOutcomeOf(game.wagers[id]!, deal.facts);
      return [id, { result, net: formatRatio(net), by }];
    }),
  ),
});

const resultTexts = { player: 'Player wins', banker: 'Banker wins', tie: 'Tie' } as const;

/** Profit per unit staked with its sign: +8, -1, 0, +19/20. */
const netText = (net: Ratio): string => `${net[0] > 0 ? '+' : ''}${formatRatio(net)}`;

/** Formats the settled round as lines. With stakes, only the wagers with a stake are listed, with amounts of money. */
export function settlementLines(game: Game, deal: Deal, stakes: ReadonlyMap<string, number>): readonly string[] {
  const { player, banker } = deal.hands;
  const header = [
    `${game.name} (${versionedGameId(game)})`,
    hashOf(game),
    '',
    `Player  ${player.join(' ').padEnd(8)}  ${totalOf(player)}`,
    `Banker  ${banker.join(' ').padEnd(8)}  ${totalOf(banker)}`,
    `${resultTexts[deal.facts.winner]}.`,
    '',
  ];
  if (stakes.size === 0) {
    const rows = wagerIdsOf(game).map((id) => {
      const { result, net, by } = wagerOutcomeOf(game.wagers[id]!, deal.facts);
      return [id, result, netText(net), by];
    });
    return [...header, ...formatColumns(['wager', 'result', '>per unit', 'clause'], rows)];
  }
  const settled = [...stakes].map(([id, stake]) => [id, unwrap(settleStake(game, id, deal.facts, stake))] as const);
  const amounts = (settledStake: SettledStake): readonly number[] => [
    settledStake.stake,
    settledStake.won + settledStake.commission,
    settledStake.commission,
    settledStake.won,
    settledStake.returned,
  ];
  const sums = settled.reduce(
    (totals, [, settledStake]) => amounts(settledStake).map((part, n) => part + totals[n]!),
    [0, 0, 0, 0, 0],
  );
  if (!sums.every(Number.isSafeInteger)) {
    throw new CliError(1, 'too-large-stake', 'The sum of the stakes is too large to be exact; stake less.');
  }
  const rows = settled.map(([id, settledStake]) => [
    id,
    settledStake.result,
    ...amounts(settledStake).map(formatMoney),
    settledStake.by,
  ]);
  const head = ['wager', 'result', '>stake', '>gross', '>commission', '>won', '>returned', 'clause'];
  return [...header, ...formatColumns(head, [...rows, ['total', '', ...sums.map(formatMoney), '']])];
}
