import { signal } from '@preact/signals';
import { type HouseEdges } from './houseEdges.ts';

/** House edges of the game requested last; undefined while they are computed. */
export const oddsResult = signal<HouseEdges | 'failed' | undefined>(undefined);
let requested = '';

/** Computes the house edges of a game version in a worker, once. */
export function startOddsJob(game: string, decks: number): void {
  const name = `${game} ${decks}`;
  if (requested === name) return;
  requested = name;
  oddsResult.value = undefined;
  const worker = new Worker(new URL('./odds.worker.ts', import.meta.url), { type: 'module' });
  const done = (figures: HouseEdges | 'failed'): void => {
    worker.terminate();
    if (requested === name) oddsResult.value = figures;
  };
  worker.addEventListener('message', ({ data }: MessageEvent<HouseEdges>) => done(data));
  worker.addEventListener('error', () => done('failed'));
  worker.postMessage({ game, decks });
}
