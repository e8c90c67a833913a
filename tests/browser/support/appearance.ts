import axe from 'axe-core';
import { type Page } from 'playwright-core';
import { sampleOf } from '../../times.ts';

// Checks of the appearance, evaluated in the page.

/** Violations that axe finds, of any impact. */
export async function violations(page: Page): Promise<readonly string[]> {
  // The content security policy forbids foreign scripts, so the test injects axe from outside.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    type Found = { violations: { id: string; nodes: { html: string }[] }[] };
    const { axe: run } = window as unknown as { axe: { run: (options: object) => Promise<Found> } };
    // Until the first frame of its opening a dialog is transparent, and axe takes it for one that is not modal: it then
    // finds the landmarks of the page behind it as well.
    const dialogs = [...document.querySelectorAll('dialog[open]')];
    await Promise.allSettled(dialogs.flatMap((one) => one.getAnimations().map(({ finished }) => finished)));
    const { violations: found } = await run.run({ resultTypes: ['violations'] });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  });
}

/** Everything that is cut off, covered, or too small to read or to touch. */
export const faults = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    type Text = { readonly text: string; readonly rect: DOMRect; readonly of: Element };
    const isVisible = (one: Element): boolean =>
      one.getClientRects().length > 0 && one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const all = (selector: string): Element[] => [...document.querySelectorAll(selector)].filter(isVisible);
    const nameOf = (one: Element): string =>
      `<${one.getAttribute('class') ?? one.tagName}> ${one.getAttribute('data-wager') ?? one.textContent.slice(0, 30)}`;
    const inside = (one: DOMRect, other: DOMRect): boolean =>
      one.left >= other.left - 1 &&
      one.right <= other.right + 1 &&
      one.top >= other.top - 1 &&
      one.bottom <= other.bottom + 1;
    const meet = (one: DOMRect, other: DOMRect, tolerance = 1): boolean =>
      one.left < other.right - tolerance &&
      other.left < one.right - tolerance &&
      one.top < other.bottom - tolerance &&
      other.top < one.bottom - tolerance;
    // Lines of one text are close: their boxes may touch, their letters may not.
    const collide = (one: DOMRect, other: DOMRect): boolean =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.3 * Math.min(one.height, other.height);
    const textsIn = (box: Element): Text[] => {
      const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const of = node.parentElement!;
        if (of.closest('svg, .spoken, .spot-ghost, .emblem') || node.textContent!.trim() === '') continue;
        // Clipped text is for screen readers only.
        if (getComputedStyle(of).clipPath !== 'none' || !isVisible(of)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const rect of range.getClientRects()) {
          if (rect.width > 0) texts.push({ text: node.textContent!.trim(), rect, of });
        }
      }
      return texts;
    };

    const isPhone = document.documentElement.dataset['shape'] === 'phone';
    const dialog = document.querySelector('dialog[open]');
    const root = dialog ?? document.getElementById('page')!;
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page is wider than the screen');
    if (!isPhone && document.querySelector('.terminal') && document.documentElement.scrollHeight > innerHeight) {
      found.push('the page is higher than the screen');
    }
    for (const list of all('.all-tables')) {
      if (!isPhone && list.scrollHeight > list.clientHeight + 1) found.push('the tables run under the rail');
    }
    for (const one of root.querySelectorAll('*')) {
      const { left, right, width } = one.getBoundingClientRect();
      if (width > 0 && !one.closest('.spoken, svg, .spot-ghost') && (left < -1 || right > innerWidth + 1)) {
        found.push(`beyond the edge: ${nameOf(one)}`);
      }
    }
    // Each text is inside its box and readable.
    const boxes =
      '.spot, .num, .strip-name, .key, .meter, .tally li, .notice, .bar, .board-part, .legend, .badge, .stage, .tile, .refusal, .sheet-body';
    for (const box of all(boxes)) {
      if (getComputedStyle(box).display === 'contents') continue;
      const rect = box.getBoundingClientRect();
      for (const { text, rect: at } of textsIn(box)) {
        if (!inside(at, rect)) found.push(`cut off: ${text} in ${nameOf(box)}`);
      }
    }
    for (const { text, of } of textsIn(root)) {
      const size = Number.parseFloat(getComputedStyle(of).fontSize);
      if (size < 10.4) found.push(`too small to be read: ${text} at ${size} px`);
    }
    // On a spot no text overlaps another, and no chip a text.
    for (const spot of all('.spot, .num, .meter, .tally li, .notice, .axis, .announcer')) {
      const texts = textsIn(spot);
      texts.forEach((one, n) => {
        for (const other of texts.slice(n + 1)) {
          if (collide(one.rect, other.rect))
            found.push(`on one another: ${one.text} and ${other.text} in ${nameOf(spot)}`);
        }
      });
      for (const chip of spot.querySelectorAll('.stack-chips, .num-chip .chip')) {
        if (!isVisible(chip)) continue;
        const rect = chip.getBoundingClientRect();
        for (const { text, rect: at, of } of texts) {
          const isOwn = of.closest('.stack, .num-chip') !== null;
          if (!isOwn && meet(at, rect, 2.5)) found.push(`covered: ${text} in ${nameOf(spot)}`);
        }
        if (!inside(rect, spot.getBoundingClientRect())) found.push(`a chip sticks out of ${nameOf(spot)}`);
        if (rect.height < 13) found.push(`a chip is too small to be seen: ${rect.height} in ${nameOf(spot)}`);
      }
    }
    // Cards are complete and cover no text.
    for (const stage of all('.stage')) {
      const rect = stage.getBoundingClientRect();
      const cards = [...stage.querySelectorAll('.slot')]
        .filter((card) => card.getClientRects().length > 0)
        .map((card) => card.getBoundingClientRect());
      for (const card of cards) {
        if (!inside(card, rect)) found.push('a card sticks out of the stage');
        if (Math.min(card.width, card.height) < 24) found.push('a card is too small to be read');
      }
      for (const { text, rect: at } of textsIn(stage)) {
        if (cards.some((card) => meet(at, card, 2.5))) found.push(`a card lies on ${text}`);
      }
    }
    // Members of a group do not overlap.
    const groups = [
      '.bar > *',
      '.bar, .board, .stage, .island, .rail',
      '.chip-key, .key-rail, .meter, .legend',
      '.bar, .notice, .meter, .legend',
      '.flank, .hand-cards, .notice, .axis, .score',
      '.spot, .num',
      '.board-part',
      '.tile',
    ];
    for (const group of dialog ? [] : groups) {
      const members = all(group).filter((one) => getComputedStyle(one).display !== 'contents');
      members.forEach((one, n) => {
        const rect = one.getBoundingClientRect();
        for (const other of members.slice(n + 1)) {
          if (one.contains(other) || !meet(rect, other.getBoundingClientRect())) continue;
          found.push(`overlap: ${nameOf(one)} and ${nameOf(other)}`);
        }
      });
    }
    // Touch targets are large enough; numbers of Sands Super and closed spots may be lower.
    const isShut = document.querySelector('.terminal.is-closed') !== null;
    for (const one of root.querySelectorAll('button, a')) {
      const { width, height } = one.getBoundingClientRect();
      if (width === 0) continue;
      const isNumber = one.matches('.num');
      if (one.matches('.num, .spot') && isShut) continue;
      if (width < 43.5 || height < (isNumber ? 37 : 43.5)) found.push(`too small: ${nameOf(one)} ${width}x${height}`);
    }
    return [...new Set(found)];
  });

