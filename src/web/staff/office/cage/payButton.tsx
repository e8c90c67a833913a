import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { cageStrings } from './strings.ts';

/** Two presses pay: the second one names the amount again. */
export function PayKey({
  text,
  amount,
  keyName,
  isDead,
  isArmed,
  press,
}: {
  readonly text: string;
  readonly amount: string;
  readonly keyName: string;
  readonly isDead: boolean;
  readonly isArmed: boolean;
  readonly press: () => void;
}) {
  return (
    <div class="end">
      <button type="button" class={`btn${isArmed ? ' act' : ''}`} disabled={isDead} onClick={press}>
        {isArmed ? cageStrings().sure(amount) : text} <Kbd>{isArmed ? 'Enter' : keyName}</Kbd>
      </button>
    </div>
  );
}

/** Payment that the next Enter confirms: at most one at a time. */
const armed = signal<string | null>(null);

/** Armed by the first press, disarmed when the payment changes. */
export function useArmed(what: string): readonly [boolean, (isArmed: boolean) => void] {
  useEffect(
    () => () => {
      if (armed.value === what) armed.value = null;
    },
    [what],
  );
  return [
    armed.value === what,
    (isArmed) => {
      armed.value = isArmed ? what : null;
    },
  ];
}
