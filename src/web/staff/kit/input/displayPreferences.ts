import { type Signal, effect, signal } from '@preact/signals';

// Display preferences of one console. They belong to the device and are never sent to the server.

/** Persistent flag in local storage; false where storage is blocked. */
function storedFlag(name: string): Signal<boolean> {
  const storageKey = `punto.console.${name}`;
  const flag = signal(readFlag(storageKey));
  effect(() => {
    try {
      localStorage.setItem(storageKey, flag.value ? 'yes' : 'no');
    } catch {
      // Storage is blocked or full: the preference lasts until reload.
    }
  });
  return flag;
}

function readFlag(storageKey: string): boolean {
  try {
    return localStorage.getItem(storageKey) === 'yes';
  } catch {
    return false;
  }
}

/** Swaps the hands, for a dealer who stands behind the layout. */
export const isMirrored = storedFlag('mirror');

/** Hides key caps on controls, for a console without a keyboard. */
export const isKeyless = storedFlag('keyless');
effect(() => {
  document.documentElement.classList.toggle('keyless', isKeyless.value);
});
