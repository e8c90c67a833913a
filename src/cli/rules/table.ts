import { isId } from '../../base/commonSchemas.ts';
import { type DecidedEntry, applyEventsWithPostings, tableDecider } from '../../deciders/deciders.ts';
import { isObject } from '../../base/schema.ts';
import { type Refusal, isRefused, quoteForMessage, refuse } from '../../base/refusal.ts';
import { decide } from '../../table/decide/decide.ts';
import { type TableEvent } from '../../table/schema/events.ts';
import { parseTableCommand } from '../../table/schema/parseCommand.ts';
import { buildDealerView } from '../../table/views/dealerView.ts';
import { buildSupervisorView } from '../../table/views/supervisorView.ts';
import { clausesOfTable } from '../../table/decide/decision.ts';
import { refuseAtTable } from '../../table/schema/refusals.ts';
import { type Table } from '../../table/state.ts';
import { publicView, terminalView } from '../../table/views/publicView.ts';
import { type CliCommand } from '../support/commandLine.ts';
import { describeTableProtocol, tableProtocolLines } from './describeTableProtocol.ts';
import { type LineHandler, type LineRequest, type ExitCodeTally, answerJsonLines } from '../support/jsonLines.ts';
import { print } from '../support/print.ts';
import { type ErrorCode } from '../support/errorCodes.ts';
import { CliError } from '../support/cliError.ts';

export const tableCommand: CliCommand = {
  help: `Usage: punto table --jsonl < scenario.jsonl
       punto table --describe [--json]

  --jsonl      one JSON object per line on standard input, one answer per line on standard output. The first line opens
               the table: {"type":"OpenTable","at":...,"actor":{...},"second":{...},"settings":{...}}. Every other line is
               a command with "at" (milliseconds since 1970) and "actor": {"person":"d1","role":"dealer"},
               {"terminal":"T7"} or {"system":"floor"}. The answer is {"events":[...]}, each event with its postings, or
               {"error":{...}} with "code", "message" and "by": the clause or house procedure, or null.
               {"view":"public"}, {"view":"terminal:T7"}, {"view":"dealer"} and {"view":"supervisor"} print a view.
               In an Approve, "proposal":"proposed" and "hash":"proposed" stand for the id and hash of the open proposal.
               {"expect":{...}} answers {"met":true} if the previous answer contains these values, else an error.
               Objects may have more fields, but {} matches only an empty object; lists must have the same length.
               {"note":"..."} is a comment and answers {"note":true}.
               Exit code 0: every expectation is met and every refusal is expected. Exit code 1: an expectation is not
               met, a refusal is not followed by a met expectation, or a line is malformed.
  --describe   print every command, event, refusal, role, approval rule and irregularity, with fields and clauses
  --json       with --describe, print JSON, with a JSON Schema for each name under "$defs"`,
  options: { jsonl: { type: 'boolean' }, describe: { type: 'boolean' }, json: { type: 'boolean' } },
  maxArguments: 0,
  run: (values, _, pipes) => {
    if (values['describe'] && !values['jsonl']) {
      if (values['json']) print(pipes.output, JSON.stringify(describeTableProtocol()));
      else print(pipes.output, ...tableProtocolLines());
      return 0;
    }
    if (values['jsonl'] && !values['describe'] && !values['json']) {
      return answerJsonLines(pipes, createScenarioHandler(), scenarioTally());
    }
    throw new CliError(2, 'missing-argument', 'Give --jsonl to run a table, or --describe; see `punto table --help`.');
  },
};

export function createScenarioHandler(): LineHandler {
  let table: Table | undefined;
  let lastResult: object = {};
  return (request) => {
    if (isNoteRequest(request)) return handleNote(request);
    if (isExpectation(request)) return handleExpectation(request, lastResult);
    lastResult = Object.hasOwn(request, 'view') ? handleView(request, table) : command(request);
    return lastResult;
  };

  function command(request: LineRequest): object {
    if (table?.proposal === null && request['type'] === 'Approve' && namesProposal(request)) {
      return refuseAtTable(
        'unknown-proposal',
        clausesOfTable(table).roles,
        'There is no open proposal; propose first.',
      );
    }
    const parsed = parseTableCommand(withProposal(request, table));
    if (isRefused(parsed)) return { ...parsed, by: null };
    const decision = decide(parsed, table);
    if (isRefused(decision)) return decision;
    const { entries, state: next } = applyEventsWithPostings(tableDecider, decision, table);
    table = next;
    return { events: entries.map(toJson) };
  }
}

const isNoteRequest = (request: LineRequest): boolean =>
  Object.hasOwn(request, 'note') && !Object.hasOwn(request, 'type');
