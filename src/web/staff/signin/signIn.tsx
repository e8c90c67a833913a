import { type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type StaffBrowserState } from '../../../wire/staff/signInRequests.ts';
import { StaffLanguageButton } from '../kit/components/topBar.tsx';
import { KeyCap, isTouchInput } from '../kit/input/keyCap.tsx';
import { Keypad } from '../kit/input/keypad.tsx';
import { isKeyless, isMirrored } from '../kit/input/displayPreferences.ts';
import { staffRefusalText } from '../kit/text/refusalText.ts';
import { formatTimeOfDay } from '../kit/text/timeText.ts';
import { kitStrings } from '../kit/text/strings.ts';
import { staff } from '../app/connection.ts';
import { homePath } from '../office/pages.ts';
import { redirect } from '../app/router.ts';
import { serverSecond } from '../app/state.ts';
import { type StaffRequestRefusal, sendStaffRequest, loadMe, me } from '../app/session.ts';
import { signInStrings } from './strings.ts';

type Role = NonNullable<StaffBrowserState['session']>['role'];

async function openHomePage(): Promise<void> {
  const current = await loadMe();
  if (current === null || current.session === null) return;
  redirect(homePath(current.session));
  staff.open();
}

/** Forced change: a secret set by an administrator must be replaced at the first sign-in. */
type ForcedChange = { readonly number: string; readonly kind: 'pin' | 'password'; readonly old: string };

function SignInFrame({ children }: { readonly children: ComponentChildren }) {
  const status = me.value;
  const consoleTable = status?.console?.table ?? null;
  const t = signInStrings();
  return (
    <main class="door">
      <StaffLanguageButton />
      <div class="box">
        <div class="row">
          <div class="grow">
            <h1>Punto</h1>
            <p class="q">
              {status?.property ?? ''} · {consoleTable === null ? t.office : t.console(consoleTable)}
            </p>
          </div>
          <time class="clock" aria-hidden="true">
            {formatTimeOfDay(serverSecond.value)}
          </time>
        </div>
        {children}
      </div>
      {status !== null && (status.demo || status.console?.kind === 'dealer') && <DisplayPreferences />}
      {status?.demo && <DemoStaff status={status} />}
    </main>
  );
}

/** Display preferences of a dealer console on this device. */
function DisplayPreferences() {
  const t = signInStrings();
  return (
    <section class="box looks" aria-label={t.displayPreferences} data-testid="looks">
      <h2>{t.displayPreferences}</h2>
      {(
        [
          [isMirrored, t.mirror],
          [isKeyless, t.keyless],
        ] as const
      ).map(([flag, text]) => (
        <button
          key={text}
          type="button"
          class="btn quiet"
          role="switch"
          aria-checked={flag.value}
          onClick={() => (flag.value = !flag.value)}
        >
          <span class={`toggle${flag.value ? ' on' : ''}`} /> {text}
        </button>
      ))}
    </section>
  );
}

/** Sign-in: number or badge and PIN at a console, number and password elsewhere. */
export function SignInPage() {
  const t = signInStrings();
  const k = kitStrings();
  const status = me.value;
  const kind = (status?.console?.kind ?? 'office') === 'office' ? 'password' : 'pin';
  const [number, setNumber] = useState('');
  const [secret, setSecret] = useState('');
  const [roles, setRoles] = useState<readonly Role[]>([]);
  const [role, setRole] = useState<Role>();
  const [message, setMessage] = useState('');
  const [forcedChange, setForcedChange] = useState<ForcedChange>();
  const [isEnrolling, setEnrolling] = useState(false);
  const secretField = useRef<HTMLInputElement>(null);
  useEffect(() => void loadMe().then((current) => current?.session && openHomePage()), []);
  useEffect(() => {
    const reason = location.search.slice(1);
    if (reason !== '') setMessage(signInStrings().ended[reason] ?? '');
  }, []);

  const signIn = async (chosen?: Role): Promise<void> => {
    if (number === '' || secret === '') {
      secretField.current?.focus();
      return;
    }
    const chosenRole = chosen ?? role;
    const refusal = await sendStaffRequest('sign-in', {
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
    return <ChangeSecret forcedChange={forcedChange} done={() => setForcedChange(undefined)} />;
  if (isEnrolling) return <EnrolDevice done={() => setEnrolling(false)} />;
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
              if (number === '' && roles.length === 0) one?.focus();
            }}
            onInput={({ currentTarget }) => setNumber(currentTarget.value.toUpperCase().trim())}
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
          />
        </label>
        {kind === 'pin' && isTouchInput.value && (
          <Keypad
            letters={number === '' || document.activeElement !== secretField.current}
            press={(char) => {
              if (document.activeElement === secretField.current) setSecret(secret + char);
              else setNumber(number + char);
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
          <p class="told" role="alert">
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

/** Enrols this device as the console that an administrator has offered. */
function EnrolDevice({ done }: { readonly done: () => void }) {
  const t = signInStrings();
  const [code, setCode] = useState('');
  const [message, setMessage] = useState('');
  const submit = async (): Promise<void> => {
    const refusal = await sendStaffRequest('enrol', { code: code.trim() });
    setCode('');
    if (refusal !== undefined) {
      setMessage(staffRefusalText(refusal.code, refusal.message));
      return;
    }
    await loadMe();
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
          <p class="told" role="alert">
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

/** Replaces a secret that an administrator has set. */
function ChangeSecret({ forcedChange, done }: { readonly forcedChange: ForcedChange; readonly done: () => void }) {
  const t = signInStrings();
  const [newSecret, setNewSecret] = useState('');
  const [repeatedSecret, setRepeatedSecret] = useState('');
  const [message, setMessage] = useState('');
  const save = async (): Promise<void> => {
    if (newSecret !== repeatedSecret || newSecret === '') {
      setMessage(t.differ);
      return;
    }
    const refusal = await sendStaffRequest('password', { ...forcedChange, new: newSecret });
    if (refusal !== undefined) {
      setMessage(staffRefusalText(refusal.code, refusal.message));
      return;
    }
    const signInRefusal = await sendStaffRequest('sign-in', {
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
          <p class="told" role="alert">
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

/** Staff of a demo, one click each. */
function DemoStaff({ status }: { readonly status: StaffBrowserState }) {
  const t = signInStrings();
  const k = kitStrings();
  const [message, setMessage] = useState('');
  const [table, setTable] = useState('');
  const { tables } = status;
  const signIn = async (number: string, role: Role): Promise<void> => {
    const tableId = table === '' ? tables[0] : table;
    const refusal = await sendStaffRequest('demo', {
      number,
      role,
      ...(role === 'dealer' && tableId !== undefined && { table: tableId }),
    });
    if (refusal === undefined) await openHomePage();
    else setMessage(staffRefusalText(refusal.code, refusal.message));
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
              onClick={() => setTable(one)}
            >
              {one}
            </button>
          ))}
        </div>
      )}
      <div class="demo-people">
        {status.staff.flatMap(({ number, roles }) =>
          roles.map((role) => (
            <button
              key={`${number} ${role}`}
              type="button"
              class="btn"
              data-number={number}
              data-role={role}
              onClick={() => void signIn(number, role)}
            >
              <b>{k.roles[role] ?? role}</b> <small>{number}</small>
            </button>
          )),
        )}
      </div>
      {message !== '' && (
        <p class="told" role="alert">
          {message}
        </p>
      )}
      <p class="q">{t.demoPin}</p>
    </section>
  );
}
