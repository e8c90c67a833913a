import { useRef } from 'preact/hooks';
import { openClauses } from '../../kit/components/clauseTag.tsx';
import { useKeydown } from '../../kit/input/useKeydown.ts';
import { deadTime } from '../../kit/input/keyBindings.ts';

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select') !== null;

/** True when the browser presses the focused control with this key. */
const presses = ({ key, target }: KeyboardEvent): boolean =>
  (key === 'Enter' || key === ' ') && target instanceof HTMLElement && target.closest('button, a') !== null;

/** Key handler of a page; letters come as capitals. True when the key was handled. */
export type Take = (key: string, shift: boolean) => boolean;

/**
 * Key handler of a page. Enter is ignored for a moment after `since` has changed: it was meant for the previous
 * content.
 */
export function usePageKeys(take: Take, since = ''): void {
  const changed = useRef({ since, at: performance.now() });
  if (changed.current.since !== since) changed.current = { since, at: performance.now() };
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (openClauses.value.length > 0 || presses(event)) return;
    if (isWriting(event.target)) {
      // Escape leaves a text field and returns to the keys of the page.
      if (event.key === 'Escape') (event.target as HTMLElement).blur();
      return;
    }
    if (event.key === 'Enter' && performance.now() - changed.current.at < deadTime) return;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    if (take(key, event.shiftKey)) event.preventDefault();
  });
}

/** Click handler that drops the focus, so that keys go to the page again. */
export const touched =
  (act: () => void) =>
  (event: Event): void => {
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.blur();
    act();
  };
