import { signal } from '@preact/signals';
import { type Fraction } from '../../../../odds/fraction.ts';

/** Expected return and variance of each wager, exact for a fresh shoe. */
export type Theory = { readonly [wager: string]: { readonly expected: Fraction; readonly variance: Fraction } };

/** Results by game and number of decks. */
export const theories = signal<ReadonlyMap<string, Theory>>(new Map());
const asked = new Set<string>();

/** Computes the odds of a game in a worker, once per number of decks. */
export function startExpectedReturn(game: string, decks: number): void {
  const name = `${game}/${decks}`;
  if (asked.has(name)) return;
  asked.add(name);
  const worker = new Worker(new URL('./odds.worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<Theory>) => {
    worker.terminate();
    theories.value = new Map([...theories.value, [name, data]]);
  });
  worker.postMessage({ game, decks });
}
