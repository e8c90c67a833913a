import { bilingualGameName } from '../../shared/text/gameNames.ts';
import { Icon, type IconName } from '../../shared/controls/icons.tsx';
import { language, switchLanguage } from '../../shared/text/language.ts';
import { CountdownRing } from '../../shared/controls/countdownRing.tsx';
import { SessionClock } from '../limits/sessionClock.tsx';
import { type KeyName, keys } from '../app/shortcuts.ts';
import { type Overlay, overlay } from '../app/overlay.ts';
import { cardChecks } from '../app/cardProofs.ts';
import { isOpen, connectionState, terminalBalance } from '../app/state.ts';
import { raiseVolume, loudness } from './soundEffects.ts';
import { Bilingual } from '../../shared/text/bilingual.tsx';
import { call } from './notices/banner.ts';
import { isAxisTaken } from './notices/tableNotice.tsx';
import {
  bettingTime,
  closesIn,
  game,
  isOpenUntilCalled,
  opensIn,
  shoeSignal,
  tableIdSignal,
  timeOfDay,
} from './viewSignals.ts';
import { viewMode } from './scene.ts';
import { shape } from './screenShape.ts';
import { tableScreenStrings } from './strings.ts';

function Key({ name, icon, text, opens }: { name: string; icon: IconName; text: string; opens: Overlay & KeyName }) {
  // COLLECT is dimmed if it is not possible now; it still opens and shows the reason. [ETG layout-1]
  const isDim = opens === 'collect' && (terminalBalance.value?.collect ?? null) !== null;
  return (
    <button
      type="button"
      class={`key key-bar bar-${name}${isDim ? ' is-dim' : ''}`}
      aria-keyshortcuts={keys[opens]}
      onClick={() => (overlay.value = opens)}
    >
      <Icon name={icon} />
      <span>{text}</span>
    </button>
  );
}

/** Whether all cards so far match the commitment; opens the commitment. */
export function ProofKey() {
  const t = tableScreenStrings();
  if ((shoeSignal.value?.root ?? null) === null) return null;
  const known = cardChecks.value.filter((fits) => fits !== undefined);
  const isBad = known.includes(false);
  return (
    <button
      type="button"
      class={`key key-bar bar-proof${isBad ? ' is-bad' : ''}`}
      data-testid="proven"
      onClick={() => (overlay.value = 'proof')}
    >
      <Icon name={isBad ? 'warn' : 'check'} />
      <span>{isBad ? t.notProven : t.proven(known.length)}</span>
    </button>
  );
}

export function SoundKey({ mark = 'key-bar key-icon' }: { mark?: string }) {
  const t = tableScreenStrings();
  return (
    <button
      type="button"
      class={`key ${mark} bar-sound`}
      aria-label={`${t.sound}: ${t.loudness[loudness.value]}`}
      aria-keyshortcuts={keys.sound}
      data-loudness={loudness.value}
      onClick={raiseVolume}
    >
      <Icon name={loudness.value > 0 ? 'sound' : 'silent'} />
      <i class="loudness" aria-hidden="true" />
      {mark.includes('key-icon') ? null : <span>{t.sound}</span>}
    </button>
  );
}

export function PatronLanguageKey({ mark = 'key-bar' }: { mark?: string }) {
  const t = tableScreenStrings();
  return (
    <button
      type="button"
      class={`key ${mark} language`}
      aria-label={t.languageName}
      aria-keyshortcuts={keys.language}
      onClick={switchLanguage}
    >
      {mark === 'key-bar' ? null : <Icon name="swap" />}
      <span>{t.language}</span>
    </button>
  );
}

/** The time until bets close, if the stage does not show it or may be scrolled away. */
function SmallRing() {
  const isElsewhere = viewMode.value === 'cards' && !isAxisTaken.value && shape.value !== 'phone';
  if (closesIn.value === null || isElsewhere || isOpenUntilCalled.value) return null;
  return (
    <span data-testid="count">
      <CountdownRing left={closesIn.value * 1000} total={bettingTime.value} size="ring-small" />
    </span>
  );
}

/** The time until bets open, if it is known. */
function Opening() {
  const t = tableScreenStrings();
  const left = opensIn.value;
  if (left === null || isOpen.value || connectionState.value !== 'open') return null;
  return (
    <b class="announcer-opens" aria-label={`${t.opensIn} ${left}`} role="timer">
      {left === 0 ? '' : left}
    </b>
  );
}

/** The phase in the words of the rulebook, with the state of the connection. */
function Announcer() {
  const t = tableScreenStrings();
  const { en, zh, lamp } = call.value;
  const isUp = connectionState.value === 'open';
  return (
    <div key={en} class={`announcer is-${lamp}${en.length > 24 ? ' is-long' : ''}`}>
      <i class="lamp" role="img" aria-label={isUp ? t.stateOfLink.up : t.stateOfLink.down} data-testid="lamp" />
      <span class="announcer-text" data-testid="call">
        <Bilingual en={en} zh={zh} />
      </span>
      <SmallRing />
      <Opening />
    </div>
  );
}

export function TableBar() {
  const t = tableScreenStrings();
  const { en, zh } = bilingualGameName(game.value.version, game.value.name);
  const isPhone = shape.value === 'phone';
  const isChinese = language.value === 'zh';
  return (
    <header class="bar">
      <div class="bar-left">
        <a class="key key-bar bar-back back" href="#/" aria-keyshortcuts={keys.tables}>
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
        {!isPhone && <ProofKey />}
        {!isPhone && <Key name="recall" icon="recall" text={t.rounds} opens="recall" />}
        {!isPhone && <SoundKey />}
        {!isPhone && <PatronLanguageKey />}
        <div class="bar-clock">
          <SessionClock>
            <time aria-label={t.timeOfDay}>{timeOfDay.value}</time>
          </SessionClock>
        </div>
        {isPhone && (
          <button
            type="button"
            class="key key-bar key-icon bar-menu"
            aria-label={t.menu}
            onClick={() => (overlay.value = 'menu')}
          >
            <Icon name="menu" />
          </button>
        )}
      </div>
    </header>
  );
}
