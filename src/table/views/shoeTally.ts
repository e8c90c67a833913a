import { Roads } from '../../roads/roads.ts';
import { type ShoeStatistics, noStatistics, addRoundToStatistics } from '../../roads/statistics.ts';
import { assert } from '../../base/assert.ts';
import { parseDeal } from '../../rules/deal.ts';
import { type Facts } from '../../rules/facts.ts';
import { payLineFor } from '../../rules/wager.ts';
import { gameByName } from '../schema/settings.ts';
import { type RoundRecord, type Table } from '../state.ts';

/** Roads, statistics and wins of the current shoe; each result is added once. */
export class ShoeTally {
  readonly roads = new Roads();
  statistics: ShoeStatistics = noStatistics;
  readonly rounds: Facts[] = [];
  /** Number of wins of each wager. */
  readonly won: { [wager: string]: number } = {};

  add(facts: Facts, game: string): void {
    this.roads.add(facts);
    this.statistics = addRoundToStatistics(this.statistics, facts);
    this.rounds.push(facts);
    for (const [id, wager] of Object.entries(gameByName(game).wagers)) {
      const pays = payLineFor(wager, facts)?.pays;
      if (pays !== undefined && pays !== 'push') this.won[id] = (this.won[id] ?? 0) + 1;
    }
  }
}

/**
 * Facts of a round that counts in the tally: it was settled, and belongs to the shoe at the table or, without a shoe,
 * to the last shoe. Undefined for any other round.
 */
export function factsOfCountedRound(
  { ending, shoe: of, cards, game }: RoundRecord,
  { shoe, round }: Table,
): Facts | undefined {
  if (of !== (shoe?.id ?? round?.shoe) || ending === null || 'voidBy' in ending) return undefined;
  const deal = parseDeal(cards, { deck: gameByName(game).deck, decks: 10 });
  assert('facts' in deal, 'a settled round was dealt to its end');
  return deal.facts;
}

/** The tally of the current shoe, rebuilt from the cards of its settled rounds. [ETG 6.3] */
export function shoeTallyOf(table: Table): ShoeTally {
  const { history, round, phase } = table;
  const rounds: readonly RoundRecord[] = phase === 'idle' && round ? [...history, round] : history;
  const tally = new ShoeTally();
  for (const one of rounds) {
    const facts = factsOfCountedRound(one, table);
    if (facts) tally.add(facts, one.game);
  }
  return tally;
}
