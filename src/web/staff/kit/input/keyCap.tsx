import { signal } from '@preact/signals';

/** True when the last input was touch or pen: on-screen keypads are shown and key caps hidden. */
export const isTouchInput = signal(false);
addEventListener('pointerdown', ({ pointerType }) => {
  isTouchInput.value = pointerType === 'touch' || pointerType === 'pen';
});
addEventListener('keydown', () => {
  isTouchInput.value = false;
});

/** Key cap drawn on a control. */
export function KeyCap({ children }: { readonly children: string | number }) {
  return <kbd aria-hidden="true">{children}</kbd>;
}
