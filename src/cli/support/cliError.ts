import { type Refusal, isRefused } from '../../base/refusal.ts';
import { type ErrorCode } from './codes.ts';

/** The exit code of a command that Ctrl-C has cut short, as shells have it: 128 and the number of SIGINT. */
export const interruptedStatus = 130;

/** Ends a command: status 1 for what is well-formed but refused or failed, 2 for wrong use. */
export class CliError extends Error {
  readonly code: ErrorCode;
  readonly status: 1 | 2;

  constructor(status: 1 | 2, code: ErrorCode, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A value that was not refused, or the end of the command. */
export function unwrap<T>(value: T | Refusal<ErrorCode>): T {
  if (isRefused(value)) {
    const { refused, message } = value as Refusal<ErrorCode>;
    throw new CliError(1, refused, message);
  }
  return value;
}
