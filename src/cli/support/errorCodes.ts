import { runtimeRefusalCodes } from '../../runtime/stream/refusals.ts';
import { signInRefusalCodes } from '../../runtime/staff/signInRefusals.ts';
import { floorDeciderErrorCodes } from '../../floor/decide.ts';
import { staffRegisterErrorCodes } from '../../staff/decision.ts';
import { ruleErrorCodes } from '../../base/refusal.ts';
import { serverRefusalCodes } from '../../wire/serverRefusalCodes.ts';
import { type TableErrorCode, tableRefusals } from '../../table/schema/refusals.ts';
import { terminalErrorCodes } from '../../terminal/decision.ts';

/** Error codes that only commands of the command line use. */
const cliErrorCodes = [
  'address-unavailable',
  'already-enrolled',
  'anchor-missing',
  'bad-certificate',
  'bad-property',
  'bad-results',
  'bad-simulation',
  'behind-anchor',
  'broken',
  'clock-far',
  'damaged-anchor',
  'damaged-backup',
  'damaged-blob',
  'damaged-record',
  'data-in-use',
  'empty-line',
  'file-exists',
  'folder-not-empty',
  'line-too-long',
  'malformed-argument',
  'missing-argument',
  'missing-record',
  'newer-record',
  'not-found',
  'not-json',
  'older-record',
  'other-property',
  'record-lost',
  'screens-not-built',
  'unexpected-argument',
  'unknown-command',
  'unknown-option',
  'unknown-terminal',
  'unmet-expectation',
  'unreadable-file',
  'unsigned-entries',
  'unusable-anchor',
  'unusable-data',
  'unwritable-output',
  'wrong-key',
] as const;

const tableCodes = Object.keys(tableRefusals) as readonly TableErrorCode[];

/** All error codes of docs/errors.md. The set removes duplicates, because tables and terminals share some codes. */
export const errorCodes = [
  ...new Set([
    ...ruleErrorCodes,
    ...cliErrorCodes,
    ...tableCodes,
    ...terminalErrorCodes,
    ...floorDeciderErrorCodes,
    ...staffRegisterErrorCodes,
    ...signInRefusalCodes,
    ...runtimeRefusalCodes,
    ...serverRefusalCodes,
  ]),
].toSorted();
export type ErrorCode = (typeof errorCodes)[number];
