import { signal } from '@preact/signals';

/** True when the last input was touch or pen: on-screen keypads are shown and key caps hidden. */
export const isTouched = signal(false);
addEventListener('pointerdown', ({ pointerType }) => {
  isTouched.value = pointerType === 'touch' || pointerType === 'pen';
});
addEventListener('keydown', () => {
  isTouched.value = false;
});

/** Key cap drawn on a control. */
export function Kbd({ children }: { readonly children: string | number }) {
  return <kbd aria-hidden="true">{children}</kbd>;
}
