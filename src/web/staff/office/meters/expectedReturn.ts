import { signal } from '@preact/signals';
import { type Fraction } from '../../../../odds/fraction.ts';

/** Expected return and variance of each wager of a game, exact for a fresh shoe. */
export type ExpectedReturns = {
  readonly [wager: string]: { readonly expected: Fraction; readonly variance: Fraction };
};

/** Expected returns computed so far. A key joins game and number of decks with a slash. */
export const expectedReturnsByGame = signal<ReadonlyMap<string, ExpectedReturns>>(new Map());
const requested = new Set<string>();

/**
 * Computes the expected returns of a game in a web worker and adds them to `expectedReturnsByGame`. A repeated call for
 * the same game and number of decks does nothing.
 */
export function requestExpectedReturns(game: string, decks: number): void {
  const key = `${game}/${decks}`;
  if (requested.has(key)) return;
  requested.add(key);
  const worker = new Worker(new URL('./odds.worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<ExpectedReturns>) => {
    worker.terminate();
    expectedReturnsByGame.value = new Map([...expectedReturnsByGame.value, [key, data]]);
  });
  worker.postMessage({ game, decks });
}
