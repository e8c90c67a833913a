import { useKeydown } from '../../kit/input/useKeydown.ts';
import { isLost } from '../../app/state.ts';

type Keys = { readonly [key: string]: (() => void) | undefined };

/** Shortcuts of a form, while no text field has the focus and no control handles the key. */
export function useFormKeys(keys: Keys): void {
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    const at = event.target instanceof HTMLElement ? event.target : null;
    if (at?.closest('input, textarea, select') && event.key !== 'Escape') return;
    if (event.key === 'Enter' && at?.closest('button, a')) return;
    const act = keys[event.key.length === 1 ? event.key.toUpperCase() : event.key];
    if (act === undefined || isLost.value) return;
    event.preventDefault();
    act();
  });
}

/** Next or previous item of a list. */
export function moveSelection<T>(all: readonly T[], isThere: (one: T) => boolean, by: 1 | -1): T | undefined {
  const place = all.findIndex(isThere) + by;
  return all[Math.max(0, Math.min(place, all.length - 1))];
}
