import { signal } from '@preact/signals';

// Synthesised sounds of the screens. They are silent until a user turns them on. A loss has no sound.

/** Volume of all sounds from 0 to 1. It is 0 when a page is loaded. */
export const soundVolume = signal(0);

/**
 * Part of a sound: a tone, or filtered noise (`rustle`). `at`: start within the sound; `time`: duration; both in
 * seconds.
 */
type Tone = {
  readonly at: number;
  readonly time: number;
  readonly loud: number;
  /** Frequency of the tone, or centre of the noise band, in hertz. */
  readonly pitch: number;
  readonly kind: 'sine' | 'triangle' | 'rustle';
};

const tone = (kind: Tone['kind'], pitch: number, at: number, time: number, loud: number): Tone => ({
  kind,
  pitch,
  at,
  time,
  loud,
});

const sounds = {
  chip: [tone('triangle', 2600, 0, 0.035, 0.3), tone('triangle', 3400, 0.03, 0.05, 0.18)],
  card: [tone('rustle', 1700, 0, 0.14, 0.35)],
  turn: [tone('rustle', 3200, 0, 0.06, 0.4), tone('triangle', 900, 0.035, 0.03, 0.12)],
  open: [tone('sine', 523, 0, 0.25, 0.25), tone('sine', 784, 0.12, 0.4, 0.25)],
  /** Played in each of the last seconds before bets close. */
  tick: [tone('sine', 1046, 0, 0.06, 0.25)],
  /** Played when bets close. */
  close: [tone('sine', 659, 0, 0.25, 0.25), tone('sine', 440, 0.14, 0.45, 0.25)],
  /** Played when the patron has a net win in the round. */
  win: [tone('sine', 523, 0, 0.3, 0.22), tone('sine', 659, 0.1, 0.3, 0.22), tone('sine', 784, 0.2, 0.6, 0.25)],
  /** Played to staff when a table has stopped. */
  stop: [tone('triangle', 440, 0, 0.22, 0.5), tone('triangle', 330, 0.24, 0.4, 0.5)],
  /** Played to staff when an approval is needed. */
  second: [tone('sine', 880, 0, 0.14, 0.35), tone('sine', 1175, 0.16, 0.3, 0.35)],
} as const satisfies { readonly [name: string]: readonly Tone[] };

export type SoundName = keyof typeof sounds;

let context: AudioContext | undefined;

/**
 * Sets the volume. Call it only while a click or key press is handled, since the browser blocks audio at other times.
 */
export function setVolume(loud: number): void {
  soundVolume.value = Math.min(1, Math.max(0, loud));
  if (soundVolume.value === 0) return;
  context ??= new AudioContext();
  void context.resume();
}

export function playSound(sound: SoundName): void {
  if (context === undefined || soundVolume.value === 0) return;
  for (const one of sounds[sound]) playTone(context, one, soundVolume.value);
}

function playTone(audio: AudioContext, { kind, pitch, at, time, loud }: Tone, by: number): void {
  const from = audio.currentTime + at;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0.0001, from);
  gain.gain.exponentialRampToValueAtTime(loud * by, from + Math.min(0.01, time / 4));
  gain.gain.exponentialRampToValueAtTime(0.0001, from + time);
  gain.connect(audio.destination);
  const source = kind === 'rustle' ? rustle(audio, pitch, gain) : pitched(audio, kind, pitch, gain);
  source.start(from);
  source.stop(from + time);
}

function pitched(audio: AudioContext, kind: OscillatorType, pitch: number, to: AudioNode): AudioScheduledSourceNode {
  const source = audio.createOscillator();
  source.type = kind;
  source.frequency.value = pitch;
  source.connect(to);
  return source;
}

let paper: AudioBuffer | undefined;

/** Noise, the same at each call, through a band-pass filter around `pitch`. The noise lasts at most one second. */
function rustle(audio: AudioContext, pitch: number, to: AudioNode): AudioScheduledSourceNode {
  if (paper === undefined) {
    paper = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
    const samples = paper.getChannelData(0);
    let state = 1;
    for (let n = 0; n < samples.length; n++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      samples[n] = state / 2 ** 31;
    }
  }
  const source = audio.createBufferSource();
  source.buffer = paper;
  const band = audio.createBiquadFilter();
  band.type = 'bandpass';
  band.frequency.value = pitch;
  band.Q.value = 0.8;
  source.connect(band).connect(to);
  return source;
}
