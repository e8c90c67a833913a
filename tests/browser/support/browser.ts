import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';
import { inject } from 'vitest';
import { closeLater } from '../../closing.ts';

/** The Chromium of this run. */
let found: Promise<Browser> | undefined;
const browser = (): Promise<Browser> => (found ??= playwright.connect(inject('chromium')));

type Fresh = { readonly page: Page; readonly complaints: string[] };

/** A page in its own context that outlives its test, with the errors and warnings of its console. */
export async function lastingPage(width: number, height: number, options: BrowserContextOptions = {}): Promise<Fresh> {
  const context = await (
    await browser()
  ).newContext({
    viewport: { width, height },
    // The CPU draws each frame of an animation, which is the main cost of a page.
    reducedMotion: 'reduce',
    ...options,
  });
  // A slow machine must not fail a test.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, complaints };
}

/** A page without animations in its own context, closed when the test ends. */
export async function freshPage(width: number, height: number, options?: BrowserContextOptions): Promise<Fresh> {
  const fresh = await lastingPage(width, height, options);
  closeLater(() => fresh.page.context().close());
  return fresh;
}

/** The same with animations. */
export const movingPage = (width: number, height: number): Promise<Fresh> =>
  freshPage(width, height, { reducedMotion: 'no-preference' });
