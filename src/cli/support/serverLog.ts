import { inspect } from 'node:util';
import { type Writable } from 'node:stream';
import { pino, stdTimeFunctions } from 'pino';
import { type ClockJump, isoTime } from '../../runtime/ports/clock.ts';
import { type Outage } from '../../runtime/ports/outageReporter.ts';
import { quoted } from '../../base/refusal.ts';
import { type SignInFailureCounts } from '../../server/staff/signInFailures.ts';
import { signInFailuresText, isOperationalFailure, clockJumpText, outageText, errorText } from './outageText.ts';
import { CliError } from './cliError.ts';

/** What a server tells its operator while it runs: lines for a person, or JSON for a program. */
export type ServerLog = {
  /** For what is said line by line before the floor opens. */
  readonly lines: Pick<Writable, 'write'>;
  readonly started: (floor: string, address: string) => void;
  /** A signal asked it to end; what it still does until then may take seconds. */
  readonly stopping: (signal: StopSignal, isShared: boolean) => void;
  readonly ended: () => void;
  /** It does not start, or does not go on; gives the exit code, or throws it for whoever says such things. */
  readonly refused: (error: unknown) => number;
  readonly outage: (outage: Outage) => void;
  readonly trouble: (what: string, error: unknown) => void;
  readonly jumped: (jump: ClockJump) => void;
  readonly signInsFailed: (failures: SignInFailureCounts) => void;
  /** The certificate was read again. */
  readonly renewed: () => void;
  readonly warns: (text: string) => void;
};

type StopSignal = 'SIGINT' | 'SIGTERM';

/** A node on a database may hand its tables to another instead of playing their rounds to the end. */
const stoppingText = (isShared: boolean): string =>
  `no more bets are taken; rounds that have begun are played to their end${isShared ? ' or handed to another node' : ''}`;

/** The log that `--log` asks for. */
export function createServerLog(form: string | undefined, errors: Writable): ServerLog {
  if (form === undefined || form === 'text') return textLog(errors);
  if (form === 'json') return jsonLog(errors);
  throw new CliError(2, 'malformed-argument', `--log is ${quoted(form)}; write text or json.`);
}

function textLog(errors: Writable): ServerLog {
  const say = (text: string): void => void errors.write(`punto: ${withoutSecrets(text)}\n`);
  return {
    lines: errors,
    // Standard output has said so.
    started: () => {},
    stopping: (signal, isShared) => say(`${signal} received: ${stoppingText(isShared)}.`),
    ended: () => {},
    refused: (error) => {
      throw error;
    },
    outage: (outage) => say(outageText(outage)),
    trouble: (what, error) => say(errorText(what, error)),
    jumped: (jump) => say(clockJumpText(jump)),
    signInsFailed: (failures) => say(signInFailuresText(failures)),
    renewed: () => say('the certificate was read again; new connections are given it.'),
    warns: say,
  };
}

function jsonLog(errors: Writable): ServerLog {
  const log = pino(
    {
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      hooks: { streamWrite: withoutSecrets },
    },
    errors,
  );
  return {
    lines: {
      write: (text: string) => {
        for (const line of text.trimEnd().split('\n')) log.error({ event: 'mistake' }, line);
        return true;
      },
    },
    started: (floor, address) => log.info({ event: 'started', address }, `${floor} is open`),
    stopping: (signal, isShared) => log.info({ event: 'stopping', signal }, stoppingText(isShared)),
    ended: () => log.info({ event: 'ended' }, 'the floor is closed'),
    refused: (error) => {
      if (error instanceof CliError) log.fatal({ event: 'refused', code: error.code }, error.message);
      else log.fatal({ event: 'refused', code: 'broken', error: plain(error) }, 'Punto failed; please report it');
      return error instanceof CliError ? error.status : 1;
    },
    outage: ({ state, error, lasted, failures, waiting }) => {
      const fields = { event: 'outage', state, lasted, failures, waiting, error: plain(error) };
      if (state === 'over') log.info(fields, 'writing works again');
      else log.error(fields, state === 'begun' ? 'writing fails' : 'writing goes on failing');
    },
    trouble: (what, error) => log.error({ event: 'trouble', what, error: plain(error) }, `trouble at ${what}`),
    jumped: ({ from, to }) =>
      log.warn({ event: 'clock', from: isoTime(from), to: isoTime(to) }, 'the clock of this machine was set'),
    signInsFailed: (failures) => log.warn({ event: 'sign-ins-failed', failures }, signInFailuresText(failures)),
    renewed: () => log.info({ event: 'renewed' }, 'the certificate was read again'),
    warns: (text) => log.warn({ event: 'warning' }, text),
  };
}

type Plain = {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: Plain;
};

/** An error by what it is known to say, and nothing else that it may carry. */
function plain(error: unknown, isSaid = isOperationalFailure(error)): Plain {
  if (!(error instanceof Error)) return { type: typeof error, message: inspect(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.constructor.name || name,
    message,
    ...(code !== undefined && { code }),
    ...(stack !== undefined && !isSaid && { stack }),
    ...(cause !== undefined && { cause: plain(cause, isSaid) }),
  };
}

/**
 * Nothing that is told holds a secret; should an error hold one all the same, it is not written. Secrets of terminals, tokens,
 * keys, salts and orders of cards are long rows of hexadecimal digits, and numbers of tickets 18 digits.
 */
const withoutSecrets = (text: string): string =>
  text.replace(/(?<![0-9a-f])[0-9a-f]{32,}(?![0-9a-f])/gi, '[hidden]').replace(/(?<!\d)\d{18}(?!\d)/g, '[hidden]');