/** Every size that a terminal is designed for. */
export const sizes = [
  [1366, 768],
  [390, 844],
  [1920, 1080],
  [1280, 720],
  [1024, 768],
  [1080, 1920],
] as const;

const isPhone = ([width]: (typeof sizes)[number]): boolean => width < 640;

/** Sizes for tests that are not about sizes: a phone, which differs most, and a sample of the others. */
export const sampleSizes: readonly (typeof sizes)[number][] = [
  ...sampleOf(
    'sizes',
    sizes.filter((size) => !isPhone(size)),
    1,
  ),
  ...sizes.filter(isPhone),
];

/** Waits until all animations have ended and all fonts are loaded. */
export async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    const isEnding = (one: Animation): boolean =>
      one.playState !== 'finished' && one.effect?.getComputedTiming().iterations !== Infinity;
    await document.fonts.ready;
    // With reduced motion the end of one animation may start another, such as the turn of a card. Otherwise clocks
    // keep moving, so one pass is enough.
    const isOver = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    for (;;) {
      await frame();
      await frame();
      const ending = document.getAnimations().filter(isEnding);
      await Promise.allSettled(ending.map((one) => one.finished));
      if (ending.length === 0) return;
      if (isOver) break;
    }
    await frame();
  });
}

/** Changes the size of the screen and waits for the layout. */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.waitForFunction(([wide, high]) => innerWidth === wide && innerHeight === high, [width, height] as const);
  await still(page);
}

/** Changes the language; a screen without the key has a shortcut. */
export const otherLanguage = async (page: Page): Promise<void> => {
  const shown = page.locator('.language');
  if ((await shown.count()) > 0) await shown.click();
  else await page.keyboard.press('l');
};

/** Runs a check at the given sizes in both languages. */
export async function atSizesAndLanguages(
  page: Page,
  check: (label: string) => Promise<void>,
  among: readonly (readonly [number, number])[] = sizes.slice(0, 2),
): Promise<void> {
  for (const [width, height] of among) {
    await resize(page, width, height);
    for (const _ of ['one language', 'the other']) {
      await check(`${width}x${height} ${await page.evaluate(() => document.documentElement.lang)}`);
      await otherLanguage(page);
      await still(page);
    }
  }
}
