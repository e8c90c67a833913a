/** A JSON value in the storage of the browser. Without storage the value lasts as long as the page. */
export function keptIn<T>(
  storage: () => Storage,
  place: string,
  usual: T,
): { read: () => T; write: (value: T) => void } {
  let last: string | undefined;
  return {
    read: () => {
      try {
        return { ...usual, ...(JSON.parse(storage().getItem(place) ?? '{}') as Partial<T>) };
      } catch {
        return usual;
      }
    },
    write: (value) => {
      const text = JSON.stringify(value);
      if (text === last) return;
      last = text;
      try {
        storage().setItem(place, text);
      } catch {
        // There is no storage, or it is full.
      }
    },
  };
}
