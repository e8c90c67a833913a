import { signal } from '@preact/signals';
import { type JSX } from 'preact';
import { useEffect } from 'preact/hooks';

/** The help pages, after their first use. */
const pages = signal<(() => JSX.Element) | undefined>(undefined);

/** Loads the help pages when help is opened. */
export function LazyHelp() {
  useEffect(() => {
    // After a failure the next opening tries again.
    import('./help.tsx').then(
      ({ HelpSheet }) => void (pages.value = HelpSheet),
      () => undefined,
    );
  }, []);
  const Sheet = pages.value;
  return Sheet === undefined ? null : <Sheet />;
}
