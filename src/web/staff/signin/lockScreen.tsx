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

/** What was typed of the PIN, and why the last one was not taken. */
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

/** The console is locked; the table goes on behind it. At an office the password opens it again, elsewhere the PIN. */
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
  // No key gets to what lies behind it.
  useKeydown((event) => event.stopPropagation(), true);
  useLayoutEffect(() => {
    if (isOffice && !isDemoConsole.value) return undefined;
    const key = (pressed: string): void => {
      if (/^\d$/.test(pressed)) type(pressed);
      else if (pressed === 'Backspace') back();
      else if (pressed === 'Escape') pin.value = '';
      else if (pressed === 'Enter') void open();
    };
    // What a scanner types is no PIN, and no try of one.
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
