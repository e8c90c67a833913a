import { sideToDraw } from '../rules/play.ts';
import { formatRatio } from '../base/ratio.ts';
import { payTableRows } from '../rules/payTableText.ts';
import {
  returnBandHeadings,
  returnBandTexts,
  wagerFigureHeadings,
  wagerFigureTexts,
  percentText,
  shoeText,
} from './sheetFigures.ts';
import { type SheetShoe } from './sheetFormats.ts';
import { fraction, fractionToNumber, formatFraction } from './fraction.ts';
import { type ParSheet } from './sheet.ts';

// A PAR sheet as one self-contained HTML page for print. The page also states the drawing rules, on which the counts
// depend.

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const style = `
body { font: 14px/1.5 system-ui, sans-serif; color: #16211c; background: #fff; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .25rem 0; } .quiet { color: #4c5a53; } code { font-size: .85em; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #d5ddd8; vertical-align: top; }
th { color: #0b4a33; } th:first-child, td:first-child { text-align: left; } tr { break-inside: avoid; }
.wide { overflow-x: auto; } a { color: #0b4a33; }
@media print { body { margin: 0; max-width: none; font-size: 10px; } .wide { overflow: visible; } }
`;

export const htmlPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="wide"><table><thead><tr>${head.map((cell) => `<th scope="col">${escapeHtml(cell)}</th>`).join('')}</tr></thead><tbody>
${rows.map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`).join('\n')}
</tbody></table></div>`;

const values = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

export function sheetPage(sheet: ParSheet, source: SheetShoe): string {
  const { game, name, hash, deals, wagers, covariance, worst } = sheet;
  const shoe = shoeText(sheet, source);
  const list = Object.entries(wagers);
  const names = (id: string): string => game.wagers[id]!.name;
  return htmlPage(
    `${game.name}: PAR sheet, ${shoe}`,
    `<h1>${escapeHtml(game.name)}</h1>
<p>PAR sheet, ${escapeHtml(shoe)}. Game <code>${escapeHtml(name)}</code>, book ${escapeHtml(game.book)}, in force from ${escapeHtml(game.effective.replace('T', ' '))}.</p>
<p class="quiet"><code>${escapeHtml(hash)}</code></p>
<p class="quiet">All figures come from exact counts over all ${deals} ordered draws of six cards without replacement, for the next round of the shoe. Net is the win or loss per unit staked. Figures are rounded only for print.</p>
<h2>Wagers</h2>
${table(
  ['wager', ...wagerFigureHeadings],
  list.map(([id, one]) => [names(id), ...wagerFigureTexts(one)]),
)}
<p>The round that costs the house most pays ${escapeHtml(formatFraction(worst.net))} with one unit on each winning wager: ${escapeHtml(worst.wagers.map(names).join(', '))}.</p>
<h2>Pay lines</h2>
<p class="quiet">The first matching line settles a wager; if no line matches, it loses.</p>
${table(
  ['wager', 'case', 'pays', 'clause'],
  Object.entries(game.wagers).flatMap(([id, wager]) =>
    payTableRows(wager).map((row, place) => [place === 0 ? names(id) : '', ...row]),
  ),
)}
<h2>Outcomes</h2>
${table(
  ['wager', 'net', 'draws', 'probability', 'contribution'],
  list.flatMap(([id, one]) =>
    one.outcomes.map(({ net, count }, place) => {
      const probability = fractionToNumber(fraction(count, deals));
      return [
        place === 0 ? names(id) : '',
        formatRatio(net),
        String(count),
        percentText(probability, 6),
        percentText((probability * net[0]) / net[1], 6),
      ];
    }),
  ),
)}
<h2>Return after a number of rounds, 95 % bands</h2>
${table(
  ['wager', ...returnBandHeadings(list[0]![1])],
  list.map(([id, one]) => [names(id), ...returnBandTexts(one)]),
)}
<h2>Dealing and drawing</h2>
<p>The first four cards go to Player, Banker, Player, Banker. A total of 8 or 9 on either hand ends the deal. Player draws on 0 to 5. If Player stands, Banker draws on 0 to 5. If Player draws, Banker draws by this table.</p>
${table(
  ['Banker total', ...values.map((third) => `third card ${third}`)],
  values
    .slice(0, 8)
    .map((banker) => [String(banker), ...values.map((third) => (sideToDraw(0, banker, third) ? 'draws' : 'stands'))]),
)}
<h2>Covariance</h2>
${table(
  ['wager', ...list.map(([id]) => names(id))],
  list.map(([a]) => [names(a), ...list.map(([b]) => covariance[a]![b]!.toFixed(4))]),
)}`,
  );
}

/** File name of a PAR sheet without extension. It includes the game version, since versions coexist. */
export const sheetFileName = ({ name }: ParSheet, decks: number): string => `${name}-${decks}`;

/** HTML page with links to all PAR sheets of a folder, grouped by game version. */
export function sheetIndexPage(sheets: readonly { readonly decks: number; readonly sheet: ParSheet }[]): string {
  const links = (of: readonly { readonly decks: number; readonly sheet: ParSheet }[]): string =>
    of
      .map(({ decks, sheet }) => {
        const file = sheetFileName(sheet, decks);
        return `<a href="${file}.html">${decks} decks</a> (<a href="${file}.json">JSON</a>)`;
      })
      .join(', ');
  const versions = new Map<string, (typeof sheets)[number][]>();
  for (const one of sheets) versions.set(one.sheet.name, [...(versions.get(one.sheet.name) ?? []), one]);
  return htmlPage(
    'PAR sheets',
    `<h1>PAR sheets</h1>
${Array.from(versions, ([name, of]) => {
  const { game } = of[0]!.sheet;
  return `<h2>${escapeHtml(game.name)}</h2>\n<p class="quiet"><code>${escapeHtml(name)}</code></p>\n<p>${links(of)}</p>`;
}).join('\n')}`,
  );
}
