import { signal } from '@preact/signals';

/** Off until asked for. */
export const isSoundOn = signal(false);
export const switchSound = (): void => void (isSoundOn.value = !isSoundOn.value);
