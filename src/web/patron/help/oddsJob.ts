import { signal } from '@preact/signals';
import { type WagerChances } from './houseEdges.ts';

/** House edges of the game requested last; undefined while they are computed. */
export const wagerChances = signal<WagerChances | 'failed' | undefined>(undefined);
let requested = '';

/** Computes the house edges of a game version in a worker, once. */
export function startWagerChancesJob(game: string, decks: number): void {
  const name = `${game} ${decks}`;
  if (requested === name) return;
  requested = name;
  wagerChances.value = undefined;
  const worker = new Worker(new URL('./odds.worker.ts', import.meta.url), { type: 'module' });
  const done = (figures: WagerChances | 'failed'): void => {
    worker.terminate();
    if (requested === name) wagerChances.value = figures;
  };
  worker.addEventListener('message', ({ data }: MessageEvent<WagerChances>) => done(data));
  worker.addEventListener('error', () => done('failed'));
  worker.postMessage({ game, decks });
}
