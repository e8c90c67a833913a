import { switchLanguage } from '../../shared/language.ts';
import { overlay } from '../overlay.ts';
import { again, canUndo, chip, clear, double, onFelt, undo } from '../slip.ts';
import { isOpen, own, page, view } from '../state.ts';
import { deadBy } from './dead.ts';
import { swapView } from './scene.ts';
import { louder } from './sounds.ts';

// Every action in one key: digits choose a chip, arrows go from spot to spot, Enter puts a chip down (as on any button),
// Backspace takes the last step back.

type Step = { readonly x: number; readonly y: number };
const arrows: { readonly [key: string]: Step } = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

const some = (): boolean => isOpen.value && Object.keys(onFelt.value).length > 0;

const actions: { readonly [key: string]: () => void } = {
  Backspace: () => {
    if (isOpen.value && canUndo.value) undo();
  },
  c: () => {
    if (some()) clear();
  },
  x: () => {
    if (some()) double();
  },
  r: () => {
    if (isOpen.value && Object.keys(own.value?.again ?? {}).length > 0) again();
  },
  v: swapView,
  l: switchLanguage,
  m: louder,
  h: () => void (overlay.value = 'help'),
  o: () => void (overlay.value = 'collect'),
  u: () => void (overlay.value = 'recall'),
  k: () => void (overlay.value = 'limits'),
  p: () => void (overlay.value = 'proof'),
};

const middleOf = (one: Element): Step => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
};

/** The spot that lies next in a direction; what lies aside counts three times. */
function nextSpot(from: Element, { x, y }: Step): HTMLElement | undefined {
  const at = middleOf(from);
  let best: { readonly far: number; readonly spot: HTMLElement } | undefined;
  for (const spot of document.querySelectorAll<HTMLElement>('[data-wager]')) {
    const to = middleOf(spot);
    const along = (to.x - at.x) * x + (to.y - at.y) * y;
    const aside = Math.abs((to.x - at.x) * y) + Math.abs((to.y - at.y) * x);
    const far = along + 3 * aside;
    if (spot !== from && along > 1 && (best === undefined || far < best.far)) best = { far, spot };
  }
  return best?.spot;
}

function choose(place: number): void {
  if (deadBy(view.value!.tray[place]!) === null) chip.value = place;
}

function go(step: Step): void {
  const spot = document.activeElement?.closest('[data-wager]');
  const next = spot ? nextSpot(spot, step) : document.querySelector<HTMLElement>('[data-wager]');
  next?.focus();
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Whether a dialog lies over the table, be it one that came by itself. */
const isCovered = (): boolean => overlay.value !== null || document.querySelector('dialog:modal') !== null;

function hear(event: KeyboardEvent): void {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || page.value === null || view.value === null) return;
  if (isCovered() || isTyping(target)) return;
  // A road that scrolls goes by the arrows itself.
  const isRoad = target instanceof Element && target.closest('.road-scroll') !== null;
  const step = isRoad ? undefined : arrows[key];
  const place = /^[1-9]$/.test(key) ? Number(key) - 1 : undefined;
  const act = actions[key.length === 1 ? key.toLowerCase() : key];
  if (step !== undefined) go(step);
  else if (place !== undefined && place < view.value.tray.length) choose(place);
  else if (act !== undefined) act();
  else return;
  event.preventDefault();
}

export const listenToKeys = (): void => addEventListener('keydown', hear);
