import { type Burst, type KeyInput, passed, pressed, quiet, waitFor } from './scanDetector.ts';

/** What a page hears of its keys. */
export type Listener = {
  readonly key: (key: string, shift: boolean) => void;
  readonly scan: (text: string) => void;
  /** Whether keys go to a text that the browser itself keeps; scans are still told, and taken out of it again. */
  readonly inText: () => boolean;
  /** Whether the browser keeps this key to itself: a control has the focus and it presses it. */
  readonly leaves: (event: KeyboardEvent) => boolean;
};

/** Keys that only change what others mean. */
const held: ReadonlySet<string> = new Set(['Shift', 'CapsLock', 'AltGraph', 'Control', 'Alt', 'Meta']);

/** The letters of a scan, which the browser has written where somebody writes, go out again. */
function takeOut(letters: number): void {
  const text = document.activeElement;
  if (!(text instanceof HTMLTextAreaElement)) return;
  const end = text.selectionStart;
  text.setRangeText('', Math.max(0, end - letters), end, 'end');
  text.dispatchEvent(new Event('input', { bubbles: true }));
}

/** The keys of a page and of the scanner that types as one; gives what ends it. */
export function listenForKeys({ key, scan, inText, leaves }: Listener, prefix = ''): () => void {
  let burst: Burst = quiet;
  let shift = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (heard: readonly KeyInput[]): void => {
    for (const one of heard) {
      if ('scan' in one) scan(one.scan);
      else key(one.key, shift);
    }
  };
  const take = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.repeat) return;
    // A scanner holds Shift down for each capital, and that is no key of its own.
    if (held.has(event.key)) return;
    if (leaves(event)) return;
    const text = inText();
    shift = event.shiftKey;
    const step = pressed(burst, event.key, event.timeStamp, prefix);
    burst = step.burst;
    clearTimeout(timer);
    if (text) {
      // The browser writes it down itself; only what ends a scan is kept from it.
      const scanned = step.heard.find((one) => 'scan' in one);
      if (scanned !== undefined) {
        event.preventDefault();
        takeOut(scanned.scan.length);
        scan(scanned.scan);
      } else if (event.key === 'Enter' || event.key === 'Escape') {
        if (event.key === 'Escape' || !event.shiftKey) {
          event.preventDefault();
          key(event.key, event.shiftKey);
        }
      }
      return;
    }
    event.preventDefault();
    tell(step.heard);
    const wait = waitFor(burst, prefix);
    if (wait === null) return;
    timer = setTimeout(() => {
      const later = passed(burst, performance.now() + 1_000, prefix);
      burst = later.burst;
      tell(later.heard);
    }, wait);
  };
  addEventListener('keydown', take, { capture: true });
  return () => {
    clearTimeout(timer);
    removeEventListener('keydown', take, { capture: true });
  };
}
