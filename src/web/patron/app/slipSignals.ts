import { batch, computed, signal } from '@preact/signals';
import { type SlipStakes } from '../../../wire/messages.ts';
import { patronClient } from './connection.ts';
import { type SlipEvent } from '../slip/slipMachine.ts';
import { SlipController } from '../slip/slipController.ts';
import {
  acceptedStakes,
  doubtfulChangeIn,
  visibleSlip,
  freeCreditOf,
  bettingBlockOf,
  isAtMaximum,
  isReplyLate,
  missingStakeIn,
  spotStatus,
  chipFitsMaximum,
  showsOpenBets,
} from '../slip/slipView.ts';
import { type SlipState, initialSlipState } from '../slip/slipState.ts';
import { areBetsOpen, lastRefusal } from './state.ts';

// The state machine of slip/slipMachine.ts as signals for the screens, and the actions of its keys.

export { slipTotal } from '../slip/slipView.ts';

/** The whole state of the slip machine. */
export const slipState = signal<SlipState>(initialSlipState);
/** A slip that did not get into its round, with the clause. [ETG 5.10.2, HOUSE 11] */
export const missedSlip = signal<SlipState['missed']>(null);

/** True if anything other than the time has changed. */
function hasChanged(now: SlipState, last: SlipState): boolean {
  const names = (Object.keys(now) as (keyof SlipState)[]).filter((name) => name !== 'at' && name !== 'monotonicMs');
  return (
    names.some((name) => now[name] !== last[name]) ||
    isReplyLate(now) !== isReplyLate(last) ||
    bettingBlockOf(now) !== bettingBlockOf(last) ||
    showsOpenBets(now.view, now.at) !== showsOpenBets(last.view, last.at)
  );
}

/** Updates a signal only if its value changed, so that a notice the patron closed stays closed. */
function show(now: SlipState): void {
  const last = slipState.value;
  if (!hasChanged(now, last)) return;
  const isOtherPhase = now.view?.phase !== last.view?.phase;
  batch(() => {
    slipState.value = now;
    if (now.missed !== last.missed) missedSlip.value = now.missed;
    if (now.refused !== last.refused || (isOtherPhase && now.refused === null)) lastRefusal.value = now.refused;
    areBetsOpen.value = showsOpenBets(now.view, now.at);
  });
}

const controller = new SlipController(
  patronClient,
  {
    clock: () => Date.now(),
    monotonicMs: () => performance.now(),
    after: (time, wake) => {
      const timer = setTimeout(wake, time);
      return () => clearTimeout(timer);
    },
  },
  show,
);

function dispatch(event: SlipEvent): void {
  controller.dispatch(event);
  lastRefusal.value = controller.state.refused;
}

/** Index of the selected chip in the tray. */
export const selectedChip = {
  get value(): number {
    return slipState.value.chip;
  },
  set value(place: number) {
    controller.dispatch({ type: 'chip', place });
  },
};

/** Why this terminal may not bet, whatever the state of its table. */
export const bettingBlock = computed(() => bettingBlockOf(slipState.value));
/** Stakes that the patron wants and the server has not accepted yet. */
export const wantedSlip = computed<SlipStakes | null>(() => slipState.value.wanted?.slip ?? null);
export const acceptedSlip = computed<SlipStakes>(() => acceptedStakes(slipState.value));
/** The stakes as shown on the felt. */
export const visibleStakes = computed<SlipStakes>(() => visibleSlip(slipState.value));
/** Credit that is not on the felt. */
export const freeCredit = computed(() => freeCreditOf(slipState.value));
/** The spot that is below its minimum, or null for the whole slip: it cannot be sent yet. [READING 36] */
export const missingStake = computed(() => missingStakeIn(slipState.value));
/** By how much the total stake changes if the slip in doubt was accepted; null if no slip is in doubt. */
export const uncertainStakeChange = computed(() => doubtfulChangeIn(slipState.value));
/** True if a reply is overdue although the connection is open. */
export const isReplyOverdue = computed(() => isReplyLate(slipState.value));

export const spotStatusOf = (wager: string) => ({
  mark: spotStatus(slipState.value, wager),
  isFull: isAtMaximum(slipState.value, wager),
});
/** False if a chip of this amount would exceed the maximum of the spot. */
export const fitsSpotMaximum = (wager: string, amount: number): boolean =>
  chipFitsMaximum(slipState.value, wager, amount);

/** Which betting actions are possible now. During a break stakes may be lowered, not raised. */
export const enabledActions = computed(() => {
  const mayLower = areBetsOpen.value && bettingBlock.value !== 'terminal-locked';
  const mayRaise = areBetsOpen.value && bettingBlock.value === null;
  const hasStakes = Object.keys(visibleStakes.value).length > 0;
  return {
    add: mayRaise,
    undoSlipAction: mayLower && slipState.value.undoHistory.length > 0,
    clearSlip: mayLower && hasStakes,
    doubleSlip: mayRaise && hasStakes,
    repeatLastBet: mayRaise && Object.keys(slipState.value.own?.rebet ?? {}).length > 0,
  };
});

/** Adds a chip. The machine reports why it cannot, unless the notice of a block already does. */
export const addChip = (wager: string): void => {
  if (bettingBlock.value === null) dispatch({ type: 'add', wager });
};
export const clear = (): void => dispatch({ type: 'clear' });
export const again = (): void => dispatch({ type: 'again' });
export const double = (): void => dispatch({ type: 'double' });
/** Undoes the last change of the slip. */
export const undo = (): void => dispatch({ type: 'undo' });
