import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { games } from '../../games/registry.ts';
import { type Composition, parseComposition, freshShoe } from '../../odds/composition.ts';
import { type SheetShoe, covarianceCsv, sheetCsv, sheetJson } from '../../odds/sheetFormats.ts';
import {
  returnBandHeadings,
  returnBandTexts,
  wagerFigureHeadings,
  wagerFigureTexts,
  percentText,
  shoeText,
} from '../../odds/sheetFigures.ts';
import { fraction, fractionToNumber, formatFraction } from '../../odds/fraction.ts';
import { sheetFileName, sheetIndexPage, sheetPage } from '../../odds/sheetPage.ts';
import { type ParSheet, parSheetOf } from '../../odds/sheet.ts';
import { type Game } from '../../rules/game.ts';
import { formatRatio } from '../../base/ratio.ts';
import { parseShoeDecks } from '../../rules/shoe.ts';
import { parseDecksOption } from '../support/arguments.ts';
import { chooseGame, readJsonFile } from '../support/chooseGame.ts';
import { type CliCommand, type OptionValues, optionText } from '../support/commandLine.ts';
import { makeFolder, withWriteErrorsAsCliError } from '../support/outputFolder.ts';
import { formatColumns, print } from '../support/print.ts';
import { CliError, unwrap } from '../support/cliError.ts';

export const oddsCommand: CliCommand = {
  help: `Usage: punto odds GAME [--decks N] [--json | --csv | --covariances | --html]
       punto odds GAME --shoe counts.json
       punto odds --file game.json [--decks N]
       punto odds --all --out DIR

  GAME           a game such as tiger, or one version of it such as tiger@2021-10-28
  --decks N      decks in a full shoe, 4 to 10; default 8
  --shoe FILE    the cards left in a shoe instead, as {"KD": 7, "4S": 8}; a card that is not listed counts 0. With --json
                 "decks" is then null and "cards" is the number of cards left
  --file FILE    a game from a JSON file instead, as \`punto rules GAME --json\` prints it
  --json         print the whole sheet as JSON; fractions and counts are strings
  --csv          print CSV with a row for each outcome of each wager. So that spreadsheets keep exact values, a fraction
                 is a decimal with numerator and denominator next to it, and large numbers are grouped: 4_998_398
  --covariances  print the covariances as CSV, with a row for each pair of wagers
  --html         print one HTML page
  --all          write a sheet for every version of every game with every number of decks, such as
                 tiger@2021-10-28-8.html and .json, and an index
  --out DIR      the folder for --all; it is created if it does not exist`,
  options: {
    decks: { type: 'string' },
    shoe: { type: 'string' },
    file: { type: 'string' },
    json: { type: 'boolean' },
    csv: { type: 'boolean' },
    covariances: { type: 'boolean' },
    html: { type: 'boolean' },
    all: { type: 'boolean' },
    out: { type: 'string' },
  },
  maxArguments: 1,
  run: (values, [name], { output }) => {
    print(output, ...(values['all'] || values['out'] !== undefined ? writeAll(values, name) : oneSheet(values, name)));
    return 0;
  },
};

const formats = ['json', 'csv', 'covariances', 'html'];

function oneSheet(values: OptionValues, name: string | undefined): readonly string[] {
  const chosen = formats.filter((format) => values[format]);
  if (chosen.length > 1) {
    throw new CliError(2, 'unexpected-argument', `Choose one format: --${chosen.join(' or --')}.`);
  }
  const game = chooseGame(name, optionText(values, 'file'), 'odds');
  const { shoe, source } = shoeOption(values, game);
  const sheet = parSheetOf(game, shoe);
  if (values['json']) return [JSON.stringify(sheetJson(sheet, source), null, 2)];
  if (values['csv']) return sheetCsv(sheet, source);
  if (values['covariances']) return covarianceCsv(sheet, source);
  return values['html'] ? [sheetPage(sheet, source)] : sheetTable(sheet, source);
}

