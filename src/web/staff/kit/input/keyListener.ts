import { type KeyBurst, type KeyOrScan, flushBurst, addKeyToBurst, emptyBurst, flushDelayMs } from './scanDetector.ts';

export type KeyListenerOptions = {
  readonly onKey: (key: string, shift: boolean) => void;
  readonly onScan: (text: string) => void;
  /**
   * True while the focus is in a native text field. The browser types a scan into that field; the listener removes the
   * characters again and reports the scan.
   */
  readonly isInText: () => boolean;
  /** True for a key that the browser handles instead of the listener. */
  readonly isBrowserKey: (event: KeyboardEvent) => boolean;
};

const modifierKeys: ReadonlySet<string> = new Set(['Shift', 'CapsLock', 'AltGraph', 'Control', 'Alt', 'Meta']);

/**
 * Removes the last `count` characters before the cursor of the focused text area. The browser has typed them there, but
 * they belong to a scan.
 */
function removeTyped(count: number): void {
  const text = document.activeElement;
  if (!(text instanceof HTMLTextAreaElement)) return;
  const end = text.selectionStart;
  text.setRangeText('', Math.max(0, end - count), end, 'end');
  text.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Listens for keys, and for a scanner that types like a keyboard. Returns a function that stops listening. */
export function listenForKeys({ onKey, onScan, isInText, isBrowserKey }: KeyListenerOptions, prefix = ''): () => void {
  let burst: KeyBurst = emptyBurst;
  let shift = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const dispatch = (inputs: readonly KeyOrScan[]): void => {
    for (const input of inputs) {
      if ('scan' in input) onScan(input.scan);
      else onKey(input.key, shift);
    }
  };
  const onKeydown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.repeat) return;
    // A scanner presses Shift for each capital letter, so a modifier key must not end a scan.
    if (modifierKeys.has(event.key)) return;
    if (isBrowserKey(event)) return;
    const text = isInText();
    shift = event.shiftKey;
    const result = addKeyToBurst(burst, event.key, event.timeStamp, prefix);
    burst = result.burst;
    clearTimeout(timer);
    if (text) {
      // In a native text field the browser types the characters itself. The listener handles only scans, Enter and
      // Escape there.
      const scanned = result.inputs.find((input) => 'scan' in input);
      if (scanned !== undefined) {
        event.preventDefault();
        removeTyped(scanned.scan.length);
        onScan(scanned.scan);
      } else if (event.key === 'Enter' || event.key === 'Escape') {
        if (event.key === 'Escape' || !event.shiftKey) {
          event.preventDefault();
          onKey(event.key, event.shiftKey);
        }
      }
      return;
    }
    event.preventDefault();
    dispatch(result.inputs);
    const delayMs = flushDelayMs(burst, prefix);
    if (delayMs === null) return;
    timer = setTimeout(() => {
      const flushed = flushBurst(burst, performance.now() + 1_000, prefix);
      burst = flushed.burst;
      dispatch(flushed.inputs);
    }, delayMs);
  };
  addEventListener('keydown', onKeydown, { capture: true });
  return () => {
    clearTimeout(timer);
    removeEventListener('keydown', onKeydown, { capture: true });
  };
}
