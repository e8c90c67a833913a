import { inspect } from 'node:util';
import { type ClockJump, isoTime } from '../../runtime/ports/clock.ts';
import { OperatorWarning } from '../../runtime/terminals/secretBindings.ts';
import { type OutageReport } from '../../runtime/stream/outageReporter.ts';
import { DamagedBlobError } from '../../runtime/encryption/encryptedBlobs.ts';
import { type SignInFailureCounts } from '../../server/staff/signInFailureReporter.ts';
import { WriteResultUnknownError } from '../../store/store.ts';
import { WriteFailedError } from '../../store/failures.ts';
import { type ErrorCode } from './errorCodes.ts';

/** True for a failure of the store, the database or the network. The log shows such a failure without a stack trace. */
export const isOperationalFailure = (error: unknown): error is Error =>
  error instanceof OperatorWarning || error instanceof WriteFailedError || error instanceof WriteResultUnknownError;

const errorDetails = (error: unknown): string => (isOperationalFailure(error) ? error.message : inspect(error));

/** Log line about an outage. In an outage, writes to the store or its anchor fail and are tried again. */
export function outageText({ state, error, durationMs, failures, failing }: OutageReport): string {
  const times = failures === 1 ? 'once' : `${failures} times`;
  const span = `${(durationMs / 1_000).toFixed(1)} s`;
  switch (state) {
    case 'begun':
      return `writing fails for ${failing.join(', ')}; Punto retries until it works: ${errorDetails(error)}`;
    case 'lasting':
      return `writing for ${failing.join(', ')} has failed for ${span}, ${times}; Punto retries until it works: ${errorDetails(error)}`;
    case 'over':
      return `writing works again after ${span}; before that it failed ${times}, the last time with ${isOperationalFailure(error) ? error.message : String(error)}`;
  }
}

const damagedBlobCode: ErrorCode = 'damaged-blob';

/** Log line about an error after which the server continues. */
export function errorLogText(what: string, error: unknown): string {
  if (!(error instanceof DamagedBlobError)) return `problem with ${what}: ${errorDetails(error)}`;
  const finding = error.message.replace(/\.$/, '');
  return `problem with ${what}: ${finding}; ${error.consequence}: find out who wrote to the event store. (${damagedBlobCode})`;
}

/** Log line about failed sign-ins: the number of failures by error code, without staff numbers. */
export function signInFailuresText(failures: SignInFailureCounts): string {
  const total = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const byCode = Object.entries(failures).map(([code, count]) => `${code} ${count}`);
  return `${total === 1 ? '1 staff sign-in' : `${total} staff sign-ins`} failed (${byCode.join(', ')}).`;
}

export const clockJumpText = ({ from, to }: ClockJump): string =>
  `the clock of this machine was changed from ${isoTime(from)} to ${isoTime(to)}; the floor clock never jumps: ` +
  'it follows slowly, or not at all if the difference is more than an hour. To use a later time at once, restart the server.';
