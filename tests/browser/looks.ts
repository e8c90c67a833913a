import axe from 'axe-core';
import { type Page } from 'playwright-core';

// What a screen must not look like, found in the page itself.

/** What axe finds serious or worse. */
export async function violations(page: Page): Promise<readonly string[]> {
  // The content policy forbids scripts of others in the page; the test puts this one in from outside.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    type Found = { violations: { id: string; impact: string; nodes: { html: string }[] }[] };
    const { axe: run } = window as unknown as { axe: { run: (options: object) => Promise<Found> } };
    const { violations: found } = await run.run({ resultTypes: ['violations'] });
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  });
}

/** Everything that is cut off, covered, or too small to be hit. */
export const faults = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const all = (selector: string): Element[] => [...document.querySelectorAll(selector)];
    const nameOf = (one: Element): string => `<${one.getAttribute('class') ?? ''}> ${one.textContent.slice(0, 30)}`;
    const inside = (one: DOMRect, other: DOMRect): boolean =>
      one.left >= other.left - 1 &&
      one.right <= other.right + 1 &&
      one.top >= other.top - 1 &&
      one.bottom <= other.bottom + 1;
    const meet = (one: DOMRect, other: DOMRect): boolean =>
      one.left < other.right - 1 &&
      other.left < one.right - 1 &&
      one.top < other.bottom - 1 &&
      other.top < one.bottom - 1;
    const textsIn = (box: Element): { text: string; rect: DOMRect }[] => {
      const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
      const texts: { text: string; rect: DOMRect }[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node.parentElement!.closest('svg, .spoken, ul, details:not([open]) > :not(summary)')) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const rect of range.getClientRects()) texts.push({ text: node.textContent ?? '', rect });
      }
      return texts;
    };

    if (document.documentElement.scrollWidth > innerWidth) found.push('the page is wider than the screen');
    for (const one of all('#page *')) {
      const { left, right, width } = one.getBoundingClientRect();
      if (width > 0 && !one.closest('.spoken, svg') && (left < -1 || right > innerWidth + 1)) {
        found.push(`beyond the edge: ${nameOf(one)}`);
      }
    }
    // Each text lies within what it is written on.
    for (const box of all(
      '.spot, .chip, .keys button, .meter, .tile, .hand, .panel, .back, .language, .refusal, .bar, .ids',
    )) {
      const rect = box.getBoundingClientRect();
      for (const text of textsIn(box))
        if (!inside(text.rect, rect)) found.push(`cut off: ${text.text} in ${nameOf(box)}`);
    }
    // A list that scrolls does so within its panel, and its lines are not cut at their ends.
    for (const list of all('.panel ul')) {
      const rect = list.getBoundingClientRect();
      if (!inside(rect, list.closest('.panel')!.getBoundingClientRect())) found.push(`sticks out: ${nameOf(list)}`);
      for (const part of list.querySelectorAll('li > *')) {
        if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0) found.push(`cut off: ${nameOf(part)}`);
        if (part.getBoundingClientRect().right > rect.right + 1) found.push(`beyond its list: ${nameOf(part)}`);
      }
    }
    // No chip lies on a figure or a name.
    for (const spot of all('.spot')) {
      const chip = spot.querySelector('.stake');
      if (chip === null) continue;
      const rect = chip.getBoundingClientRect();
      for (const part of spot.querySelectorAll(':scope > :not(.stake)')) {
        for (const text of textsIn(part))
          if (meet(text.rect, rect)) found.push(`covered: ${text.text} in ${nameOf(spot)}`);
      }
    }
    // Neither do these lie on one another. On a small screen the felt scrolls below the controls.
    const groups = ['.bar > *', '.chip.pick, .keys button, .meter, .ids', '.hand, .verdict, .spot, .panel', '.tile'];
    if (innerWidth > 900) groups.push('.hand, .spot, .controls, .foot, .bar');
    for (const group of groups) {
      const boxes = all(group).map((one) => ({ one, rect: one.getBoundingClientRect() }));
      boxes.forEach(({ one, rect }, n) => {
        for (const other of boxes.slice(n + 1)) {
          if (meet(rect, other.rect)) found.push(`overlap: ${nameOf(one)} and ${nameOf(other.one)}`);
        }
      });
    }
    for (const one of all('button, a, summary')) {
      const { width, height } = one.getBoundingClientRect();
      if (width < 44 || height < 44) found.push(`too small: ${nameOf(one)} ${width}x${height}`);
    }
    return found;
  });

/** The two screens that everything is made for, in both languages. */
export async function everyWay(page: Page, look: (way: string) => Promise<void>): Promise<void> {
  for (const [width, height] of [
    [1366, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const _ of ['one language', 'the other']) {
      await look(`${width} ${await page.evaluate(() => document.documentElement.lang)}`);
      await page.locator('.language').click();
    }
  }
}
