import { type OptionValues, parseNumber, optionText } from './commandLine.ts';
import { CliError } from './cliError.ts';

// Arguments and options that several commands share.

/**
 * Throws if --jsonl is given together with a name or one of `options`. With --jsonl each input line has its own values.
 */
export function throwIfGivenWithJsonl(
  values: OptionValues,
  name: string | undefined,
  options: readonly string[],
): void {
  const unexpected = name ?? options.filter((option) => values[option] !== undefined).map((option) => `--${option}`)[0];
  if (unexpected !== undefined) {
    throw new CliError(
      2,
      'unexpected-argument',
      `With --jsonl each input line has its own values; leave out ${unexpected}.`,
    );
  }
}

export function parseCardsOption(values: OptionValues, command: string): readonly string[] {
  // An empty text is allowed: no card is dealt yet. `optionText` would refuse it.
  const cards = values['cards'] as string | undefined;
  if (cards === undefined) {
    throw new CliError(
      2,
      'missing-argument',
      `Give the cards, as in \`punto ${command} tiger --cards "9S 2C 9H 4D"\`.`,
    );
  }
  return cards.split(/[\s,]+/).filter((card) => card !== '');
}

export function parseDecksOption(values: OptionValues): number | undefined {
  const decks = optionText(values, 'decks');
  return decks === undefined ? undefined : parseNumber(decks, 'The number of decks');
}

/** The value of an option as a whole number from `min` to `max`; undefined if the option is not given. */
export function parseWholeNumberOption(
  values: OptionValues,
  option: string,
  min: number,
  max: number,
): number | undefined {
  const text = optionText(values, option);
  if (text === undefined) return undefined;
  const value = parseNumber(text, `--${option}`);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new CliError(1, 'bad-simulation', `--${option} is ${text}; use a whole number from ${min} to ${max}.`);
}
