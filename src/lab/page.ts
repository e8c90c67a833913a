import { escaped, page } from '../odds/page.ts';

// Pages for whoever looks a program over: they need nothing else, and print.

/** What stands in a page as it is. */
export type Html = { readonly html: string };
export type Cell = string | Html;

export const html = (text: string): Html => ({ html: text });

const cellText = (cell: Cell): string => (typeof cell === 'string' ? escaped(cell) : cell.html);

/** A table by its head and rows. A row may have an id that links lead to. */
export const tableOf = (
  head: readonly string[],
  rows: readonly { readonly id?: string; readonly cells: readonly Cell[] }[],
): string => `<div class="wide"><table class="words"><thead><tr>${head
  .map((cell) => `<th scope="col">${escaped(cell)}</th>`)
  .join('')}</tr></thead><tbody>
${rows
  .map(
    ({ id, cells }) =>
      `<tr${id === undefined ? '' : ` id="${anchor(id)}"`}>${cells.map((cell) => `<td>${cellText(cell)}</td>`).join('')}</tr>`,
  )
  .join('\n')}
</tbody></table></div>`;

/** The name of a place in a page. */
export const anchor = (id: string): string => id.replaceAll(/[^\w.-]+/g, '-');

export const linkTo = (id: string, words = id): string => `<a href="#${anchor(id)}">${escaped(words)}</a>`;

/** Words are read from the left, unlike figures. */
const style = '<style>.words td, .words th { text-align: left; } td ul { margin: 0; padding-left: 1.1rem; }</style>';

export const pageOf = (title: string, ...parts: readonly string[]): string =>
  `${page(title, `${style}\n<h1>${escaped(title)}</h1>\n${parts.join('\n')}`)}\n`;

export const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;
export const heading = (text: string): string => `<h2 id="${anchor(text)}">${escaped(text)}</h2>`;
export { escaped };
