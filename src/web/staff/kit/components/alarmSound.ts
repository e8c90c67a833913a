import { type SoundName, playSound, setVolume, volume } from '../../../shared/controls/sound.ts';

// Alarms of a console cannot be muted. A browser plays sound only after a user gesture.

const unmute = (): void => {
  // Escape is no user gesture to a browser: sound started by it stays silent.
  if (volume.value === 0 && navigator.userActivation.hasBeenActive) setVolume(1);
};
addEventListener('keydown', unmute);
addEventListener('pointerdown', unmute);

/** `stop`: the table has stopped. `second`: an approval is wanted. `tick`: each of the last seconds. */
export const alarm = (sound: Extract<SoundName, 'stop' | 'second' | 'tick'>): void => playSound(sound);
