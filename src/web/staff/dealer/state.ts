import { computed, effect, signal } from '@preact/signals';
import { type DealerView } from '../../../wire/staff/dealerView.ts';
import { showRefusal } from '../kit/sendCommand.ts';
import { staffRefusalText } from '../kit/text/refusalText.ts';
import { staffServerTimeMs, staffState } from '../app/state.ts';
import { type ConsolePhase, consolePhase, isSamePhase } from './consolePhase.ts';

export const dealerView = computed<DealerView | null>(() => staffState.value.dealer);

/** What the dealer has begun but not sent: an open popup, form or choice. */
export type ConsoleDraft =
  | { readonly type: 'report-sheet'; readonly group: number | null }
  | { readonly type: 'call' }
  | { readonly type: 'relief' }
  | { readonly type: 'note' }
  | { readonly type: 'refer' }
  | { readonly type: 'rulings'; readonly pick: number }
  | { readonly type: 'fix'; readonly place: number | null; readonly card: string | null }
  | { readonly type: 'reconstruct'; readonly cards: readonly string[]; readonly at: number; readonly unseen: boolean }
  | { readonly type: 'by-eye'; readonly purpose: 'enter' | 'burn' }
  | { readonly type: 'chips'; readonly kind: string; readonly wager: string | null }
  | { readonly type: 'which' }
  | { readonly type: 'since' }
  | { readonly type: 'together'; readonly card: string }
  | { readonly type: 'count'; readonly counts: { readonly [card: string]: number }; readonly at: number }
  | { readonly type: 'differs'; readonly counts: { readonly [card: string]: number } }
  | { readonly type: 'seal' }
  | { readonly type: 'depth' };

export const consoleDraft = signal<ConsoleDraft | null>(null);

/** Rank of a half-typed card; empty while no rank is typed. */
export const typedRank = signal('');

/**
 * `active` is the name of the active form field; empty while no field is chosen. `values` are the typed texts by field
 * name.
 */
export type FormFields = { readonly active: string; readonly values: { readonly [name: string]: string } };
export const formFields = signal<FormFields>({ active: '', values: {} });
export const formFieldValue = (name: string): string => formFields.value.values[name] ?? '';

/** Number of the chosen option of a shoe step, from 1; 0 while no option is chosen. */
export const chosenShoeStepOption = signal(0);

/** Last refused cards, newest first. The screen shows them until the cards of the round change. */
export const refusedCards = signal<readonly RefusedCard[]>([]);
export type RefusedCard = { readonly at: number; readonly text: string; readonly by: string | null };
const maxRefusedCards = 3;
export function showRefusedCard(text: string, by: string | null = null): void {
  showRefusal(text, by);
  refusedCards.value = [{ at: staffServerTimeMs.peek(), text, by }, ...refusedCards.peek()].slice(0, maxRefusedCards);
}
let lastCards = '';
effect(() => {
  const round = dealerView.value?.round;
  const cards = `${round?.id} ${round?.cards.length}`;
  if (cards !== lastCards) refusedCards.value = [];
  lastCards = cards;
});

/**
 * Id of the round that the dealer of a chip table finished without the system, during an interruption. The dealer
 * enters the cards of this round afterwards. [READING 62]
 */
export const manuallyFinishedRoundId = signal<string | null>(null);

/**
 * Open proposal for which play waits; null without one, or once it has expired. Also null for a proposed change of
 * settings, since play goes on meanwhile.
 */
export const interruptingProposal = computed(() => {
  const view = dealerView.value;
  if (
    view === null ||
    view.proposal === null ||
    view.prompt.code !== 'proposed' ||
    staffServerTimeMs.value > view.proposal.expires
  )
    return null;
  return view.proposal;
});

/** Time of the last phase change, in ms of `performance.now()`. Enter is ignored for a moment after it. */
export const phaseChangedAt = signal(0);
let lastPhase: ConsolePhase | null = null;
effect(() => {
  const phase = dealerView.value && consolePhase(dealerView.value, interruptingProposal.value?.id ?? null);
  const isChanged = !isSamePhase(lastPhase, phase);
  lastPhase = phase;
  if (isChanged) phaseChangedAt.value = performance.now();
});

// Shows a refusal when the time of a proposal has run out without an approval.
let awaitedId = '';
effect(() => {
  const proposal = dealerView.value?.proposal ?? null;
  if (interruptingProposal.value !== null) awaitedId = interruptingProposal.value.id;
  else if (proposal === null || proposal.id !== awaitedId) awaitedId = '';
  else if (staffServerTimeMs.value > proposal.expires) {
    awaitedId = '';
    showRefusal(staffRefusalText('expired-proposal', ''));
  }
});

export function resetFormFields(active: string, values: FormFields['values'] = {}): void {
  formFields.value = { active, values };
}

export function closeDraft(): void {
  consoleDraft.value = null;
  typedRank.value = '';
  chosenShoeStepOption.value = 0;
  resetFormFields('');
}
