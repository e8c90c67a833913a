import { floorRefusals } from '../floor/runner.ts';
import { type Refusal, refusals } from '../rules/refusal.ts';
import { wireRefusals } from '../wire/refusals.ts';
import { type TableCode, tableRefusals } from '../table/declare/refusals.ts';
import { terminalRefusals } from '../terminal/declare.ts';

/** What only a command can find wrong; together with the refusals of the rules, all codes of docs/errors.md. */
const commandErrors = [
  'address-unavailable',
  'bad-results',
  'bad-simulation',
  'broken',
  'damaged-record',
  'data-in-use',
  'empty-line',
  'line-too-long',
  'malformed-argument',
  'missing-argument',
  'newer-record',
  'not-found',
  'not-json',
  'older-record',
  'unexpected-argument',
  'unknown-command',
  'unknown-option',
  'unmet-expectation',
  'unreadable-file',
  'unusable-data',
  'unwritable-output',
  'wrong-key',
] as const;

const tableCodes = Object.keys(tableRefusals) as readonly TableCode[];

// Tables and terminals have some in common.
export const errorCodes = [
  ...new Set([...refusals, ...commandErrors, ...tableCodes, ...terminalRefusals, ...floorRefusals, ...wireRefusals]),
].toSorted();
export type ErrorCode = (typeof errorCodes)[number];

/** Ends a command: status 1 for what is well-formed but refused or failed, 2 for wrong use. */
export class Stop extends Error {
  readonly code: ErrorCode;
  readonly status: 1 | 2;

  constructor(status: 1 | 2, code: ErrorCode, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A value that was not refused, or the end of the command. */
export function accepted<T>(value: T | Refusal): T {
  if (typeof value === 'object' && value !== null && 'refused' in value) {
    throw new Stop(1, value.refused, value.message);
  }
  return value;
}
