import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { isPin, pinLength } from '../../../access/pin.ts';
import { KeyCap } from '../kit/input/keyCap.tsx';
import { useKeydown } from '../kit/input/useKeydown.ts';
import { Keypad } from '../kit/input/keypad.tsx';
import { listenForKeys } from '../kit/input/keyListener.ts';
import { staffRefusalText } from '../kit/text/refusalText.ts';
import { formatTimeOfDay } from '../kit/text/timeText.ts';
import { kitStrings } from '../kit/text/strings.ts';
import { isDemoConsole, staffSession } from '../app/state.ts';
import { loadStaffBrowserState, staffBrowserState, signOut, unlockConsole } from '../app/session.ts';
import { signInStrings } from './strings.ts';

const pin = signal('');
/**
 * Why the last attempt to unlock was refused, or that a scan was ignored since it is not a PIN. Empty without either.
 */
const refusalText = signal('');
const lockedAt = signal(0);

async function submitPin(): Promise<void> {
  const typed = pin.value;
  if (typed === '' ? !isDemoConsole.value : !isPin(typed)) return;
  pin.value = '';
  await unlockWith(typed === '' ? {} : { pin: typed });
}

async function unlockWith(secret: Parameters<typeof unlockConsole>[0]): Promise<void> {
  const refusal = await unlockConsole(secret);
  refusalText.value = refusal === undefined ? '' : staffRefusalText(refusal.code, refusal.message);
}

const typeDigit = (char: string): void => {
  refusalText.value = '';
  if (pin.value.length < pinLength) pin.value += char;
};
const deleteDigit = (): void => void (pin.value = pin.value.slice(0, -1));

/**
 * Lock screen; the game continues behind it. A dealer, floor or cage console is unlocked by PIN, any other browser by
 * password. A demo needs neither.
 */
export function LockScreen() {
  const t = signInStrings();
  const k = kitStrings();
  const isOffice = staffBrowserState.value !== null && (staffBrowserState.value.console?.kind ?? 'office') === 'office';
  useEffect(() => {
    if (staffBrowserState.value === null) void loadStaffBrowserState();
    lockedAt.value = Date.now();
    return () => {
      pin.value = '';
      refusalText.value = '';
    };
  }, []);
  // Keys must not reach the page behind the lock screen.
  useKeydown((event) => event.stopPropagation(), true);
  useLayoutEffect(() => {
    if (isOffice && !isDemoConsole.value) return undefined;
    const key = (pressed: string): void => {
      if (/^\d$/.test(pressed)) typeDigit(pressed);
      else if (pressed === 'Backspace') deleteDigit();
      else if (pressed === 'Escape') pin.value = '';
      else if (pressed === 'Enter') void submitPin();
    };
    // A scan is not a PIN and does not count as an attempt.
    const scan = (text: string): void => void (refusalText.value = signInStrings().scanned(text));
    return listenForKeys({
      onKey: key,
      onScan: scan,
      isInText: () => false,
      isBrowserKey: ({ key: one }) => one === 'Tab' || one === ' ',
    });
  }, [isOffice]);
  const signedIn = staffSession.value;
  const count = pin.value.length;
  return (
    <section class="veil" role="dialog" aria-label={t.locked}>
      <div class="box">
        <div class="row">
          <div class="grow">
            <h1>{t.locked}</h1>
            <p class="q">
              {signedIn === null ? '' : `${k.roles[signedIn.role] ?? signedIn.role} ${signedIn.number}, `}
              {k.since(formatTimeOfDay(lockedAt.value === 0 ? Date.now() : lockedAt.value))}
            </p>
          </div>
          {signedIn !== null && signedIn.table !== null && <span class="tag">{t.goesOn}</span>}
        </div>
        {isOffice && !isDemoConsole.value ? (
          <PasswordForm />
        ) : (
          <>
            <div class="pins" role="img" aria-label={t.digits(count)}>
              {Array.from({ length: pinLength }, (_, n) => (
                <i key={n} class={n === count ? 'on' : ''}>
                  {n < count ? '•' : ''}
                </i>
              ))}
            </div>
            <Keypad press={typeDigit} back={deleteDigit} ok={() => void submitPin()} />
          </>
        )}
        {refusalText.value === '' ? (
          <p class="q">{isDemoConsole.value ? t.demoOpen : isOffice ? t.passwordOpens : t.badgeOrPin}</p>
        ) : (
          <p class="status-text" role="alert">
            {refusalText.value}
          </p>
        )}
        <button type="button" class="btn quiet" onClick={() => void signOut()}>
          {t.otherPerson} <KeyCap>Tab</KeyCap>
        </button>
      </div>
    </section>
  );
}

function PasswordForm() {
  const t = signInStrings();
  const [secret, setSecret] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (secret === '') return;
        setSecret('');
        void unlockWith({ password: secret });
      }}
    >
      <label class="field">
        <span>{t.password}</span>
        <input
          class="in big"
          name="secret"
          type="password"
          autocomplete="current-password"
          value={secret}
          ref={(one) => one?.focus()}
          onInput={({ currentTarget }) => setSecret(currentTarget.value)}
        />
      </label>
      <button type="submit" class="btn act" disabled={secret === ''}>
        {t.open} <KeyCap>Enter</KeyCap>
      </button>
    </form>
  );
}
