import { type ComponentChildren } from 'preact';
import { NotTaken, type Acts } from '../forms/useAction.tsx';
import { useFormKeys } from '../forms/useFormKeys.ts';
import { PayKey, useArmed } from './payButton.tsx';

/** Payment: armed by the first press, made by the second. */
export type Paying = {
  readonly isDead: boolean;
  readonly isArmed: boolean;
  readonly press: () => void;
};

/** `what` identifies the payment: any change of it disarms. `first` runs on the first press. */
export function usePaying(what: string, isDead: boolean, act: () => Promise<void>, first?: () => void): Paying {
  const [isArmed, arm] = useArmed(what);
  const press = async (): Promise<void> => {
    if (isDead) return;
    arm(!isArmed);
    if (isArmed) await act();
    else first?.();
  };
  const go = (): void => void press();
  useFormKeys(isArmed ? { Enter: go, Escape: () => arm(false) } : {});
  return { isDead, isArmed, press: go };
}

/** Panel of the cage with the last refusal and the pay button. */
export function DeskPanel({
  title,
  tag,
  acts,
  paying,
  text,
  amount,
  keyName,
  typed = false,
  children,
}: {
  readonly title: string;
  readonly tag: string;
  readonly acts: Acts;
  readonly paying: Paying;
  readonly text: string;
  readonly amount: string;
  readonly keyName: string;
  /** True for a panel with input fields: Enter in a field presses the button. */
  readonly typed?: boolean;
  readonly children: ComponentChildren;
}) {
  const { isDead, isArmed, press } = paying;
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="grow" />
        <span class="tag">{tag}</span>
      </header>
      {typed ? (
        <form
          class="body"
          onSubmit={(event) => {
            event.preventDefault();
            press();
          }}
        >
          {children}
          <button type="submit" hidden />
        </form>
      ) : (
        <div class="body">{children}</div>
      )}
      <NotTaken told={acts.told} />
      <PayKey text={text} amount={amount} keyName={keyName} isDead={isDead} isArmed={isArmed} press={press} />
    </section>
  );
}
