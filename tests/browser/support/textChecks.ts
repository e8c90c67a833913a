import { type Page } from 'playwright-core';

// Checks that all text of a page is visible, by the position of each text.

/** The sizes that every screen is designed for. */
export const sizes = [
  [1920, 1080],
  [1366, 768],
  [1280, 720],
  [1024, 768],
  [1080, 1920],
  [390, 844],
] as const;

/** Changes the size and waits for the layout. */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.waitForFunction(([w, h]) => innerWidth === w && innerHeight === h, [width, height] as const);
  await drawn(page);
}

/** Waits for layout, size-dependent rendering and fonts. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let n = 0; n < 2; n++) await new Promise((next) => requestAnimationFrame(next));
    document.body.getBoundingClientRect();
    await document.fonts.ready;
  });

/** Every text that is cut off, sticks out of its box or overlaps another; and keys that are too small. */
export const flaws = (page: Page, boxes: string, smallestKey: number): Promise<readonly string[]> =>
  page.evaluate(
    ([on, least]) => {
      const found: string[] = [];
      type Text = { text: string; rect: DOMRect; of: Element };
      const isHidden = (one: Element): boolean =>
        one.closest('.spoken, svg, [hidden]') !== null || getComputedStyle(one).visibility === 'hidden';
      const root = document.querySelector('dialog[open]') ?? document.getElementById('page')!;
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const of = node.parentElement!;
        if (isHidden(of) || node.textContent!.trim() === '') continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const rect of range.getClientRects())
          if (rect.width > 0) texts.push({ text: node.textContent!, rect, of });
      }
      const name = ({ text, of }: Text): string => `"${text.slice(0, 40)}" in <${of.className}>`;
      /** A line box is higher than its letters. */
      const slack = (rect: DOMRect): number => rect.height * 0.2;
      if (texts.length === 0) found.push('there is nothing to read');
      if (document.documentElement.scrollWidth > innerWidth) found.push('the page is wider than the screen');
      for (const text of texts) {
        const { rect, of } = text;
        if (rect.left < -1 || rect.right > innerWidth + 1) found.push(`beyond the edge: ${name(text)}`);
        const box = of.closest(on)?.getBoundingClientRect();
        if (
          box &&
          (rect.left < box.left - 1 ||
            rect.right > box.right + 1 ||
            rect.top < box.top - slack(rect) ||
            rect.bottom > box.bottom + slack(rect))
        ) {
          found.push(`sticks out: ${name(text)}`);
        }
        for (let outer: Element | null = of; outer !== null && root.contains(outer); outer = outer.parentElement) {
          const { overflowX, overflowY } = getComputedStyle(outer);
          const edge = outer.getBoundingClientRect();
          if (overflowX !== 'visible' && (rect.left < edge.left - 1 || rect.right > edge.right + 1)) {
            found.push(`cut off at the side: ${name(text)}`);
          }
          if (
            overflowY === 'hidden' &&
            (rect.top < edge.top - slack(rect) || rect.bottom > edge.bottom + slack(rect))
          ) {
            found.push(`cut off above or below: ${name(text)}`);
          }
          // Scrolled content may be below the edge, and the head of a table covers it.
          if (overflowY === 'auto' || overflowY === 'scroll') break;
        }
      }
      const scrolls = (one: Element): boolean => one.closest('.help-body') !== null;
      texts.forEach((one, n) => {
        for (const other of texts.slice(n + 1)) {
          if (
            one.of === other.of ||
            (scrolls(one.of) && one.of.closest('thead')) ||
            scrolls(one.of) !== scrolls(other.of)
          ) {
            continue;
          }
          const width = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
          const height = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
          if (width > 1 && height > Math.max(slack(one.rect), slack(other.rect)) + 1) {
            found.push(`on one another: ${name(one)} and ${name(other)}`);
          }
        }
      });
      for (const key of root.querySelectorAll('button, a')) {
        const { width, height } = key.getBoundingClientRect();
        if (width > 0 && (width < least || height < least)) {
          found.push(`too small: ${key.textContent} ${Math.round(width)}x${Math.round(height)}`);
        }
      }
      return found;
    },
    [boxes, smallestKey] as const,
  );

/** The smallest font size on the page, in pixels. */
export const smallestType = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.getElementById('page')!, NodeFilter.SHOW_TEXT);
    let smallest = Infinity;
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const of = node.parentElement!;
      if (node.textContent!.trim() === '' || of.closest('.spoken, svg') || of.getClientRects().length === 0) continue;
      smallest = Math.min(smallest, parseFloat(getComputedStyle(of).fontSize));
    }
    return smallest;
  });

/** Latin text on a Chinese page, except names of cards, game numbers and clauses. */
export const latinIn = (page: Page, allowed: RegExp): Promise<readonly string[]> =>
  page
    .evaluate(() => {
      const root = document.querySelector('dialog[open]') ?? document.getElementById('page')!;
      const labels = [...root.querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label')!);
      return [...(root as HTMLElement).innerText.split('\n'), ...labels];
    })
    .then((lines) => lines.map((line) => line.replace(allowed, '')).filter((line) => /[A-Za-z]{2}/.test(line)));
