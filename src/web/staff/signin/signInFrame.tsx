import { type ComponentChildren } from 'preact';
import { StaffLanguageButton } from '../kit/components/topBar.tsx';
import { isKeyless, isMirrored } from '../kit/input/displayPreferences.ts';
import { formatTimeOfDay } from '../kit/text/timeText.ts';
import { staffServerSecondMs } from '../app/state.ts';
import { signInStrings } from './strings.ts';
import { DemoStaffSignIn } from './demoStaff.tsx';
import { staffBrowserState } from '../app/session.ts';

export function SignInFrame({ children }: { readonly children: ComponentChildren }) {
  const status = staffBrowserState.value;
  const consoleTable = status?.console?.table ?? null;
  const t = signInStrings();
  return (
    <main class="signin">
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
            {formatTimeOfDay(staffServerSecondMs.value)}
          </time>
        </div>
        {children}
      </div>
      {status !== null && (status.demo || status.console?.kind === 'dealer') && <DisplayPreferences />}
      {status?.demo && <DemoStaffSignIn status={status} />}
    </main>
  );
}

function DisplayPreferences() {
  const t = signInStrings();
  return (
    <section class="box display-preferences" aria-label={t.displayPreferences} data-testid="display-preferences">
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
