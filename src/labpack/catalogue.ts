import { runtimeRefusalCodes } from '../runtime/stream/refusals.ts';
import { signInRefusalCodes } from '../runtime/staff/signInRefusals.ts';
import { ruleErrorCodes } from '../base/refusal.ts';
import { serverRefusalCodes } from '../wire/serverRefusalCodes.ts';
import { clausesOfTopics, type ClauseTopic } from '../games/rulebooks.ts';
import { type Shape, isOptional } from '../base/schema.ts';
import { floorEvents } from '../floor/events.ts';
import { floorDeciderErrorCodes } from '../floor/decide.ts';
import { staffRegisterEvents } from '../staff/events.ts';
import { staffRegisterErrorCodes } from '../staff/decision.ts';
import { tableEvents } from '../table/schema/events.ts';
import { passedOnRefusals, tableRefusals } from '../table/schema/refusals.ts';
import { terminalEvents } from '../terminal/events.ts';
import { terminalErrorCodes } from '../terminal/decision.ts';
import {
  type HtmlCell,
  escapeHtml,
  htmlHeading,
  rawHtml,
  htmlDocument,
  htmlParagraph,
  htmlTable,
} from './htmlParts.ts';

/** One event type in the catalogue. `fields` describes each of its fields. */
type CatalogueEvent = {
  readonly type: string;
  readonly description: string;
  readonly fields: { readonly [field: string]: string };
};

/**
 * One error code in the catalogue. `exit`: exit code of a command that fails with it. `when`: its cause. `by`: the
 * clauses that it rests on. `from`: the parts of the system that return it.
 */
type CatalogueCode = {
  readonly code: string;
  readonly exit: number;
  readonly when: string;
  readonly by: readonly string[];
  readonly from: readonly string[];
};

export type EventAndErrorCatalogue = {
  readonly events: { readonly [stream: string]: readonly CatalogueEvent[] };
  readonly codes: readonly CatalogueCode[];
};

const describeFields = (fields: Shape): CatalogueEvent['fields'] =>
  Object.fromEntries(
    Object.entries(fields).map(([field, kind]) => [field, `${kind.expected}${isOptional(kind) ? '; optional' : ''}`]),
  );

const describeEvents = (declared: {
  readonly [type: string]: { readonly description: string; readonly fields: Shape };
}): readonly CatalogueEvent[] =>
  Object.entries(declared).map(([type, { description, fields }]) => ({
    type,
    description,
    fields: describeFields(fields),
  }));

const clauses: { readonly [code: string]: { readonly description: string; readonly by?: readonly ClauseTopic[] } } = {
  ...tableRefusals,
  ...passedOnRefusals,
};

/**
 * Error codes by the part of the system that returns them. A code that is missing here comes from a command of the CLI.
 */
const codesBySource: { readonly [from: string]: readonly string[] } = {
  rules: ruleErrorCodes,
  table: Object.keys(clauses),
  terminal: terminalErrorCodes,
  floor: floorDeciderErrorCodes,
  staff: staffRegisterErrorCodes,
  runtime: [...runtimeRefusalCodes, ...signInRefusalCodes],
  server: serverRefusalCodes,
};

function sourcesOf(code: string): readonly string[] {
  const sources = Object.keys(codesBySource).filter((from) => codesBySource[from]!.includes(code));
  return sources.length > 0 ? sources : ['command'];
}

/**
 * Builds the catalogue. Events come from their declarations, error codes from docs/errors.md; `errors` is the text of
 * that file.
 */
export const buildEventAndErrorCatalogue = (errors: string): EventAndErrorCatalogue => ({
  events: {
    table: describeEvents(tableEvents),
    terminal: describeEvents(terminalEvents),
    staff: describeEvents(staffRegisterEvents),
    floor: describeEvents(floorEvents),
  },
  codes: [...errors.matchAll(/^\| `([a-z-]+)` \| (\d) \| (.+) \|$/gm)].map(([, code, exit, when]) => ({
    code: code!,
    exit: Number(exit),
    when: when!,
    by: clausesOfTopics(clauses[code!]?.by ?? []),
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
  rawHtml(
    `<ul>${Object.entries(fields)
      .map(([field, text]) => `<li><code>${escapeHtml(field)}</code>: ${escapeHtml(text)}</li>`)
      .join('')}</ul>`,
  );

const codeCell = (text: string): HtmlCell => rawHtml(`<code>${escapeHtml(text)}</code>`);

export function eventAndErrorPage({ events: eventsByStream, codes }: EventAndErrorCatalogue): string {
  const count = Object.values(eventsByStream).reduce((sum, streamEvents) => sum + streamEvents.length, 0);
  return htmlDocument(
    'Events and refusals',
    htmlParagraph(
      `The event log has ${count} event types, and the program has ${codes.length} error codes. Both lists are complete: the events come from their declarations, and a test compares the error codes with the source code.`,
    ),
    htmlParagraph(
      'Each event has `type`, its schema version `v`, its time `at` and its `actor`; if two persons signed, also `second`. It is stored in an entry of a hash chain, together with its postings. `punto table --describe --json` prints the JSON Schemas of the events of a table.',
    ),
    ...Object.entries(eventsByStream).flatMap(([stream, streamEvents]) => [
      htmlHeading(streamTitles[stream]!),
      htmlTable(
        ['event', 'description', 'fields'],
        streamEvents.map(({ type, description, fields }) => ({
          cells: [codeCell(type), description, fieldList(fields)],
        })),
      ),
    ]),
    htmlHeading('Refusals and errors'),
    htmlParagraph(
      'Exit code 1: the request was well-formed, but was refused or failed. Exit code 2: wrong use of a command. A refusal at a table names the clause of the rulebook in force, or the house procedure. The column of clauses covers all five rulebooks.',
    ),
    htmlTable(
      ['code', 'exit', 'when', 'clauses', 'refused by'],
      codes.map((entry) => ({
        cells: [codeCell(entry.code), String(entry.exit), entry.when, entry.by.join(', '), entry.from.join(', ')],
      })),
    ),
  );
}
