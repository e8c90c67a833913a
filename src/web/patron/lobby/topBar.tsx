import { formatMoney } from '../../../base/formatMoney.ts';
import { language, switchLanguage } from '../../shared/text/language.ts';
import { StakesLeftBehindNotice } from '../roundNotices/reconnectNotice.tsx';
import { SessionClockButton } from '../sessionLimits/sessionClockButton.tsx';
import { timeWithDayUnlessToday } from '../sessionLimits/timeText.ts';
import { bettingBlockStrings } from '../table/notices/bettingBlockStrings.ts';
import { shortcutKeys } from '../app/shortcuts.ts';
import { patronRefusalText } from '../app/refusalText.ts';
import { bettingBlockReason } from '../app/slipSignals.ts';
import {
  isDemoTerminal,
  connectionState,
  patronServerTimeMs,
  terminalMoneyState,
  visibleRefusal,
} from '../app/state.ts';
import { timeAndDayTexts } from './clockParts.ts';
import { lobbyStrings } from './strings.ts';

function Logo() {
  return (
    <svg class="logo" viewBox="0 0 40 40" aria-hidden="true">
      <circle cx="20" cy="20" r="18.5" fill="none" stroke="currentColor" stroke-width="1.6" />
      <circle cx="20" cy="20" r="14" fill="none" stroke="currentColor" stroke-opacity=".45" />
      <circle cx="20" cy="20" r="6.2" fill="currentColor" />
    </svg>
  );
}

function Money() {
  const t = lobbyStrings();
  const balance = terminalMoneyState.value;
  if (balance === null) {
    return (
      <p class="lobby-note">
        {isDemoTerminal.value && <span class="demo">{t.demo}</span>} {t.choose} {isDemoTerminal.value && t.demoNote}
      </p>
    );
  }
  const stake = balance.openStakes.reduce((sum, one) => sum + one.stake, 0);
  return (
    <dl class="lobby-money">
      <div>
        <dt>
          {t.credit} {balance.demo && <span class="demo">{t.demo}</span>}
        </dt>
        <dd data-testid="credit">{formatMoney(balance.credit)}</dd>
      </div>
      {balance.openStakes.length > 0 && (
        <div>
          <dt>{t.openStakes}</dt>
          <dd data-testid="status-line">
            {formatMoney(stake)}{' '}
            <small>{[...new Set(balance.openStakes.map(({ table }) => t.at(table)))].join(', ')}</small>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Shows why this terminal takes no bets, and the amount that staff owe the patron. */
function Idle() {
  const t = bettingBlockStrings();
  const { owed = 0, limits } = terminalMoneyState.value ?? {};
  if (bettingBlockReason.value === null) return null;
  const isLocked = bettingBlockReason.value === 'terminal-locked';
  const title = isLocked
    ? t.lockedTitle
    : t.breakTitle(timeWithDayUnlessToday(limits?.pausedUntil ?? patronServerTimeMs.value, patronServerTimeMs.value));
  const text = !isLocked ? t.breakText : owed > 0 ? t.owedText : t.lockedText;
  return (
    <p class="lobby-alert" role={isLocked ? 'alert' : 'status'} data-testid={isLocked ? 'locked' : 'break'}>
      <span>
        <b>{title}.</b> {text}{' '}
        {owed > 0 && (
          <>
            {t.owed}: <b>{formatMoney(owed)}</b>
          </>
        )}
      </span>
    </p>
  );
}

function Notices() {
  const t = lobbyStrings();
  const refusal = visibleRefusal.value;
  return (
    <>
      {connectionState.value !== 'open' && (
        <div class="lobby-alert" role="alert" data-testid="connection">
          {connectionState.value === 'joining' ? t.joining : connectionState.value === 'outdated' ? t.outdated : t.lost}
          <StakesLeftBehindNotice />
          {connectionState.value === 'outdated' && (
            <button type="button" class="key" onClick={() => location.reload()}>
              {t.reload}
            </button>
          )}
        </div>
      )}
      <Idle />
      {refusal !== null && (
        <p class="lobby-alert" role="alert" data-testid="refusal">
          <span>
            <b>{t.refused}:</b> {patronRefusalText(refusal)} <code>{refusal.code}</code>
          </span>
          <button type="button" class="key" onClick={() => (visibleRefusal.value = null)}>
            {t.close}
          </button>
        </p>
      )}
    </>
  );
}

export function LobbyTopBar() {
  const t = lobbyStrings();
  const { time, day } = timeAndDayTexts(patronServerTimeMs.value, language.value);
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
        <button
          type="button"
          class="key key-bar language"
          aria-label={t.languageName}
          aria-keyshortcuts={shortcutKeys.language}
          onClick={switchLanguage}
        >
          {t.language}
        </button>
        <SessionClockButton />
        <div class="lobby-clock" role="group" aria-label={t.timeOfDay}>
          <b>{time}</b>
          <small>{day}</small>
        </div>
      </div>
      <Notices />
    </header>
  );
}
