import { type Page } from 'playwright-core';

/** How smoothly a page was drawn for a while. Times are in milliseconds. */
export type Smoothness = {
  /** The time from each frame to the next. */
  readonly frames: readonly number[];
  /** How far things jumped that nobody had touched, as browsers add it up. */
  readonly shift: number;
};

/** Watches the frames of a page while something happens at it. */
export async function watchFrames(page: Page, happens: () => Promise<void>): Promise<Smoothness> {
  await page.evaluate(() => {
    const seen = { frames: [] as number[], shift: 0, isOver: false };
    Object.assign(window, { seen });
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
    });
    observer.observe({ type: 'layout-shift' });
    let last: number | undefined;
    const next = (at: number): void => {
      if (last !== undefined) seen.frames.push(at - last);
      last = at;
      if (!seen.isOver) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await happens();
  return page.evaluate(() => {
    const { seen } = window as unknown as { seen: { frames: number[]; shift: number; isOver: boolean } };
    seen.isOver = true;
    return { frames: seen.frames, shift: seen.shift };
  });
}
