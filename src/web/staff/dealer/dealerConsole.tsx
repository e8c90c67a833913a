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
import { ClauseTag, ClauseDialog, openAllClauses, openClauses } from '../kit/components/clauseTag.tsx';
import { Warning } from '../kit/components/icons.tsx';
import { KeyCap, isTouchInput } from '../kit/input/keyCap.tsx';
import { Keypad } from '../kit/input/keypad.tsx';
import { keyAction } from '../kit/input/keyBindings.ts';
import { listenForKeys } from '../kit/input/keyListener.ts';
import { SecondaryActions, NextAction } from '../kit/components/nextAction.tsx';
import { language } from '../../shared/text/language.ts';
import { shortGameName } from '../../shared/text/gameNames.ts';
import { isLocked, lockConsole } from '../app/session.ts';
import { LockScreen } from '../signin/lockScreen.tsx';
import { staff } from '../app/connection.ts';
import { isDisconnected } from '../app/state.ts';
import { startAlarms } from './alarms.ts';
import { SidePanel } from './sidePanel.tsx';
import {
  byEyeScene,
  correctionScene,
  reconstructionScene,
  togetherScene,
  firstCardScene,
} from './scenes/cardScenes.tsx';
import { readScan, showRefusedScan } from './dealCard.ts';
import { deleteCharacter, fillField, moveFocus, typeCharacter } from './formFields.ts';
import { chipsScene, noteScene, referScene, interruptionScene } from './scenes/formScenes.tsx';
import { DealerHands } from './stage/hands.tsx';
import { CardPad } from './stage/cardPad.tsx';
import { ActionPanel } from './actionPanel.tsx';
import { CallPopup, ReliefPopup, callKeys, reliefKeys } from './scenes/popups.tsx';
import { roundScene } from './scenes/roundScenes.tsx';
import { type SceneKeys, type ConsoleScene } from './scene.ts';
import { approvalScene } from './scenes/approvalScene.tsx';
import { sendCommand } from '../kit/sendCommand.ts';
import { depthScene, shoeScene } from './shoe/newShoe.tsx';
import { countScene, differsScene, sealScene } from './shoe/endShoe.tsx';
import { resetFields, draft, closeDraft, pendingProposal, phaseSince, typedRank, dealerView } from './state.ts';
import { openNote, faultScene, frozenScene, stoppedScene } from './scenes/stoppedScenes.tsx';
import { dealerStrings } from './strings.ts';
import { ReportSheet, reportSheetKeys } from './scenes/reportSheet.tsx';

/** Scene of an open draft, where it replaces the scene of the table. */
function draftScene(view: DealerView): ConsoleScene | undefined {
  const current = draft.value;
  switch (current?.type) {
    case 'fix':
      return correctionScene(view, current);
    case 'reconstruct':
      return reconstructionScene(view, current);
    case 'by-eye':
      return byEyeScene(view, current.purpose);
    case 'chips':
      return chipsScene(view, current);
    case 'which':
      return firstCardScene(view);
    case 'since':
      return interruptionScene(view);
    case 'refer':
      return referScene(view);
    case 'note':
      return noteScene(view);
    case 'together':
      return togetherScene(view, current.card);
    case 'count':
      return countScene(view, current);
    case 'differs':
      return differsScene(view, current.counts);
    case 'seal':
      return sealScene(view);
    case 'depth':
      return depthScene(view);
    case 'report-sheet':
    case 'call':
    case 'relief':
    case 'rulings':
    case undefined:
      return undefined;
  }
}

/** Notes and reports stay possible while an approval is pending. */
const allowedDuringApproval: ReadonlySet<string> = new Set(['note', 'refer', 'which', 'chips', 'since']);