function shoeOption(values: OptionValues, game: Game): { shoe: Composition; source: SheetShoe } {
  const file = optionText(values, 'shoe');
  if (file === undefined) {
    const { decks } = unwrap(parseShoeDecks(game.deck, parseDecksOption(values)));
    return { shoe: freshShoe({ deck: game.deck, decks }), source: { decks } };
  }
  if (values['decks'] !== undefined) {
    throw new CliError(2, 'unexpected-argument', 'A shoe file lists the cards that are left; leave out --decks.');
  }
  const shoe = unwrap(parseComposition(readJsonFile(file), game.deck));
  return { shoe, source: { cards: shoe.size } };
}

function writeAll(values: OptionValues, name: string | undefined): readonly string[] {
  const out = optionText(values, 'out');
  const folder = out === undefined ? undefined : resolve(out);
  const unexpected = name ?? ['file', 'shoe', 'decks', ...formats].find((option) => values[option] !== undefined);
  if (!values['all'] || folder === undefined || unexpected !== undefined) {
    throw new CliError(
      2,
      'missing-argument',
      'To write all sheets into a folder, write `punto odds --all --out DIR` and nothing else.',
    );
  }
  withWriteErrorsAsCliError(() => makeFolder(folder));
  return [`${writeParSheets(folder, games)} sheets are in ${folder}; start with index.html.`];
}

/** Writes a PAR sheet for each game and number of decks, and an index. Returns the number of sheets. */
export function writeParSheets(folder: string, selected: readonly Game[]): number {
  const sheets = selected.flatMap((game) =>
    [4, 5, 6, 7, 8, 9, 10].map((decks) => ({ decks, sheet: parSheetOf(game, freshShoe({ deck: game.deck, decks })) })),
  );
  withWriteErrorsAsCliError(() => {
    for (const { decks, sheet } of sheets) {
      const file = join(folder, sheetFileName(sheet, decks));
      writeFileSync(`${file}.html`, `${sheetPage(sheet, { decks })}\n`);
      writeFileSync(`${file}.json`, `${JSON.stringify(sheetJson(sheet, { decks }), null, 2)}\n`);
    }
    writeFileSync(join(folder, 'index.html'), `${sheetIndexPage(sheets)}\n`);
  });
  return sheets.length;
}

function sheetTable(sheet: ParSheet, source: SheetShoe): readonly string[] {
  const { game, name, hash, deals, wagers, worst } = sheet;
  const wagerEntries = Object.entries(wagers);
  const rightAligned = (heads: readonly string[]): readonly string[] => heads.map((head) => `>${head}`);
  const outcomes = wagerEntries.flatMap(([id, wagerSheet]) =>
    wagerSheet.outcomes.map(({ net, count }, index) => [
      index === 0 ? id : '',
      formatRatio(net),
      String(count),
      percentText(fractionToNumber(fraction(count, deals)), 6),
    ]),
  );
  return [
    `${game.name} (${name}), ${shoeText(sheet, source)}`,
    `${hash}; ${deals} ordered draws of six cards`,
    '',
    ...formatColumns(
      ['wager', ...rightAligned(wagerFigureHeadings)],
      wagerEntries.map(([id, wagerSheet]) => [id, ...wagerFigureTexts(wagerSheet)]),
    ),
    '',
    ...formatColumns(['wager', '>net', '>draws', '>probability'], outcomes),
    '',
    ...formatColumns(
      ['return, 95 % after', ...rightAligned(returnBandHeadings(wagerEntries[0]![1]))],
      wagerEntries.map(([id, wagerSheet]) => [id, ...returnBandTexts(wagerSheet)]),
    ),
    '',
    `Largest payout, with one unit on each winning wager: ${formatFraction(worst.net)} (${worst.wagers.join(', ')}).`,
    'Covariances are in the formats --json, --covariances and --html.',
  ];
}
