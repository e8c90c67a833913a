import { type Page } from 'playwright-core';
import { maxScanGapMs } from '../../../src/web/staff/kit/input/scanDetector.ts';
import { enterGuardMs } from '../../../src/web/staff/kit/input/keyBindings.ts';

// The clock by which staff screens judge keys, moved by a test instead of waited for. They tell a scanner from a hand by
// the time between two keys, and ignore an Enter that comes too soon after the screen has changed. Dates and timers stay
// real, so that no connection is taken for lost.

type Keyboard = {
  /** How far the clock is ahead of the real one, in milliseconds. */
  ahead: number;
  /** The time at which the clock stands still; null while each key comes as late as one that is typed by hand. */
  stopped: number | null;
  /** What the htmlPage has sent and the server has not answered, by id. */
  readonly unanswered: Set<string>;
  /** What is due once no key of a scanner can follow, by the id of its timer. */
  readonly held: Map<number, () => void>;
};
type WithKeyboard = { readonly keyboard: Keyboard };

/** More than the time between two keys of a scanner. */
const byHand = maxScanGapMs + 15;

/** Gives a htmlPage a clock of keys, from its next navigation on. */
export async function addKeyClock(htmlPage: Page): Promise<void> {
  await htmlPage.addInitScript((gap) => {
    const keyboard: Keyboard = { ahead: 0, stopped: null, unanswered: new Set() };
    Object.assign(globalThis, { keyboard });
    const now = performance.now.bind(performance);
    Performance.prototype.now = () => keyboard.stopped ?? now() + keyboard.ahead;
    const stamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')!;
    Object.defineProperty(Event.prototype, 'timeStamp', {
      get(this: Event) {
        return keyboard.stopped ?? (stamp.get!.call(this) as number) + keyboard.ahead;
      },
    });
    // The first listener of the htmlPage: the others see the key at its later time.
    const space = ({ isTrusted }: Event): void => {
      if (isTrusted) keyboard.ahead += gap;
    };
    addEventListener('keydown', space, { capture: true });
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
  }, byHand);
}

/** Moves the clock of keys. */
export const passTime = (htmlPage: Page, time: number): Promise<void> =>
  htmlPage.evaluate((ms) => void ((globalThis as unknown as WithKeyboard).keyboard.ahead += ms), time);

/** From now on Enter counts: its dead time after the last change of the screen is over. */
export const passDeadTime = (htmlPage: Page): Promise<void> => passTime(htmlPage, enterGuardMs);

/** Presses keys one after another as a hand does, and waits until the htmlPage has acted on them. */
export async function typeKeys(htmlPage: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) await htmlPage.keyboard.press(key);
  await keysTaken(htmlPage);
}

/** The same as a person who watches the screen: connected, and each Enter once its act is due. */
export async function typeInTime(htmlPage: Page, keys: readonly string[]): Promise<void> {
  await htmlPage.getByTestId('link').waitFor({ state: 'detached' });
  for (const key of keys) {
    if (key === 'Enter') await actDue(htmlPage);
    await htmlPage.keyboard.press(key);
  }
  await keysTaken(htmlPage);
}

/** A htmlPage holds a letter back until no key of a scanner can follow. Timers fire in order: this one after that of the htmlPage. */
const keysTaken = (htmlPage: Page): Promise<void> =>
  htmlPage.evaluate(async (time) => {
    await new Promise((next) => setTimeout(next, time));
    await new Promise((next) => requestAnimationFrame(next));
  }, maxScanGapMs + 1);

/**
 * What the dead time before an Enter leaves time for: all that was asked is answered, and an act that opens at a time is open.
 * With fields to fill in, Enter leads to the next one.
 */
async function actDue(htmlPage: Page): Promise<void> {
  await htmlPage.waitForFunction(
    () =>
      (globalThis as unknown as WithKeyboard).keyboard.unanswered.size === 0 &&
      (document.querySelector('.go.wait') === null || document.querySelector('[data-field]') !== null),
  );
  await passDeadTime(htmlPage);
}

/** Does something while the clock of keys stands still: keys come at once as those of a scanner do, on any machine. */
export async function atOneMoment(htmlPage: Page, act: () => Promise<unknown>): Promise<void> {
  await htmlPage.evaluate(() => void ((globalThis as unknown as WithKeyboard).keyboard.stopped = performance.now()));
  await act();
  await htmlPage.evaluate(() => void ((globalThis as unknown as WithKeyboard).keyboard.stopped = null));
}

/** Types a text as a scanner does: all its keys at one moment, ended by Enter. */
export async function scanText(htmlPage: Page, keys: readonly string[]): Promise<void> {
  await htmlPage.evaluate(
    (all) => {
      // The time of a key is when it was pressed, however long the htmlPage takes for the one before.
      const pressed = all.map((key) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      for (const event of pressed) (document.activeElement ?? document.body).dispatchEvent(event);
    },
    [...keys, 'Enter'],
  );
}
