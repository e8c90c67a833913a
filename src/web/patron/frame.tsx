import { type ComponentChildren } from 'preact';
import { refusalText } from './refusals.ts';
import { link, refused } from './state.ts';
import { switchLanguage } from '../shared/language.ts';
import { words } from './words.ts';

/** The bar at the top of every screen. */
export function Header({
  title,
  back = false,
  children,
}: {
  title: string;
  back?: boolean;
  children?: ComponentChildren;
}) {
  const t = words();
  return (
    <header class="bar">
      {back && (
        <a class="back" href="#/">
          ‹ {t.tables}
        </a>
      )}
      <span class="title">
        {title} <small class="demo">{t.demo}</small>
      </span>
      {children}
      <button type="button" class="language" aria-label={t.languageName} onClick={switchLanguage}>
        {t.language}
      </button>
      <LinkNotice />
    </header>
  );
}

/** Whether the link is up, at a glance. */
export function Lamp() {
  const t = words();
  const up = link.value === 'open';
  const text = up ? t.linkUp : t.linkDown;
  return (
    <span class={up ? 'lamp up' : 'lamp'} role="img" aria-label={text} title={text} data-testid="lamp">
      {up ? '' : '!'}
    </span>
  );
}

/** Says at once when the link is gone. */
function LinkNotice() {
  const t = words();
  if (link.value === 'open') return null;
  const text = { joining: t.joining, lost: t.lost, outdated: t.reload, closed: t.lost }[link.value];
  return (
    <p class="alert link" role="alert" data-testid="link">
      {text}
    </p>
  );
}

/** Why something was not accepted: sentence, code and clause. */
export function Refusal() {
  const t = words();
  const what = refused.value;
  if (what === null) return null;
  return (
    <div class="refusal" role="alert" data-testid="refusal">
      <p>
        <b>{t.refused}:</b> {refusalText(what)}{' '}
        <code>{what.by === null ? what.code : `${what.code} · ${what.by}`}</code>
      </p>
      <button type="button" onClick={() => (refused.value = null)}>
        {t.close}
      </button>
    </div>
  );
}
