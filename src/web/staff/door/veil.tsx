import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Kbd } from '../kit/kbd.tsx';
import { Keypad } from '../kit/keypad.tsx';
import { refusalText } from '../kit/refusals.ts';
import { clockText } from '../kit/time.ts';
import { words as kitWords } from '../kit/words.ts';
import { isDemo, session } from '../state.ts';
import { unlock, signOut } from './session.ts';
import { words } from './words.ts';

/** What was typed of the PIN, and why the last one was not taken. */
const pin = signal('');
const told = signal('');
const since = signal(0);

async function open(): Promise<void> {
  const given = pin.value;
  if (given === '' && !isDemo.value) return;
  pin.value = '';
  const denied = await unlock(given === '' ? {} : /^\d+$/.test(given) ? { pin: given } : { password: given });
  told.value = denied === undefined ? '' : refusalText(denied.code, denied.message);
}

const type = (char: string): void => {
  told.value = '';
  if (pin.value.length < 8) pin.value += char;
};
const back = (): void => void (pin.value = pin.value.slice(0, -1));

/** The console is locked; the table goes on behind it. */
export function Veil() {
  const t = words();
  const k = kitWords();
  useEffect(() => {
    since.value = Date.now();
    const take = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.key === 'Tab') return;
      if (/^\d$/.test(event.key)) type(event.key);
      else if (event.key === 'Backspace') back();
      else if (event.key === 'Escape') pin.value = '';
      else if (event.key === 'Enter') void open();
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener('keydown', take, { capture: true });
    return () => {
      pin.value = '';
      removeEventListener('keydown', take, { capture: true });
    };
  }, []);
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
              {k.since(clockText(since.value === 0 ? Date.now() : since.value))}
            </p>
          </div>
          <span class="tag">{t.goesOn}</span>
        </div>
        <div class="pins" role="img" aria-label={t.digits(count)}>
          {Array.from({ length: Math.max(6, count) }, (_, n) => (
            <i key={n} class={n === count ? 'on' : ''}>
              {n < count ? '•' : ''}
            </i>
          ))}
        </div>
        <Keypad press={type} back={back} ok={() => void open()} />
        {told.value === '' ? (
          <p class="q">{isDemo.value ? t.demoOpen : t.badgeOrPin}</p>
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
