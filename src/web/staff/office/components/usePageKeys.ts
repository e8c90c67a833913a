import { useRef } from 'preact/hooks';
import { shownClauses } from '../../kit/components/clauseTag.tsx';
import { useKeydown } from '../../kit/input/useKeydown.ts';
import { enterGuardMs } from '../../kit/input/keyBindings.ts';

const isTextTarget = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select') !== null;

/** True for a letter in an empty PIN field: a PIN has no letters, so the shortcuts of the page still work there. */
const isLetterInEmptyPin = ({ key, target }: KeyboardEvent): boolean =>
  /^[A-Za-z]$/.test(key) &&
  target instanceof HTMLInputElement &&
  target.matches('[data-field=pin]') &&
  target.value === '';

/** True for Enter and Space on a focused button or link. The browser itself then presses that control. */
const pressesControl = ({ key, target }: KeyboardEvent): boolean =>
  (key === 'Enter' || key === ' ') && target instanceof HTMLElement && target.closest('button, a') !== null;

/** Key handler of a page. Letters arrive as capitals. The handler returns true if it has handled the key. */
export type PageKeyHandler = (key: string, shift: boolean) => boolean;

/**
 * Runs a key handler while a page is mounted. After a change of `contentKey` Enter is ignored for a moment, since the
 * person may have pressed it for the previous content.
 */
export function usePageKeys(handler: PageKeyHandler, contentKey = ''): void {
  const lastChange = useRef({ contentKey, at: performance.now() });
  if (lastChange.current.contentKey !== contentKey) lastChange.current = { contentKey, at: performance.now() };
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (shownClauses.value.length > 0 || pressesControl(event)) return;
    if (isTextTarget(event.target) && !isLetterInEmptyPin(event)) {
      // Escape leaves a text field, so that keys go to the page again.
      if (event.key === 'Escape') (event.target as HTMLElement).blur();
      return;
    }
    if (event.key === 'Enter' && performance.now() - lastChange.current.at < enterGuardMs) return;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    if (handler(key, event.shiftKey)) event.preventDefault();
  });
}

/** Click handler that removes the focus from the button, so that keys go to the page again. */
export const clickHandlerWithBlur =
  (action: () => void) =>
  (event: Event): void => {
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.blur();
    action();
  };
