import { useEffect } from 'preact/hooks';
import { type DealerView } from '../../../wire/staff/dealerView.ts';
import {
  Clock,
  DemoTag,
  StaffLanguageButton,
  LockButton,
  ConnectionWarning,
  SignedInPerson,
} from '../kit/components/topBar.tsx';
import { ClauseTag, ClauseDialog } from '../kit/components/clauseTag.tsx';
import { WarningIcon } from '../kit/components/icons.tsx';
import { KeyCap, isTouchInput } from '../kit/input/keyCap.tsx';
import { Keypad } from '../kit/input/keypad.tsx';
import { language } from '../../shared/text/language.ts';
import { bilingualShortGameName } from '../../shared/text/gameNames.ts';
import { isConsoleLocked, lockConsole } from '../app/session.ts';
import { LockScreen } from '../signin/lockScreen.tsx';
import { staffClient } from '../app/connection.ts';
import { isConnectionUnusable } from '../app/state.ts';
import { startAlarmsAndDraftClosing } from './startAlarmsAndDraftClosing.ts';
import {
  listenForInput,
  openCallSupervisorPopup,
  openReliefPopup,
  openReportSheet,
  reportCuttingCard,
} from './consoleInput.ts';
import { SidePanel } from './panels/sidePanel.tsx';
import { showRefusedScan } from './dealCard.ts';
import { deleteFieldCharacter, typeFieldCharacter } from './formFields.ts';
import { DealerHands } from './stage/hands.tsx';
import { CardPad } from './panels/cardPad.tsx';
import { CallSupervisorPopup, ReliefPopup } from './scenes/popups.tsx';
import { type ConsoleScene } from './scene.ts';
import { activeKeys, currentScene } from './scenes/currentScene.tsx';
import { consoleDraft, closeDraft, dealerView } from './state.ts';
import { dealerStrings } from './strings.ts';
import { ReportSheet } from './scenes/reportSheet.tsx';

function TopBar({ view }: { readonly view: DealerView }) {
  const t = dealerStrings();
  const phases = ['idle', 'betting', 'closing', 'dealing', 'result'];
  const phaseIndex = Math.max(0, phases.indexOf(view.phase === 'paying' ? 'result' : view.phase));
  const isStopped = view.stopped !== null || view.referred.length > 0 || view.fault !== null;
  return (
    <header class="top">
      <span class="name">{view.table}</span>
      <span class="game q">{bilingualShortGameName(view.game.version, view.game.name)[language.value]}</span>
      <b>{view.round === null ? t.noRound : t.round(view.round.number)}</b>
      <ol class={`track${isStopped ? ' stopped' : ''}`} aria-label={t.phase}>
        {t.phases.map((phase, n) => (
          <li
            key={phase}
            class={n === phaseIndex ? 'on' : n < phaseIndex ? 'done' : ''}
            {...(n === phaseIndex && { 'aria-current': 'step' as const })}
          >
            {phase}
          </li>
        ))}
      </ol>
      <span class="grow" />
      <DemoTag />
      <span class="row q how">
        <i class="dot on" />
        {view.dealing === 'scanned' ? t.scanner : t.keyed}
      </span>
      <Clock />
      <StaffLanguageButton />
      <SignedInPerson />
      <LockButton lock={lockConsole} />
    </header>
  );
}

function Footer({ view }: { readonly view: DealerView }) {
  const t = dealerStrings();
  const isDisabled = isConnectionUnusable.value;
  const isCutDisabled = view.shoe === null || view.shoe.cuttingCardOut || !view.shoe.ready;
  return (
    <footer class="foot">
      <button type="button" class="btn wrong" disabled={isDisabled} onClick={openReportSheet} data-testid="wrong">
        <WarningIcon />
        {t.wrong} <KeyCap>W</KeyCap>
      </button>
      <button type="button" class="btn" disabled={isDisabled} onClick={openCallSupervisorPopup} data-testid="call">
        {view.called === null ? t.page : t.called} <KeyCap>P</KeyCap>
      </button>
      <button
        type="button"
        class="btn"
        disabled={isDisabled || isCutDisabled}
        onClick={reportCuttingCard}
        data-testid="cut"
      >
        {t.cut} <KeyCap>X</KeyCap>
      </button>
      <button type="button" class="btn" disabled={isDisabled} onClick={openReliefPopup} data-testid="relief">
        {t.relief} <KeyCap>R</KeyCap>
      </button>
      <span class="legend" aria-hidden="true">
        <span>
          <kbd>Enter</kbd>
          {t.keys.enter}
        </span>
        <span>
          <kbd>Bksp</kbd>
          {t.keys.undo}
        </span>
        <span>
          <kbd>Esc</kbd>
          {t.keys.esc}
        </span>
        <span>
          <kbd>?</kbd>
          {t.keys.clauses}
        </span>
      </span>
    </footer>
  );
}

