import { type SoundName, playSound, setVolume, soundVolume } from '../../../shared/widgets/sound.ts';

// The alarms of a console cannot be muted: each key press or tap changes a volume of 0 to full volume. A browser plays
// no sound before the first such gesture.

const unmute = (): void => {
  // A browser does not count Escape as a user gesture. If Escape is the only key so far, a sound would stay silent, so
  // the volume is not changed yet.
  if (soundVolume.value === 0 && navigator.userActivation.hasBeenActive) setVolume(1);
};
addEventListener('keydown', unmute);
addEventListener('pointerdown', unmute);

/**
 * `stop` means that the table has stopped, `second` that a proposal needs approval. `tick` sounds in each of the last
 * three seconds in which bets are open.
 */
export const playAlarm = (sound: Extract<SoundName, 'stop' | 'second' | 'tick'>): void => playSound(sound);
