import { escapeHtml, htmlPage } from '../odds/sheetPage.ts';

// Parts of self-contained HTML pages for test labs. The pages have no scripts and can be printed.

/** Text that is already HTML and must not be escaped. */
export type RawHtml = { readonly html: string };
export type HtmlCell = string | RawHtml;

export const rawHtml = (text: string): RawHtml => ({ html: text });

/** Escapes a text for HTML; parts in backticks become code. */
const textHtml = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const cellHtml = (cell: HtmlCell): string => (typeof cell === 'string' ? textHtml(cell) : cell.html);

/** An HTML table. The `id` of a row is a link target. */
export const htmlTable = (
  head: readonly string[],
  rows: readonly { readonly id?: string; readonly cells: readonly HtmlCell[] }[],
): string => `<div class="wide"><table class="words"><thead><tr>${head
  .map((cell) => `<th scope="col">${escapeHtml(cell)}</th>`)
  .join('')}</tr></thead><tbody>
${rows
  .map(
    ({ id, cells }) =>
      `<tr${id === undefined ? '' : ` id="${fragmentOf(id)}"`}>${cells.map((cell) => `<td>${cellHtml(cell)}</td>`).join('')}</tr>`,
  )
  .join('\n')}
</tbody></table></div>`;

const fragmentOf = (id: string): string => id.replaceAll(/[^\w.-]+/g, '-');

export const linkToId = (id: string, label = id): string => `<a href="#${fragmentOf(id)}">${escapeHtml(label)}</a>`;

/** Style of the tables. Text is left-aligned, unlike numbers. Ids do not wrap. A printout shows collapsed details. */
const style = `<style>
.words td, .words th { text-align: left; } .words td:first-child code, .words tr[id] > td:first-child { white-space: nowrap; }
td ul { margin: 0; padding-left: 1.1rem; }
@media print { details::details-content { content-visibility: visible; block-size: auto; } summary { display: none; } }
</style>`;

export const htmlDocument = (title: string, ...parts: readonly string[]): string =>
  `${htmlPage(title, `${style}\n<h1>${escapeHtml(title)}</h1>\n${parts.join('\n')}`)}\n`;

export const htmlParagraph = (text: string): string => `<p>${textHtml(text)}</p>`;
export const htmlHeading = (text: string): string => `<h2 id="${fragmentOf(text)}">${escapeHtml(text)}</h2>`;
export { escapeHtml };
