import { type Signal, effect, signal } from '@preact/signals';

// How a console looks that stands in a place of its own. It belongs to the device, and no server knows of it.

/** What is kept of a console in its browser; one that keeps nothing begins anew each time. */
function kept(name: string): Signal<boolean> {
  const place = `punto.console.${name}`;
  const is = signal(read(place));
  effect(() => {
    try {
      localStorage.setItem(place, is.value ? 'yes' : 'no');
    } catch {
      // A browser that keeps nothing shows it all the same.
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

/** The hands change sides, for a dealer who faces the layout from behind. */
export const isMirrored = kept('mirror');

/** No keys are drawn on controls, where there is no keyboard. */
export const isKeyless = kept('keyless');
effect(() => {
  document.documentElement.classList.toggle('keyless', isKeyless.value);
});
