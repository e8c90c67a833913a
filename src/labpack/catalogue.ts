import { runtimeRefusals } from '../runtime/stream/refusals.ts';
import { staffRefusals } from '../runtime/staff/signInRefusals.ts';
import { refusals } from '../base/refusal.ts';
import { serverRefusalCodes } from '../wire/refusals.ts';
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

/** One event type with its fields. */
type CatalogueEvent = {
  readonly type: string;
  readonly description: string;
  readonly fields: { readonly [field: string]: string };
};

/** One error code: its exit code, condition, clauses, and the parts of the system that return it. */
type CatalogueCode = {
  readonly code: string;
  readonly exit: number;
  readonly when: string;
  readonly by: readonly string[];
  readonly from: readonly string[];
};

export type Catalogue = {
  readonly events: { readonly [stream: string]: readonly CatalogueEvent[] };
  readonly codes: readonly CatalogueCode[];
};

const describeFields = (fields: Shape): CatalogueEvent['fields'] =>
  Object.fromEntries(
    Object.entries(fields).map(([field, kind]) => [
      field,
      `${kind.expected}${isOptional(kind) ? '; may be left out' : ''}`,
    ]),
  );

const describeEvents = (declared: {
  readonly [type: string]: { readonly description: string; readonly fields: Shape };
}): readonly CatalogueEvent[] =>
  Object.entries(declared).map(([type, { description, fields }]) => ({
    type,
    description,
    fields: describeFields(fields),
  }));

const clauses: { readonly [code: string]: { readonly description: string; readonly by?: readonly ClauseRef[] } } = {
  ...tableRefusals,
  ...ruleRefusals,
};

/** Error codes by the part of the system that returns them; any other code belongs to a CLI command. */
const codesBySource: { readonly [from: string]: readonly string[] } = {
  rules: refusals,
  table: Object.keys(clauses),
  terminal: terminalRefusals,
  floor: floorDeciderRefusals,
  staff: staffRegisterRefusals,
  runtime: [...runtimeRefusals, ...staffRefusals],
  server: serverRefusalCodes,
};

function sourcesOf(code: string): readonly string[] {
  const sources = Object.keys(codesBySource).filter((from) => codesBySource[from]!.includes(code));
  return sources.length > 0 ? sources : ['command'];
}

/** All events, from their declarations, and all error codes, from docs/errors.md. */
export const buildCatalogue = (errors: string): Catalogue => ({
  events: {
    table: describeEvents(events),
    terminal: describeEvents(terminalEvents),
    staff: describeEvents(staffRegisterEvents),
    floor: describeEvents(floorEvents),
  },
  codes: [...errors.matchAll(/^\| `([a-z-]+)` \| (\d) \| (.+) \|$/gm)].map(([, code, exit, when]) => ({
    code: code!,
    exit: Number(exit),
    when: when!,
    by: clausesFor(clauses[code!]?.by ?? []),
    from: sourcesOf(code!),
  })),
});

const streamTitles: { readonly [stream: string]: string } = {
  table: 'Events of a table',
  terminal: 'Events of a terminal',
  staff: 'Events of the staff register',
  floor: 'Events of the floor stream',
};

const fieldList = (fields: CatalogueEvent['fields']): HtmlCell =>
  html(
    `<ul>${Object.entries(fields)
      .map(([field, text]) => `<li><code>${escapeHtml(field)}</code>: ${escapeHtml(text)}</li>`)
      .join('')}</ul>`,
  );

const codeCell = (text: string): HtmlCell => html(`<code>${escapeHtml(text)}</code>`);

export function cataloguePage({ events: eventsByStream, codes }: Catalogue): string {
  const count = Object.values(eventsByStream).reduce((sum, streamEvents) => sum + streamEvents.length, 0);
  return htmlDocument(
    'Events and refusals',
    paragraph(
      `The event log has ${count} types of events, and the program refuses with ${codes.length} codes. Both lists are closed: an event that is not declared cannot be written, and a test compares the codes with those in the code.`,
    ),
    paragraph(
      'Each event has its type, its schema version v, the time at and its actor; where two persons did it, second. It is part of an entry of a hash chain, with the money that it moved. JSON Schemas: punto table --describe --json.',
    ),
    ...Object.entries(eventsByStream).flatMap(([stream, streamEvents]) => [
      heading(streamTitles[stream]!),
      htmlTable(
        ['event', 'description', 'fields'],
        streamEvents.map(({ type, description, fields }) => ({
          cells: [codeCell(type), description, fieldList(fields)],
        })),
      ),
    ]),
    heading('Refusals and errors'),
    paragraph(
      'Exit code 1: well-formed, but refused or failed; 2: wrong use of a command. A refusal at a table names the clause of the book in force, or the house procedure; the clauses are those that any of the five books may be cited by.',
    ),
    htmlTable(
      ['code', 'exit', 'when', 'clauses', 'refused by'],
      codes.map((entry) => ({
        cells: [codeCell(entry.code), String(entry.exit), entry.when, entry.by.join(', '), entry.from.join(', ')],
      })),
    ),
  );
}
