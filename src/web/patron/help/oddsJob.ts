import { signal } from '@preact/signals';
import { type ChancesAndEdges } from './houseEdges.ts';

/**
 * Chances and house edges for the last requested game and number of decks. `undefined`: not computed yet. `failed`: the
 * worker failed.
 */
export const chancesAndEdges = signal<ChancesAndEdges | 'failed' | undefined>(undefined);
let requested = '';

/** Computes chances and house edges in a web worker. A call with the same arguments as the last call has no effect. */
export function startChancesAndEdgesJob(game: string, decks: number): void {
  const name = `${game} ${decks}`;
  if (requested === name) return;
  requested = name;
  chancesAndEdges.value = undefined;
  const worker = new Worker(new URL('./odds.worker.ts', import.meta.url), { type: 'module' });
  const done = (figures: ChancesAndEdges | 'failed'): void => {
    worker.terminate();
    if (requested === name) chancesAndEdges.value = figures;
  };
  worker.addEventListener('message', ({ data }: MessageEvent<ChancesAndEdges>) => done(data));
  worker.addEventListener('error', () => done('failed'));
  worker.postMessage({ game, decks });
}
