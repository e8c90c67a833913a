import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { cageStrings } from './strings.ts';

/** Money moves at the second press, which names the amount once more. */
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

/** What the next Enter pays: one thing at a time, whichever was pressed last. */
const armed = signal<string | null>(null);

/** Armed by the first press; whatever changes what would be paid takes that back. */
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
