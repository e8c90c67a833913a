import { signal } from '@preact/signals';
import { type JSX } from 'preact';
import { useEffect } from 'preact/hooks';

/** The pages of help, once somebody has asked for them. */
const pages = signal<(() => JSX.Element) | undefined>(undefined);

/** Loads the pages of help when it is opened, and not before. */
export function Help() {
  useEffect(() => {
    // Where they cannot be loaded now, the next time that somebody asks is another try.
    import('./help.tsx').then(
      ({ HelpSheet }) => void (pages.value = HelpSheet),
      () => undefined,
    );
  }, []);
  const Sheet = pages.value;
  return Sheet === undefined ? null : <Sheet />;
}
