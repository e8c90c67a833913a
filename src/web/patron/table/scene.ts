import { computed, effect, signal, untracked } from '@preact/signals';
import { type Paid } from '../../../wire/tableView.ts';
import { link, isOpen, own, page, view } from '../app/state.ts';
import { type Shown, type Told, nextShown, shownWhole } from './reveal.ts';
import { isStill } from './screenShape.ts';

// What the screen is about at this moment, made from what the server told and from how far that has been shown.

/** SWAP VIEW: cards and roads, roads only, all tables. */
export type Sight = 'cards' | 'roads' | 'tables';
export const sight = signal<Sight>('cards');
const nextSight = { cards: 'roads', roads: 'tables', tables: 'cards' } as const;
export const swapView = (): void => void (sight.value = nextSight[sight.value]);
// Another table begins with its cards.
effect(() => {
  void page.value;
  sight.value = 'cards';
});

const told = computed<Told>(() => {
  const { round = null, cards = [] } = view.value ?? {};
  return { round: round?.id ?? null, cards: cards.length, isOver: (round?.winner ?? null) !== null };
});

/** How far the round has been shown. */
export const shown = signal<Shown>(shownWhole(told.value));
let timer: ReturnType<typeof setTimeout> | undefined;
/** The table that is shown; a page that has just come to one plays nothing again. */
let table: string | undefined;

function proceed(): void {
  clearTimeout(timer);
  timer = undefined;
  const step = nextShown(shown.value, told.value);
  if (step === undefined) return;
  const go = (): void => {
    shown.value = step.shown;
    proceed();
  };
  if (step.after === 0) go();
  else timer = setTimeout(go, step.after);
}

effect(() => {
  const now = told.value;
  const here = view.value?.table;
  const isNew = here !== table || link.value !== 'open';
  untracked(() => {
    table = here;
    if (!isNew && !isStill()) {
      // What is on its way lands first.
      if (timer === undefined || now.round !== shown.value.round) proceed();
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    if (JSON.stringify(shown.value) !== JSON.stringify(shownWhole(now))) shown.value = shownWhole(now);
  });
});

/** Before the first round, or with a new shoe, it waits. */
export type Scene = 'betting' | 'dealing' | 'result' | 'void' | 'waiting';

export const scene = computed<Scene>(() => {
  const { round = null, phase } = view.value ?? {};
  if (round === null) return 'waiting';
  if (round.voidBy !== null) return 'void';
  if (isOpen.value || phase === 'betting') return 'betting';
  return shown.value.verdict ? 'result' : phase === 'closed' ? 'waiting' : 'dealing';
});

/** Whether the last round lies on the stage, because nothing of the next one does. */
export const isBefore = computed(() => scene.value === 'betting' || scene.value === 'waiting');

/** What a round came to for this terminal. */
export type Sum = { readonly staked: number; readonly returned: number; readonly won: number; readonly net: number };

export function sumOf(paid: readonly Paid[]): Sum {
  const sum = (amount: (one: Paid) => number): number => paid.reduce((all, one) => all + amount(one), 0);
  const staked = sum(({ stake }) => stake);
  const won = sum((one) => one.won);
  const back = sum(({ result, stake }) => (result === 'lose' ? 0 : stake));
  return { staked, won, returned: back + won, net: back + won - staked };
}

/** That of the round on the felt, once it is paid and the verdict stands. */
export const outcome = computed<Sum | null>(() => {
  const paid = own.value?.paid ?? null;
  if (paid === null || paid.length === 0 || (scene.value !== 'result' && scene.value !== 'void')) return null;
  return sumOf(paid);
});
