import { useState } from 'preact/hooks';
import { KeyCap } from '../kit/input/keyCap.tsx';
import { staffRefusalText } from '../kit/text/refusalText.ts';
import { signInStrings } from './strings.ts';
import { SignInFrame } from './signInFrame.tsx';
import { sendStaffHttpRequest, loadStaffBrowserState } from '../app/session.ts';

/** Form to enrol this device as a console, with a code from an administrator. */
export function EnrolDeviceForm({ done }: { readonly done: () => void }) {
  const t = signInStrings();
  const [code, setCode] = useState('');
  const [message, setMessage] = useState('');
  const submit = async (): Promise<void> => {
    const refusal = await sendStaffHttpRequest('enrol', { code: code.trim() });
    setCode('');
    if (refusal !== undefined) {
      setMessage(staffRefusalText(refusal.code, refusal.message));
      return;
    }
    await loadStaffBrowserState();
    done();
  };
  return (
    <SignInFrame>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        onKeyDown={({ key }) => key === 'Escape' && done()}
      >
        <h2>{t.enrol}</h2>
        <p class="q">{t.enrolWhy}</p>
        <label class="field">
          <span>{t.code}</span>
          <input
            class="in big"
            name="code"
            value={code}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            maxLength={12}
            ref={(one) => one?.focus()}
            onInput={({ currentTarget }) => setCode(currentTarget.value.toUpperCase())}
          />
        </label>
        {message !== '' && (
          <p class="status-text" role="alert">
            {message}
          </p>
        )}
        <button type="submit" class="btn act" disabled={code.trim().length < 8}>
          {t.enrolAct} <KeyCap>Enter</KeyCap>
        </button>
        <button type="button" class="btn quiet" onClick={done}>
          {t.back} <KeyCap>Esc</KeyCap>
        </button>
      </form>
    </SignInFrame>
  );
}
