import { isId } from '../../base/commonSchemas.ts';
import { type DecidedEntry, applyEvents, tableDecider } from '../../deciders/deciders.ts';
import { isObject } from '../../base/schema.ts';
import { type Refusal, isRefused, quoted, refuse } from '../../base/refusal.ts';
import { decide } from '../../table/decide/decide.ts';
import { type TableEvent } from '../../table/schema/events.ts';
import { parseTableCommand } from '../../table/schema/parseCommand.ts';
import { buildDealerView } from '../../table/views/dealerView.ts';
import { buildSupervisorView } from '../../table/views/supervisorView.ts';
import { clausesAt } from '../../table/decide/decision.ts';
import { refuseAtTable } from '../../table/schema/refusals.ts';
import { type Table } from '../../table/state.ts';
import { publicView, terminalView } from '../../table/views/publicView.ts';
import { type CliCommand } from '../support/command.ts';
import { describeTable, tableDescriptionText } from './describeTable.ts';
import { type LineHandler, type LineRequest, type LineTally, handleLines } from '../support/jsonLines.ts';
import { print } from '../support/print.ts';
import { type ErrorCode } from '../support/codes.ts';
import { CliError } from '../support/cliError.ts';

export const tableCommand: CliCommand = {
  help: `Usage: punto table --jsonl < scenario.jsonl
       punto table --describe [--json]

  --jsonl      one JSON object a line on standard input, one answer a line on standard output. The first line opens the
               table: {"type":"OpenTable","at":...,"actor":{...},"second":{...},"settings":{...}}; each other line is a
               command with "at" (milliseconds since 1970) and "who": {"person":"d1","post":"dealer"}, {"terminal":"T7"}
               or {"system":"floor"}. An answer is {"events":[...]}, each event with its postings, or {"error":{...}} with
               "code", "message" and "by", the clause or house procedure that says so, or null.
               {"view":"public"}, {"view":"terminal:T7"}, {"view":"dealer"} and {"view":"supervisor"} print a view.
               "proposal":"proposed" and "hash":"proposed" in an Approve stand for those of the proposal that is open.
               {"expect":{...}} answers {"met":true} if the answer before it holds at least that, else an error:
               objects may hold more, but {} wants an empty one, and lists are as long.
               {"note":"..."} is a comment; it does nothing and answers {"note":true}.
               Exit code 0: every expectation holds and every refusal is expected. 1: an expectation does not hold, a
               refusal has no expectation that holds after it, or a line is malformed.
  --describe   every command, event, refusal, post, duty and irregularity with its fields, its clause and who may
  --json       the description as JSON, with a JSON Schema for each by its name under "$defs"`,
  options: { jsonl: { type: 'boolean' }, describe: { type: 'boolean' }, json: { type: 'boolean' } },
  mostArguments: 0,
  run: (values, _, pipes) => {
    if (values['describe'] && !values['jsonl']) {
      if (values['json']) print(pipes.output, JSON.stringify(describeTable()));
      else print(pipes.output, ...tableDescriptionText());
      return 0;
    }
    if (values['jsonl'] && !values['describe'] && !values['json']) {
      return handleLines(pipes, scenarioHandler(), scenarioTally());
    }
    throw new CliError(2, 'missing-argument', 'Say --jsonl to drive a table, or --describe; run `punto table --help`.');
  },
};

/** Answers lines one after another at a table of their own. */
export function scenarioHandler(): LineHandler {
  let at: Table | undefined;
  let last: object = {};
  return (request) => {
    if (isNote(request)) return remark(request);
    if (isExpectation(request)) return expectation(request, last);
    last = Object.hasOwn(request, 'view') ? viewOf(request, at) : command(request);
    return last;
  };

  function command(request: LineRequest): object {
    if (at?.proposal === null && request['type'] === 'Approve' && namesProposal(request)) {
      return refuseAtTable('unknown-proposal', clausesAt(at).posts, 'Nothing is proposed; propose it first.');
    }
    const asked = parseTableCommand(withProposal(request, at));
    if (isRefused(asked)) return { ...asked, by: null };
    const decision = decide(asked, at);
    if (isRefused(decision)) return decision;
    const { entries, state: after } = applyEvents(tableDecider, decision, at);
    at = after;
    return { events: entries.map(printed) };
  }
}

