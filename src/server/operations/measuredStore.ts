import { type Metrics, type RoundEndKind } from '../../metrics/metrics.ts';
import { type AppendRequest, type Store, type StoredEntry } from '../../store/store.ts';

/** A store whose appends are measured; whatever else it does is its own. */
export const measured = (store: Store, { appended }: Metrics): Store => ({
  ...store,
  append: async (batch) => {
    const began = performance.now();
    try {
      const result = await store.append(batch);
      appended(sizeOf(batch), performance.now() - began, 'refused' in result ? 'refused' : 'written');
      return result;
    } catch (error) {
      appended(sizeOf(batch), performance.now() - began, 'failed');
      throw error;
    }
  },
});

/** The first entry of a command holds the command; the others name it. */
const sizeOf = ({ entries }: AppendRequest) => ({
  commands: entries.filter(({ command }) => 'asked' in command).length,
  entries: entries.length,
});

const ends: { readonly [event: string]: RoundEndKind } = {
  RoundSettled: 'settled',
  RoundVoided: 'void',
};

/** How rounds ended by what was written of a table; a settlement that is made anew without results voids its round. */
export const roundEndings = (entries: readonly StoredEntry[]): readonly RoundEndKind[] =>
  entries.flatMap(({ event }) => {
    if (event.type === 'RoundResettled') return event['results'] === undefined ? 'void' : 'corrected';
    return ends[event.type] ?? [];
  });
