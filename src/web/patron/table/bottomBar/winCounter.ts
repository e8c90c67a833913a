import { computed, effect, signal, untracked } from '@preact/signals';
import { roundMoneySums } from '../scene.ts';
import { isMotionReduced } from '../screenShape.ts';

// The WIN meter shows the net win over all stakes of the round, or 0.00 without a net win, until bets open again. It
// counts up to the amount; a tap ends the counting. [ETG layout-15, READING 70]

const stepCount = 24;
const stepMs = 50;

const step = signal(stepCount);
const won = computed(() => Math.max(0, roundMoneySums.value?.net ?? 0));
/** True after a net win. Only a net win is shown in brass. */
export const isNetWin = computed(() => won.value > 0);
export const isWinCounting = computed(() => step.value < stepCount);
export const shownWinCents = computed(() => Math.floor((won.value * step.value) / stepCount));

const end = (): void => void (step.value = stepCount);

effect(() => {
  const counts = isNetWin.value && !isMotionReduced();
  untracked(() => (step.value = counts ? 0 : stepCount));
});

effect(() => {
  if (!isWinCounting.value) return;
  const timer = setInterval(() => (step.value += 1), stepMs);
  addEventListener('pointerdown', end);
  return () => {
    clearInterval(timer);
    removeEventListener('pointerdown', end);
  };
});