function Prompt({ prompt }: { readonly prompt: ConsoleScene['prompt'] }) {
  return (
    <div class={`say${prompt.isStopped ? ' stop' : ''}`} {...(prompt.isStopped && { role: 'alert' })} data-testid="say">
      {prompt.isStopped && <WarningIcon size={30} />}
      <div class="grow" aria-live="polite">
        <h1>{prompt.title}</h1>
      </div>
      {prompt.reason !== undefined && <p>{prompt.reason}</p>}
      {prompt.tag === undefined ? <ClauseTag by={prompt.by} /> : <cite>{prompt.tag}</cite>}
    </div>
  );
}

function Console({ view }: { readonly view: DealerView }) {
  const scene = currentScene(view);
  const keys = activeKeys(scene);
  const current = consoleDraft.value;
  const onCard = scene.onCard;
  const needsKeypad = isTouchInput.value && keys.expects === 'field' && current?.type !== 'relief';
  const specs = needsKeypad ? (keys.specs ?? (keys.onChar && [])) : undefined;
  return (
    <>
      <main class="console">
        <section class="stage">
          <Prompt prompt={scene.prompt} />
          {scene.stage ?? <DealerHands view={view} />}
        </section>
        <SidePanel view={view} />
        {scene.left ?? (
          <CardPad
            deck={view.deck}
            onPress={onCard === undefined ? undefined : (card) => onCard(card, 'keyed')}
            locked={scene.lockedBy}
          />
        )}
        {scene.right}
        {specs && (
          <div class="touchpad">
            <Keypad
              press={(char) => (keys.onChar === undefined ? typeFieldCharacter(specs, char) : keys.onChar(char))}
              back={() => (keys.onChar === undefined ? void deleteFieldCharacter(specs) : keys.back?.())}
              letters={keys.onChar !== undefined || specs.some(({ accepts }) => accepts === 'number')}
              point={specs.some(({ accepts }) => accepts === 'money')}
            />
          </div>
        )}
      </main>
      <Footer view={view} />
      {current?.type === 'report-sheet' && <ReportSheet view={view} group={current.group} />}
      {current?.type === 'call' && <CallSupervisorPopup view={view} />}
      {current?.type === 'relief' && <ReliefPopup />}
    </>
  );
}

export function DealerConsole({ table }: { readonly table: string }) {
  useEffect(() => {
    staffClient.watchTable(table, 'dealer');
    const stopListening = listenForInput();
    const stopAlarms = startAlarmsAndDraftClosing();
    const unsubscribe = staffClient.watch((_state, message) => {
      if (message?.type === 'scanned') showRefusedScan(message.text, message.code, message.message, message.by);
    });
    return () => {
      stopListening();
      stopAlarms();
      unsubscribe();
      closeDraft();
    };
  }, [table]);
  const view = dealerView.value;
  if (view === null) {
    return (
      <>
        <header class="top">
          <span class="name">{table}</span>
          <span class="grow" />
          <DemoTag />
          <StaffLanguageButton />
          <SignedInPerson />
        </header>
        <ConnectionWarning />
        <p class="waits q">{dealerStrings().waitTable}</p>
        {isConsoleLocked() && <LockScreen />}
      </>
    );
  }
  return (
    <>
      <TopBar view={view} />
      <ConnectionWarning />
      <Console view={view} />
      <ClauseDialog />
      {isConsoleLocked() && <LockScreen />}
    </>
  );
}
