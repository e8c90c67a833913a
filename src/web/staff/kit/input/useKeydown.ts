import { useLayoutEffect, useRef } from 'preact/hooks';

/** The key that was pressed last. */
let latest: KeyboardEvent | undefined;
addEventListener('keydown', (event) => void (latest = event), { capture: true });

/**
 * Listens to keys while a component is on the page. It does so before the first paint, since a key that is pressed between
 * two paints would be lost, but ignores the key that opened the component.
 */
export function useKeydown(listener: (event: KeyboardEvent) => void, capture = false): void {
  const current = useRef(listener);
  current.current = listener;
  useLayoutEffect(() => {
    const openedBy = latest;
    const hear = (event: KeyboardEvent): void => {
      if (event !== openedBy) current.current(event);
    };
    addEventListener('keydown', hear, { capture });
    return () => removeEventListener('keydown', hear, { capture });
  }, [capture]);
}
