import { useLayoutEffect, useRef } from 'preact/hooks';

/** Last key press. It identifies the press that opened a component. */
let lastKeydown: KeyboardEvent | undefined;
addEventListener('keydown', (event) => void (lastKeydown = event), { capture: true });

/**
 * Listens for keys while a component is mounted. The press that opened the component is ignored. The listener is added
 * before the first paint, so that no press is lost.
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
