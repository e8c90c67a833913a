import { rulebookOf } from '../../src/games/rulebooks.ts';
import { type Game } from '../../src/rules/game.ts';

/** An entry of an export, as far as the tests read it. */
export type ExportedEntry = {
  readonly stream: string;
  readonly sequence: number;
  readonly event: { type: string; [field: string]: unknown };
  readonly postings: { from: string; to: string; amount: number; [balance: string]: string | number }[];
};
type Test = (entry: ExportedEntry) => boolean;

const is =
  (type: string, fields: { readonly [field: string]: unknown } = {}): Test =>
  ({ event }) =>
    event.type === type && Object.entries(fields).every(([name, value]) => event[name] === value);
const has =
  (type: string, field: string): Test =>
  ({ event }) =>
    event.type === type && event[field] !== undefined;
const by =
  (type: string, clause: RegExp): Test =>
  ({ event }) =>
    event.type === type && clause.test(String(event['by']));
const found = (kind: string): Test => is('IrregularityFound', { kind });

/** The event of each ruling that changes the cards or the money of a round, or lets it go on. */
const eventOfRuling: { readonly [ruling: string]: string } = {
  void: 'RoundVoided',
  reconstruct: 'RoundReconstructed',
  restore: 'OrderRestored',
  correct: 'CardCorrected',
  burn: 'CardBurned',
  resume: 'RoundResumed',
};

/** The rulings of a rulebook with their clauses, as events by their clauses. */
export const rulingsOf = (game: Game): readonly string[] => {
  const effects = Object.values(rulebookOf(game).irregularities).flatMap(({ rulings }) => Object.entries(rulings));
  return [...new Set(effects.map(([ruling, effect]) => `${eventOfRuling[ruling]} by ${effect.by}`))].filter(
    (text) => !text.startsWith('undefined'),
  );
};

/** Every kind of ruling, correction and payment, and the entry that shows it. */
export const occurrences: { readonly [what: string]: Test } = {
  'void before the close of bets': by('RoundVoided', /^HOUSE 12$/),
  'void by the clause of the rulebook': by('RoundVoided', /^(?:BAC|SUP|ELM|FAB|ETG) 5\.[1-8]/),
  'void after settlement': is('RoundResettled', { outcome: 'void' }),
  'void after an interruption': by('RoundVoided', /^(?:ETG 5\.9\.1|HOUSE 6)$/),
  'void by decision': by('RoundVoided', /^(?:ETG 6\.1|HOUSE 1)$/),
  'resumed after an interruption': is('RoundResumed'),
  'foreign card': found('foreign-card'),
  'missing card': found('missing-card'),
  'unshuffled cards': found('unshuffled-cards'),
  'extra card': found('extra-card'),
  'altered order': found('order-altered'),
  'order restored': is('OrderRestored'),
  'too few cards': found('too-few-cards'),
  'unreadable card': found('unreadable-card'),
  'card entered by eye': has('CardDealt', 'byEye'),
  'wrong number': found('wrong-number'),
  'wrong order': found('wrong-order'),
  'cards drawn together': found('drawn-together'),
  'third cards drawn together': found('third-cards-together'),
  'report dismissed': is('ReportDismissed'),
  'reconstructed while cards are dealt': is('RoundReconstructed', { phase: 'dealing' }),
  'reconstructed after the last card': is('RoundReconstructed', { phase: 'result' }),
  'reconstructed after settlement': ({ event }) =>
    event.type === 'RoundResettled' && /^(?:ETG 5\.7|HOUSE 5)$/.test(String(event['by'])),
  'surplus card that was seen': is('RoundReconstructed', { surplus: 'burned' }),
  'surplus card that was not seen': is('RoundReconstructed', { surplus: 'carried' }),
  'carried card': is('CardDealt', { carried: true }),
  'face-up card burned': is('CardBurned'),
  'card taken back': is('CardTakenBack'),
  'felt with cards that were not recorded': has('CardDealt', 'afterwards'),
  'felt with a card that was not seen': is('FeltConfirmed', { unseen: true }),
  'change of the wagers on offer': is('SettingsChanged'),
  'card corrected while cards are dealt': is('CardCorrected', { phase: 'dealing' }),
  'card corrected after settlement': is('RoundResettled', { outcome: 'results' }),
  'card of an earlier round corrected': has('RoundResettled', 'slips'),
  'decision to let it stand': is('ReferralDecided', { decision: 'stand' }),
  'decision to continue': is('ReferralDecided', { decision: 'continue' }),
  'decision to void': is('ReferralDecided', { decision: 'void' }),
  'decision to burn': is('ReferralDecided', { decision: 'burn' }),
  'slip voided': is('SlipVoided'),
  shortfall: has('SettlementPosted', 'shortfalls'),
  'shortfall written off': is('ShortfallWrittenOff'),
  'shortfall collected': is('ShortfallCollected'),
  'chunk that is not the last': is('SettlementPosted', { last: false }),
  commission: ({ postings }) => postings.some(({ to }) => to.includes('/commission/')),
  'commission given back': ({ postings }) => postings.some(({ from }) => from.includes('/commission/')),
  cash: is('CreditLoaded', { method: 'cash' }),
  bill: is('CreditLoaded', { method: 'bill' }),
  transfer: is('CreditLoaded', { method: 'transfer' }),
  promotion: is('CreditLoaded', { method: 'promotion' }),
  'ticket issued': has('CreditCollected', 'ticket'),
  'ticket redeemed': has('CreditLoaded', 'ticket'),
  'paid in cash': is('CreditCollected', { method: 'cash' }),
  'hand-pay': is('HandPaid'),
  'credit of an ended session paid': is('SessionPaid'),
};
