import { computed, effect, signal } from '@preact/signals';
import { type DealerView } from '../../../wire/staff/dealerView.ts';
import { staffRefusalText } from '../kit/text/refusalText.ts';
import { now, staffState } from '../app/state.ts';

/** The table as the dealer sees it. */
export const dealerView = computed<DealerView | null>(() => staffState.value.dealer);

/** What the dealer is about to do, and has not done yet. What lies over the console comes first. */
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

/** The rank that was typed, before its suit. */
export const typed = signal('');

/** Fields that are being filled in, by name, and the one that gets the keys. */
export type Fields = { readonly on: string; readonly values: { readonly [name: string]: string } };
export const fields = signal<Fields>({ on: '', values: {} });
export const valueOf = (name: string): string => fields.value.values[name] ?? '';

/** What was chosen from the picks of a step. */
export const pick = signal(0);

/** What was not taken, for a moment; by the clause that says so. */
export const refusal = signal<{ readonly text: string; readonly by: string | null } | null>(null);
let forgetting: ReturnType<typeof setTimeout> | undefined;
export function refuseWith(text: string, by: string | null = null): void {
  refusal.value = { text, by };
  clearTimeout(forgetting);
  forgetting = setTimeout(() => (refusal.value = null), 4_000);
}

/** Cards that were not taken, the last first: each stays on the screen with its reason until a card is. */
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

/** Cards that were proposed in another order or in another place, to be shown while the second person looks. */
export const preview = signal<{ readonly round: string; readonly cards: readonly string[] } | null>(null);

/** The round whose cards are keyed after they were dealt by hand. [READING 62] */
export const afterwards = signal<string | null>(null);

/** So many commands are not answered yet. */
export const asked = signal(0);

/** The phase that the dealer sees, and since when: Enter is dead for a moment after it has changed. */
export const phaseSince = signal(0);
let phaseWas = '';
effect(() => {
  const shown = dealerView.value;
  const is = shown === null ? '' : `${shown.phase} ${shown.says.code} ${shown.proposal?.id ?? ''}`;
  // A card leads to the next card; that is no other phase.
  const phase = /-card |-draws |player-stands /.test(`${is} `) ? 'dealing' : is;
  if (phase === phaseWas) return;
  phaseWas = phase;
  phaseSince.value = performance.now();
});

/** A proposal that is still open. */
export const openProposalSignal = computed(() => {
  const shown = dealerView.value;
  if (shown === null || shown.proposal === null || shown.says.code !== 'proposed' || now.value > shown.proposal.expires)
    return null;
  return shown.proposal;
});

// Whoever waited for a second person in vain is told so.
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

/** Fields begin anew. */
export function beginFields(on: string, values: Fields['values'] = {}): void {
  fields.value = { on, values };
}

/** Back to the table. */
export function dropDraft(): void {
  draft.value = null;
  typed.value = '';
  pick.value = 0;
  beginFields('');
}
