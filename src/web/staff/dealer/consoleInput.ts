import { type DealerView } from '../../../wire/staff/dealerView.ts';
import { openCitedClauses, shownClauses } from '../kit/components/clauseTag.tsx';
import { keyAction } from '../kit/input/keyBindings.ts';
import { listenForKeys } from '../kit/input/keyListener.ts';
import { sendCommand } from '../kit/sendCommand.ts';
import { isConsoleLocked, lockConsole } from '../app/session.ts';
import { isConnectionUnusable } from '../app/state.ts';
import { parseCardOrHandleScan, showRefusedScan } from './dealCard.ts';
import { fillActiveFieldAndAdvance, moveActiveField, typeFieldCharacter } from './formFields.ts';
import { type SceneKeys } from './scene.ts';
import { activeKeys, currentScene } from './scenes/currentScene.tsx';
import { openNoteForm } from './scenes/stoppedScenes.tsx';
import { resetSignature } from './signature.ts';
import { consoleDraft, closeDraft, phaseChangedAt, typedRank, dealerView } from './state.ts';

export const openReportSheet = (): void => {
  closeDraft();
  consoleDraft.value = { type: 'report-sheet', group: null };
};
export const openCallSupervisorPopup = (): void => void (consoleDraft.value = { type: 'call' });
export const openReliefPopup = (): void => {
  consoleDraft.value = { type: 'relief' };
  resetSignature();
};
export const reportCuttingCard = (): void => void sendCommand({ type: 'ReportCuttingCard' });

function handleKey(key: string, shift: boolean): void {
  const view = dealerView.peek();
  if (key === 'Escape' && shownClauses.value.length > 0) {
    shownClauses.value = [];
    return;
  }
  if (view === null || isConsoleLocked()) return;
  const scene = currentScene(view);
  const keys = activeKeys(scene);
  const context = {
    expects: keys.expects,
    deck: view.deck,
    typedRank: typedRank.value,
    phaseSince: phaseChangedAt.peek(),
  };
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
      if (keys.onTab === undefined) moveActiveField(keys.specs ?? [], action.by);
      else keys.onTab();
      return;
    case 'move':
      keys.move?.(action.by, action.carry);
      return;
    case 'char':
      if (keys.onChar === undefined) typeFieldCharacter(keys.specs ?? [], action.char);
      else keys.onChar(action.char);
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
  if (shortcut === 'clauses') openCitedClauses();
  if (isConnectionUnusable.value) return;
  if (shortcut === 'wrong') openReportSheet();
  if (shortcut === 'call') openCallSupervisorPopup();
  if (shortcut === 'relief') openReliefPopup();
  if (shortcut === 'note') openNoteForm();
  if (shortcut === 'cut' && view.shoe !== null && !view.shoe.cuttingCardOut) reportCuttingCard();
}

/**
 * Handles a scan, whichever control has the focus. A scene that waits for a card gets the scanned card, even while the
 * relief form is open. In any other form the scanned text fills the active field.
 */
function handleScan(text: string): void {
  const view = dealerView.peek();
  if (view === null || isConsoleLocked() || isConnectionUnusable.value) return;
  const scene = currentScene(view);
  const keys = activeKeys(scene);
  if (scene.onCard === undefined || (keys.expects === 'field' && consoleDraft.value?.type !== 'relief')) {
    if (keys.onScan !== undefined) keys.onScan(text);
    else if (keys.expects === 'field' && keys.specs !== undefined) fillActiveFieldAndAdvance(keys.specs, text);
    else if (parseCardOrHandleScan(text, view) !== undefined) {
      const isLate = view.phase === 'dealing' || view.phase === 'result';
      showRefusedScan(text, isLate ? 'card-after-deal' : 'not-now', '', view.prompt.by);
    }
    return;
  }
  const card = parseCardOrHandleScan(text, view);
  if (card !== undefined) scene.onCard(card, 'scanned');
}

const expectsText = (): boolean => {
  const view = dealerView.peek();
  return view !== null && activeKeys(currentScene(view)).expects === 'field';
};

/**
 * True for a key that the browser handles instead of the console: Space on a focused button or link, Tab outside of
 * forms, and every key while the console is locked.
 */
const isBrowserKey = ({ key, target }: KeyboardEvent): boolean => {
  const isControl = target instanceof HTMLElement && target.closest('button, a') !== null;
  if (isConsoleLocked()) return true;
  if (key === 'Tab') return !expectsText();
  return key === ' ' && isControl;
};

const isInText = (): boolean => document.activeElement?.matches('[data-text]') ?? false;

/** Listens for keys and scans. Returns a function that stops listening. */
export const listenForInput = (): (() => void) =>
  listenForKeys({ onKey: handleKey, onScan: handleScan, isInText, isBrowserKey });
