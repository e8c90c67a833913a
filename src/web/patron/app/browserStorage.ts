/**
 * A JSON value in the storage of the browser. In a browser without storage `read` gives the default value, and `write`
 * does nothing.
 */
export function createStoredJson<T>(
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
        // The browser has no storage, or it is full: the value is lost with the page.
      }
    },
  };
}
