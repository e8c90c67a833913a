import { inspect } from 'node:util';
import { type ClockJump, isoTime } from '../../runtime/ports/clock.ts';
import { Finding } from '../../runtime/terminals/secretBindings.ts';
import { type Outage } from '../../runtime/ports/outageReporter.ts';
import { DamagedBlob } from '../../runtime/encryption/encryptedBlobs.ts';
import { type SignInFailureCounts } from '../../server/staff/signInFailures.ts';
import { ResultUnknown } from '../../store/store.ts';
import { WriteFailed } from '../../store/failures.ts';
import { type ErrorCode } from './codes.ts';

/** Whether an error is told by its sentence: what a record or its database does has no place in the program. */
export const isOperationalFailure = (error: unknown): error is Error =>
  error instanceof Finding || error instanceof WriteFailed || error instanceof ResultUnknown;

/** All that is known of an error. */
const whole = (error: unknown): string => (isOperationalFailure(error) ? error.message : inspect(error));

/** What the operator reads while the record or its anchor cannot be written: the whole error, for how long, how often, and who waits. */
export function outageText({ state, error, lasted, failures, waiting }: Outage): string {
  const times = failures === 1 ? 'once' : `${failures} times`;
  const span = `${(lasted / 1_000).toFixed(1)} s`;
  switch (state) {
    case 'begun':
      return `writing fails for ${waiting.join(', ')}; it is tried again until it works: ${whole(error)}`;
    case 'lasting':
      return `writing has failed for ${span}, ${times}; ${waiting.join(', ')} wait: ${whole(error)}`;
    case 'over':
      return `writing works again after ${span}; it failed ${times}, at last by ${isOperationalFailure(error) ? error.message : String(error)}`;
  }
}

const damagedSeal: ErrorCode = 'damaged-seal';

/** What the operator reads when something went wrong that is got over. */
export function errorText(what: string, error: unknown): string {
  if (!(error instanceof DamagedBlob)) return `trouble at ${what}: ${whole(error)}`;
  const found = error.message.replace(/\.$/, '');
  return `trouble at ${what}: ${found}; ${error.consequence}: find out who wrote to the folder. (${damagedSeal})`;
}

/** What the operator reads of sign-ins that failed: how many, and why; never whose. */
export function signInFailuresText(failures: SignInFailureCounts): string {
  const all = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const each = Object.entries(failures).map(([code, count]) => `${code} ${count}`);
  return `${all === 1 ? 'a secret of staff was' : `${all} secrets of staff were`} tried in vain (${each.join(', ')}).`;
}

/** What the operator reads when the clock of the machine was set. */
export const clockJumpText = ({ from, to }: ClockJump): string =>
  `the clock of this machine was set from ${isoTime(from)} to ${isoTime(to)}; the floor's time never jumps and follows it ` +
  'slowly, up to an hour. To take over a later time at once, start the server again.';
