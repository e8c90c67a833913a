import { signal } from '@preact/signals';

export const currentPath = signal(location.pathname);
addEventListener('popstate', () => {
  currentPath.value = location.pathname;
});

export function navigate(to: string): void {
  if (to !== location.pathname) history.pushState(null, '', to);
  currentPath.value = location.pathname;
}

/** Navigates to `to` and replaces the history entry. So the back button does not return to the page that redirected. */
export function redirect(to: string): void {
  history.replaceState(null, '', to);
  currentPath.value = location.pathname;
}

/**
 * Handles a click on a link: a page of this origin opens without a reload. A click with a modifier key is left to the
 * browser.
 */
export function followLink(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  const link = (event.target as Element).closest('a[href]');
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin || link.target !== '') return;
  event.preventDefault();
  navigate(link.pathname);
}
