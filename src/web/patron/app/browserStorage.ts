/**
 * A JSON object in the storage of the browser. `read` takes missing fields from the default value. In a browser without
 * storage `read` returns the default value, and `write` has no effect.
 */
export function createBrowserJsonStore<T>(
  storage: () => Storage,
  key: string,
  defaultValue: T,
): { read: () => T; write: (value: T) => void } {
  let lastText: string | undefined;
  return {
    read: () => {
      try {
        return { ...defaultValue, ...(JSON.parse(storage().getItem(key) ?? '{}') as Partial<T>) };
      } catch {
        return defaultValue;
      }
    },
    write: (value) => {
      const text = JSON.stringify(value);
      if (text === lastText) return;
      lastText = text;
      try {
        storage().setItem(key, text);
      } catch {
        // If browser storage is missing or full, the value is lost when the page is closed.
      }
    },
  };
}
