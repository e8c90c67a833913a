import { signal } from '@preact/signals';

export const currentPath = signal(location.pathname);
addEventListener('popstate', () => {
  currentPath.value = location.pathname;
});

export function navigate(to: string): void {
  if (to !== location.pathname) history.pushState(null, '', to);
  currentPath.value = location.pathname;
}

/**
 * Opens the page `to` in place of the current page. The current page leaves the history, so that the back button does
 * not return to it and redirect again.
 */
export function redirect(to: string): void {
  history.replaceState(null, '', to);
  currentPath.value = location.pathname;
}

/**
 * Opens the page of a clicked link without a reload, if the page belongs to this origin. The browser itself handles
 * other links, and clicks with a modifier key.
 */
export function followLink(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  const link = (event.target as Element).closest('a[href]');
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin || link.target !== '') return;
  event.preventDefault();
  navigate(link.pathname);
}
