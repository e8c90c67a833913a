import { signal } from '@preact/signals';

/** Whether the last thing that was used is a finger: then there are keys to touch, and none are drawn. */
export const isTouched = signal(false);
addEventListener('pointerdown', ({ pointerType }) => {
  isTouched.value = pointerType === 'touch' || pointerType === 'pen';
});
addEventListener('keydown', () => {
  isTouched.value = false;
});

/** The key of a control, drawn on it. */
export function Kbd({ children }: { readonly children: string | number }) {
  return <kbd aria-hidden="true">{children}</kbd>;
}
