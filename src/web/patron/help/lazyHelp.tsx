import { signal } from '@preact/signals';
import { type JSX } from 'preact';
import { useEffect } from 'preact/hooks';

/** The help pages; undefined until they are loaded. */
const pages = signal<(() => JSX.Element) | undefined>(undefined);

/** Loads the help pages when help is opened. */
export function LazyHelp() {
  useEffect(() => {
    // If the pages cannot be loaded, the next opening of help tries again.
    import('./help.tsx').then(
      ({ HelpSheet }) => void (pages.value = HelpSheet),
      () => undefined,
    );
  }, []);
  const Sheet = pages.value;
  return Sheet === undefined ? null : <Sheet />;
}
