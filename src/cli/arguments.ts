import { type Values, numberOf, textOf } from './command.ts';
import { Stop } from './stop.ts';

// Arguments that several commands take.

/** Lines bring their own games, cards and decks: options that would speak for all of them are wrong use. */
export function refuseBeside(values: Values, name: string | undefined, options: readonly string[]): void {
  const beside = name ?? options.filter((option) => values[option] !== undefined).map((option) => `--${option}`)[0];
  if (beside !== undefined) {
    throw new Stop(2, 'unexpected-argument', `With --jsonl each line says what it is about; leave out ${beside}.`);
  }
}

export function cardsIn(values: Values, command: string): readonly string[] {
  // No card at all is a beginning too.
  const cards = values['cards'] as string | undefined;
  if (cards === undefined) {
    throw new Stop(2, 'missing-argument', `Give the cards, as in \`punto ${command} tiger --cards "9S 2C 9H 4D"\`.`);
  }
  return cards.split(/[\s,]+/).filter((card) => card !== '');
}

export function decksIn(values: Values): number | undefined {
  const decks = textOf(values, 'decks');
  return decks === undefined ? undefined : numberOf(decks, 'The number of decks');
}
