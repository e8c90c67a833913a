import { type ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isPin, pinDigits } from '../../../../access/pin.ts';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { kitStrings } from '../../kit/text/strings.ts';
import { TextField } from './fields.tsx';

type Props = {
  readonly role: string;
  readonly label: string;
  readonly isDisabled: boolean;
  /** Resolves to true when the approval was accepted. After a refusal the PIN must be typed again. */
  readonly sign: (person: { readonly number: string; readonly pin: string }) => Promise<boolean>;
  readonly children?: ComponentChildren;
};

/** Form for the staff number and PIN of a second approver. They count for this action only. */
export function SecondPersonForm({ role, label, isDisabled, sign, children }: Props) {
  const t = kitStrings();
  const [number, setNumber] = useState('');
  const [pin, setPin] = useState('');
  const isComplete = /^[A-Za-z]{1,4}-?\d{1,6}$/.test(number.trim()) && isPin(pin);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!isComplete || isDisabled) return;
    const isAccepted = await sign({ number: number.trim(), pin });
    setPin('');
    if (isAccepted) setNumber('');
  };
  return (
    <form class="second-sign" aria-label={t.second.cap(t.roles[role] ?? role)} onSubmit={(event) => void submit(event)}>
      <span class="cap">{t.second.cap(t.roles[role] ?? role)}</span>
      <div class="row ends">
        <TextField label={t.second.number} value={number} set={setNumber} maxLength={11} disabled={isDisabled} />
        <TextField
          label={t.second.pin}
          value={pin}
          set={setPin}
          kind="password"
          maxLength={pinDigits}
          disabled={isDisabled}
        />
      </div>
      <div class="row">
        <span class="q grow">{children}</span>
        <button type="submit" class="btn two" disabled={isDisabled || !isComplete}>
          {label} <KeyCap>Enter</KeyCap>
        </button>
      </div>
    </form>
  );
}
