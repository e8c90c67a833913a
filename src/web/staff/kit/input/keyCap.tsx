import { signal } from '@preact/signals';

/** True when the last input was touch or pen. Forms then show an on-screen keypad. */
export const isTouchInput = signal(false);
addEventListener('pointerdown', ({ pointerType }) => {
  isTouchInput.value = pointerType === 'touch' || pointerType === 'pen';
});
addEventListener('keydown', () => {
  isTouchInput.value = false;
});

export function KeyCap({ children }: { readonly children: string | number }) {
  return <kbd aria-hidden="true">{children}</kbd>;
}
