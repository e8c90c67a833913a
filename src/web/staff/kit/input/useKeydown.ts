import { useLayoutEffect, useRef } from 'preact/hooks';

/** Last key pressed, to recognise the key that opened a component. */
let lastKeydown: KeyboardEvent | undefined;
addEventListener('keydown', (event) => void (lastKeydown = event), { capture: true });

/**
 * Listens for keys while a component is mounted. It subscribes before the first paint, since a key pressed between two
 * paints would be lost. The key that opened the component is ignored.
 */
export function useKeydown(listener: (event: KeyboardEvent) => void, capture = false): void {
  const current = useRef(listener);
  current.current = listener;
  useLayoutEffect(() => {
    const openedBy = lastKeydown;
    const onKeydown = (event: KeyboardEvent): void => {
      if (event !== openedBy) current.current(event);
    };
    addEventListener('keydown', onKeydown, { capture });
    return () => removeEventListener('keydown', onKeydown, { capture });
  }, [capture]);
}
