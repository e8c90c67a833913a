import { computed, effect, signal } from '@preact/signals';
import { type DealerView } from '../../../wire/staff/views.ts';
import { staffRefusalText } from '../kit/text/refusalText.ts';
import { now, staffState } from '../app/state.ts';

export const dealerView = computed<DealerView | null>(() => staffState.value.dealer);

/** Action that the dealer has begun and not sent. Popups come first. */
export type ConsoleDraft =
  | { readonly what: 'wrong'; readonly group: number | null }
  | { readonly what: 'call' }
  | { readonly what: 'relief' }
  | { readonly what: 'note' }
  | { readonly what: 'refer' }
  | { readonly what: 'ways'; readonly pick: number }
  | { readonly what: 'fix'; readonly place: number | null; readonly card: string | null }
  | { readonly what: 'rebuild'; readonly cards: readonly string[]; readonly at: number; readonly unseen: boolean }
  | { readonly what: 'by-eye'; readonly why: 'enter' | 'burn' }
  | { readonly what: 'chips'; readonly kind: string; readonly wager: string | null }
  | { readonly what: 'which' }
  | { readonly what: 'since' }
  | { readonly what: 'together'; readonly card: string }
  | { readonly what: 'count'; readonly counts: { readonly [card: string]: number }; readonly at: number }
  | { readonly what: 'differs'; readonly counts: { readonly [card: string]: number } }
  | { readonly what: 'seal' }
  | { readonly what: 'depth' };

export const draft = signal<ConsoleDraft | null>(null);

/** Rank typed so far, before its suit. */
export const typed = signal('');

/** Values of the form fields by name, and the active field. */
export type Fields = { readonly on: string; readonly values: { readonly [name: string]: string } };
export const fields = signal<Fields>({ on: '', values: {} });
export const valueOf = (name: string): string => fields.value.values[name] ?? '';

/** Chosen option of the step, from 1; 0 while none is chosen. */
export const pick = signal(0);

/** Last refusal, shown for four seconds, with the clause that it cites. */
export const refusal = signal<{ readonly text: string; readonly by: string | null } | null>(null);
let forgetting: ReturnType<typeof setTimeout> | undefined;
export function refuseWith(text: string, by: string | null = null): void {
  refusal.value = { text, by };
  clearTimeout(forgetting);
  forgetting = setTimeout(() => (refusal.value = null), 4_000);
}

/** Refused cards, newest first. Each stays on screen with its reason until a card is accepted. */
export const refusedCards = signal<readonly RefusedCard[]>([]);
export type RefusedCard = { readonly at: number; readonly text: string; readonly by: string | null };
const keptMost = 3;
export function keepRefused(text: string, by: string | null = null): void {
  refuseWith(text, by);
  refusedCards.value = [{ at: now.peek(), text, by }, ...refusedCards.peek()].slice(0, keptMost);
}
let cardsWere = '';
effect(() => {
  const round = dealerView.value?.round;
  const cards = `${round?.id} ${round?.cards.length}`;
  if (cards !== cardsWere) refusedCards.value = [];
  cardsWere = cards;
});

/** Proposed order of the cards, shown while the second person checks it. */
export const preview = signal<{ readonly round: string; readonly cards: readonly string[] } | null>(null);

/** Round that was dealt by hand and whose cards are entered afterwards. [READING 62] */
export const afterwards = signal<string | null>(null);

/** Number of commands without a result yet. */
export const asked = signal(0);

/** When the phase on screen last changed (`performance.now()`): Enter is ignored for a moment after it. */
export const phaseSince = signal(0);
let phaseWas = '';
effect(() => {
  const shown = dealerView.value;
  const is = shown === null ? '' : `${shown.phase} ${shown.says.code} ${shown.proposal?.id ?? ''}`;
  // The cards of one round are one phase: Enter need not wait after each.
  const phase = /-card |-draws |player-stands /.test(`${is} `) ? 'dealing' : is;
  if (phase === phaseWas) return;
  phaseWas = phase;
  phaseSince.value = performance.now();
});

/** Proposal that waits for a second signature; null once it has expired. */
export const openProposalSignal = computed(() => {
  const shown = dealerView.value;
  if (shown === null || shown.proposal === null || shown.says.code !== 'proposed' || now.value > shown.proposal.expires)
    return null;
  return shown.proposal;
});

// Shows a refusal when a proposal expires without an approval.
let waitedFor = '';
effect(() => {
  const last = dealerView.value?.proposal ?? null;
  if (openProposalSignal.value !== null) waitedFor = openProposalSignal.value.id;
  else if (last === null || last.id !== waitedFor) waitedFor = '';
  else if (now.value > last.expires) {
    waitedFor = '';
    refuseWith(staffRefusalText('expired-proposal', ''));
  }
});

export function beginFields(on: string, values: Fields['values'] = {}): void {
  fields.value = { on, values };
}

export function dropDraft(): void {
  draft.value = null;
  typed.value = '';
  pick.value = 0;
  beginFields('');
}
