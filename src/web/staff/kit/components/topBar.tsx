import { language, switchLanguage } from '../../../shared/text/language.ts';
import { Kbd } from '../input/keyCap.tsx';
import { formatTimeOfDay, hourText } from '../text/timeText.ts';
import { kitStrings } from '../text/strings.ts';
import { isDemoConsole, isLost, heardAt, now, second, staffState, session } from '../../app/state.ts';

/** Marks a demo on every screen. */
export function DemoTag() {
  if (!isDemoConsole.value) return null;
  return (
    <span class="tag demo" data-testid="demo">
      {kitStrings().demo}
    </span>
  );
}

/** Clock by server time. */
export function Clock() {
  return (
    <time class="clock" aria-hidden="true">
      {formatTimeOfDay(second.value)}
    </time>
  );
}

/** Switches to the other language, labelled by its own name. */
export function StaffLanguageKey() {
  const t = kitStrings();
  const other = language.value === 'en' ? 'zh-Hans' : 'en';
  return (
    <button type="button" class="btn quiet language" aria-label={t.otherLabel} lang={other} onClick={switchLanguage}>
      {t.other}
    </button>
  );
}

/** Role and number: staff screens never show a person's name. */
export function personText(
  who: { readonly number: string | null; readonly post: string; readonly acting?: string | null } | null,
): string {
  const t = kitStrings();
  if (who === null) return t.system;
  const post = t.posts[who.post] ?? who.post;
  const acting = (who.acting ?? null) === null ? '' : ` (${t.acting(t.posts[who.acting!] ?? '')})`;
  return `${post} ${who.number ?? ''}`.trim() + acting;
}

export function SignedInPerson() {
  const one = session.value;
  if (one === null) return null;
  const t = kitStrings();
  const post = one.acting ?? one.post;
  return (
    <span class="who">
      <i class="face-of" aria-hidden="true">
        {(t.posts[post] ?? post)[0]}
      </i>
      <span>
        <b>
          {t.posts[one.post] ?? one.post} {one.number}
        </b>
        <small>{one.acting === null ? t.since(hourText(one.since)) : t.acting(t.posts[one.acting] ?? '')}</small>
      </span>
    </span>
  );
}

export function LockKey({ lock, disabled = false }: { readonly lock: () => void; readonly disabled?: boolean }) {
  return (
    <button type="button" class="btn quiet" onClick={lock} disabled={disabled}>
      {kitStrings().lock} <Kbd>Z</Kbd>
    </button>
  );
}

/** Warning while the connection is down: age of the data, and that input has no effect. */
export function LostBar() {
  if (!isLost.value) return null;
  const t = kitStrings();
  const isOld = staffState.value.link === 'outdated';
  const ago = Math.max(0, Math.round((now.value - heardAt.value) / 1000));
  return (
    <p class="lostbar" role="alert" data-testid="link">
      <b class="grow">{isOld ? t.outdated : t.lost}</b>
      {isOld ? (
        <button type="button" class="btn small" onClick={() => location.reload()}>
          {t.reload}
        </button>
      ) : (
        <span aria-hidden="true">{t.lastHeard(formatTimeOfDay(heardAt.value), ago)}</span>
      )}
    </p>
  );
}
