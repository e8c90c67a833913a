import { type ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isPin, pinDigits } from '../../../../access/pin.ts';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { kitStrings } from '../../kit/text/strings.ts';
import { TextField } from './fields.tsx';

type Form = {
  readonly post: string;
  readonly act: string;
  readonly isDead: boolean;
  /** True when it was accepted; after a refusal the PIN must be typed again. */
  readonly sign: (person: { readonly number: string; readonly pin: string }) => Promise<boolean>;
  readonly children?: ComponentChildren;
};

/** Number and PIN of a second person, for this action only. */
export function Second({ post, act, isDead, sign, children }: Form) {
  const t = kitStrings();
  const [number, setNumber] = useState('');
  const [pin, setPin] = useState('');
  const isWhole = /^[A-Za-z]{1,4}-?\d{1,6}$/.test(number.trim()) && isPin(pin);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!isWhole || isDead) return;
    const taken = await sign({ number: number.trim(), pin });
    setPin('');
    if (taken) setNumber('');
  };
  return (
    <form class="second-sign" aria-label={t.second.cap(t.posts[post] ?? post)} onSubmit={(event) => void submit(event)}>
      <span class="cap">{t.second.cap(t.posts[post] ?? post)}</span>
      <div class="row ends">
        <TextField label={t.second.number} value={number} set={setNumber} most={11} disabled={isDead} />
        <TextField label={t.second.pin} value={pin} set={setPin} kind="password" most={pinDigits} disabled={isDead} />
      </div>
      <div class="row">
        <span class="q grow">{children}</span>
        <button type="submit" class="btn two" disabled={isDead || !isWhole}>
          {act} <Kbd>Enter</Kbd>
        </button>
      </div>
    </form>
  );
}
