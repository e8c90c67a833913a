import { type ComponentChildren } from 'preact';
import { NotTaken, type Acts } from '../forms/useAction.tsx';
import { useFormKeys } from '../forms/useFormKeys.ts';
import { PayKey, useArmed } from './payButton.tsx';

/** One act of the desk: armed by the first press, and done by the second. */
export type Paying = {
  readonly isDead: boolean;
  readonly isArmed: boolean;
  readonly press: () => void;
};

/** `what` is just what would be paid, so that anything else takes the arming back; `first` comes with the first press. */
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

/** A panel of the desk with what it is about, why something was not taken, and its act. */
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
  /** Whether something is typed here, so that Enter in a field is the act. */
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