function currentScene(view: DealerView): ConsoleScene {
  if (isDisconnected.value) return disconnectedScene(view);
  if (view.fault !== null) return faultScene(view);
  const proposal = pendingProposal.value;
  if (proposal !== null && !allowedDuringApproval.has(draft.value?.type ?? '')) return approvalScene(view, proposal);
  const override = draftScene(view);
  if (override !== undefined) return override;
  if (view.stopped !== null) {
    const isFeltOpen = view.stopped.options.some(({ command }) => command === 'ConfirmFelt');
    return isFeltOpen && draft.value?.type !== 'rulings' ? byEyeScene(view, 'enter') : stoppedScene(view, view.stopped);
  }
  if (view.referred.length > 0 && view.prompt.code === 'frozen') return frozenScene(view);
  return (view.phase === 'idle' ? shoeScene(view) : undefined) ?? roundScene(view);
}

/** While the connection is down, input has no effect. */
function disconnectedScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const underlying = roundScene(view);
  return {
    prompt: underlying.prompt,
    lockedBy: { text: t.lostPad },
    right: (
      <ActionPanel>
        <NextAction kind="wait" title={t.lostNext} detail={view.due === null ? t.lostClock : t.lostSub(view.due)} />
        <SecondaryActions actions={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </ActionPanel>
    ),
    keys: { expects: 'nothing' },
  };
}

/** Popups take the keys before the scene. */
function activeKeys(scene: ConsoleScene): SceneKeys {
  const current = draft.value;
  if (isDisconnected.value) return { expects: 'nothing' };
  if (current?.type === 'report-sheet') return reportSheetKeys(current.group);
  if (current?.type === 'call') return callKeys;
  if (current?.type === 'relief') return reliefKeys;
  return scene.keys;
}

const openReportSheet = (): void => {
  closeDraft();
  draft.value = { type: 'report-sheet', group: null };
};
const openCallPopup = (): void => void (draft.value = { type: 'call' });
const openReliefPopup = (): void => {
  draft.value = { type: 'relief' };
  resetFields('number');
};
const reportCuttingCard = (): void => void sendCommand({ type: 'ReportCuttingCard' });

/** Handles a key that is not part of a scan. */
function handleKey(key: string, shift: boolean): void {
  const view = dealerView.peek();
  if (key === 'Escape' && openClauses.value.length > 0) {
    openClauses.value = [];
    return;
  }
  if (view === null || isLocked()) return;
  const scene = currentScene(view);
  const keys = activeKeys(scene);
  const context = { expects: keys.expects, deck: view.deck, typedRank: typedRank.value, phaseSince: phaseSince.peek() };
  const action = keyAction({ key, shift }, context, performance.now());
  switch (action?.type) {
    case undefined:
      return;
    case 'typed':
      typedRank.value = action.rank;
      return;
    case 'card':
      scene.onCard?.(action.card, 'keyed');
      return;
    case 'next':
      keys.next?.();
      return;
    case 'back':
      keys.back?.();
      return;
    case 'escape':
      keys.escape?.();
      return;
    case 'tab':
      moveFocus(keys.specs ?? [], action.by);
      return;
    case 'move':
      keys.move?.(action.by, action.carry);
      return;
    case 'char':
      typeCharacter(keys.specs ?? [], action.char);
      keys.onTyped?.();
      return;
    case 'digit':
      keys.digit?.(action.digit);
      return;
    case 'shortcut':
      handleShortcut(action.shortcut, keys, view);
  }
}

function handleShortcut(shortcut: keyof NonNullable<SceneKeys['shortcuts']>, keys: SceneKeys, view: DealerView): void {
  const override = keys.shortcuts?.[shortcut];
  if (override !== undefined) {
    override();
    return;
  }
  if (shortcut === 'lock') lockConsole();
  if (shortcut === 'clauses') openAllClauses();
  if (isDisconnected.value) return;
  if (shortcut === 'wrong') openReportSheet();
  if (shortcut === 'call') openCallPopup();
  if (shortcut === 'relief') openReliefPopup();
  if (shortcut === 'note') openNote();
  if (shortcut === 'cut' && view.shoe !== null && !view.shoe.cuttingCardOut) reportCuttingCard();
}

