import { batch, computed, signal } from '@preact/signals';
import { type SlipStakes } from '../../../wire/messages.ts';
import { patron } from './connection.ts';
import { type Event } from '../slip/slipMachine.ts';
import { SlipRun } from '../slip/slipController.ts';
import {
  acceptedOf,
  doubtIn,
  visibleSlip,
  freeOf,
  idleBy,
  isFull,
  isReplyLate as isLateIn,
  lackingIn,
  spotStatus,
  acceptsChip as takesOf,
  takesBets,
} from '../slip/slipView.ts';
import { type State, initial } from '../slip/slipState.ts';
import { isOpen, lastRefusal } from './state.ts';

// The machine of slip/machine.ts as signals for the screens, and its keys.

export { slipTotal } from '../slip/slipView.ts';

/** All of it, for those who follow it. */
export const slipState = signal<State>(initial);
/** A change that did not get into its round, by the clause that says so. [ETG 5.10.2, HOUSE 11] */
export const missed = signal<State['missed']>(null);

/** Whether there is more to draw than that time has passed. */
function isNews(now: State, last: State): boolean {
  const names = (Object.keys(now) as (keyof State)[]).filter((name) => name !== 'at' && name !== 'ran');
  return (
    names.some((name) => now[name] !== last[name]) ||
    isLateIn(now) !== isLateIn(last) ||
    idleBy(now) !== idleBy(last) ||
    takesBets(now.view, now.at) !== takesBets(last.view, last.at)
  );
}

/** What the patron has put away stays away: only news are shown. */
function show(now: State): void {
  const last = slipState.value;
  if (!isNews(now, last)) return;
  const isOtherPhase = now.view?.phase !== last.view?.phase;
  batch(() => {
    slipState.value = now;
    if (now.missed !== last.missed) missed.value = now.missed;
    if (now.refused !== last.refused || (isOtherPhase && now.refused === null)) lastRefusal.value = now.refused;
    isOpen.value = takesBets(now.view, now.at);
  });
}

const run = new SlipRun(
  patron,
  {
    clock: () => Date.now(),
    ran: () => performance.now(),
    after: (time, wake) => {
      const timer = setTimeout(wake, time);
      return () => clearTimeout(timer);
    },
  },
  show,
);

function act(event: Event): void {
  run.tell(event);
  lastRefusal.value = run.state.refused;
}

/** The chip in hand, as its place in the tray. */
export const chip = {
  get value(): number {
    return slipState.value.chip;
  },
  set value(place: number) {
    run.tell({ type: 'chip', place });
  },
};

/** What keeps this terminal from betting, whatever its table does. */
export const bettingBlock = computed(() => idleBy(slipState.value));
/** What the patron wants and the server has not accepted yet. */
export const wanted = computed<SlipStakes | null>(() => slipState.value.wanted?.slip ?? null);
export const acceptedSlip = computed<SlipStakes>(() => acceptedOf(slipState.value));
/** The chips as they lie on the spots. */
export const onFelt = computed<SlipStakes>(() => visibleSlip(slipState.value));
/** Credit that no chip on the felt lays claim to. */
export const free = computed(() => freeOf(slipState.value));
/** What a slip lacks before it can be sent: the spot below its minimum, or null for the slip as a whole. [READING 36] */
export const lacking = computed(() => lackingIn(slipState.value));
/** By how much the stakes change if what was on its way when the link was lost is in; null where nothing was. */
export const doubt = computed(() => doubtIn(slipState.value));
/** Whether no answer comes, though the link seems to be up. */
export const replyLate = computed(() => isLateIn(slipState.value));

/** What is to be said of the chips on a spot, and whether it is at its maximum. */
export const spotState = (wager: string) => ({
  mark: spotStatus(slipState.value, wager),
  isFull: isFull(slipState.value, wager),
});
/** Whether a spot takes a chip of so much more; one that would go beyond its maximum is dead. */
export const spotAcceptsChip = (wager: string, amount: number): boolean => takesOf(slipState.value, wager, amount);

/** Which keys do something now. On a break stakes may still be taken back. */
export const can = computed(() => {
  const mayLower = isOpen.value && bettingBlock.value !== 'terminal-locked';
  const mayRaise = isOpen.value && bettingBlock.value === null;
  const isSome = Object.keys(onFelt.value).length > 0;
  return {
    add: mayRaise,
    undo: mayLower && slipState.value.before.length > 0,
    clear: mayLower && isSome,
    double: mayRaise && isSome,
    again: mayRaise && Object.keys(slipState.value.own?.rebet ?? {}).length > 0,
  };
});

/** One chip more on a spot; where no bets are taken it is said why, unless that stands there already. */
export const addChip = (wager: string): void => {
  if (bettingBlock.value === null) act({ type: 'add', wager });
};
export const clear = (): void => act({ type: 'clear' });
export const again = (): void => act({ type: 'again' });
export const double = (): void => act({ type: 'double' });
/** Takes back the last of all these. */
export const undo = (): void => act({ type: 'undo' });
