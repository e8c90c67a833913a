import { type SoundName, playSound, setVolume, volume } from '../../../shared/controls/sound.ts';

// Alarms of a console cannot be muted. A browser plays sound only after a user gesture.

const unmute = (): void => {
  // For a browser, Escape is not a user gesture: a sound that it starts stays silent.
  if (volume.value === 0 && navigator.userActivation.hasBeenActive) setVolume(1);
};
addEventListener('keydown', unmute);
addEventListener('pointerdown', unmute);

/** `stop`: the table has stopped. `second`: a proposal needs approval. `tick`: each of the last seconds for bets. */
export const playAlarm = (sound: Extract<SoundName, 'stop' | 'second' | 'tick'>): void => playSound(sound);
