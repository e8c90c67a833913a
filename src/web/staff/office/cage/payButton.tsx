import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { cageStrings } from './strings.ts';

/** Button that pays after two presses. After the first press it shows the amount and asks for the second press. */
export function PayButton({
  text,
  amount,
  keyName,
  isDisabled,
  isArmed,
  onPress,
}: {
  readonly text: string;
  readonly amount: string;
  readonly keyName: string;
  readonly isDisabled: boolean;
  readonly isArmed: boolean;
  readonly onPress: () => void;
}) {
  return (
    <div class="end">
      <button type="button" class={`btn${isArmed ? ' act' : ''}`} disabled={isDisabled} onClick={onPress}>
        {isArmed ? cageStrings().sure(amount) : text} <KeyCap>{isArmed ? 'Enter' : keyName}</KeyCap>
      </button>
    </div>
  );
}

/** `paymentKey` of the armed payment, which the next press makes. Null while no payment is armed. */
const armedPayment = signal<string | null>(null);

/**
 * Returns whether the payment of this key is armed, and a function that arms it (true) or disarms all payments (false).
 * When the key changes, the payment of the old key is disarmed.
 */
export function useArmedPayment(paymentKey: string): readonly [boolean, (isArmed: boolean) => void] {
  useEffect(
    () => () => {
      if (armedPayment.value === paymentKey) armedPayment.value = null;
    },
    [paymentKey],
  );
  return [
    armedPayment.value === paymentKey,
    (isArmed) => {
      armedPayment.value = isArmed ? paymentKey : null;
    },
  ];
}
