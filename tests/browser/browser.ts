import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { inject } from 'vitest';

/** The Chromium of this run. */
let found: Promise<Browser> | undefined;
const browser = (): Promise<Browser> => (found ??= playwright.connect(inject('chromium')));

/** A fresh page, with what it complained about. */
export async function freshPage(
  width: number,
  height: number,
  hasTouch = false,
): Promise<{ page: Page; complaints: string[] }> {
  const context = await (await browser()).newContext({ viewport: { width, height }, hasTouch });
  // A busy machine fails no test.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, complaints };
}

/** A fresh page on which nothing moves, for tests of what it shows and not of how: each frame of a motion is drawn. */
export async function stillPage(width: number, height: number): ReturnType<typeof freshPage> {
  const fresh = await freshPage(width, height);
  await fresh.page.emulateMedia({ reducedMotion: 'reduce' });
  return fresh;
}
