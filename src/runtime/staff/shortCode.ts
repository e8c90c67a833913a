/** Letters and digits of a code that a person types, without characters that look alike. */
const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** Draws a code such as "K7QF-3BTD". The code cannot be guessed while the number of attempts is limited. */
export function newShortCode(below: (limit: number) => number): string {
  const half = (): string => Array.from({ length: 4 }, () => letters[below(letters.length)]!).join('');
  return `${half()}-${half()}`;
}

/** A typed code in upper case and without separators. */
export const normalizeShortCode = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
