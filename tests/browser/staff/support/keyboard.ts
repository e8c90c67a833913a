import { type Page } from 'playwright-core';
import { maxScanGapMs } from '../../../../src/web/staff/kit/input/scanDetector.ts';
import { enterGuardMs } from '../../../../src/web/staff/kit/input/keyBindings.ts';

// Fake clock of the keyboard, moved by a test. Staff screens tell a scanner from a hand by the time between two keys,
// and ignore an Enter right after the screen has changed. Dates and timers stay real, so that no connection counts as
// lost.

type Keyboard = {
  /** Milliseconds by which the clock is ahead of the real one. */
  clockOffset: number;
  /** Time at which the clock is frozen; null while each key is delayed as if typed by hand. */
  stopped: number | null;
  /** Highest version of a view that the page has received. */
  received: number;
  /** Ids of requests without a reply. */
  readonly unanswered: Set<string>;
  /** Handlers that wait until no key of a scanner can follow, by the id of their timer. */
  readonly held: Map<number, () => void>;
};
type WithKeyboard = { readonly keyboard: Keyboard };

/** More than the time between two keys of a scanner. */
const handGapMs = maxScanGapMs + 15;

/** A page holds a letter back for this time: then no key of a scanner can follow. */
const holdMs = maxScanGapMs + 1;

/** Installs the clock, from the next navigation on. */
export async function addKeyClock(page: Page): Promise<void> {
  await page.addInitScript(
    ([gap, hold]) => {
      const keyboard: Keyboard = { clockOffset: 0, stopped: null, received: 0, unanswered: new Set(), held: new Map() };
      Object.assign(globalThis, { keyboard });
      const now = performance.now.bind(performance);
      Performance.prototype.now = () => keyboard.stopped ?? now() + keyboard.clockOffset;
      const stamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')!;
      Object.defineProperty(Event.prototype, 'timeStamp', {
        get(this: Event) {
          return keyboard.stopped ?? (stamp.get!.call(this) as number) + keyboard.clockOffset;
        },
      });
      // First listener of the page: the others see the key at its later time.
      const space = ({ isTrusted }: Event): void => {
        if (isTrusted) keyboard.clockOffset += gap;
      };
      addEventListener('keydown', space, { capture: true });
      const [start, stop] = [setTimeout.bind(window), clearTimeout.bind(window)];
      // While the clock is frozen no hold ends: its timer is started again. The page knows it by its first id.
      const restarted = new Map<number, number>();
      Object.assign(globalThis, {
        setTimeout: (act: () => void, time?: number) => {
          const run = (): void => {
            if (time === hold && keyboard.stopped !== null) {
              restarted.set(timer, start(run, time) as unknown as number);
              return;
            }
            restarted.delete(timer);
            keyboard.held.delete(timer);
            act();
          };
          const timer = start(run, time) as unknown as number;
          if (time === hold) keyboard.held.set(timer, run);
          return timer;
        },
        clearTimeout: (timer?: number) => {
          keyboard.held.delete(timer!);
          stop(restarted.get(timer!) ?? timer);
          restarted.delete(timer!);
        },
      });
      type Message = { readonly id?: string; readonly version?: number };
      const parse = (text: unknown): Message => JSON.parse(String(text)) as Message;
      const Real = WebSocket;
      Object.assign(globalThis, {
        WebSocket: class extends Real {
          constructor(to: string) {
            super(to);
            this.addEventListener('message', ({ data }) => {
              const { id = '', version = 0 } = parse(data);
              keyboard.unanswered.delete(id);
              keyboard.received = Math.max(keyboard.received, version);
            });
          }
          override send(text: string): void {
            const { id } = parse(text);
            if (id !== undefined) keyboard.unanswered.add(id);
            super.send(text);
          }
        },
      });
    },
    [handGapMs, holdMs] as const,
  );
}

/** Waits until the page has received a view of this version or a later one. */
export async function viewReceived(page: Page, version: number): Promise<void> {
  await page.waitForFunction((least) => (globalThis as unknown as WithKeyboard).keyboard.received >= least, version);
}

export const passTime = (page: Page, time: number): Promise<void> =>
  page.evaluate((ms) => void ((globalThis as unknown as WithKeyboard).keyboard.clockOffset += ms), time);

/** Moves the clock past the time in which Enter is ignored. */
export const passEnterGuard = (page: Page): Promise<void> => passTime(page, enterGuardMs);

/** Presses keys as a hand does, and waits until the page has handled them. */
export async function typeKeys(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
  await keysHandled(page);
}

/** Types like a person who watches the screen: connected, and each Enter once its action is open. */
export async function typeInTime(page: Page, keys: readonly string[]): Promise<void> {
  await page.getByTestId('connection').waitFor({ state: 'detached' });
  for (const key of keys) {
    if (key === 'Enter') await actionOpen(page);
    await page.keyboard.press(key);
  }
  await keysHandled(page);
}

/** Ends the time for which a page holds letters back, so that it handles them. */
const keysHandled = (page: Page): Promise<void> =>
  page.evaluate(async (time) => {
    const { keyboard } = globalThis as unknown as WithKeyboard;
    keyboard.clockOffset += time;
    for (const [timer, act] of keyboard.held) {
      clearTimeout(timer);
      act();
    }
    await new Promise((next) => requestAnimationFrame(next));
  }, holdMs);

/**
 * Waits for what a person would wait for before Enter: all requests have replies, and a timed action is open. In a
 * form, Enter moves to the next field.
 */
async function actionOpen(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      (globalThis as unknown as WithKeyboard).keyboard.unanswered.size === 0 &&
      (document.querySelector('.go.wait') === null || document.querySelector('[data-field]') !== null),
  );
  await passEnterGuard(page);
}

/** Runs with the clock frozen: keys come as fast as those of a scanner, on any machine. */
export async function atOnce(page: Page, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => void ((globalThis as unknown as WithKeyboard).keyboard.stopped = performance.now()));
  await act();
  await page.evaluate(() => void ((globalThis as unknown as WithKeyboard).keyboard.stopped = null));
}

/** Types a text as a scanner does: all keys at one moment, ended by Enter. */
export async function scanText(page: Page, keys: readonly string[]): Promise<void> {
  await page.evaluate(
    (all) => {
      // A key has the time at which it was pressed, however long the page takes for the one before.
      const pressed = all.map((key) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      for (const event of pressed) (document.activeElement ?? document.body).dispatchEvent(event);
    },
    [...keys, 'Enter'],
  );
}
