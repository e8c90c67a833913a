import { type SoundName, playSound, setVolume, soundVolume } from '../../../shared/widgets/sound.ts';

// The alarms of a console cannot be muted. A browser plays no sound before the first user gesture, so each gesture
// turns a volume of 0 up.

const unmute = (): void => {
  // Browsers do not count Escape as a user gesture, and a sound after it would stay silent.
  if (soundVolume.value === 0 && navigator.userActivation.hasBeenActive) setVolume(1);
};
addEventListener('keydown', unmute);
addEventListener('pointerdown', unmute);

/**
 * `stop`: the table has stopped. `second`: a proposal needs approval. `tick`: each of the last three seconds in which
 * bets are open.
 */
export const playAlarm = (sound: Extract<SoundName, 'stop' | 'second' | 'tick'>): void => playSound(sound);
