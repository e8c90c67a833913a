import { type Page, type Request } from 'playwright-core';

/** What a page loads until everything that it shows is there: each file with the bytes that came for it. */
export async function weigh(page: Page, address: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, Promise<number>>();
  const count = (request: Request): void => {
    const { pathname } = new URL(request.url());
    sizes.set(
      pathname,
      request.sizes().then(({ responseBodySize }) => responseBodySize),
    );
  };
  page.on('requestfinished', count);
  await page.goto(address);
  await page.waitForSelector('.spot');
  await page.evaluate(async () => {
    // What is drawn asks for its fonts, and what they bring is drawn.
    for (let drawn = 0; drawn < 3; drawn++) {
      await new Promise((resolve) => void requestAnimationFrame(resolve));
      await document.fonts.ready;
    }
  });
  await page.waitForLoadState('networkidle');
  page.off('requestfinished', count);
  const weights = new Map<string, number>();
  for (const [path, size] of sizes) weights.set(path, await size);
  return weights;
}

export const sumOf = (weights: ReadonlyMap<string, number>): number =>
  [...weights.values()].reduce((sum, size) => sum + size, 0);
