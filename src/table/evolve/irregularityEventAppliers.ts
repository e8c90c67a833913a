import { type EventAppliers } from './eventAppliers.ts';
import { assert } from '../../base/assert.ts';
import { type EventOf } from '../schema/events.ts';
import {
  isDrawnTogetherKind,
  isFoundBySystem,
  irregularitiesOfReferral,
  nextCardPlace,
  remainingReferrals,
} from '../irregularities.ts';
import { type Table } from '../state.ts';
import { applyReconstructedProvenance, applyCorrectedProvenance } from './cards.ts';
import { closeIrregularities, closeFirstIrregularity, addOpenIrregularity, stopTable } from './irregularities.ts';
import {
  discardUnrecordedCards,
  requireKeptRound,
  replaceRoundCards,
  requireRound,
  countSeenCard,
  requireShoe,
} from './rounds.ts';

export const irregularityEventAppliers = {
  IrregularityFound(table, event) {
    if (!event.stops) return;
    addOpenIrregularity(
      table,
      event.at,
      isDrawnTogetherKind(event.kind) ? { ...event, place: event.place ?? nextCardPlace(table) } : event,
      event.actor,
    );
    if (table.referrals.length > 0) table.openIrregularities[0]!.beforeReferrals = true;
  },
  ReportDismissed(table, event) {
    closeFirstIrregularity(table, event.at);
  },
  OrderRestored(table, event) {
    closeFirstIrregularity(table, event.at);
  },
  RoundResumed(table, event) {
    closeFirstIrregularity(table, event.at);
  },
  CardBurned(table, event) {
    const shoe = requireShoe(table);
    // A carried card has left the shoe already, so it is counted as drawn already. [READING 18]
    if (shoe.carried) shoe.carried = false;
    else shoe.drawn += 1;
    countSeenCard(shoe, event.card, 1);
    if (event.round !== undefined) requireRound(table).burned = true;
    closeFirstIrregularity(table, event.at);
  },
  RoundReconstructed(table, event) {
    const isCarried = event.surplus === 'carried';
    // The order of the cards is now known. So every irregularity of the round that a reconstruction can end is closed.
    replaceRoundCards(
      table,
      event.before,
      event,
      ({ round, rulings }) => round === event.round && rulings.includes('reconstruct'),
    );
    applyReconstructedProvenance(table, event);
    const { shoe } = table;
    if (shoe === null || (!isCarried && !shoe.carried)) return;
    // A card that was carried before is now one of the replayed cards, unless it is carried again.
    shoe.drawn += Number(isCarried) - Number(shoe.carried);
    shoe.carried = isCarried;
  },
  CardCorrected(table, event) {
    // If the system counted an extra card, the cause may be a wrong scan in any round. An extra card that staff
    // reported belongs to the round of the report.
    const [leading] = table.openIrregularities;
    const isCountedExtra = leading !== undefined && isFoundBySystem(leading, table);
    applyCorrectedProvenance(table, event);
    replaceRoundCards(
      table,
      requireKeptRound(table, event.round).cards,
      event,
      ({ rulings, round }, index) =>
        index === 0 && rulings.includes('correct') && (isCountedExtra || round === event.round),
    );
  },
  Interrupted(table, event) {
    addOpenIrregularity(table, event.since, { ...event, kind: 'interruption' }, event.actor, event.below);
  },
  FeltConfirmed(table, event) {
    applyFeltConfirmed(table, event);
  },
  Referred(table, event) {
    applyReferred(table, event);
  },
  ReferralDecided(table, event) {
    applyReferralDecided(table, event);
  },
} satisfies Partial<EventAppliers>;

/**
 * Marks the felt as confirmed. With `unseen`, a card that left the shoe face down is the next card to be dealt.
 * [READING 18]
 */
function applyFeltConfirmed(table: Table, { unseen }: EventOf<'FeltConfirmed'>): void {
  for (const irregularity of table.openIrregularities)
    if (irregularity.kind === 'interruption') irregularity.felt = true;
  const shoe = requireShoe(table);
  // Two persons have confirmed the cards, so one person alone can no longer take the last card back.
  requireRound(table).lastEntry = null;
  if (!unseen || shoe.carried) return;
  shoe.drawn += 1;
  shoe.carried = true;
}

function applyReferred(table: Table, event: EventOf<'Referred'>): void {
  table.referred += 1;
  table.referrals.push({
    id: event.referral,
    by: event.by,
    since: event.at,
    actor: event.actor,
    reason: event.reason,
    round: event.round ?? null,
    terminals: event.terminals ?? null,
    proposed:
      event.proposed === undefined || event.proposedBy === undefined
        ? null
        : { decision: event.proposed, by: event.proposedBy },
  });
  // A referral that names no terminals takes in the irregularities of its round. They are no longer ruled on first, but
  // wait for the decision.
  if (event.terminals === undefined) {
    for (const irregularity of table.openIrregularities)
      if (irregularity.round === (event.round ?? null)) delete irregularity.beforeReferrals;
  }
  stopTable(table, event.at);
}

const maxDecidedKept = 10;

function applyReferralDecided(table: Table, event: EventOf<'ReferralDecided'>): void {
  const referral = table.referrals.find(({ id }) => id === event.referral);
  assert(referral !== undefined, 'a referral that is decided is open');
  table.referrals = remainingReferrals(table.referrals, referral, event.terminal);
  const { id, reason, round: about } = referral;
  const { decision, reason: decisionReason, by: clause, at, actor } = event;
  const decided = { id, reason, round: about, decision, decisionReason, by: clause, at, actor };
  table.decided = [decided, ...table.decided].slice(0, maxDecidedKept);
  if (event.decision === 'burn') {
    const { by, reason: note } = event;
    // If the referred round has ended meanwhile, the card to burn belongs to no round.
    const played = table.phase === 'idle' ? null : table.round!.id;
    const round = played === event.round ? played : null;
    addOpenIrregularity(table, event.at, { kind: 'face-up-before', by, round, rulings: ['burn'], note }, event.actor);
  }
  // If the result stands for all terminals, the irregularities of the round are closed.
  const leavesAsIs = event.decision === 'stand' && referral.terminals === null && event.terminal === undefined;
  const closed = leavesAsIs ? irregularitiesOfReferral(referral, table) : [];
  // A card that was drawn after the deal is not among the cards of the round. It has left the shoe, so it must be
  // counted as drawn.
  if (closed.length > 0) discardUnrecordedCards(table, referral.round!);
  closeIrregularities(table, event.at, (irregularity) => closed.includes(irregularity));
}
