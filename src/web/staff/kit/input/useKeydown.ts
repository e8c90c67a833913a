import { useLayoutEffect, useRef } from 'preact/hooks';

/** The last `keydown` event, which may have opened the component that mounts now. */
let lastKeydown: KeyboardEvent | undefined;
addEventListener('keydown', (event) => void (lastKeydown = event), { capture: true });

/**
 * Calls `listener` for each key press while a component is mounted, but not for the key press that opened the
 * component. The listener is added before the first paint, so that no key press is lost.
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
