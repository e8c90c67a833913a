/** What a page keeps in the storage of its browser; without storage it lasts as long as the page. */
export function keptIn<T>(
  storage: () => Storage,
  place: string,
  usual: T,
): { read: () => T; write: (value: T) => void } {
  return {
    read: () => {
      try {
        return { ...usual, ...(JSON.parse(storage().getItem(place) ?? '{}') as Partial<T>) };
      } catch {
        return usual;
      }
    },
    write: (value) => {
      try {
        storage().setItem(place, JSON.stringify(value));
      } catch {
        // There is no storage, or it is full.
      }
    },
  };
}
