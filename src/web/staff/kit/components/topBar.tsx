import { language, switchLanguage } from '../../../shared/text/language.ts';
import { KeyCap } from '../input/keyCap.tsx';
import { formatTimeOfDay, hourMinuteText } from '../text/timeText.ts';
import { kitStrings } from '../text/strings.ts';
import {
  isDemoConsole,
  isConnectionUnusable,
  lastServerMessageAt,
  staffServerTimeMs,
  staffServerSecondMs,
  staffState,
  staffSession,
} from '../../app/state.ts';

/** Tag that marks the screens of a demo. Outside of a demo it shows nothing. */
export function DemoTag() {
  if (!isDemoConsole.value) return null;
  return (
    <span class="tag demo" data-testid="demo">
      {kitStrings().demo}
    </span>
  );
}

export function Clock() {
  return (
    <time class="clock" aria-hidden="true">
      {formatTimeOfDay(staffServerSecondMs.value)}
    </time>
  );
}

/** Button that switches between English and Chinese. Its label is the name of the other language. */
export function StaffLanguageButton() {
  const t = kitStrings();
  const other = language.value === 'en' ? 'zh-Hans' : 'en';
  return (
    <button type="button" class="btn quiet language" aria-label={t.otherLabel} lang={other} onClick={switchLanguage}>
      {t.other}
    </button>
  );
}

/** Role, staff number and acting role of a staff member, but not the name. A null `person` is the system. */
export function roleAndNumberText(
  person: { readonly number: string | null; readonly role: string; readonly acting?: string | null } | null,
): string {
  const t = kitStrings();
  if (person === null) return t.system;
  const role = t.roles[person.role] ?? person.role;
  const acting = (person.acting ?? null) === null ? '' : ` (${t.acting(t.roles[person.acting!] ?? '')})`;
  return `${role} ${person.number ?? ''}`.trim() + acting;
}

export function SignedInPerson() {
  const signedIn = staffSession.value;
  if (signedIn === null) return null;
  const t = kitStrings();
  const role = signedIn.acting ?? signedIn.role;
  return (
    <span class="who">
      <i class="face-of" aria-hidden="true">
        {(t.roles[role] ?? role)[0]}
      </i>
      <span>
        <b>
          {t.roles[signedIn.role] ?? signedIn.role} {signedIn.number}
        </b>
        <small>
          {signedIn.acting === null
            ? t.since(hourMinuteText(signedIn.since))
            : t.acting(t.roles[signedIn.acting] ?? '')}
        </small>
      </span>
    </span>
  );
}

export function LockButton({ lock, disabled = false }: { readonly lock: () => void; readonly disabled?: boolean }) {
  return (
    <button type="button" class="btn quiet" onClick={lock} disabled={disabled}>
      {kitStrings().lock} <KeyCap>Z</KeyCap>
    </button>
  );
}

/** Warning while the connection is lost, or while the server runs another version of the software than this page. */
export function ConnectionWarning() {
  if (!isConnectionUnusable.value) return null;
  const t = kitStrings();
  const isOutdated = staffState.value.connection === 'outdated';
  const secondsAgo = Math.max(0, Math.round((staffServerTimeMs.value - lastServerMessageAt.value) / 1000));
  return (
    <p class="lostbar" role="alert" data-testid="connection">
      <b class="grow">{isOutdated ? t.outdated : t.lost}</b>
      {isOutdated ? (
        <button type="button" class="btn small" onClick={() => location.reload()}>
          {t.reload}
        </button>
      ) : (
        <span aria-hidden="true">{t.lastMessage(formatTimeOfDay(lastServerMessageAt.value), secondsAgo)}</span>
      )}
    </p>
  );
}
