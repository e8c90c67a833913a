import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { cageStrings } from './strings.ts';

/** Button that pays after two presses. After the first press the button asks again, with the amount. */
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

/** `paymentKey` of the armed payment: the next press makes this payment. Null while no payment is armed. */
const armedPayment = signal<string | null>(null);

/**
 * Whether the payment with this key is armed, and a function that arms or disarms it. A change of the key disarms the
 * payment.
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