const isNote = (request: LineRequest): boolean => Object.hasOwn(request, 'note') && !Object.hasOwn(request, 'type');
const isExpectation = (request: LineRequest): boolean => Object.hasOwn(request, 'expect');

/** A refused command or view is a failure unless an expectation that holds follows; any other refused line is one. */
function scenarioTally(): LineTally {
  let failed = false;
  let unexpected = false;
  return {
    add: (answered, request) => {
      if (request === undefined || isNote(request)) failed ||= isRefused(answered);
      else if (!isExpectation(request)) [failed, unexpected] = [failed || unexpected, isRefused(answered)];
      else if (isRefused(answered)) failed = true;
      else unexpected = false;
    },
    isFailed: () => failed || unexpected,
  };
}

/** In a file written by hand `"proposed"` stands for the id and for the hash of the proposal that is open. */
const namesProposal = ({ proposal, hash }: LineRequest): boolean => proposal === 'proposed' || hash === 'proposed';

const withProposal = (request: LineRequest, at: Table | undefined): LineRequest => {
  if (request['type'] !== 'Approve' || !at?.proposal) return request;
  const { id, hash } = at.proposal;
  return {
    ...request,
    ...(request['proposal'] === 'proposed' && { proposal: id }),
    ...(request['hash'] === 'proposed' && { hash }),
  };
};

const printed = ({ event, postings }: DecidedEntry<TableEvent>): object =>
  postings.length === 0 ? event : { ...event, postings };

/** Views, expectations and remarks have a single field. */
function strayBeside(alone: string, request: LineRequest): Refusal | undefined {
  const stray = Object.keys(request).find((field) => field !== alone);
  return stray === undefined
    ? undefined
    : refuse('unknown-field', `The field ${quoted(stray)} is not known here; use ${alone} alone.`);
}

/** A line for readers; an expectation after it still speaks of the answer before it. */
function remark(request: LineRequest): object {
  const { note } = request;
  return (
    strayBeside('note', request) ??
    (typeof note === 'string' ? { note: true } : refuse('bad-request', `The note is ${quoted(note)}; give a text.`))
  );
}

function viewOf(request: LineRequest, at: Table | undefined): object {
  const { view } = request;
  const stray = strayBeside('view', request);
  if (stray) return stray;
  if (at === undefined) return refuseAtTable('not-open', null, 'The table is not open yet; open it with a setting.');
  if (view === 'public') return publicView(at);
  if (view === 'dealer') return buildDealerView(at);
  if (view === 'supervisor') return buildSupervisorView(at);
  const terminal = typeof view === 'string' && view.startsWith('terminal:') ? view.slice(9) : '';
  if (isId(terminal)) return terminalView(at, terminal);
  return refuse('bad-request', `${quoted(view)} is no view; use public, terminal:ID, dealer or supervisor.`);
}

function expectation(request: LineRequest, answer: object): object | Refusal<ErrorCode> {
  const { expect } = request;
  const stray = strayBeside('expect', request);
  if (stray) return stray;
  const told = 'refused' in answer ? { error: { ...answer, code: answer.refused } } : answer;
  const place = unmet(expect, told, 'the answer');
  return place === undefined
    ? { met: true }
    : refuse<ErrorCode>('unmet-expectation', `${place} is not as expected; look at the answer before.`);
}

/** Where a value holds less than was expected: objects may hold more, save that {} wants an empty one; lists are as long. */
function unmet(expected: unknown, value: unknown, place: string): string | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length) return place;
    return firstUnmet(expected.map((one, n) => () => unmet(one, value[n], `${place}[${n}]`)));
  }
  if (isObject(expected)) {
    if (!isObject(value)) return place;
    if (Object.keys(expected).length === 0 && Object.values(value).some((one) => one !== undefined)) return place;
    return firstUnmet(
      Object.entries(expected).map(
        ([name, one]) =>
          () =>
            unmet(one, Object.hasOwn(value, name) ? value[name] : undefined, `${place}.${name}`),
      ),
    );
  }
  return expected === value ? undefined : place;
}

function firstUnmet(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const place = check();
    if (place !== undefined) return place;
  }
  return undefined;
}
