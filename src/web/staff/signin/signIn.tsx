import { type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type StaffMe } from '../../../wire/staff/signInRequests.ts';
import { StaffLanguageKey } from '../kit/components/topBar.tsx';
import { Kbd, isTouched } from '../kit/input/keyCap.tsx';
import { Keypad } from '../kit/input/keypad.tsx';
import { isKeyless, isMirrored } from '../kit/input/displayPreferences.ts';
import { staffRefusalText } from '../kit/text/refusalText.ts';
import { formatTimeOfDay } from '../kit/text/timeText.ts';
import { kitStrings as kitWords } from '../kit/text/strings.ts';
import { staff } from '../app/connection.ts';
import { homeOf } from '../office/pages.ts';
import { goInstead } from '../app/router.ts';
import { second } from '../app/state.ts';
import { type SignInDenied, askDoor, lookAtMe, me } from '../app/session.ts';
import { signInStrings } from './strings.ts';

type Post = NonNullable<StaffMe['session']>['post'];

async function enter(): Promise<void> {
  const now = await lookAtMe();
  if (now === null || now.session === null) return;
  goInstead(homeOf(now.session));
  staff.open();
}

/** Forced change: a secret set by an administrator must be replaced at the first sign-in. */
type Once = { readonly number: string; readonly kind: 'pin' | 'password'; readonly old: string };

function Frame({ children }: { readonly children: ComponentChildren }) {
  const here = me.value;
  const place = here?.console?.table ?? null;
  const t = signInStrings();
  return (
    <main class="door">
      <StaffLanguageKey />
      <div class="box">
        <div class="row">
          <div class="grow">
            <h1>Punto</h1>
            <p class="q">
              {here?.property ?? ''} · {place === null ? t.office : t.console(place)}
            </p>
          </div>
          <time class="clock" aria-hidden="true">
            {formatTimeOfDay(second.value)}
          </time>
        </div>
        {children}
      </div>
      {here !== null && (here.demo || here.console?.kind === 'dealer') && <Looks />}
      {here?.demo && <Demo here={here} />}
    </main>
  );
}

/** Display preferences of a dealer console on this device. */
function Looks() {
  const t = signInStrings();
  return (
    <section class="box looks" aria-label={t.looks} data-testid="looks">
      <h2>{t.looks}</h2>
      {(
        [
          [isMirrored, t.mirror],
          [isKeyless, t.keyless],
        ] as const
      ).map(([is, text]) => (
        <button
          key={text}
          type="button"
          class="btn quiet"
          role="switch"
          aria-checked={is.value}
          onClick={() => (is.value = !is.value)}
        >
          <span class={`toggle${is.value ? ' on' : ''}`} /> {text}
        </button>
      ))}
    </section>
  );
}

/** Sign-in: number or badge and PIN at a console, number and password elsewhere. */
export function Door() {
  const t = signInStrings();
  const k = kitWords();
  const here = me.value;
  const kind = (here?.console?.kind ?? 'office') === 'office' ? 'password' : 'pin';
  const [number, setNumber] = useState('');
  const [secret, setSecret] = useState('');
  const [posts, setPosts] = useState<readonly Post[]>([]);
  const [post, setPost] = useState<Post>();
  const [told, tell] = useState('');
  const [once, ask] = useState<Once>();
  const [isEnrolling, setEnrolling] = useState(false);
  const second2 = useRef<HTMLInputElement>(null);
  useEffect(() => void lookAtMe().then((now) => now?.session && enter()), []);
  useEffect(() => {
    const why = location.search.slice(1);
    if (why !== '') tell(signInStrings().ended[why] ?? '');
  }, []);

  const signIn = async (chosen?: Post): Promise<void> => {
    if (number === '' || secret === '') {
      second2.current?.focus();
      return;
    }
    const wanted = chosen ?? post;
    const denied = await askDoor('sign-in', {
      number,
      ...(kind === 'pin' ? { pin: secret } : { password: secret }),
      ...(wanted !== undefined && { post: wanted }),
    });
    if (denied === undefined) {
      await enter();
      return;
    }
    const held = (denied as SignInDenied & { readonly posts?: readonly Post[] }).posts;
    if (denied.code === 'post-not-chosen' && held !== undefined) {
      setPosts(held);
      tell('');
      return;
    }
    if (denied.code === 'secret-due') {
      ask({ number, kind, old: secret });
      return;
    }
    setSecret('');
    tell(staffRefusalText(denied.code, denied.message));
  };

  if (once !== undefined) return <Change once={once} done={() => ask(undefined)} />;
  if (isEnrolling) return <Enrol done={() => setEnrolling(false)} />;
  return (
    <Frame>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void signIn();
        }}
        onKeyDown={({ key }) => {
          const one = /^[1-9]$/.test(key) && secret !== '' ? posts[Number(key) - 1] : undefined;
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
              if (number === '' && posts.length === 0) one?.focus();
            }}
            onInput={({ currentTarget }) => setNumber(currentTarget.value.toUpperCase().trim())}
          />
        </label>
        <label class="field">
          <span>{kind === 'pin' ? t.pin : t.password}</span>
          <input
            ref={second2}
            class="in big"
            name="secret"
            type="password"
            inputMode={kind === 'pin' ? 'numeric' : 'text'}
            autocomplete="current-password"
            value={secret}
            onInput={({ currentTarget }) => setSecret(currentTarget.value)}
          />
        </label>
        {kind === 'pin' && isTouched.value && (
          <Keypad
            letters={number === '' || document.activeElement !== second2.current}
            press={(char) => {
              if (document.activeElement === second2.current) setSecret(secret + char);
              else setNumber(number + char);
            }}
            back={() => {
              if (document.activeElement === second2.current) setSecret(secret.slice(0, -1));
              else setNumber(number.slice(0, -1));
            }}
            ok={() => void signIn()}
          />
        )}
        {posts.length > 0 && (
          <fieldset class="field posts-pick">
            <legend>{t.post}</legend>
            {posts.map((one, n) => (
              <button
                key={one}
                type="button"
                class={post === one ? 'on' : ''}
                onClick={() => {
                  setPost(one);
                  void signIn(one);
                }}
              >
                <Kbd>{n + 1}</Kbd>
                <b>{k.posts[one] ?? one}</b>
              </button>
            ))}
          </fieldset>
        )}
        {told !== '' && (
          <p class="told" role="alert">
            {told}
          </p>
        )}
        <button type="submit" class="btn act">
          {t.signIn} <Kbd>Enter</Kbd>
        </button>
        <p class="qq small">{t.five}</p>
        {here !== null && here.console === null && (
          <button type="button" class="btn quiet" data-testid="enrol" onClick={() => setEnrolling(true)}>
            {t.enrol}
          </button>
        )}
      </form>
    </Frame>
  );
}

