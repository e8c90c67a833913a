import { mkdirSync } from 'node:fs';
import { type Page } from 'playwright-core';
import { expect } from 'vitest';
import { sampleOf } from '../../../times.ts';
import { violations } from '../../support/appearance.ts';
import { type StaffPage } from './staffPage.ts';

const sizes = [
  [1366, 768],
  [1920, 1080],
] as const;

const languages = ['zh', 'en'] as const;

/** How a page is checked: each language in one size, and one language by axe. */
export function languagesAndSizes(name: string) {
  const accessible = sampleOf(`axe of ${name}`, languages, 1);
  return languages.flatMap((language) =>
    sampleOf(`${name} ${language}`, sizes, 1).map(([width, height]) => ({
      language,
      width,
      height,
      isAccessible: accessible.includes(language),
    })),
  );
}

/**
 * Texts that are cut off. Scrolling boxes are checked at their sides only; texts for screen readers are not checked.
 */
export const cutOff = (page: Page, root = '#page'): Promise<readonly string[]> =>
  page.evaluate((within) => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.querySelector(within)!, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement!;
      if (node.textContent!.trim() === '' || parent.closest('svg, .hide, .spoken') !== null) continue;
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
      let scrolls = false;
      for (let box: Element | null = parent; box !== null; box = box.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(box);
        if (overflowX === 'visible' && overflowY === 'visible') continue;
        const at = box.getBoundingClientRect();
        const isOut = rects.some(
          (rect) =>
            rect.left < at.left - 1 ||
            rect.right > at.right + 1 ||
            (!scrolls && overflowY !== 'auto' && (rect.top < at.top - 2 || rect.bottom > at.bottom + 2)),
        );
        if (isOut) found.push(`${parent.className || parent.tagName}: ${node.textContent!.trim().slice(0, 40)}`);
        if (overflowY === 'auto') scrolls = true;
      }
    }
    for (const field of document.querySelectorAll(`${within} input`)) {
      const at = field.getBoundingClientRect();
      const panel = (field.closest('.panel, .top') ?? document.body).getBoundingClientRect();
      if (at.width < 60 || at.right > panel.right + 1 || at.left < panel.left - 1) found.push(`field ${at.width}`);
    }
    return [...new Set(found)];
  }, root);

/** Switches the page to a language. */
export async function setLanguage(page: Page, language: 'en' | 'zh' = 'en'): Promise<void> {
  const current = await page.evaluate(() => document.documentElement.lang);
  if (current !== (language === 'en' ? 'en' : 'zh-Hans')) await page.click('button.language');
}

/** Nothing is cut off in any size and language, and axe finds no violation. SHOTS names a folder for screenshots. */
export async function expectNothingCutOff(staffPage: StaffPage, name: string): Promise<void> {
  const { page } = staffPage;
  const shots = process.env['SHOTS'];
  for (const { language, width, height, isAccessible } of languagesAndSizes(name)) {
    await setLanguage(page, language);
    await page.setViewportSize({ width, height });
    await staffPage.waitUntilDrawn();
    if (shots) {
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: `${shots}/${name}-${language}-${width}.png` });
    }
    expect.soft(await cutOff(page), `${name} ${language} ${width}`).toEqual([]);
    if (isAccessible) expect.soft(await violations(page), `${name} ${language}`).toEqual([]);
  }
  await setLanguage(page);
  await page.setViewportSize({ width: 1366, height: 768 });
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await staffPage.waitUntilDrawn();
}
