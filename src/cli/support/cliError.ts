import { type Refusal, isRefused } from '../../base/refusal.ts';
import { type ErrorCode } from './errorCodes.ts';

/** Exit code after Ctrl-C, by the convention of shells: 128 + SIGINT. */
export const interruptedExitCode = 130;

/** Error that ends a command. `status` is the exit code: 1 for a refusal or failure, 2 for wrong usage. */
export class CliError extends Error {
  readonly code: ErrorCode;
  readonly status: 1 | 2;

  constructor(status: 1 | 2, code: ErrorCode, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Returns `value`. If `value` is a refusal, throws a `CliError` with its code and exit code 1. */
export function unwrap<T>(value: T | Refusal<ErrorCode>): T {
  if (isRefused(value)) {
    const { refused, message } = value as Refusal<ErrorCode>;
    throw new CliError(1, refused, message);
  }
  return value;
}
