import { money } from '../../rules/money.ts';
import { type ComponentChildren } from 'preact';
import { wagerName } from '../shared/names.ts';
import { refusalText } from './refusals.ts';
import { lacking, missed, wanted } from './slip.ts';
import { link, refused, view } from './state.ts';
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

/** Says at once when the link is gone, and whether what is shown was accepted. */
function LinkNotice() {
  const t = words();
  if (link.value === 'open') return null;
  const text = { joining: t.joining, lost: t.lost, outdated: t.reload, closed: t.lost }[link.value];
  return (
    <p class="alert link" role="alert" data-testid="link">
      {text} {link.value === 'lost' && wanted.value !== null ? t.lostUnsent : ''}
    </p>
  );
}

function Toast({
  title,
  text,
  code,
  testid,
  close,
}: {
  title: string;
  text: string;
  code: string;
  testid: string;
  close: () => void;
}) {
  return (
    <div class="refusal" role="alert" data-testid={testid}>
      <p>
        <b>{title}:</b> {text} <code>{code}</code>
      </p>
      <button type="button" onClick={close}>
        {words().close}
      </button>
    </div>
  );
}

/** Why something was not accepted: sentence, code and clause. Or what never got there, or is not sent yet. */
export function Refusal() {
  const t = words();
  const what = refused.value;
  const late = missed.value;
  const short = lacking.value;
  if (what !== null) {
    const code = what.by === null ? what.code : `${what.code} · ${what.by}`;
    const close = (): void => void (refused.value = null);
    return <Toast title={t.refused} text={refusalText(what)} code={code} testid="refusal" close={close} />;
  }
  if (late !== null) {
    const close = (): void => void (missed.value = null);
    return <Toast title={t.notIn} text={t.missed(late.number)} code={late.missedBy} testid="missed" close={close} />;
  }
  if (short !== undefined) {
    const spot = view.value?.layout.find(({ wager }) => wager === short.wager);
    return (
      <div class="refusal" role="status" data-testid="lacking">
        <p>{t.lacking(spot ? wagerName(spot.wager, spot.name) : null, money(short.amount))}</p>
      </div>
    );
  }
  return null;
}
