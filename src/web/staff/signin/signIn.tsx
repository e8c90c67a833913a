import { useEffect, useRef, useState } from 'preact/hooks';
import { type StaffBrowserState } from '../../../wire/staff/signInRequests.ts';
import { KeyCap, isTouchInput } from '../kit/input/keyCap.tsx';
import { isWholeStaffNumber, parsePartialStaffNumber } from '../kit/input/signature.ts';
import { Keypad } from '../kit/input/keypad.tsx';
import { staffRefusalText } from '../kit/text/refusalText.ts';
import { kitStrings } from '../kit/text/strings.ts';
import {
  type StaffRequestRefusal,
  sendStaffHttpRequest,
  loadStaffBrowserState,
  staffBrowserState,
} from '../app/session.ts';
import { ChangeSecretForm, type ForcedSecretChange } from './changeSecret.tsx';
import { EnrolDeviceForm } from './enrolDevice.tsx';
import { openHomePage } from './openHomePage.ts';
import { SignInFrame } from './signInFrame.tsx';
import { signInStrings } from './strings.ts';

type Role = NonNullable<StaffBrowserState['session']>['role'];

/** Sign-in page. A dealer, floor or cage console asks for a PIN, any other browser for a password. */
export function SignInPage() {
  const t = signInStrings();
  const k = kitStrings();
  const status = staffBrowserState.value;
  const kind = (status?.console?.kind ?? 'office') === 'office' ? 'password' : 'pin';
  const [number, setNumber] = useState('');
  const [secret, setSecret] = useState('');
  const [roles, setRoles] = useState<readonly Role[]>([]);
  const [role, setRole] = useState<Role>();
  const [message, setMessage] = useState('');
  const [forcedChange, setForcedChange] = useState<ForcedSecretChange>();
  const [isEnrolling, setEnrolling] = useState(false);
  const numberField = useRef<HTMLInputElement>(null);
  const secretField = useRef<HTMLInputElement>(null);
  useEffect(() => void loadStaffBrowserState().then((current) => current?.session && openHomePage()), []);
  useEffect(() => {
    const reason = location.search.slice(1);
    if (reason !== '') setMessage(signInStrings().ended[reason] ?? '');
  }, []);

  const signIn = async (chosen?: Role): Promise<void> => {
    if (!isWholeStaffNumber(number)) {
      setMessage(k.second.hints['number-incomplete']);
      numberField.current?.focus();
      return;
    }
    if (secret === '') {
      setMessage('');
      secretField.current?.focus();
      return;
    }
    const chosenRole = chosen ?? role;
    const refusal = await sendStaffHttpRequest('sign-in', {
      number,
      ...(kind === 'pin' ? { pin: secret } : { password: secret }),
      ...(chosenRole !== undefined && { role: chosenRole }),
    });
    if (refusal === undefined) {
      await openHomePage();
      return;
    }
    const grantedRoles = (refusal as StaffRequestRefusal & { readonly roles?: readonly Role[] }).roles;
    if (refusal.code === 'role-not-chosen' && grantedRoles !== undefined) {
      setRoles(grantedRoles);
      setMessage('');
      return;
    }
    if (refusal.code === 'secret-due') {
      setForcedChange({ number, kind, old: secret });
      return;
    }
    setSecret('');
    setMessage(staffRefusalText(refusal.code, refusal.message));
  };

  if (forcedChange !== undefined)
    return <ChangeSecretForm forcedChange={forcedChange} done={() => setForcedChange(undefined)} />;
  if (isEnrolling) return <EnrolDeviceForm done={() => setEnrolling(false)} />;
  return (
    <SignInFrame>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void signIn();
        }}
        onKeyDown={({ key }) => {
          const one = /^[1-9]$/.test(key) && secret !== '' ? roles[Number(key) - 1] : undefined;
          if (one !== undefined) void signIn(one);
        }}
      >
        <label class="field">
          <span>{kind === 'pin' ? t.badge : t.number}</span>
          <input
            class="in big"
            name="number"
            value={number}
            autocomplete="username"
            autocapitalize="characters"
            ref={(one) => {
              numberField.current = one;
              if (number === '' && roles.length === 0) one?.focus();
            }}
            onInput={({ currentTarget }) => {
              // A PIN that is typed into this field by mistake must not stay readable.
              const typed = parsePartialStaffNumber(currentTarget.value) ?? (isWholeStaffNumber(number) ? '' : number);
              currentTarget.value = typed;
              setNumber(typed);
            }}
          />
        </label>
        <label class="field">
          <span>{kind === 'pin' ? t.pin : t.password}</span>
          <input
            ref={secretField}
            class="in big"
            name="secret"
            type="password"
            inputMode={kind === 'pin' ? 'numeric' : 'text'}
            autocomplete="current-password"
            value={secret}
            onInput={({ currentTarget }) => setSecret(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Backspace' || secret !== '') return;
              event.preventDefault();
              numberField.current?.focus();
            }}
          />
        </label>
        {kind === 'pin' && isTouchInput.value && (
          <Keypad
            letters={number === '' || document.activeElement !== secretField.current}
            press={(char) => {
              if (document.activeElement === secretField.current) setSecret(secret + char);
              else setNumber(parsePartialStaffNumber(number + char) ?? number);
            }}
            back={() => {
              if (document.activeElement === secretField.current) setSecret(secret.slice(0, -1));
              else setNumber(number.slice(0, -1));
            }}
            ok={() => void signIn()}
          />
        )}
        {roles.length > 0 && (
          <fieldset class="field roles-pick">
            <legend>{t.role}</legend>
            {roles.map((one, n) => (
              <button
                key={one}
                type="button"
                class={role === one ? 'on' : ''}
                onClick={() => {
                  setRole(one);
                  void signIn(one);
                }}
              >
                <KeyCap>{n + 1}</KeyCap>
                <b>{k.roles[one] ?? one}</b>
              </button>
            ))}
          </fieldset>
        )}
        {message !== '' && (
          <p class="status-text" role="alert">
            {message}
          </p>
        )}
        <button type="submit" class="btn act">
          {t.signIn} <KeyCap>Enter</KeyCap>
        </button>
        <p class="qq small">{t.five}</p>
        {status !== null && status.console === null && (
          <button type="button" class="btn quiet" data-testid="enrol" onClick={() => setEnrolling(true)}>
            {t.enrol}
          </button>
        )}
      </form>
    </SignInFrame>
  );
}
