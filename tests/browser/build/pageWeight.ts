import { type Page, type Request } from 'playwright-core';

/** The files that a page loads until it is complete, with the bytes of each. */
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
    // Drawing requests fonts, and a loaded font is drawn again.
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
