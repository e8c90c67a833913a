import { type Signal, effect, signal } from '@preact/signals';

/** Flag of this device, false by default. It is kept in local storage and never sent to the server. */
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

/** True to swap the hands on screen, for a dealer who stands behind the layout. */
export const isMirrored = storedFlag('mirror');

/** True to hide key caps, for a console without a keyboard. */
export const isKeyless = storedFlag('keyless');
effect(() => {
  document.documentElement.classList.toggle('keyless', isKeyless.value);
});
