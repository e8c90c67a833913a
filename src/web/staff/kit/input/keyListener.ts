import { type Burst, type KeyInput, passed, pressed, quiet, waitFor } from './scanDetector.ts';

export type Listener = {
  readonly key: (key: string, shift: boolean) => void;
  readonly scan: (text: string) => void;
  /**
   * True while the focus is in a native text field. Scans are still reported, and their characters removed from the
   * field.
   */
  readonly inText: () => boolean;
  /** True for keys that the browser handles: they operate the focused control. */
  readonly leaves: (event: KeyboardEvent) => boolean;
};

const held: ReadonlySet<string> = new Set(['Shift', 'CapsLock', 'AltGraph', 'Control', 'Alt', 'Meta']);

/** Removes the characters of a scan that the browser has already typed into a text area. */
function takeOut(letters: number): void {
  const text = document.activeElement;
  if (!(text instanceof HTMLTextAreaElement)) return;
  const end = text.selectionStart;
  text.setRangeText('', Math.max(0, end - letters), end, 'end');
  text.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Listens for keys and for a scanner that types like a keyboard. Returns the function that stops it. */
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
    // A scanner presses Shift for each capital; that must not end a scan.
    if (held.has(event.key)) return;
    if (leaves(event)) return;
    const text = inText();
    shift = event.shiftKey;
    const step = pressed(burst, event.key, event.timeStamp, prefix);
    burst = step.burst;
    clearTimeout(timer);
    if (text) {
      // The browser types the text itself; only the Enter of a scan is suppressed.
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
