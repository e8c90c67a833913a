import { assert } from '../../rules/assert.ts';
import { type Card } from '../../rules/card.ts';
import { dealOf } from '../../rules/deal.ts';
import { type CommandOf } from '../declare/commands.ts';
import { type Decision, type Stamp, clausesAt, isRefusal, notNow, stampOf } from './decision.ts';
import { type TableEvent } from '../declare/events.ts';
import { type Amounts, type Results, type Slips } from '../declare/kinds.ts';
import { type Ending, orderOf, resultsOf, shortfallsOf } from '../money.ts';
import { deny } from '../declare/refusals.ts';
import { gameNamed } from '../declare/setting.ts';
import { type Job, type RoundRecord, type Table, nextSettlementOf, settlementOf } from '../table.ts';

/** The results of a complete deal, by the game version that the round names. [READING 47] */
export function resultsFor(round: RoundRecord, cards: readonly string[], offered: readonly string[]): Results {
  const game = gameNamed(round.game);
  const deal = dealOf(cards, { deck: game.deck, decks: 10 });
  assert('facts' in deal, 'a round that is settled is dealt to its end');
  return resultsOf(game, offered, deal.facts);
}

export function settle(command: CommandOf<'Settle'>, table: Table): Decision {
  const { round, setting } = table;
  if (table.phase === 'dealing') {
    return deny('deal-not-complete', clausesAt(table).play, 'The table of play asks for another card; deal it first.');
  }
  if (table.phase !== 'result' || round === null)
    return notNow(table, null, 'a round is settled once it is dealt to its end');
  if (table.jobs.length > 0) {
    return deny('settlement-open', null, 'Another settlement is not posted to its end; post the rest first.');
  }
  const until = round.resultAt! + setting.pause;
  if (command.at < until) {
    return deny('pause-runs', null, `A mistake can be raised until ${until}; settle then.`, { until });
  }
  return settlementEvents(stampOf(command), table, command.credits ?? {});
}

/** The end of a round that is dealt to its end, whether for the first time or once more. */
export function settlementEvents(stamp: Stamp, table: Table, credits: Amounts): Decision {
  const round = table.round!;
  if (round.ending !== null) {
    // A settled round that is played again was taken up by something.
    return resettlementEvents(stamp, table, round, round.cards, round.reopenedBy!, undefined, credits);
  }
  const results = resultsFor(round, round.cards, table.setting.offered);
  const settlement = nextSettlementOf(round);
  const settled = { type: 'RoundSettled', ...stamp, round: round.id, settlement, cards: round.cards, results } as const;
  return withFirstChunk(stamp, table, settled, round, { results }, round.slips, credits);
}

/** Other results for a round that was settled: what it paid is reversed, and what is missing is referred. [READING 16, 28] */
export function resettlementEvents(
  stamp: Stamp,
  table: Table,
  round: RoundRecord,
  cards: readonly Card[],
  by: string,
  slips: Slips | undefined,
  credits: Amounts | undefined,
): Decision {
  const { results: before } = round.ending as { results: Results };
  const results = resultsFor(round, cards, Object.keys(before));
  return reversed(stamp, table, round, { cards, by, outcome: 'results', results }, slips, credits);
}

/** The round is void: every stake of it goes back, decided or not. [READING 27] */
export function voidEvents(
  stamp: Stamp,
  table: Table,
  by: string,
  reason: string,
  credits: Amounts | undefined,
): Decision {
  const round = table.round!;
  if (round.ending !== null) {
    return reversed(stamp, table, round, { cards: round.cards, by, outcome: 'void' }, undefined, credits);
  }
  const settlement = nextSettlementOf(round);
  const voided = { type: 'RoundVoided', ...stamp, round: round.id, settlement, by, reason } as const;
  return withFirstChunk(stamp, table, voided, round, { voidBy: by }, round.slips, credits);
}

type Anew = {
  readonly cards: readonly Card[];
  readonly by: string;
  readonly outcome: 'results' | 'void';
  readonly results?: Results;
};

function reversed(
  stamp: Stamp,
  table: Table,
  round: RoundRecord,
  anew: Anew,
  slips: Slips | undefined,
  credits: Amounts | undefined,
): Decision {
  const after: Ending = anew.results === undefined ? { voidBy: anew.by } : { results: anew.results };
  const event = {
    type: 'RoundResettled',
    ...stamp,
    round: round.id,
    settlement: nextSettlementOf(round),
    reverses: settlementOf(round),
    ...anew,
    ...(slips && { slips }),
  } as const;
  return withFirstChunk(stamp, table, event, round, after, slips ?? table.round!.slips, credits);
}

/** The first chunk of postings comes with the settlement, unless another one is still being posted; a small table has no other. */
function withFirstChunk(
  stamp: Stamp,
  table: Table,
  event: TableEvent,
  round: RoundRecord,
  after: Ending,
  slips: Slips,
  credits: Amounts | undefined,
): Decision {
  const order = orderOf(slips);
  if (order.length === 0 || table.jobs.length > 0) return [event];
  const settlement = nextSettlementOf(round);
  const job = { settlement, round: round.id, before: round.ending, after, slips, order, done: 0 };
  const posted = chunkEvents(stamp, table, job, credits);
  return isRefusal(posted) ? posted : [event, ...posted];
}

/** The next chunk of a settlement. What cannot be taken back by then is written down and referred. */
function chunkEvents(stamp: Stamp, table: Table, job: Job, credits: Amounts | undefined): Decision {
  const { round, settlement, order, done: from } = job;
  const terminals = order.slice(from, from + table.setting.chunk);
  const short = shortfallsOf(job, terminals, credits);
  if (isRefusal(short)) return short;
  const { shortfalls } = short;
  const some = Object.keys(shortfalls).length > 0;
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
    ...(some && { shortfalls }),
  } as const;
  if (!some || table.referral !== null) return [posted];
  const { refer: by } = clausesAt(table);
  return [posted, { type: 'Referred', ...stamp, round, by, reason: 'Credit to be taken back is missing.' }];
}

export function postSettlement(command: CommandOf<'PostSettlement'>, table: Table): Decision {
  const job = table.jobs[0];
  if (job === undefined) return notNow(table, null, 'there is nothing to post');
  return chunkEvents(stampOf(command), table, job, command.credits ?? {});
}
