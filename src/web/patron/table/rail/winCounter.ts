import { computed, effect, signal, untracked } from '@preact/signals';
import { roundSum } from '../scene.ts';
import { isStill } from '../screenShape.ts';

// The WIN meter. After a net win it counts up to the amount; a tap ends the counting.

const steps = 24;
const aStep = 50;

const step = signal(steps);
const won = computed(() => roundSum.value?.won ?? 0);
/** Brass marks a net win only. */
export const isUp = computed(() => won.value > 0 && (roundSum.value?.net ?? 0) > 0);
export const isCounting = computed(() => step.value < steps);
export const winShown = computed(() => Math.floor((won.value * step.value) / steps));

const end = (): void => void (step.value = steps);

effect(() => {
  const counts = isUp.value && !isStill();
  untracked(() => (step.value = counts ? 0 : steps));
});

effect(() => {
  if (!isCounting.value) return;
  const timer = setInterval(() => (step.value += 1), aStep);
  addEventListener('pointerdown', end);
  return () => {
    clearInterval(timer);
    removeEventListener('pointerdown', end);
  };
});
