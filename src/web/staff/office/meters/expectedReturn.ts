import { signal } from '@preact/signals';
import { type Fraction } from '../../../../odds/fraction.ts';

/** What a wager brings by the exact odds of a fresh shoe, and how that varies. */
export type Theory = { readonly [wager: string]: { readonly expected: Fraction; readonly variance: Fraction } };

/** The theory of each game with its decks that was asked for, once it is counted. */
export const theories = signal<ReadonlyMap<string, Theory>>(new Map());
const asked = new Set<string>();

/** Has the odds of a game counted for so many decks, once. */
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
