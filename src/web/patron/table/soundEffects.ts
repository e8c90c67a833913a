import { computed, effect, untracked } from '@preact/signals';
import { type SoundName, playSound, setVolume, soundVolume } from '../../shared/widgets/sound.ts';
import { visibleStakes, slipTotal } from '../app/slipSignals.ts';
import { isBettingOpen, secondsUntil, tableView } from '../app/state.ts';
import { roundMoneySums, revealState } from './scene.ts';

// Sounds of the table. The patron must turn them on. A loss makes no sound.

/** Volumes in the order in which the sound button steps through them; 0 is silence. */
const steps = [0, 0.25, 0.6, 1] as const;

export const volumeStepIndex = computed(() =>
  Math.max(
    0,
    steps.findLastIndex((step) => step <= soundVolume.value),
  ),
);

export function cycleVolume(): void {
  setVolume(steps[(volumeStepIndex.value + 1) % steps.length]!);
  playSound('chip');
}

function onRise(sound: SoundName, figure: () => number): void {
  let before: number | undefined;
  effect(() => {
    const now = figure();
    untracked(() => {
      if (before !== undefined && now > before) playSound(sound);
      before = now;
    });
  });
}

/** How many of the last five seconds before bets close have begun: 1 to 5; 0 at all other times. */
const lastSeconds = computed(() => {
  const round = tableView.value?.round ?? null;
  const left = isBettingOpen.value && round !== null ? secondsUntil(round.deadline ?? round.closesAt) : 0;
  return left >= 1 && left <= 5 ? 6 - left : 0;
});

onRise('open', () => Number(isBettingOpen.value));
onRise('close', () =>
  Number(!isBettingOpen.value && tableView.value?.round !== null && tableView.value?.phase !== 'idle'),
);
onRise('tick', () => lastSeconds.value);
onRise('chip', () => slipTotal(visibleStakes.value));
onRise('card', () => revealState.value.out);
onRise('turn', () => revealState.value.turned);
onRise('win', () => Number((roundMoneySums.value?.net ?? 0) > 0));
