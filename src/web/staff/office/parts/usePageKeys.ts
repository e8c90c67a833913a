import { useRef } from 'preact/hooks';
import { openClauses } from '../../kit/components/clauseTag.tsx';
import { useKeydown } from '../../kit/input/useKeydown.ts';
import { deadTime } from '../../kit/input/keyBindings.ts';

/** Whether a key is meant for a text. */
const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select') !== null;

/** Whether the browser presses a control with it. */
const presses = ({ key, target }: KeyboardEvent): boolean =>
  (key === 'Enter' || key === ' ') && target instanceof HTMLElement && target.closest('button, a') !== null;

/** What a page does with keys, letters as capitals; gives whether it took one. */
export type Take = (key: string, shift: boolean) => boolean;

/** Keys of a page. Enter is dead for a moment after `since` has changed: it was meant for what stood there before. */
export function usePageKeys(take: Take, since = ''): void {
  const changed = useRef({ since, at: performance.now() });
  if (changed.current.since !== since) changed.current = { since, at: performance.now() };
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (openClauses.value.length > 0 || presses(event)) return;
    if (isWriting(event.target)) {
      // Out of a text, back to the keys of the page.
      if (event.key === 'Escape') (event.target as HTMLElement).blur();
      return;
    }
    if (event.key === 'Enter' && performance.now() - changed.current.at < deadTime) return;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    if (take(key, event.shiftKey)) event.preventDefault();
  });
}

/** Does something for a touch, and leaves the keys to the page. */
export const touched =
  (act: () => void) =>
  (event: Event): void => {
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.blur();
    act();
  };
