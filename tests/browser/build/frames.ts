import { type Browser, type Page } from 'playwright-core';

/** How smoothly a page was drawn. Times are in milliseconds. */
export type Smoothness = {
  /** Time between two frames. */
  readonly frames: readonly number[];
  /** CPU time of the page for each frame, independent of the load of the machine. */
  readonly work: readonly number[];
  /** Cumulative layout shift, as browsers compute it. */
  readonly shift: number;
  /** Classes of the elements that shifted. */
  readonly moved: readonly string[];
};

/** Records the frames of a page during an action. */
export async function watchFrames(browser: Browser, page: Page, happens: () => Promise<void>): Promise<Smoothness> {
  await page.evaluate(() => {
    type Shift = PerformanceEntry & {
      readonly value: number;
      readonly sources: readonly { readonly node: Node | null }[];
    };
    const recorded = { frames: [] as number[], shift: 0, moved: [] as string[], isOver: false };
    Object.assign(window, { recorded });
    const observer = new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        recorded.shift += value;
        for (const { node } of sources) {
          const one = node instanceof Element ? node : node?.parentElement;
          recorded.moved.push(one?.getAttribute('class') ?? one?.tagName ?? 'what is gone by now');
        }
      }
    });
    observer.observe({ type: 'layout-shift' });
    let last: number | undefined;
    const next = (at: number): void => {
      if (last !== undefined) recorded.frames.push(at - last);
      last = at;
      if (!recorded.isOver) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'cc', '__metadata'] });
  await happens();
  const work = workIn(await browser.stopTracing());
  return page.evaluate((times) => {
    const { recorded } = window as unknown as { recorded: Smoothness & { isOver: boolean } };
    recorded.isOver = true;
    return { frames: recorded.frames, work: times, shift: recorded.shift, moved: [...new Set(recorded.moved)] };
  }, work);
}

/** An event of a Chromium trace. Times are in microseconds; `tdur` is CPU time. */
type TraceEvent = {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
};

/** CPU time per frame of the page with the most frames: all its tasks up to the one that draws the frame. */
function workIn(trace: Buffer): readonly number[] {
  const { traceEvents } = JSON.parse(String(trace)) as { readonly traceEvents: readonly TraceEvent[] };
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const works = threads.map(({ pid, tid }) => {
    const events = traceEvents
      .filter((event) => event.pid === pid && event.tid === tid)
      .toSorted((one, other) => one.ts - other.ts);
    const draws = events.filter(({ name }) => name === 'ProxyMain::BeginMainFrame').map(({ ts }) => ts);
    const frames: number[] = [];
    let work = 0;
    for (const { name, ts, dur = 0, tdur = 0 } of events) {
      if (name !== 'RunTask') continue;
      work += tdur / 1000;
      if (draws.length === 0 || draws[0]! > ts + dur) continue;
      while (draws.length > 0 && draws[0]! <= ts + dur) draws.shift();
      frames.push(work);
      work = 0;
    }
    return frames;
  });
  return works.toSorted((one, other) => other.length - one.length)[0] ?? [];
}