const isExpectation = (request: LineRequest): boolean => Object.hasOwn(request, 'expect');

/**
 * Tally of a scenario. The scenario fails if a command or view is refused, unless an expectation follows that is met.
 * It also fails if an expectation or a comment line is refused.
 */
function scenarioTally(): ExitCodeTally {
  let hasFailed = false;
  let isRefusalOpen = false;
  return {
    add: (result, request) => {
      if (request === undefined || isNoteRequest(request)) hasFailed ||= isRefused(result);
      else if (!isExpectation(request)) [hasFailed, isRefusalOpen] = [hasFailed || isRefusalOpen, isRefused(result)];
      else if (isRefused(result)) hasFailed = true;
      else isRefusalOpen = false;
    },
    isFailed: () => hasFailed || isRefusalOpen,
  };
}

/** True if the line has `"proposed"` in place of the id or the hash of the open proposal. */
const namesProposal = ({ proposal, hash }: LineRequest): boolean => proposal === 'proposed' || hash === 'proposed';

const withProposal = (request: LineRequest, table: Table | undefined): LineRequest => {
  if (request['type'] !== 'Approve' || !table?.proposal) return request;
  const { id, hash } = table.proposal;
  return {
    ...request,
    ...(request['proposal'] === 'proposed' && { proposal: id }),
    ...(request['hash'] === 'proposed' && { hash }),
  };
};

const toJson = ({ event, postings }: DecidedEntry<TableEvent>): object =>
  postings.length === 0 ? event : { ...event, postings };

/**
 * Gives the refusal of a line that has another field than `onlyField`; undefined if it has only that field. Used for
 * views, expectations and notes.
 */
function refuseOtherFields(onlyField: string, request: LineRequest): Refusal | undefined {
  const otherField = Object.keys(request).find((field) => field !== onlyField);
  return otherField === undefined
    ? undefined
    : refuse('unknown-field', `The field ${quoteForMessage(otherField)} is unknown here; use only ${onlyField}.`);
}

/** Answers a comment line. An expectation after it is compared with the answer before it. */
function handleNote(request: LineRequest): object {
  const { note } = request;
  return (
    refuseOtherFields('note', request) ??
    (typeof note === 'string'
      ? { note: true }
      : refuse('bad-request', `The note is ${quoteForMessage(note)}; give a text.`))
  );
}

function handleView(request: LineRequest, table: Table | undefined): object {
  const { view } = request;
  const otherField = refuseOtherFields('view', request);
  if (otherField) return otherField;
  if (table === undefined) return refuseAtTable('not-open', null, 'The table is not open yet; send OpenTable first.');
  if (view === 'public') return publicView(table);
  if (view === 'dealer') return buildDealerView(table);
  if (view === 'supervisor') return buildSupervisorView(table);
  const terminal = typeof view === 'string' && view.startsWith('terminal:') ? view.slice(9) : '';
  if (isId(terminal)) return terminalView(table, terminal);
  return refuse(
    'bad-request',
    `${quoteForMessage(view)} is not a view; use public, terminal:ID, dealer or supervisor.`,
  );
}

function handleExpectation(request: LineRequest, answer: object): object | Refusal<ErrorCode> {
  const { expect } = request;
  const otherField = refuseOtherFields('expect', request);
  if (otherField) return otherField;
  const shownResult = 'refused' in answer ? { error: { ...answer, code: answer.refused } } : answer;
  const path = mismatch(expect, shownResult, 'answer');
  return path === undefined
    ? { met: true }
    : refuse<ErrorCode>(
        'unmet-expectation',
        `The previous answer differs from the expectation at ${quoteForMessage(path)}; compare the two.`,
      );
}

/**
 * Gives the path of the first difference; undefined if `value` matches. An object may have more fields than expected,
 * but {} matches only {}. Lists must have the same length.
 */
function mismatch(expected: unknown, value: unknown, path: string): string | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length) return path;
    return firstMismatch(expected.map((item, n) => () => mismatch(item, value[n], `${path}[${n}]`)));
  }
  if (isObject(expected)) {
    if (!isObject(value)) return path;
    if (Object.keys(expected).length === 0 && Object.values(value).some((item) => item !== undefined)) return path;
    return firstMismatch(
      Object.entries(expected).map(
        ([name, item]) =>
          () =>
            mismatch(item, Object.hasOwn(value, name) ? value[name] : undefined, `${path}.${name}`),
      ),
    );
  }
  return expected === value ? undefined : path;
}

function firstMismatch(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const path = check();
    if (path !== undefined) return path;
  }
  return undefined;
}