/** A scan fills the slot that is due, whatever has the focus; in a form it fills the active field. */
function handleScan(text: string): void {
  const view = dealerView.peek();
  if (view === null || isLocked() || isDisconnected.value) return;
  const scene = currentScene(view);
  const keys = activeKeys(scene);
  if (scene.onCard === undefined || (keys.expects === 'field' && draft.value?.type !== 'relief')) {
    if (keys.expects === 'field' && keys.specs !== undefined) fillField(keys.specs, text);
    else if (readScan(text, view) !== undefined) {
      const isLate = view.phase === 'dealing' || view.phase === 'result';
      showRefusedScan(text, isLate ? 'card-after-deal' : 'not-now', '', view.prompt.by);
    }
    return;
  }
  const card = readScan(text, view);
  if (card !== undefined) scene.onCard(card, 'scanned');
}

const expectsText = (): boolean => {
  const view = dealerView.peek();
  return view !== null && activeKeys(currentScene(view)).expects === 'field';
};

/** The browser keeps Space on a focused control, and Tab outside of forms; all other keys belong to the console. */
const isBrowserKey = ({ key, target }: KeyboardEvent): boolean => {
  const isControl = target instanceof HTMLElement && target.closest('button, a') !== null;
  if (isLocked()) return true;
  if (key === 'Tab') return !expectsText();
  return key === ' ' && isControl;
};

const isInText = (): boolean => document.activeElement?.matches('[data-text]') ?? false;

function TopBar({ view }: { readonly view: DealerView }) {
  const t = dealerStrings();
  const phases = ['idle', 'betting', 'closing', 'dealing', 'result'];
  const phaseIndex = Math.max(0, phases.indexOf(view.phase === 'paying' ? 'result' : view.phase));
  const isStopped = view.stopped !== null || view.referred.length > 0 || view.fault !== null;
  return (
    <header class="top">
      <span class="name">{view.table}</span>
      <span class="game q">{shortGameName(view.game.version, view.game.name)[language.value]}</span>
      <b>{view.round === null ? t.noRound : t.round(view.round.number)}</b>
      <ol class={`track${isStopped ? ' held' : ''}`} aria-label={t.phase}>
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
  const isDisabled = isDisconnected.value;
  const isCutDisabled = view.shoe === null || view.shoe.cuttingCardOut || !view.shoe.ready;
  return (
    <footer class="foot">
      <button type="button" class="btn wrong" disabled={isDisabled} onClick={openReportSheet} data-testid="wrong">
        <Warning />
        {t.wrong} <KeyCap>W</KeyCap>
      </button>
      <button type="button" class="btn" disabled={isDisabled} onClick={openCallPopup} data-testid="call">
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

/** Prompt at the top of the stage, with its reason and clause. */
function Prompt({ prompt }: { readonly prompt: ConsoleScene['prompt'] }) {
  return (
    <div class={`say${prompt.isStopped ? ' stop' : ''}`} {...(prompt.isStopped && { role: 'alert' })} data-testid="say">
      {prompt.isStopped && <Warning size={30} />}
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
  const current = draft.value;
  const onCard = scene.onCard;
  const needsKeypad = isTouchInput.value && keys.expects === 'field' && current?.type !== 'relief';
  const specs = needsKeypad ? keys.specs : undefined;
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
              press={(char) => typeCharacter(specs, char)}
              back={() => void deleteCharacter(specs)}
              letters={specs.some(({ accepts }) => accepts === 'number')}
              point={specs.some(({ accepts }) => accepts === 'money')}
            />
          </div>
        )}
      </main>
      <Footer view={view} />
      {current?.type === 'report-sheet' && <ReportSheet view={view} group={current.group} />}
      {current?.type === 'call' && <CallPopup view={view} />}
      {current?.type === 'relief' && <ReliefPopup />}
    </>
  );
}

export function DealerConsole({ table }: { readonly table: string }) {
  useEffect(() => {
    staff.lookAt(table, 'dealer');
    const stopListening = listenForKeys({ onKey: handleKey, onScan: handleScan, isInText, isBrowserKey });
    const stopAlarms = startAlarms();
    const unsubscribe = staff.watch((_state, message) => {
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
        {isLocked() && <LockScreen />}
      </>
    );
  }
  return (
    <>
      <TopBar view={view} />
      <ConnectionWarning />
      <Console view={view} />
      <ClauseDialog />
      {isLocked() && <LockScreen />}
    </>
  );
}
