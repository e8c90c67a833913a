import { inspect } from 'node:util';
import { type Writable } from 'node:stream';
import { pino, stdTimeFunctions } from 'pino';
import { type ClockJump, isoTime } from '../../runtime/ports/clock.ts';
import { type OutageReport } from '../../runtime/stream/outageReporter.ts';
import { quoteForMessage } from '../../base/refusal.ts';
import { type SignInFailureCounts } from '../../server/staff/signInFailureReporter.ts';
import { signInFailuresText, isOperationalFailure, clockJumpText, outageText, errorLogText } from './serverLogText.ts';
import { CliError } from './cliError.ts';

/** Log of a running server on standard error: sentences for people, or JSON lines for programs. */
export type ServerLog = {
  /** Writer for plain lines before the floor opens, such as mistakes in the property file. */
  readonly lines: Pick<Writable, 'write'>;
  readonly started: (floor: string, address: string) => void;
  /** A stop signal was received. The shutdown may take several seconds. */
  readonly stopping: (signal: StopSignal, isCluster: boolean) => void;
  readonly ended: () => void;
  /**
   * Reports an error after which the server cannot start or continue. The JSON log writes the error and returns the
   * exit code. The text log throws the error again, so that `run` prints it.
   */
  readonly refused: (error: unknown) => number;
  readonly outage: (outage: OutageReport) => void;
  readonly error: (what: string, error: unknown) => void;
  readonly clockJumped: (jump: ClockJump) => void;
  readonly signInsFailed: (failures: SignInFailureCounts) => void;
  readonly certificateReloaded: () => void;
  readonly warn: (text: string) => void;
};

type StopSignal = 'SIGINT' | 'SIGTERM';

/** Text about bets and rounds during a shutdown. Only a node of a cluster can hand tables over. */
const stoppingText = (isCluster: boolean): string =>
  `no more bets are accepted; rounds in play are completed${isCluster ? ' or handed over to another node' : ''}`;

/** Creates the log in the format of the option --log: `text`, which is the default, or `json`. */
export function createServerLog(format: string | undefined, errors: Writable): ServerLog {
  if (format === undefined || format === 'text') return textLog(errors);
  if (format === 'json') return jsonLog(errors);
  throw new CliError(2, 'malformed-argument', `--log is ${quoteForMessage(format)}; write text or json.`);
}

function textLog(errors: Writable): ServerLog {
  const write = (text: string): void => void errors.write(`punto: ${redactSecrets(text)}\n`);
  return {
    lines: errors,
    // `punto serve` prints the address on standard output. So the text log writes nothing here.
    started: () => {},
    stopping: (signal, isCluster) => write(`${signal} received: ${stoppingText(isCluster)}.`),
    ended: () => {},
    refused: (error) => {
      throw error;
    },
    outage: (outage) => write(outageText(outage)),
    error: (what, error) => write(errorLogText(what, error)),
    clockJumped: (jump) => write(clockJumpText(jump)),
    signInsFailed: (failures) => write(signInFailuresText(failures)),
    certificateReloaded: () => write('the certificate was reloaded; new connections use it.'),
    warn: write,
  };
}

function jsonLog(errors: Writable): ServerLog {
  const log = pino(
    {
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      hooks: { streamWrite: redactSecrets },
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
    stopping: (signal, isCluster) => log.info({ event: 'stopping', signal }, stoppingText(isCluster)),
    ended: () => log.info({ event: 'ended' }, 'the floor is closed'),
    refused: (error) => {
      if (error instanceof CliError) log.fatal({ event: 'refused', code: error.code }, error.message);
      else
        log.fatal({ event: 'refused', code: 'broken', error: toLoggedError(error) }, 'Punto failed; please report it');
      return error instanceof CliError ? error.status : 1;
    },
    outage: ({ state, error, durationMs, failures, failing }) => {
      const fields = { event: 'outage', state, lasted: durationMs, failures, failing, error: toLoggedError(error) };
      if (state === 'over') log.info(fields, 'writing works again');
      else log.error(fields, state === 'begun' ? 'writing fails' : 'writing still fails');
    },
    error: (what, error) => log.error({ event: 'problem', what, error: toLoggedError(error) }, `problem with ${what}`),
    clockJumped: ({ from, to }) =>
      log.warn({ event: 'clock', from: isoTime(from), to: isoTime(to) }, 'the clock of this machine was changed'),
    signInsFailed: (failures) => log.warn({ event: 'sign-ins-failed', failures }, signInFailuresText(failures)),
    certificateReloaded: () => log.info({ event: 'renewed' }, 'the certificate was reloaded'),
    warn: (text) => log.warn({ event: 'warning' }, text),
  };
}

type LoggedError = {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
};

/** The standard fields of an error. Other fields may contain a secret, so they are left out. */
function toLoggedError(error: unknown, isStackHidden = isOperationalFailure(error)): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: inspect(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.constructor.name || name,
    message,
    ...(code !== undefined && { code }),
    ...(stack !== undefined && !isStackHidden && { stack }),
    ...(cause !== undefined && { cause: toLoggedError(cause, isStackHidden) }),
  };
}

/**
 * Redaction: replaces secrets that a log line might contain by `[hidden]`. Secrets, keys and salts are hexadecimal
 * strings of 32 digits or more; validation numbers of tickets have 18 digits.
 */
const redactSecrets = (text: string): string =>
  text.replace(/(?<![0-9a-f])[0-9a-f]{32,}(?![0-9a-f])/gi, '[hidden]').replace(/(?<!\d)\d{18}(?!\d)/g, '[hidden]');
