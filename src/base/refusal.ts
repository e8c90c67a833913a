import { escapeUnseen } from './unseenCharacters.ts';

/** Error codes of rules and schemas. The list is closed; docs/errors.md explains each code. */
export const ruleErrorCodes = [
  'bad-decks',
  'bad-game',
  'bad-request',
  'bad-shoe',
  'bad-stake',
  'card-after-deal',
  'game-not-in-force',
  'incomplete-deal',
  'off-step-stake',
  'repeated-wager',
  'too-large-stake',
  'too-many-copies',
  'unknown-card',
  'unknown-field',
  'unknown-game',
  'unknown-wager',
  'wager-not-optional',
  'wrong-deck',
] as const;

/**
 * A refused request. It is a value, not an exception: an error code, and one sentence that says what is wrong and what
 * to do.
 */
export type Refusal<Code extends string = (typeof ruleErrorCodes)[number]> = {
  readonly refused: Code;
  readonly message: string;
};

export const refuse = <Code extends string = (typeof ruleErrorCodes)[number]>(
  refused: Code,
  message: string,
): Refusal<Code> => ({ refused, message });

export const isRefused = <T>(value: T): value is Extract<T, { readonly refused: string }> =>
  typeof value === 'object' && value !== null && 'refused' in value;

const isShort = (list: readonly unknown[]): boolean =>
  list.length <= 5 && list.every((one) => typeof one === 'number' || (typeof one === 'string' && one.length <= 10));

/** Formats an untrusted value for a message: short, on one line, and with invisible characters escaped. */
export function quoteForMessage(value: unknown): string {
  if (Array.isArray(value)) return isShort(value) ? JSON.stringify(value) : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return escapeUnseen(JSON.stringify(value.length <= 60 ? value : `${value.slice(0, 57)}...`));
}
