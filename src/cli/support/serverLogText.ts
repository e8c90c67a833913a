import { inspect } from 'node:util';
import { type ClockJump, isoTime } from '../../runtime/ports/clock.ts';
import { Finding } from '../../runtime/terminals/secretBindings.ts';
import { type Outage } from '../../runtime/ports/outageReporter.ts';
import { DamagedBlob } from '../../runtime/encryption/encryptedBlobs.ts';
import { type SignInFailureCounts } from '../../server/staff/signInFailures.ts';
import { ResultUnknown } from '../../store/store.ts';
import { WriteFailed } from '../../store/failures.ts';
import { type ErrorCode } from './codes.ts';

/** True for a failure of the store, the database or the network: its message is enough, a stack trace would not help. */
export const isOperationalFailure = (error: unknown): error is Error =>
  error instanceof Finding || error instanceof WriteFailed || error instanceof ResultUnknown;

const errorDetails = (error: unknown): string => (isOperationalFailure(error) ? error.message : inspect(error));

/** Log line about an outage: writes to the store or its anchor fail and are retried. */
export function outageText({ state, error, lasted, failures, failing }: Outage): string {
  const times = failures === 1 ? 'once' : `${failures} times`;
  const span = `${(lasted / 1_000).toFixed(1)} s`;
  switch (state) {
    case 'begun':
      return `writing fails for ${failing.join(', ')}; it is tried again until it works: ${errorDetails(error)}`;
    case 'lasting':
      return `writing has failed for ${span}, ${times}; ${failing.join(', ')} wait: ${errorDetails(error)}`;
    case 'over':
      return `writing works again after ${span}; it failed ${times}, at last by ${isOperationalFailure(error) ? error.message : String(error)}`;
  }
}

const damagedBlobCode: ErrorCode = 'damaged-seal';

/** Log line about an error after which the server goes on. */
export function errorLogText(what: string, error: unknown): string {
  if (!(error instanceof DamagedBlob)) return `trouble at ${what}: ${errorDetails(error)}`;
  const finding = error.message.replace(/\.$/, '');
  return `trouble at ${what}: ${finding}; ${error.consequence}: find out who wrote to the folder. (${damagedBlobCode})`;
}

/** Log line about failed sign-ins: their number by error code, never whose they were. */
export function signInFailuresText(failures: SignInFailureCounts): string {
  const total = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const byCode = Object.entries(failures).map(([code, count]) => `${code} ${count}`);
  return `${total === 1 ? 'a secret of staff was' : `${total} secrets of staff were`} tried in vain (${byCode.join(', ')}).`;
}

/** Log line about a jump of the machine's clock. */
export const clockJumpText = ({ from, to }: ClockJump): string =>
  `the clock of this machine was set from ${isoTime(from)} to ${isoTime(to)}; the floor's time never jumps and follows it ` +
  'slowly, up to an hour. To take over a later time at once, start the server again.';
