import { runtimeRefusals } from '../runtime/stream/refusals.ts';
import { staffRefusals } from '../runtime/staff/signInRefusals.ts';
import { refusals } from '../base/refusal.ts';
import { wireCodes } from '../wire/refusals.ts';
import { clausesFor, type ClauseRef } from '../games/rulebooks.ts';
import { type Shape, isOptional } from '../base/schema.ts';
import { floorEvents } from '../floor/events.ts';
import { floorDeciderRefusals } from '../floor/decide.ts';
import { staffRegisterEvents } from '../staff/events.ts';
import { staffRegisterRefusals } from '../staff/decision.ts';
import { events } from '../table/schema/events.ts';
import { ruleRefusals, tableRefusals } from '../table/schema/refusals.ts';
import { terminalEvents } from '../terminal/events.ts';
import { terminalRefusals } from '../terminal/decision.ts';
import { type HtmlCell, escapeHtml, heading, html, htmlDocument, paragraph, htmlTable } from './page.ts';

/** One thing that can happen, with its fields. */
type Happening = {
  readonly type: string;
  readonly description: string;
  readonly fields: { readonly [field: string]: string };
};

/** One code that may be answered, when it is, by which clauses, and who answers it. */
type Code = {
  readonly code: string;
  readonly exit: number;
  readonly when: string;
  readonly by: readonly string[];
  readonly from: readonly string[];
};

export type Catalogue = {
  readonly events: { readonly [stream: string]: readonly Happening[] };
  readonly codes: readonly Code[];
};

const described = (fields: Shape): Happening['fields'] =>
  Object.fromEntries(
    Object.entries(fields).map(([field, kind]) => [
      field,
      `${kind.expected}${isOptional(kind) ? '; may be left out' : ''}`,
    ]),
  );

const listed = (declared: {
  readonly [type: string]: { readonly description: string; readonly fields: Shape };
}): readonly Happening[] =>
  Object.entries(declared).map(([type, { description, fields }]) => ({ type, description, fields: described(fields) }));

const clauses: { readonly [code: string]: { readonly description: string; readonly by?: readonly ClauseRef[] } } = {
  ...tableRefusals,
  ...ruleRefusals,
};

/** Who answers with a code; what none of these does is the command's own. */
const answering: { readonly [from: string]: readonly string[] } = {
  rules: refusals,
  table: Object.keys(clauses),
  terminal: terminalRefusals,
  floor: floorDeciderRefusals,
  staff: staffRegisterRefusals,
  runtime: [...runtimeRefusals, ...staffRefusals],
  server: wireCodes,
};

function answeredBy(code: string): readonly string[] {
  const found = Object.keys(answering).filter((from) => answering[from]!.includes(code));
  return found.length > 0 ? found : ['command'];
}

/** Everything that a record may tell and a program may answer: events by their declarations, codes by docs/errors.md. */
export const buildCatalogue = (errors: string): Catalogue => ({
  events: {
    table: listed(events),
    terminal: listed(terminalEvents),
    staff: listed(staffRegisterEvents),
    floor: listed(floorEvents),
  },
  codes: [...errors.matchAll(/^\| `([a-z-]+)` \| (\d) \| (.+) \|$/gm)].map(([, code, exit, when]) => ({
    code: code!,
    exit: Number(exit),
    when: when!,
    by: clausesFor(clauses[code!]?.by ?? []),
    from: answeredBy(code!),
  })),
});

const streams: { readonly [stream: string]: string } = {
  table: 'Events of a table',
  terminal: 'Events of a terminal',
  staff: 'Events of the staff register',
  floor: 'Events of the floor stream',
};

const fieldList = (fields: Happening['fields']): HtmlCell =>
  html(
    `<ul>${Object.entries(fields)
      .map(([field, words]) => `<li><code>${escapeHtml(field)}</code>: ${escapeHtml(words)}</li>`)
      .join('')}</ul>`,
  );

const code = (text: string): HtmlCell => html(`<code>${escapeHtml(text)}</code>`);

export function cataloguePage({ events: all, codes }: Catalogue): string {
  const count = Object.values(all).reduce((sum, some) => sum + some.length, 0);
  return htmlDocument(
    'Events and refusals',
    paragraph(
      `The record tells of ${count} kinds of events, and the program refuses with ${codes.length} codes. Both lists are closed: what is not declared cannot be written, and a test holds the codes equal to those in the code.`,
    ),
    paragraph(
      'Each event has its type, the version v of its form, the time at, and who; where two persons did it, second. It stands in an entry of a hash chain with the money that it moved. JSON Schemas: punto table --describe --json.',
    ),
    ...Object.entries(all).flatMap(([stream, some]) => [
      heading(streams[stream]!),
      htmlTable(
        ['event', 'what it says', 'fields'],
        some.map(({ type, description, fields }) => ({ cells: [code(type), description, fieldList(fields)] })),
      ),
    ]),
    heading('Refusals and errors'),
    paragraph(
      'Exit code 1: well-formed, but refused or failed; 2: wrong use of a command. A refusal at a table names the clause of the book in force, or the house procedure; the clauses are those that any of the five books may be cited by.',
    ),
    htmlTable(
      ['code', 'exit', 'when', 'clauses', 'answered by'],
      codes.map((one) => ({
        cells: [code(one.code), String(one.exit), one.when, one.by.join(', '), one.from.join(', ')],
      })),
    ),
  );
}
