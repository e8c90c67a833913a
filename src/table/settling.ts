import { findGame } from '../games/registry.ts';
import { assert } from '../rules/assert.ts';
import { type Card } from '../rules/card.ts';
import { dealOf } from '../rules/deal.ts';
import { type Game } from '../rules/game.ts';
import { type CommandOf } from './commands.ts';
import { type Decision, type Stamp, clausesAt, isRefusal, notNow, stampOf } from './decision.ts';
import { type TableEvent } from './events.ts';
import { type Amounts, type Results, type Slips } from './kinds.ts';
import { type Ending, resultsOf, shortfallsOf } from './money.ts';
import { deny } from './refusals.ts';
import { type RoundRecord, type Table, chunk, nextSettlementOf, settlementOf } from './table.ts';

/** The results of a complete deal, by the game version that the round names. [READING 47] */
function resultsFor(round: RoundRecord, cards: readonly Card[], offered: readonly string[]): Results {
  const game = findGame(round.game, '') as Game;
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
  return settlementEvents(stampOf(command), table, command.credits);
}

/** The end of a round that is dealt to its end, whether for the first time or once more. */
export function settlementEvents(stamp: Stamp, table: Table, credits: Amounts | undefined): Decision {
  const round = table.round!;
  if (round.ending !== null) {
    if (credits === undefined && round.terminals > 0) {
      return deny('missing-credits', null, 'The round was settled before; give the "credits" of its terminals.', {
        terminal: Object.keys(round.slips)[0]!,
      });
    }
    const by = round.reopenedBy ?? clausesAt(table).correction;
    return resettlementEvents(stamp, table, round, round.cards, by, undefined, credits);
  }
  const results = resultsFor(round, round.cards, table.setting.offered);
  return [
    {
      type: 'RoundSettled',
      ...stamp,
      round: round.id,
      settlement: nextSettlementOf(round),
      cards: round.cards,
      results,
    },
    ...firstChunk(stamp, table, round, round.slips),
  ];
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
  return [
    { type: 'RoundVoided', ...stamp, round: round.id, settlement: nextSettlementOf(round), by, reason },
    ...firstChunk(stamp, table, round, round.slips),
  ];
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
  const affected = slips ?? table.round!.slips;
  const after: Ending = anew.results === undefined ? { voidBy: anew.by } : { results: anew.results };
  const short = shortfallsOf(affected, round.ending!, after, credits);
  if (isRefusal(short)) return short;
  const { shortfalls } = short;
  const { refer } = clausesAt(table);
  return [
    {
      type: 'RoundResettled',
      ...stamp,
      round: round.id,
      settlement: nextSettlementOf(round),
      reverses: settlementOf(round),
      ...anew,
      ...(slips && { slips }),
      shortfalls,
    },
    ...firstChunk(stamp, table, round, affected),
    ...(Object.keys(shortfalls).length > 0
      ? [
          {
            type: 'Referred',
            ...stamp,
            round: round.id,
            by: refer,
            reason: 'Credit to be taken back is missing.',
          } as const,
        ]
      : []),
  ];
}

/** The first chunk of postings comes with the settlement; a small table has no other. */
function firstChunk(stamp: Stamp, table: Table, round: RoundRecord, slips: Slips): readonly TableEvent[] {
  const all = Object.keys(slips).length;
  if (all === 0 || table.jobs.length > 0) return [];
  const count = Math.min(chunk, all);
  const settlement = nextSettlementOf(round);
  return [{ type: 'SettlementPosted', ...stamp, round: round.id, settlement, from: 0, count, last: count === all }];
}

export function postSettlement(command: CommandOf<'PostSettlement'>, table: Table): Decision {
  const job = table.jobs[0];
  if (job === undefined) return notNow(table, null, 'there is nothing to post');
  const count = Math.min(chunk, job.order.length - job.done);
  return [
    {
      type: 'SettlementPosted',
      ...stampOf(command),
      round: job.round,
      settlement: job.settlement,
      from: job.done,
      count,
      last: job.done + count === job.order.length,
    },
  ];
}
