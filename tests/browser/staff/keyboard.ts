import { type Page } from 'playwright-core';
import { quickest } from '../../../src/web/staff/kit/input/scanDetector.ts';
import { deadTime } from '../../../src/web/staff/kit/input/keyBindings.ts';

// The clock by which staff screens judge keys, moved by a test instead of waited for. They tell a scanner from a hand by
// the time between two keys, and ignore an Enter that comes too soon after the screen has changed. Dates and timers stay
// real, so that no connection is taken for lost.

type Keyboard = {
  /** How far the clock is ahead of the real one, in milliseconds. */
  ahead: number;
  /** The time at which the clock stands still; null while each key comes as late as one that is typed by hand. */
  stopped: number | null;
  /** What the page has sent and the server has not answered, by id. */
  readonly unanswered: Set<string>;
  /** What is due once no key of a scanner can follow, by the id of its timer. */
  readonly held: Map<number, () => void>;
};
type WithKeyboard = { readonly keyboard: Keyboard };

/** More than the time between two keys of a scanner. */
const byHand = quickest + 15;

/** For so long a page holds a letter back, in milliseconds: then no key of a scanner can follow. */
const holdMs = quickest + 1;

/** Gives a page a clock of keys, from its next navigation on. */
export async function addKeyClock(page: Page): Promise<void> {
  await page.addInitScript(
    ([gap, hold]) => {
      const keyboard: Keyboard = { ahead: 0, stopped: null, unanswered: new Set(), held: new Map() };
      Object.assign(globalThis, { keyboard });
      const now = performance.now.bind(performance);
      Performance.prototype.now = () => keyboard.stopped ?? now() + keyboard.ahead;
      const stamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')!;
      Object.defineProperty(Event.prototype, 'timeStamp', {
        get(this: Event) {
          return keyboard.stopped ?? (stamp.get!.call(this) as number) + keyboard.ahead;
        },
      });
      // The first listener of the page: the others see the key at its later time.
      const space = ({ isTrusted }: Event): void => {
        if (isTrusted) keyboard.ahead += gap;
      };
      addEventListener('keydown', space, { capture: true });
      const [start, stop] = [setTimeout.bind(window), clearTimeout.bind(window)];
      Object.assign(globalThis, {
        setTimeout: (act: () => void, time?: number) => {
          const run = (): void => {
            keyboard.held.delete(timer);
            act();
          };
          const timer = start(run, time) as unknown as number;
          if (time === hold) keyboard.held.set(timer, run);
          return timer;
        },
        clearTimeout: (timer?: number) => {
          keyboard.held.delete(timer!);
          stop(timer);
        },
      });
      const idOf = (text: unknown): string => (JSON.parse(String(text)) as { readonly id?: string }).id ?? '';
      const Real = WebSocket;
      Object.assign(globalThis, {
        WebSocket: class extends Real {
          constructor(to: string) {
            super(to);
            this.addEventListener('message', ({ data }) => keyboard.unanswered.delete(idOf(data)));
          }
          override send(text: string): void {
            if (idOf(text) !== '') keyboard.unanswered.add(idOf(text));
            super.send(text);
          }
        },
      });
    },
    [byHand, holdMs] as const,
  );
}

/** Moves the clock of keys. */
export const passTime = (page: Page, time: number): Promise<void> =>
  page.evaluate((ms) => void ((globalThis as unknown as WithKeyboard).keyboard.ahead += ms), time);

/** From now on Enter counts: its dead time after the last change of the screen is over. */
export const passDeadTime = (page: Page): Promise<void> => passTime(page, deadTime);

/** Presses keys one after another as a hand does, and waits until the page has acted on them. */
export async function typeKeys(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
  await keysTaken(page);
}

/** The same as a person who watches the screen: connected, and each Enter once its act is due. */
export async function typeInTime(page: Page, keys: readonly string[]): Promise<void> {
  await page.getByTestId('link').waitFor({ state: 'detached' });
  for (const key of keys) {
    if (key === 'Enter') await actDue(page);
    await page.keyboard.press(key);
  }
  await keysTaken(page);
}

/** The time for which a page holds letters back is over, and it acts on them. */
const keysTaken = (page: Page): Promise<void> =>
  page.evaluate(async (time) => {
    const { keyboard } = globalThis as unknown as WithKeyboard;
    keyboard.ahead += time;
    for (const [timer, act] of keyboard.held) {
      clearTimeout(timer);
      act();
    }
    await new Promise((next) => requestAnimationFrame(next));
  }, holdMs);

/**
 * What the dead time before an Enter leaves time for: all that was asked is answered, and an act that opens at a time is open.
 * With fields to fill in, Enter leads to the next one.
 */
async function actDue(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      (globalThis as unknown as WithKeyboard).keyboard.unanswered.size === 0 &&
      (document.querySelector('.go.wait') === null || document.querySelector('[data-field]') !== null),
  );
  await passDeadTime(page);
}

/** Does something while the clock of keys stands still: keys come at once as those of a scanner do, on any machine. */
export async function atOneMoment(page: Page, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => void ((globalThis as unknown as WithKeyboard).keyboard.stopped = performance.now()));
  await act();
  await page.evaluate(() => void ((globalThis as unknown as WithKeyboard).keyboard.stopped = null));
}

/** Types a text as a scanner does: all its keys at one moment, ended by Enter. */
export async function scanText(page: Page, keys: readonly string[]): Promise<void> {
  await page.evaluate(
    (all) => {
      // The time of a key is when it was pressed, however long the page takes for the one before.
      const pressed = all.map((key) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      for (const event of pressed) (document.activeElement ?? document.body).dispatchEvent(event);
    },
    [...keys, 'Enter'],
  );
}
