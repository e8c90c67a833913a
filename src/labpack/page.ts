import { escapeHtml, htmlPage } from '../odds/page.ts';

// Pages for whoever looks a program over: they need nothing else, and print.

/** What stands in a page as it is. */
export type Html = { readonly html: string };
export type HtmlCell = string | Html;

export const html = (text: string): Html => ({ html: text });

/** A text in a page, with what stands between backticks as code. */
const worded = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const cellText = (cell: HtmlCell): string => (typeof cell === 'string' ? worded(cell) : cell.html);

/** A table by its head and rows. A row may have an id that links lead to. */
export const htmlTable = (
  head: readonly string[],
  rows: readonly { readonly id?: string; readonly cells: readonly HtmlCell[] }[],
): string => `<div class="wide"><table class="words"><thead><tr>${head
  .map((cell) => `<th scope="col">${escapeHtml(cell)}</th>`)
  .join('')}</tr></thead><tbody>
${rows
  .map(
    ({ id, cells }) =>
      `<tr${id === undefined ? '' : ` id="${anchor(id)}"`}>${cells.map((cell) => `<td>${cellText(cell)}</td>`).join('')}</tr>`,
  )
  .join('\n')}
</tbody></table></div>`;

/** The name of a place in a page. */
const anchor = (id: string): string => id.replaceAll(/[^\w.-]+/g, '-');

export const linkTo = (id: string, words = id): string => `<a href="#${anchor(id)}">${escapeHtml(words)}</a>`;

/** Words are read from the left, unlike figures; names are not broken, and paper shows what a click would open. */
const style = `<style>
.words td, .words th { text-align: left; } .words td:first-child code, .words tr[id] > td:first-child { white-space: nowrap; }
td ul { margin: 0; padding-left: 1.1rem; }
@media print { details::details-content { content-visibility: visible; block-size: auto; } summary { display: none; } }
</style>`;

export const htmlDocument = (title: string, ...parts: readonly string[]): string =>
  `${htmlPage(title, `${style}\n<h1>${escapeHtml(title)}</h1>\n${parts.join('\n')}`)}\n`;

export const paragraph = (text: string): string => `<p>${worded(text)}</p>`;
export const heading = (text: string): string => `<h2 id="${anchor(text)}">${escapeHtml(text)}</h2>`;
export { escapeHtml };
