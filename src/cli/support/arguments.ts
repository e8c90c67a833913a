import { type Values, parseNumber, optionText } from './command.ts';
import { CliError } from './cliError.ts';

// Arguments that several commands take.

/** Lines bring their own games, cards and decks: options that would speak for all of them are wrong use. */
export function refuseWithJsonl(values: Values, name: string | undefined, options: readonly string[]): void {
  const beside = name ?? options.filter((option) => values[option] !== undefined).map((option) => `--${option}`)[0];
  if (beside !== undefined) {
    throw new CliError(2, 'unexpected-argument', `With --jsonl each line says what it is about; leave out ${beside}.`);
  }
}

export function cardArguments(values: Values, command: string): readonly string[] {
  // No card at all is a beginning too.
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

export function decksOption(values: Values): number | undefined {
  const decks = optionText(values, 'decks');
  return decks === undefined ? undefined : parseNumber(decks, 'The number of decks');
}

/** How much of a simulation is asked for: a whole number within bounds, or undefined where the option is left out. */
export function wholeNumberOption(values: Values, option: string, min: number, max: number): number | undefined {
  const text = optionText(values, option);
  if (text === undefined) return undefined;
  const value = parseNumber(text, `--${option}`);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new CliError(1, 'bad-simulation', `--${option} is ${text}; use a whole number from ${min} to ${max}.`);
}