/** Enrols this device as the console that an administrator has offered. */
function Enrol({ done }: { readonly done: () => void }) {
  const t = signInStrings();
  const [code, setCode] = useState('');
  const [told, tell] = useState('');
  const give = async (): Promise<void> => {
    const denied = await askDoor('enrol', { code: code.trim() });
    setCode('');
    if (denied !== undefined) {
      tell(staffRefusalText(denied.code, denied.message));
      return;
    }
    await lookAtMe();
    done();
  };
  return (
    <Frame>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void give();
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
        {told !== '' && (
          <p class="told" role="alert">
            {told}
          </p>
        )}
        <button type="submit" class="btn act" disabled={code.trim().length < 8}>
          {t.enrolAct} <Kbd>Enter</Kbd>
        </button>
        <button type="button" class="btn quiet" onClick={done}>
          {t.back} <Kbd>Esc</Kbd>
        </button>
      </form>
    </Frame>
  );
}

/** Replaces a secret that an administrator has set. */
function Change({ once, done }: { readonly once: Once; readonly done: () => void }) {
  const t = signInStrings();
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [told, tell] = useState('');
  const keep = async (): Promise<void> => {
    if (next !== again || next === '') {
      tell(t.differ);
      return;
    }
    const denied = await askDoor('password', { ...once, new: next });
    if (denied !== undefined) {
      tell(staffRefusalText(denied.code, denied.message));
      return;
    }
    const refused = await askDoor('sign-in', {
      number: once.number,
      ...(once.kind === 'pin' ? { pin: next } : { password: next }),
    });
    if (refused === undefined) await enter();
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
    <Frame>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void keep();
        }}
      >
        <h2>{t.change}</h2>
        <p class="q">{once.kind === 'pin' ? t.changePin : t.changeWhy}</p>
        {field(t.newSecret, next, setNext)}
        {field(t.again, again, setAgain)}
        {told !== '' && (
          <p class="told" role="alert">
            {told}
          </p>
        )}
        <button type="submit" class="btn act">
          {t.keep} <Kbd>Enter</Kbd>
        </button>
      </form>
    </Frame>
  );
}

/** Staff of a demo, one click each. */
function Demo({ here }: { readonly here: StaffMe }) {
  const t = signInStrings();
  const k = kitWords();
  const [told, tell] = useState('');
  const [table, choose] = useState('');
  const { tables } = here;
  const signIn = async (number: string, post: Post): Promise<void> => {
    const at = table === '' ? tables[0] : table;
    const denied = await askDoor('demo', {
      number,
      post,
      ...(post === 'dealer' && at !== undefined && { table: at }),
    });
    if (denied === undefined) await enter();
    else tell(staffRefusalText(denied.code, denied.message));
  };
  return (
    <section class="box demo-box" aria-label={t.demoTitle} data-testid="demo-people">
      <h2>{t.demoTitle}</h2>
      <p class="q">{t.demoMore}</p>
      {tables.length > 0 && (
        <div class="row" role="group" aria-label={t.demoTable}>
          <span class="q">{t.demoTable}</span>
          {tables.map((one) => (
            <button
              key={one}
              type="button"
              class={`btn${(table === '' ? tables[0] : table) === one ? ' act' : ''}`}
              aria-pressed={(table === '' ? tables[0] : table) === one}
              onClick={() => choose(one)}
            >
              {one}
            </button>
          ))}
        </div>
      )}
      <div class="demo-people">
        {here.people.flatMap(({ number, posts }) =>
          posts.map((post) => (
            <button
              key={`${number} ${post}`}
              type="button"
              class="btn"
              data-number={number}
              data-post={post}
              onClick={() => void signIn(number, post)}
            >
              <b>{k.posts[post] ?? post}</b> <small>{number}</small>
            </button>
          )),
        )}
      </div>
      {told !== '' && (
        <p class="told" role="alert">
          {told}
        </p>
      )}
      <p class="q">{t.demoPin}</p>
    </section>
  );
}
