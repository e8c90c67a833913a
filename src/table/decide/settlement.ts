import { assert } from '../../base/assert.ts';
import { hashOf } from '../../base/canonicalJson.ts';
import { isRefused } from '../../base/refusal.ts';
import { isSettlementBlocked } from '../irregularities.ts';
import { type Card } from '../../rules/card.ts';
import { parseDeal } from '../../rules/deal.ts';
import { type CommandOf } from '../schema/commands.ts';
import { type TableDecision, type EventStamp, drawClauseOfTable, refuseNotNow, tableEventStamp } from './decision.ts';
import { type TableEvent } from '../schema/events.ts';
import { type AmountsByTerminal, type WagerResults, type SlipsByTerminal } from '../schema/fieldTypes.ts';
import { type RoundOutcome, keysInPostingOrder, wagerResults, findShortfalls } from '../payouts.ts';
import { type TableRefusal, refuseAtTable } from '../schema/refusals.ts';
import { gameByName } from '../schema/settings.ts';
import {
  type EarlierRound,
  type PendingSettlement,
  type Round,
  type RoundRecord,
  type Table,
  nextSettlementId,
  outcomePaidBefore,
  lastSettlementId,
  nextSlipVoidSettlementId,
} from '../state.ts';

export function wagerResultsForCards(
  round: RoundRecord,
  cards: readonly string[],
  offered: readonly string[],
): WagerResults {
  const game = gameByName(round.game);
  const deal = parseDeal(cards, { deck: game.deck, decks: 10 });
  assert('facts' in deal, 'a round that is settled is dealt to its end');
  return wagerResults(game, offered, deal.facts);
}

export function decideSettle(command: CommandOf<'Settle'>, table: Table): TableDecision {
  if (table.phase === 'dealing') {
    return refuseAtTable(
      'incomplete-deal',
      drawClauseOfTable(table),
      'The table of play needs another card; deal it first.',
    );
  }
  if (table.phase !== 'result') return refuseNotNow(table, null, 'deal the round to its end first');
  // If a reopened round has unposted slips, they do not block its settlement: the new settlement takes these slips
  // over.
  if (table.pendingSettlements.some((pending) => !isSettlementBlocked(pending, table))) {
    return refuseAtTable('settlement-open', null, 'Another settlement is not fully posted; post the rest first.');
  }
  const until = table.round!.resultAt! + table.settings.pause;
  if (command.at < until) {
    return refuseAtTable('pause-runs', null, `A mistake can be reported until ${until}; settle after that.`, { until });
  }
  return settlementEvents(tableEventStamp(command), table, command.credits ?? {});
}

/** The events that settle a completely dealt round, for the first time or, if it was reopened, again. */
export function settlementEvents(
  stamp: EventStamp,
  table: Table,
  credits: AmountsByTerminal | undefined,
): TableDecision {
  const round = table.round!;
  if (round.ending !== null) {
    // Only a reopened round is in play although it was settled. So `reopenedBy` is set.
    return resettlementEvents(stamp, table, round, round.cards, round.reopenedBy!, round.slips, credits);
  }
  const results = wagerResultsForCards(round, round.cards, table.settings.offered);
  const settlement = nextSettlementId(round);
  const settled = { type: 'RoundSettled', ...stamp, round: round.id, settlement, cards: round.cards, results } as const;
  const { slips } = round;
  return withFirstChunk(stamp, table, settled, pendingSettlement(round, settlement, { results }, slips), credits);
}

/**
 * The events that give a settled round new results. Former payments are reversed. A shortfall stays open and does not
 * block the settlement. [READING 16, 28, 63]
 */
export function resettlementEvents(
  stamp: EventStamp,
  table: Table,
  round: RoundRecord,
  cards: readonly Card[],
  by: string,
  slips: SlipsByTerminal,
  credits: AmountsByTerminal | undefined,
): TableDecision {
  const { results: before } = round.ending as { results: WagerResults };
  const results = wagerResultsForCards(round, cards, Object.keys(before));
  return reversalEvents(stamp, table, round, { cards, by, outcome: 'results', results }, slips, credits);
}

/**
 * The events that void a round. Every stake is returned, even if the cards had already decided its wager. [READING 27]
 */
export function voidEvents(
  stamp: EventStamp,
  table: Table,
  round: RoundRecord,
  slips: SlipsByTerminal,
  { by, reason }: { readonly by: string; readonly reason: string },
  credits: AmountsByTerminal | undefined,
): TableDecision {
  if (round.ending !== null) {
    return reversalEvents(stamp, table, round, { cards: round.cards, by, outcome: 'void' }, slips, credits);
  }
  const settlement = nextSettlementId(round);
  const voided = { type: 'RoundVoided', ...stamp, round: round.id, settlement, by, reason } as const;
  return withFirstChunk(stamp, table, voided, pendingSettlement(round, settlement, { voidBy: by }, slips), credits);
}

/**
 * The events that return the stakes of one terminal and take its slip out of the round; all other slips stay. [READING
 * 13]
 */
