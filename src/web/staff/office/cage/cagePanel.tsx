import { type ComponentChildren } from 'preact';
import { FormRefusalNotice, type FormCommands } from '../forms/useFormCommands.tsx';
import { useFormKeys } from '../forms/useFormKeys.ts';
import { PayButton, useArmedPayment } from './payButton.tsx';

/** Payment by two presses of a button: the first press arms the payment, the second press makes the payment. */
export type TwoPressPayment = {
  readonly isDisabled: boolean;
  readonly isArmed: boolean;
  readonly onPress: () => void;
};

/** `paymentKey` identifies the payment: when it changes, the payment is disarmed. `onArm` runs on the first press. */
export function useTwoPressPayment(
  paymentKey: string,
  isDisabled: boolean,
  pay: () => Promise<void>,
  onArm?: () => void,
): TwoPressPayment {
  const [isArmed, setArmed] = useArmedPayment(paymentKey);
  const handlePress = async (): Promise<void> => {
    if (isDisabled) return;
    setArmed(!isArmed);
    if (isArmed) await pay();
    else onArm?.();
  };
  const onPress = (): void => void handlePress();
  useFormKeys(isArmed ? { Enter: onPress, Escape: () => setArmed(false) } : {});
  return { isDisabled, isArmed, onPress };
}

export function CagePanel({
  title,
  tag,
  commands,
  payment,
  text,
  amount,
  keyName,
  hasFields = false,
  children,
}: {
  readonly title: string;
  readonly tag: string;
  readonly commands: FormCommands;
  readonly payment: TwoPressPayment;
  readonly text: string;
  readonly amount: string;
  readonly keyName: string;
  /** True for a panel with input fields. Enter in a field then presses the pay button. */
  readonly hasFields?: boolean;
  readonly children: ComponentChildren;
}) {
  const { isDisabled, isArmed, onPress } = payment;
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="grow" />
        <span class="tag">{tag}</span>
      </header>
      {hasFields ? (
        <form
          class="body"
          onSubmit={(event) => {
            event.preventDefault();
            onPress();
          }}
        >
          {children}
          <button type="submit" hidden />
        </form>
      ) : (
        <div class="body">{children}</div>
      )}
      <FormRefusalNotice refusal={commands.refusal} />
      <PayButton
        text={text}
        amount={amount}
        keyName={keyName}
        isDisabled={isDisabled}
        isArmed={isArmed}
        onPress={onPress}
      />
    </section>
  );
}
