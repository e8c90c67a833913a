import { type Page } from 'playwright-core';

/** How smoothly a page was drawn for a while. Times are in milliseconds. */
export type Smoothness = {
  /** The time from each frame to the next. */
  readonly frames: readonly number[];
  /** How far things jumped that nobody had touched, as browsers add it up. */
  readonly shift: number;
  /** What jumped, by its classes. */
  readonly moved: readonly string[];
};

/** Watches the frames of a page while something happens at it. */
export async function watchFrames(page: Page, happens: () => Promise<void>): Promise<Smoothness> {
  await page.evaluate(() => {
    type Shift = PerformanceEntry & {
      readonly value: number;
      readonly sources: readonly { readonly node: Node | null }[];
    };
    const seen = { frames: [] as number[], shift: 0, moved: [] as string[], isOver: false };
    Object.assign(window, { seen });
    const observer = new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        seen.shift += value;
        for (const { node } of sources) if (node instanceof Element) seen.moved.push(node.getAttribute('class') ?? '');
      }
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
    const { seen } = window as unknown as { seen: Smoothness & { isOver: boolean } };
    seen.isOver = true;
    return { frames: seen.frames, shift: seen.shift, moved: [...new Set(seen.moved)] };
  });
}
