import { useEffect, useState } from 'preact/hooks';
import { Kbd } from '../../kit/kbd.tsx';
import { words } from './words.ts';

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
        {isArmed ? words().sure(amount) : text} <Kbd>{isArmed ? 'Enter' : keyName}</Kbd>
      </button>
    </div>
  );
}

/** Armed by the first press; whatever changes what would be paid takes that back. */
export function useArmed(what: string): readonly [boolean, (armed: boolean) => void] {
  const [armedFor, arm] = useState<string | null>(null);
  useEffect(() => arm(null), [what]);
  return [armedFor === what, (armed) => arm(armed ? what : null)];
}
