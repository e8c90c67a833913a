import { useState } from 'preact/hooks';
import { KeyCap } from '../kit/input/keyCap.tsx';
import { staffRefusalText } from '../kit/text/refusalText.ts';
import { signInStrings } from './strings.ts';
import { openHomePage } from './openHomePage.ts';
import { SignInFrame } from './signInFrame.tsx';
import { sendStaffHttpRequest } from '../app/session.ts';

/**
 * Change of a PIN or password that an administrator has set. It is forced at the first sign-in with that PIN or
 * password, which is `old`.
 */
export type ForcedSecretChange = { readonly number: string; readonly kind: 'pin' | 'password'; readonly old: string };

export function ChangeSecretForm({
  forcedChange,
  done,
}: {
  readonly forcedChange: ForcedSecretChange;
  readonly done: () => void;
}) {
  const t = signInStrings();
  const [newSecret, setNewSecret] = useState('');
  const [repeatedSecret, setRepeatedSecret] = useState('');
  const [message, setMessage] = useState('');
  const save = async (): Promise<void> => {
    if (newSecret !== repeatedSecret || newSecret === '') {
      setMessage(t.differ);
      return;
    }
    const refusal = await sendStaffHttpRequest('password', { ...forcedChange, new: newSecret });
    if (refusal !== undefined) {
      setMessage(staffRefusalText(refusal.code, refusal.message));
      return;
    }
    const signInRefusal = await sendStaffHttpRequest('sign-in', {
      number: forcedChange.number,
      ...(forcedChange.kind === 'pin' ? { pin: newSecret } : { password: newSecret }),
    });
    if (signInRefusal === undefined) await openHomePage();
    else done();
  };
  const field = (label: string, value: string, set: (text: string) => void) => (
    <label class="field">
      <span>{label}</span>
      <input
        class="in big"
        type="password"
        autocomplete="new-password"
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
  return (
    <SignInFrame>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <h2>{t.change}</h2>
        <p class="q">{forcedChange.kind === 'pin' ? t.changePin : t.changeWhy}</p>
        {field(t.newSecret, newSecret, setNewSecret)}
        {field(t.again, repeatedSecret, setRepeatedSecret)}
        {message !== '' && (
          <p class="status-text" role="alert">
            {message}
          </p>
        )}
        <button type="submit" class="btn act">
          {t.keep} <KeyCap>Enter</KeyCap>
        </button>
      </form>
    </SignInFrame>
  );
}
