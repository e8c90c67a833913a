import { type ComponentChildren } from 'preact';
import { refusalText } from './names.ts';
import { wanted } from './slip.ts';
import { link, refused } from './state.ts';
import { switchLanguage, words } from './words.ts';

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
    </header>
  );
}

/** Says at once when the link is gone, and whether what is shown was accepted. */
export function LinkNotice() {
  const t = words();
  if (link.value === 'open') return null;
  const text = { joining: t.joining, lost: t.lost, outdated: t.reload }[link.value];
  return (
    <p class="alert link" role="alert" data-testid="link">
      {text} {link.value === 'lost' && wanted.value !== null ? t.lostUnsent : ''}
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
        <b>{t.refused}:</b> {refusalText(what.code, what.message)}{' '}
        <code>
          {what.code}
          {what.by === null ? '' : ` · ${what.by}`}
        </code>
      </p>
      <button
        type="button"
        onClick={() => {
          refused.value = null;
        }}
      >
        {t.close}
      </button>
    </div>
  );
}
