import { signal } from '@preact/signals';

/** The address of the page that is shown. */
export const path = signal(location.pathname);
addEventListener('popstate', () => {
  path.value = location.pathname;
});

/** Shows another page. */
export function go(to: string): void {
  if (to !== location.pathname) history.pushState(null, '', to);
  path.value = location.pathname;
}

/** Shows another page where a person cannot want to come back to this one. */
export function goInstead(to: string): void {
  history.replaceState(null, '', to);
  path.value = location.pathname;
}

/** Follows a link inside the page; what is opened elsewhere is left to the browser. */
export function follow(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  const link = (event.target as Element).closest('a[href]');
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin || link.target !== '') return;
  event.preventDefault();
  go(link.pathname);
}
