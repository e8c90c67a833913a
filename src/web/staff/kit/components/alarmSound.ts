import { type Sound, playSound, setVolume, volume } from '../../../shared/controls/sound.ts';

// Sounds of a console cannot be turned off; a browser lets them be heard once somebody has touched the page.

const begin = (): void => {
  // Escape is no touch to a browser, and sounds that are begun by it stay unheard.
  if (volume.value === 0 && navigator.userActivation.hasBeenActive) setVolume(1);
};
addEventListener('keydown', begin);
addEventListener('pointerdown', begin);

/** One tone for a stop, one for a second person, a tick for each of the last seconds. */
export const alarm = (sound: Extract<Sound, 'stop' | 'second' | 'tick'>): void => playSound(sound);
