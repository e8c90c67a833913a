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
