import { signal } from '@preact/signals';
import { type HouseEdges } from './houseEdges.ts';

/** The figures of the game that was asked for last; nothing while they are counted, and failed where they cannot be. */
export const counted = signal<HouseEdges | 'failed' | undefined>(undefined);
let asked = '';

/** Has the figures of a game version counted for so many decks, once. */
export function startOddsJob(game: string, decks: number): void {
  const name = `${game} ${decks}`;
  if (asked === name) return;
  asked = name;
  counted.value = undefined;
  const worker = new Worker(new URL('./odds.worker.ts', import.meta.url), { type: 'module' });
  const done = (figures: HouseEdges | 'failed'): void => {
    worker.terminate();
    if (asked === name) counted.value = figures;
  };
  worker.addEventListener('message', ({ data }: MessageEvent<HouseEdges>) => done(data));
  worker.addEventListener('error', () => done('failed'));
  worker.postMessage({ game, decks });
}