export function slipVoidEvents(
  stamp: EventStamp,
  table: Table,
  round: Round | EarlierRound,
  slips: SlipsByTerminal,
  terminal: string,
  { by, reason }: { readonly by: string; readonly reason: string },
  credits: AmountsByTerminal | undefined,
): TableDecision {
  const { [terminal]: slip, ...others } = slips;
  assert(slip !== undefined, 'the slip to void is one of the slips');
  const settlement = nextSlipVoidSettlementId(round);
  const event = {
    type: 'SlipVoided',
    ...stamp,
    round: round.id,
    settlement,
    terminal,
    slip,
    by,
    reason,
    ...('slipsHash' in round && { slipsHash: hashOf(others) }),
  } as const;
  const pending = pendingSettlement(round, settlement, { voidBy: by }, { [terminal]: slip });
  return withFirstChunk(stamp, table, event, pending, credits);
}

/**
 * The slips of a round. The table keeps the slips of the current or last round. For an earlier round the command must
 * give the slips, and their hash must be the stored hash.
 */
export function slipsOfRoundOrRefusal(
  givenSlips: SlipsByTerminal | undefined,
  round: Round | EarlierRound,
  by: string,
): SlipsByTerminal | TableRefusal {
  if ('slips' in round) {
    return givenSlips === undefined
      ? round.slips
      : refuseAtTable('slips-differ', by, 'The table has the slips of this round; leave "slips" out.');
  }
  const slips = givenSlips ?? {};
  return hashOf(slips) === round.slipsHash
    ? slips
    : refuseAtTable('slips-differ', by, 'These are not the slips of the round; give the stored ones.');
}

type NewOutcome = {
  readonly cards: readonly Card[];
  readonly by: string;
  readonly outcome: 'results' | 'void';
  readonly results?: WagerResults;
};

function reversalEvents(
  stamp: EventStamp,
  table: Table,
  round: RoundRecord,
  newOutcome: NewOutcome,
  slips: SlipsByTerminal,
  credits: AmountsByTerminal | undefined,
): TableDecision {
  const after: RoundOutcome =
    newOutcome.results === undefined ? { voidBy: newOutcome.by } : { results: newOutcome.results };
  const settlement = nextSettlementId(round);
  const event = {
    type: 'RoundResettled',
    ...stamp,
    round: round.id,
    settlement,
    reverses: lastSettlementId(round),
    ...newOutcome,
    // For an earlier round the table has only the hash of the slips.
    ...('slipsHash' in round && { slips }),
  } as const;
  // A reopened round is disputed until it ends. This event ends it, so the table is treated as idle.
  return withFirstChunk(
    stamp,
    { ...table, phase: 'idle' },
    event,
    pendingSettlement(round, settlement, after, slips),
    credits,
  );
}

const pendingSettlement = (
  { id, ending }: RoundRecord,
  settlement: string,
  after: RoundOutcome,
  slips: SlipsByTerminal,
): PendingSettlement => ({
  settlement,
  round: id,
  before: ending,
  after,
  slips,
  order: keysInPostingOrder(slips),
  done: 0,
  behind: {},
});

/**
 * Adds the first chunk of postings to the event. Adds none while another settlement is in progress or the round is
 * disputed. If the round has few slips, the first chunk is the whole settlement.
 */
function withFirstChunk(
  stamp: EventStamp,
  table: Table,
  event: TableEvent,
  pending: PendingSettlement,
  credits: AmountsByTerminal | undefined,
): TableDecision {
  if (pending.order.length === 0 || table.pendingSettlements.length > 0 || isSettlementBlocked(pending, table))
    return [event];
  const posted = chunkEvents(stamp, table, pending, credits);
  return isRefused(posted) ? posted : [event, ...posted];
}

function chunkEvents(
  stamp: EventStamp,
  table: Table,
  pending: PendingSettlement,
  credits: AmountsByTerminal | undefined,
): TableDecision {
  const { round, settlement, order, done: from } = pending;
  const terminals = order.slice(from, from + table.settings.chunk);
  const found = findShortfalls(
    { ...pending, before: (terminal) => outcomePaidBefore(pending, terminal) },
    terminals,
    credits,
  );
  if (isRefused(found)) return found;
  const { shortfalls } = found;
  const count = terminals.length;
  const last = from + count === order.length;
  const posted = {
    type: 'SettlementPosted',
    ...stamp,
    round,
    settlement,
    from,
    count,
    last,
    ...(Object.keys(shortfalls).length > 0 && { shortfalls }),
  } as const;
  return [posted];
}

/**
 * Posts the next chunk of the oldest settlement that is not blocked. A settlement waits while the payouts that it still
 * has to post are disputed. [READING 52]
 */
export function decidePostSettlement(command: CommandOf<'PostSettlement'>, table: Table): TableDecision {
  if (table.pendingSettlements.length === 0) return refuseNotNow(table, null, 'no settlement is left to post');
  const pending = table.pendingSettlements.find((one) => !isSettlementBlocked(one, table));
  if (pending !== undefined) return chunkEvents(tableEventStamp(command), table, pending, command.credits ?? {});
  const [referral] = table.referrals;
  if (referral !== undefined) {
    return refuseAtTable(
      'awaiting-decision',
      referral.by,
      'The payouts of the round are disputed; wait for the decision.',
    );
  }
  const [irregularity] = table.openIrregularities;
  return irregularity === undefined
    ? refuseNotNow(table, table.round!.reopenedBy, 'the round was reopened and is paid when it is settled again')
    : refuseAtTable(
        'awaiting-ruling',
        irregularity.by,
        'The payouts of the round are disputed; make the ruling first.',
      );
}
