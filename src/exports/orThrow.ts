import { type Refusal, isRefused } from '../base/refusal.ts';

/**
 * A refusal as an error. `code` is the stable error code. `message` says what is wrong and what to do. `by` is the
 * clause, or null without one.
 */
export class RefusalError extends Error {
  readonly code: string;
  readonly by: string | null;

  constructor({ refused, message, by = null }: Refusal<string> & { readonly by?: string | null }) {
    super(message);
    this.name = 'Refused';
    this.code = refused;
    this.by = by;
  }
}

/** Returns `value`. Throws a `RefusalError` if `value` is a refusal. */
export function orThrow<T>(value: T): Exclude<T, { readonly refused: string }> {
  const given: unknown = value;
  if (isRefused(value)) throw new RefusalError(given as Refusal<string>);
  return given as Exclude<T, { readonly refused: string }>;
}
