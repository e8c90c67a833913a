import { switchLanguage } from '../../shared/text/language.ts';
import { type ShortcutName, lobbyShortcuts, shortcutKeys } from '../app/shortcuts.ts';
import { type OverlayName, currentOverlay } from '../app/overlay.ts';
import {
  repeatLastBet,
  enabledBettingActions,
  selectedChipIndex,
  clearSlip,
  doubleSlip,
  bettingBlockReason,
  undoSlipAction,
} from '../app/slipSignals.ts';
import { terminalMoneyState, tableView } from '../app/state.ts';
import { unusableChipReason } from './bottomBar/unusableChip.ts';
import { showNextViewMode } from './scene.ts';
import { cycleVolume } from './soundEffects.ts';

// Keyboard shortcuts: one key for each action. Digits select a chip, and arrows move the focus between spots. Enter
// presses the focused spot, like any button, and so adds a chip. shortcuts.ts lists all other keys.

type Step = { readonly x: number; readonly y: number };
const arrows: { readonly [key: string]: Step } = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * Opens a dialog about money. In the lobby the dialog opens only once the balance is known. At a table it opens at
 * once, since the balance is about to arrive.
 */
const openDrawer = (name: OverlayName) => () => {
  if (terminalMoneyState.value !== null || tableView.value !== null) currentOverlay.value = name;
};

const actions: { readonly [name in ShortcutName]: () => void } = {
  undo: () => {
    if (enabledBettingActions.value.undoSlipAction) undoSlipAction();
  },
  clear: () => {
    if (enabledBettingActions.value.clearSlip) clearSlip();
  },
  double: () => {
    if (enabledBettingActions.value.doubleSlip) doubleSlip();
  },
  again: () => {
    if (enabledBettingActions.value.repeatLastBet) repeatLastBet();
  },
  swap: showNextViewMode,
  sound: cycleVolume,
  proof: () => void (currentOverlay.value = 'proof'),
  tables: () => void (location.hash = '#/'),
  collect: openDrawer('collect'),
  recall: openDrawer('recall'),
  limits: openDrawer('limits'),
  help: () => void (currentOverlay.value = 'help'),
  language: switchLanguage,
};
const names = new Map(Object.entries(shortcutKeys).map(([name, key]) => [key as string, name as ShortcutName]));

/**
 * The action of a key; undefined for a key without an action. In the lobby, or before the view of the table arrives,
 * fewer keys work.
 */
function actionOf(key: string): (() => void) | undefined {
  const name = names.get(key.length === 1 ? key.toLowerCase() : key);
  const isHere = name !== undefined && (tableView.value !== null || name === 'tables' || lobbyShortcuts.includes(name));
  return isHere ? actions[name] : undefined;
}

const middleOf = (one: Element): Step => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
};

/**
 * The nearest spot in a direction. A distance across the direction counts three times as much as a distance along the
 * direction.
 */
function nextSpot(from: Element, { x, y }: Step): HTMLElement | undefined {
  const at = middleOf(from);
  let best: { readonly far: number; readonly spot: HTMLElement } | undefined;
  for (const spot of document.querySelectorAll<HTMLElement>('[data-wager]')) {
    const to = middleOf(spot);
    const along = (to.x - at.x) * x + (to.y - at.y) * y;
    const across = Math.abs((to.x - at.x) * y) + Math.abs((to.y - at.y) * x);
    const distance = along + 3 * across;
    if (spot !== from && along > 1 && (best === undefined || distance < best.far)) best = { far: distance, spot };
  }
  return best?.spot;
}

function selectChip(place: number): void {
  if (bettingBlockReason.value === null && unusableChipReason(tableView.value!.tray[place]!) === null)
    selectedChipIndex.value = place;
}

function moveFocus(step: Step): void {
  const spot = document.activeElement?.closest('[data-wager]');
  const next = spot ? nextSpot(spot, step) : document.querySelector<HTMLElement>('[data-wager]');
  next?.focus();
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

/** True while a modal dialog covers the table. Some dialogs open without the patron, such as the reality check. */
const isCovered = (): boolean => currentOverlay.value !== null || document.querySelector('dialog:modal') !== null;

function onKeyDown(event: KeyboardEvent): void {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (isCovered() || isTyping(target)) return;
  // While a road has the focus, arrow keys scroll the road.
  const isRoad = target instanceof Element && target.closest('.road-scroll') !== null;
  const step = isRoad || tableView.value === null ? undefined : arrows[key];
  const place = /^[1-9]$/.test(key) ? Number(key) - 1 : undefined;
  const act = actionOf(key);
  if (step !== undefined) moveFocus(step);
  else if (place !== undefined && place < (tableView.value?.tray.length ?? 0)) selectChip(place);
  else if (act !== undefined) act();
  else return;
  event.preventDefault();
}

export const listenForShortcutKeys = (): void => addEventListener('keydown', onKeyDown);
