import { computed, effect, signal, untracked } from '@preact/signals';
import { type StakeResultView } from '../../../wire/tableView.ts';
import { connectionState, isBettingOpen, terminalViewSignal, openTableId, tableView } from '../app/state.ts';
import { type RevealState, type DealProgress, nextRevealStep, fullyRevealedState } from './reveal.ts';
import { isMotionReduced } from './screenShape.ts';

// What the screen shows now. It depends on the server's view and on how much of that view the screen has revealed.

/** The views of the key SWAP VIEW: cards and roads, roads only, all tables. */
export type ViewMode = 'cards' | 'roads' | 'tables';
export const viewMode = signal<ViewMode>('cards');
const nextViewMode = { cards: 'roads', roads: 'tables', tables: 'cards' } as const;
export const showNextViewMode = (): void => void (viewMode.value = nextViewMode[viewMode.value]);
// A table that was just opened starts with the view of its cards.
effect(() => {
  void openTableId.value;
  viewMode.value = 'cards';
});

const dealt = computed<DealProgress>(() => {
  const { round = null, cards = [] } = tableView.value ?? {};
  return { round: round?.id ?? null, cards: cards.length, isOver: (round?.winner ?? null) !== null };
});

export const revealState = signal<RevealState>(fullyRevealedState(dealt.value));
let timer: ReturnType<typeof setTimeout> | undefined;
/** The table on the screen, to detect a change of the table. At a table that was just opened nothing is animated. */
let table: string | undefined;

function proceed(): void {
  clearTimeout(timer);
  timer = undefined;
  const step = nextRevealStep(revealState.value, dealt.value);
  if (step === undefined) return;
  const go = (): void => {
    revealState.value = step.shown;
    proceed();
  };
  if (step.after === 0) go();
  else timer = setTimeout(go, step.after);
}

effect(() => {
  const now = dealt.value;
  const here = tableView.value?.table;
  const isNew = here !== table || connectionState.value !== 'open';
  untracked(() => {
    table = here;
    if (!isNew && !isMotionReduced()) {
      // While the timer runs, a card is in flight, and the deal continues when the card lands. Only a new round starts
      // at once.
      if (timer === undefined || now.round !== revealState.value.round) proceed();
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    if (JSON.stringify(revealState.value) !== JSON.stringify(fullyRevealedState(now)))
      revealState.value = fullyRevealedState(now);
  });
});

/** What the stage shows. `waiting`: there is no round, or the table was closed before the round had a result. */
export type StageMode = 'betting' | 'dealing' | 'result' | 'void' | 'waiting';

export const stageMode = computed<StageMode>(() => {
  const { round = null, phase } = tableView.value ?? {};
  if (round === null) return 'waiting';
  if (round.voidBy !== null) return 'void';
  if (isBettingOpen.value || phase === 'betting') return 'betting';
  return revealState.value.verdict ? 'result' : phase === 'closed' ? 'waiting' : 'dealing';
});

/** True when the stage shows the last round, because the next round has no cards yet. */
export const isLastRoundShown = computed(() => stageMode.value === 'betting' || stageMode.value === 'waiting');

/** Sums of a round for this terminal, in cents. */
export type RoundMoneySums = {
  readonly staked: number;
  readonly returned: number;
  readonly won: number;
  readonly net: number;
};

export function sumStakeResults(paid: readonly StakeResultView[]): RoundMoneySums {
  const sum = (amount: (one: StakeResultView) => number): number => paid.reduce((all, one) => all + amount(one), 0);
  const staked = sum(({ stake }) => stake);
  const won = sum((one) => one.won);
  const back = sum(({ result, stake }) => (result === 'lose' ? 0 : stake));
  return { staked, won, returned: back + won, net: back + won - staked };
}

/**
 * The sums of the current round for this terminal. Null if the terminal has no settled stake, and until the screen
 * shows the result or the void.
 */
export const roundMoneySums = computed<RoundMoneySums | null>(() => {
  const paid = terminalViewSignal.value?.paid ?? null;
  if (paid === null || paid.length === 0 || (stageMode.value !== 'result' && stageMode.value !== 'void')) return null;
  return sumStakeResults(paid);
});
