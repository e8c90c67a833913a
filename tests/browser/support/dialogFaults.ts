import { type Page } from 'playwright-core';

/** Elements beyond the edges of a dialog, and keys that are too small. */
export const dialogFaults = (page: Page, selector: string): Promise<readonly string[]> =>
  page.evaluate((name) => {
    const dialog = document.querySelector(name)!;
    const box = dialog.getBoundingClientRect();
    const found: string[] = [];
    if (box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > innerHeight)
      found.push('beyond the screen');
    for (const one of dialog.querySelectorAll('*')) {
      const { left, right, width, height } = one.getBoundingClientRect();
      if (width === 0 || one.closest('svg')) continue;
      const text = `${one.tagName} ${one.className} ${one.textContent.slice(0, 30)}`;
      if (left < box.left - 1 || right > box.right + 1) found.push(`beyond the edge: ${text}`);
      if (one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0) found.push(`cut off: ${text}`);
      if (one.tagName === 'BUTTON' && (width < 43 || height < 43)) found.push(`too small: ${text}`);
    }
    return found;
  }, selector);
