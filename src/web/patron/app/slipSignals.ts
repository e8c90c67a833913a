import { batch, computed, signal } from '@preact/signals';
import { type SlipStakes } from '../../../wire/messages.ts';
import { patronClient } from './connection.ts';
import { type SlipEvent } from '../slip/slipMachine.ts';
import { SlipController } from '../slip/slipController.ts';
import {
  type SpotStatus,
  acceptedStakes,
  uncertainStakeChangeIn,
  visibleSlip,
  freeCreditOf,
  bettingBlockReasonOf,
  isSlipReplyLateIn,
  amountToMinimumOf,
  spotStatus,
  isChipWithinMaximum,
  isShowingOpenBets,
} from '../slip/slipView.ts';
import { type SlipState, initialSlipState } from '../slip/slipState.ts';
import { isBettingOpen, visibleRefusal } from './state.ts';

// The state of slip/slipMachine.ts as signals for the screens, and the betting actions of the screens.

export { slipTotal } from '../slip/slipView.ts';

export const slipState = signal<SlipState>(initialSlipState);
/**
 * The missed slip that a notice shows now. It becomes null when the patron closes the notice or changes the bets. [ETG
 * 5.10.2, HOUSE 11]
 */
export const visibleMissedSlip = signal<SlipState['missed']>(null);

/**
 * True when the screens must change. The fields `at` and `monotonicMs` change with every event. Their change counts
 * only when bets close, a break ends or a reply becomes overdue.
 */
function hasChanged(now: SlipState, last: SlipState): boolean {
  const names = (Object.keys(now) as (keyof SlipState)[]).filter((name) => name !== 'at' && name !== 'monotonicMs');
  return (
    names.some((name) => now[name] !== last[name]) ||
    isSlipReplyLateIn(now) !== isSlipReplyLateIn(last) ||
    bettingBlockReasonOf(now) !== bettingBlockReasonOf(last) ||
    isShowingOpenBets(now.view, now.at) !== isShowingOpenBets(last.view, last.at)
  );
}

/**
 * Copies the state of the slip machine into the signals. A refusal or a missed slip is copied only when it has changed.
 * Otherwise every later change of the state would open a notice again that the patron has closed.
 */
function show(now: SlipState): void {
  const last = slipState.value;
  if (!hasChanged(now, last)) return;
  const isOtherPhase = now.view?.phase !== last.view?.phase;
  batch(() => {
    slipState.value = now;
    if (now.missed !== last.missed) visibleMissedSlip.value = now.missed;
    if (now.refused !== last.refused || (isOtherPhase && now.refused === null)) visibleRefusal.value = now.refused;
    isBettingOpen.value = isShowingOpenBets(now.view, now.at);
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
  visibleRefusal.value = controller.state.refused;
}

/** Index of the selected chip in the tray. */
export const selectedChipIndex = {
  get value(): number {
    return slipState.value.chip;
  },
  set value(place: number) {
    controller.dispatch({ type: 'chip', place });
  },
};

/** Why this terminal may not bet at any table; null if it may bet. */
export const bettingBlockReason = computed(() => bettingBlockReasonOf(slipState.value));
/** The whole slip that the patron wants, until the server has accepted it; otherwise null. */
export const wantedSlip = computed<SlipStakes | null>(() => slipState.value.wanted?.slip ?? null);
export const acceptedSlip = computed<SlipStakes>(() => acceptedStakes(slipState.value));
export const visibleStakes = computed<SlipStakes>(() => visibleSlip(slipState.value));
/** The credit that is left if the server accepts all chips on the felt, in cents. */
export const freeCredit = computed(() => freeCreditOf(slipState.value));
/**
 * The wager whose minimum the wanted slip does not reach, and the missing amount. Such a slip is not sent. Undefined if
 * the slip reaches all minimums or there is no wanted slip. [READING 36]
 */
export const amountToMinimum = computed(() => amountToMinimumOf(slipState.value));
/**
 * The sent slip is in doubt while the connection is lost or the reply is overdue. This is the amount, in cents, by
 * which the total stake changes if the server has accepted that slip. Null if no slip is in doubt.
 */
export const uncertainStakeChange = computed(() => uncertainStakeChangeIn(slipState.value));
export const isSlipReplyLate = computed(() => isSlipReplyLateIn(slipState.value));

export const spotStatusOf = (wager: string): SpotStatus => spotStatus(slipState.value, wager);
export const isChipWithinSpotMaximum = (wager: string, amount: number): boolean =>
  isChipWithinMaximum(slipState.value, wager, amount);

/** Which betting actions are possible now. During a break the patron may lower stakes but not raise them. */
export const enabledBettingActions = computed(() => {
  const mayLower = isBettingOpen.value && bettingBlockReason.value !== 'terminal-locked';
  const mayRaise = isBettingOpen.value && bettingBlockReason.value === null;
  const hasStakes = Object.keys(visibleStakes.value).length > 0;
  return {
    add: mayRaise,
    undoSlipAction: mayLower && slipState.value.undoHistory.length > 0,
    clearSlip: mayLower && hasStakes,
    doubleSlip: mayRaise && hasStakes,
    repeatLastBet: mayRaise && Object.keys(slipState.value.own?.rebet ?? {}).length > 0,
  };
});

/**
 * Adds the selected chip to a spot. While betting is blocked, a call has no effect and causes no refusal, since a
 * notice already shows the reason.
 */
export const addSelectedChip = (wager: string): void => {
  if (bettingBlockReason.value === null) dispatch({ type: 'add', wager });
};
export const clearSlip = (): void => dispatch({ type: 'clear' });
export const repeatLastBet = (): void => dispatch({ type: 'again' });
export const doubleSlip = (): void => dispatch({ type: 'double' });
export const undoSlipAction = (): void => dispatch({ type: 'undo' });
