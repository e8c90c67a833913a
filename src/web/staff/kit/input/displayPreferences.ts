import { type Signal, effect, signal } from '@preact/signals';

// Display preferences of one console. They belong to the device and are never sent to the server.

/** Persistent flag in local storage; false where storage is blocked. */
function kept(name: string): Signal<boolean> {
  const place = `punto.console.${name}`;
  const is = signal(read(place));
  effect(() => {
    try {
      localStorage.setItem(place, is.value ? 'yes' : 'no');
    } catch {
      // Storage is blocked or full: the preference lasts until reload.
    }
  });
  return is;
}

function read(place: string): boolean {
  try {
    return localStorage.getItem(place) === 'yes';
  } catch {
    return false;
  }
}

/** Swaps the hands, for a dealer who stands behind the layout. */
export const isMirrored = kept('mirror');

/** Hides key caps on controls, for a console without a keyboard. */
export const isKeyless = kept('keyless');
effect(() => {
  document.documentElement.classList.toggle('keyless', isKeyless.value);
});
