import { bilingualGameName } from '../../shared/text/gameNames.ts';
import { Icon, type IconName } from '../../shared/widgets/icons.tsx';
import { language, switchLanguage } from '../../shared/text/language.ts';
import { CountdownRing } from '../../shared/widgets/countdownRing.tsx';
import { SessionClockButton } from '../sessionLimits/sessionClockButton.tsx';
import { type ShortcutName, shortcutKeys } from '../app/shortcuts.ts';
import { type OverlayName, currentOverlay } from '../app/overlay.ts';
import { cardCommitmentChecks } from '../app/cardProofs.ts';
import { isBettingOpen, connectionState, terminalMoneyState } from '../app/state.ts';
import { cycleVolume, volumeStepIndex } from './soundEffects.ts';
import { BilingualText } from '../../shared/text/bilingualText.tsx';
import { currentBanner } from './notices/banner.ts';
import { isNoticeBetweenHands } from './notices/tableNotice.tsx';
import {
  bettingTimeMsSignal,
  secondsToClose,
  tableGame,
  isBettingOpenUntilDealerCall,
  secondsToOpen,
  shoeSignal,
  tableIdSignal,
  timeOfDay,
} from './viewSignals.ts';
import { viewMode } from './scene.ts';
import { screenShape } from './screenShape.ts';
import { tableScreenStrings } from './strings.ts';

function Key({
  name,
  icon,
  text,
  opens,
}: {
  name: string;
  icon: IconName;
  text: string;
  opens: OverlayName & ShortcutName;
}) {
  // COLLECT is dimmed if it is not possible now. It still opens a dialog, which shows the reason. [ETG layout-1]
  const isDim = opens === 'collect' && (terminalMoneyState.value?.collect ?? null) !== null;
  return (
    <button
      type="button"
      class={`key key-bar bar-${name}${isDim ? ' is-dim' : ''}`}
      aria-keyshortcuts={shortcutKeys[opens]}
      onClick={() => (currentOverlay.value = opens)}
    >
      <Icon name={icon} />
      <span>{text}</span>
    </button>
  );
}

/**
 * Button that shows whether the cards of the round match the published commitment to the order of the shoe. It opens a
 * dialog about the commitment.
 */
export function CommitmentButton() {
  const t = tableScreenStrings();
  if ((shoeSignal.value?.root ?? null) === null) return null;
  const known = cardCommitmentChecks.value.filter((fits) => fits !== undefined);
  const isBad = known.includes(false);
  return (
    <button
      type="button"
      class={`key key-bar bar-proof${isBad ? ' is-bad' : ''}`}
      data-testid="proven"
      onClick={() => (currentOverlay.value = 'proof')}
    >
      <Icon name={isBad ? 'warn' : 'check'} />
      <span>{isBad ? t.notProven : t.proven(known.length)}</span>
    </button>
  );
}

export function SoundButton({ mark = 'key-bar key-icon' }: { mark?: string }) {
  const t = tableScreenStrings();
  return (
    <button
      type="button"
      class={`key ${mark} bar-sound`}
      aria-label={`${t.sound}: ${t.loudness[volumeStepIndex.value]}`}
      aria-keyshortcuts={shortcutKeys.sound}
      data-loudness={volumeStepIndex.value}
      onClick={cycleVolume}
    >
      <Icon name={volumeStepIndex.value > 0 ? 'sound' : 'silent'} />
      <i class="loudness" aria-hidden="true" />
      {mark.includes('key-icon') ? null : <span>{t.sound}</span>}
    </button>
  );
}

export function PatronLanguageButton({ mark = 'key-bar' }: { mark?: string }) {
  const t = tableScreenStrings();
  return (
    <button
      type="button"
      class={`key ${mark} language`}
      aria-label={t.languageName}
      aria-keyshortcuts={shortcutKeys.language}
      onClick={switchLanguage}
    >
      {mark === 'key-bar' ? null : <Icon name="swap" />}
      <span>{t.language}</span>
    </button>
  );
}

/**
 * Small countdown to the close of bets. It appears if the stage shows none, and on a phone, where the stage scrolls.
 */
function SmallRing() {
  const isElsewhere = viewMode.value === 'cards' && !isNoticeBetweenHands.value && screenShape.value !== 'phone';
  if (secondsToClose.value === null || isElsewhere || isBettingOpenUntilDealerCall.value) return null;
  return (
    <span data-testid="count">
      <CountdownRing left={secondsToClose.value * 1000} total={bettingTimeMsSignal.value} size="ring-small" />
    </span>
  );
}

function Opening() {
  const t = tableScreenStrings();
  const left = secondsToOpen.value;
  if (left === null || isBettingOpen.value || connectionState.value !== 'open') return null;
  return (
    <b class="announcer-opens" aria-label={`${t.opensIn} ${left}`} role="timer">
      {left === 0 ? '' : left}
    </b>
  );
}

function Announcer() {
  const t = tableScreenStrings();
  const { en, zh, lamp } = currentBanner.value;
  const isUp = connectionState.value === 'open';
  return (
    <div key={en} class={`announcer is-${lamp}${en.length > 24 ? ' is-long' : ''}`}>
      <i
        class="lamp"
        role="img"
        aria-label={isUp ? t.connectionStates.up : t.connectionStates.down}
        data-testid="lamp"
      />
      <span class="announcer-text" data-testid="call">
        <BilingualText en={en} zh={zh} />
      </span>
      <SmallRing />
      <Opening />
    </div>
  );
}

export function TableTopBar() {
  const t = tableScreenStrings();
  const { en, zh } = bilingualGameName(tableGame.value.version, tableGame.value.name);
  const isPhone = screenShape.value === 'phone';
  const isChinese = language.value === 'zh';
  return (
    <header class="bar">
      <div class="bar-left">
        <a class="key key-bar bar-back back" href="#/" aria-keyshortcuts={shortcutKeys.tables}>
          <Icon name="back" />
          <span>{t.tables}</span>
        </a>
        {!isPhone && <Key name="collect" icon="ticket" text={t.collect} opens="collect" />}
        {!isPhone && <Key name="help" icon="help" text={t.help} opens="help" />}
        <div class={`bar-title${en.length > 26 ? ' is-long' : ''}`}>
          <h1>{isChinese ? zh : en}</h1>
          <p>
            {!isChinese && (
              <span class="bar-second" lang="zh-Hans">
                {zh} ·{' '}
              </span>
            )}
            {t.table} <b>{tableIdSignal.value}</b> <span class="demo-tag">{t.demo}</span>
          </p>
        </div>
      </div>
      <Announcer />
      <div class="bar-right">
        {!isPhone && <CommitmentButton />}
        {!isPhone && <Key name="recall" icon="recall" text={t.rounds} opens="recall" />}
        {!isPhone && <SoundButton />}
        {!isPhone && <PatronLanguageButton />}
        <div class="bar-clock">
          <SessionClockButton>
            <time aria-label={t.timeOfDay}>{timeOfDay.value}</time>
          </SessionClockButton>
        </div>
        {isPhone && (
          <button
            type="button"
            class="key key-bar key-icon bar-menu"
            aria-label={t.menu}
            onClick={() => (currentOverlay.value = 'menu')}
          >
            <Icon name="menu" />
          </button>
        )}
      </div>
    </header>
  );
}
