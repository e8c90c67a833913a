import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { isPin, pinDigits } from '../../../access/pin.ts';
import { Kbd } from '../kit/input/keyCap.tsx';
import { useKeydown } from '../kit/input/useKeydown.ts';
import { Keypad } from '../kit/input/keypad.tsx';
import { listenForKeys } from '../kit/input/keyListener.ts';
import { staffRefusalText } from '../kit/text/refusalText.ts';
import { formatTimeOfDay } from '../kit/text/timeText.ts';
import { kitStrings as kitWords } from '../kit/text/strings.ts';
import { isDemoConsole, session } from '../app/state.ts';
import { lookAtMe, me, signOut, unlock } from '../app/session.ts';
import { signInStrings } from './strings.ts';

/** PIN typed so far, and the reason why the last one was refused. */
const pin = signal('');
const told = signal('');
const since = signal(0);

async function open(): Promise<void> {
  const given = pin.value;
  if (given === '' ? !isDemoConsole.value : !isPin(given)) return;
  pin.value = '';
  await openWith(given === '' ? {} : { pin: given });
}

async function openWith(secret: Parameters<typeof unlock>[0]): Promise<void> {
  const denied = await unlock(secret);
  told.value = denied === undefined ? '' : staffRefusalText(denied.code, denied.message);
}

const type = (char: string): void => {
  told.value = '';
  if (pin.value.length < pinDigits) pin.value += char;
};
const back = (): void => void (pin.value = pin.value.slice(0, -1));

/** Locked console; the table goes on behind it. An office is unlocked with a password, other consoles with a PIN. */
export function Veil() {
  const t = signInStrings();
  const k = kitWords();
  const isOffice = me.value !== null && (me.value.console?.kind ?? 'office') === 'office';
  useEffect(() => {
    if (me.value === null) void lookAtMe();
    since.value = Date.now();
    return () => {
      pin.value = '';
      told.value = '';
    };
  }, []);
  // Keys must not reach the page behind the lock screen.
  useKeydown((event) => event.stopPropagation(), true);
  useLayoutEffect(() => {
    if (isOffice && !isDemoConsole.value) return undefined;
    const key = (pressed: string): void => {
      if (/^\d$/.test(pressed)) type(pressed);
      else if (pressed === 'Backspace') back();
      else if (pressed === 'Escape') pin.value = '';
      else if (pressed === 'Enter') void open();
    };
    // A scan is no PIN and no attempt.
    const scan = (text: string): void => void (told.value = signInStrings().scanned(text));
    return listenForKeys({ key, scan, inText: () => false, leaves: ({ key: one }) => one === 'Tab' || one === ' ' });
  }, [isOffice]);
  const who = session.value;
  const count = pin.value.length;
  return (
    <section class="veil" role="dialog" aria-label={t.locked}>
      <div class="box">
        <div class="row">
          <div class="grow">
            <h1>{t.locked}</h1>
            <p class="q">
              {who === null ? '' : `${k.posts[who.post] ?? who.post} ${who.number}, `}
              {k.since(formatTimeOfDay(since.value === 0 ? Date.now() : since.value))}
            </p>
          </div>
          {who !== null && who.table !== null && <span class="tag">{t.goesOn}</span>}
        </div>
        {isOffice && !isDemoConsole.value ? (
          <Password />
        ) : (
          <>
            <div class="pins" role="img" aria-label={t.digits(count)}>
              {Array.from({ length: pinDigits }, (_, n) => (
                <i key={n} class={n === count ? 'on' : ''}>
                  {n < count ? '•' : ''}
                </i>
              ))}
            </div>
            <Keypad press={type} back={back} ok={() => void open()} />
          </>
        )}
        {told.value === '' ? (
          <p class="q">{isDemoConsole.value ? t.demoOpen : isOffice ? t.passwordOpens : t.badgeOrPin}</p>
        ) : (
          <p class="told" role="alert">
            {told.value}
          </p>
        )}
        <button type="button" class="btn quiet" onClick={() => void signOut()}>
          {t.somebodyElse} <Kbd>Tab</Kbd>
        </button>
      </div>
    </section>
  );
}

function Password() {
  const t = signInStrings();
  const [secret, setSecret] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (secret === '') return;
        setSecret('');
        void openWith({ password: secret });
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
        {t.open} <Kbd>Enter</Kbd>
      </button>
    </form>
  );
}
