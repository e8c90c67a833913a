import { money } from '../../../rules/money.ts';
import { language, switchLanguage } from '../../shared/language.ts';
import { SessionClock } from '../care/clock.tsx';
import { refusalText } from '../refusals.ts';
import { isDemo, link, now, purse, refused } from '../state.ts';
import { clockText } from './clock.ts';
import { words } from './words.ts';

function Logo() {
  return (
    <svg class="logo" viewBox="0 0 40 40" aria-hidden="true">
      <circle cx="20" cy="20" r="18.5" fill="none" stroke="currentColor" stroke-width="1.6" />
      <circle cx="20" cy="20" r="14" fill="none" stroke="currentColor" stroke-opacity=".45" />
      <circle cx="20" cy="20" r="6.2" fill="currentColor" />
    </svg>
  );
}

/** One's own credit, and bets that stand anywhere. */
function Money() {
  const t = words();
  const own = purse.value;
  if (own === null) {
    return (
      <p class="lobby-note">
        {isDemo.value && <span class="demo">{t.demo}</span>} {t.choose} {isDemo.value && t.demoNote}
      </p>
    );
  }
  const stake = own.standing.reduce((sum, one) => sum + one.stake, 0);
  return (
    <dl class="lobby-money">
      <div>
        <dt>
          {t.credit} {own.demo && <span class="demo">{t.demo}</span>}
        </dt>
        <dd data-testid="credit">{money(own.credit)}</dd>
      </div>
      {own.standing.length > 0 && (
        <div>
          <dt>{t.standing}</dt>
          <dd data-testid="standing">
            {money(stake)} <small>{[...new Set(own.standing.map(({ table }) => t.at(table)))].join(', ')}</small>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Whether the link is up, and what was refused. */
function Notices() {
  const t = words();
  const what = refused.value;
  return (
    <>
      {link.value !== 'open' && (
        <p class="lobby-alert" role="alert" data-testid="link">
          {link.value === 'joining' ? t.joining : link.value === 'outdated' ? t.outdated : t.lost}
          {link.value === 'outdated' && (
            <button type="button" class="key" onClick={() => location.reload()}>
              {t.reload}
            </button>
          )}
        </p>
      )}
      {what !== null && (
        <p class="lobby-alert" role="alert" data-testid="refusal">
          <span>
            <b>{t.refused}:</b> {refusalText(what)} <code>{what.code}</code>
          </span>
          <button type="button" class="key" onClick={() => (refused.value = null)}>
            {t.close}
          </button>
        </p>
      )}
    </>
  );
}

export function Bar() {
  const t = words();
  const { time, day } = clockText(now.value, language.value);
  return (
    <header class="lobby-bar">
      <div class="brand">
        <Logo />
        <div>
          <h1>Punto</h1>
          <p>{t.tagline}</p>
        </div>
      </div>
      <Money />
      <div class="lobby-right">
        <button type="button" class="key key-bar language" aria-label={t.languageName} onClick={switchLanguage}>
          {t.language}
        </button>
        <SessionClock />
        <div class="lobby-clock" role="group" aria-label={t.timeOfDay}>
          <b>{time}</b>
          <small>{day}</small>
        </div>
      </div>
      <Notices />
    </header>
  );
}
