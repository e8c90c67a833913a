import { tiger } from '../../games/electronic.ts';
import { parseDeal } from '../../rules/deal.ts';
import { parseShoeDecks } from '../../rules/shoe.ts';
import { type CliCommand } from '../support/commandLine.ts';
import { gameListLines } from '../rules/games.ts';
import { print } from '../support/print.ts';
import { payTableLines } from '../rules/rules.ts';
import { settlementLines } from '../rules/settle.ts';
import { unwrap } from '../support/cliError.ts';

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => (line ? `  ${line}` : ''));

const cards = ['6S', 'TD', '5D', '6C', '9H'];
const stakes = { banker: 1000, tie: 200, tiger: 500 };

export const guideCommand: CliCommand = {
  help: 'Usage: punto guide',
  options: {},
  maxArguments: 0,
  run: (_, __, { output }) => {
    const deal = unwrap(parseDeal(cards, unwrap(parseShoeDecks(tiger.deck))));
    const stakeOptions = Object.entries(stakes)
      .map(([wager, cents]) => `--stake ${wager}=${cents}`)
      .join(' ');
    print(
      output,
      'Punto deals ten casino baccarat games exactly by their rulebooks.',
      '',
      'THE GAMES (punto games)',
      '',
      ...indented(gameListLines()),
      '',
      'HOW TO READ A PAY TABLE (punto rules tiger)',
      '',
      '  Each wager has one or more lines. The first line that matches the round pays; if none matches, the wager loses.',
      '  "8 to 1" pays eight for each one staked, and the stake is returned too. A push only returns the stake.',
      '  The clause at the end of a line is the rule of the rulebook; the folder rulebook/ lists all clauses.',
      '',
      ...indented(payTableLines(tiger)),
      '',
      'HOW TO SETTLE A ROUND',
      '',
      '  A card is its rank, then its suit. Give the cards in dealing order: Player, Banker, Player, Banker, then third',
      '  cards. Stakes are in cents. To settle many rounds at once, see --jsonl in `punto settle --help`.',
      '',
      `  punto settle tiger --cards "${cards.join(' ')}" ${stakeOptions}`,
      '',
      ...indented(settlementLines(tiger, deal, new Map(Object.entries(stakes)))),
    );
    return 0;
  },
};
