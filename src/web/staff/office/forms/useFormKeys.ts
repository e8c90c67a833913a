import { useKeydown } from '../../kit/input/useKeydown.ts';
import { isConnectionUnusable } from '../../app/state.ts';

type KeyActions = { readonly [key: string]: (() => void) | undefined };

/**
 * Adds shortcuts to a form. In a text field only Escape works. Enter on a focused button or link presses that control
 * instead.
 */
export function useFormKeys(keys: KeyActions): void {
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (target?.closest('input, textarea, select') && event.key !== 'Escape') return;
    if (event.key === 'Enter' && target?.closest('button, a')) return;
    const action = keys[event.key.length === 1 ? event.key.toUpperCase() : event.key];
    if (action === undefined || isConnectionUnusable.value) return;
    event.preventDefault();
    action();
  });
}

/**
 * The item after the selected item (`by` is 1) or before it (-1). At the end of the list in that direction: the
 * selected item itself.
 */
export function adjacentItem<T>(all: readonly T[], isSelected: (one: T) => boolean, by: 1 | -1): T | undefined {
  const index = all.findIndex(isSelected) + by;
  return all[Math.max(0, Math.min(index, all.length - 1))];
}
