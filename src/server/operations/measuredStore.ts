import { type Metrics, type RoundEnding } from '../../metrics/metrics.ts';
import { type AppendRequest, type Store, type StoredEntry } from '../../store/store.ts';

export const createMeasuredStore = (store: Store, { appended }: Metrics): Store => ({
  ...store,
  append: async (batch) => {
    const startedAt = performance.now();
    try {
      const result = await store.append(batch);
      appended(sizeOf(batch), performance.now() - startedAt, 'refused' in result ? 'refused' : 'written');
      return result;
    } catch (error) {
      appended(sizeOf(batch), performance.now() - startedAt, 'failed');
      throw error;
    }
  },
});

/** Number of commands and entries of an append. Only the first entry of a command has the field `request`. */
const sizeOf = ({ entries }: AppendRequest) => ({
  commands: entries.filter(({ command }) => 'request' in command).length,
  entries: entries.length,
});

const endingOf: { readonly [event: string]: RoundEnding } = {
  RoundSettled: 'settled',
  RoundVoided: 'void',
};

/**
 * Gives one ending for each entry that settles, voids or resettles a round. A resettlement without results is a void.
 */
export const roundEndingsOf = (entries: readonly StoredEntry[]): readonly RoundEnding[] =>
  entries.flatMap(({ event }) => {
    if (event.type === 'RoundResettled') return event['results'] === undefined ? 'void' : 'corrected';
    return endingOf[event.type] ?? [];
  });
