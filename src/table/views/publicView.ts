import { type Game, versionedGameId } from '../../rules/game.ts';
import { type Facts } from '../../rules/facts.ts';
import { roadsView } from '../../roads/roads.ts';
import { totalOf } from '../../rules/hand.ts';
import { handsOf, nextSlot } from '../../rules/play.ts';
import { type StakeResult, stakeResults, totalStake } from '../payouts.ts';
import { type ShoeTally, shoeTallyOf } from './shoeTally.ts';
import { type TableSettings, gameAndRulebookOf } from '../schema/settings.ts';
import { type Slip } from '../schema/fieldTypes.ts';
import { isDisputedForTerminal } from '../irregularities.ts';
import { type Phase, type Round, type RoundRecord, type ShoeState, type Table } from '../state.ts';
import { ownValue } from '../../base/ownValue.ts';

// Views of displays and terminals. No view shows a card before it is dealt, or the slip of another terminal.

export function publicView(table: Table, { roads, statistics }: ShoeTally = shoeTallyOf(table)) {
  const { settings, round, shoe, openIrregularities, referrals } = table;
  const { game, book } = gameAndRulebookOf(settings);
  return {
    property: settings.property,
    ...tableSettingsView(settings),
    game: { name: game.name, version: versionedGameId(game), rulebook: game.book, electronicApproval: !book.felt },
    phase: displayedPhase(table),
    call: announcement(table),
    round: round && {
      ...roundView(round, table),
      cards: round.cards.map((card, place) => ({ card, ...round.proofs[place] })),
      staked: round.totals,
      ...outcomeView(round, table),
    },
    shoe: shoe && {
      ...shoeView(shoe),
      rounds: shoe.rounds,
      lockedBy: shoe.lockedBy,
    },
    stopped: openIrregularities[0] ? { kind: openIrregularities[0].kind, by: openIrregularities[0].by } : null,
    referred: referrals[0] ? { by: referrals[0].by } : null,
    roads: roadsView(roads),
    statistics,
  };
}

/** The part of the view that changes only with the settings. */
export function tableSettingsView(setting: TableSettings) {
  const { game } = gameAndRulebookOf(setting);
  return {
    table: setting.table,
    attended: setting.attended,
    bets: setting.bets,
    currency: setting.currency,
    game: { name: game.name, version: versionedGameId(game) },
    layout: setting.offered.map((wager) => layoutSpot(wager, game, setting)),
    tray: setting.tray,
    step: setting.step,
    totalMinimum: setting.totalMinimum,
    decks: setting.decks,
    bettingTime: setting.bettingTime,
  };
}

const layoutSpot = (wager: string, game: Game, { limits }: TableSettings) => {
  const [min, max] = limits[wager]!;
  return { wager, name: game.wagers[wager]!.name, minimum: min, maximum: max };
};

export const displayedPhase = ({ phase, pendingSettlements, closed }: Table): Phase | 'paying' | 'closed' => {
  if (phase !== 'idle') return phase;
  return pendingSettlements.length > 0 ? 'paying' : closed ? 'closed' : 'idle';
};

const announcement = ({ phase }: Table): string | null =>
  phase === 'betting' || phase === 'closing' ? 'Place your bets, please' : phase === 'idle' ? null : 'No more bets';

/** The hands and deadlines of a round. Stakes and the dealing order of the cards are left out. */
export const roundView = (round: Round, { phase }: Table) => ({
  ...handsAndOutcomeView(round, phase === 'idle'),
  closesAt: round.closesAt,
  deadline: round.deadline,
  settledAgain: round.settlements > 1,
});

/** The hands of a round and, if it is over, its outcome. A reopened round is not over. */
export function handsAndOutcomeView(round: RoundRecord, isOver = true) {
  const { id, number, cards } = round;
  const ending = isOver ? round.ending : null;
  const { player, banker } = handsOf(cards);
  const results = ending && 'results' in ending ? ending.results : null;
  const wagersWith = (result: StakeResult['result']): readonly string[] | null =>
    results && Object.keys(results).filter((wager) => results[wager]!.result === result);
  return {
    id,
    number,
    player: { cards: player, total: totalOf(player) },
    banker: { cards: banker, total: totalOf(banker) },
    winner: winnerOf(round),
    won: wagersWith('win'),
    pushed: wagersWith('push'),
    voidBy: ending && 'voidBy' in ending ? ending.voidBy : null,
  };
}

const outcomeView = ({ cards, ending }: Round, { phase }: Table) => ({
  next: phase === 'dealing' ? nextSlot(cards)! : null,
  results: phase === 'idle' && ending && 'results' in ending ? ending.results : null,
});

export const shoeView = (shoe: ShoeState) => ({
  id: shoe.id,
  cards: shoe.size,
  out: shoe.drawn,
  ready: shoe.ready,
  root: shoe.root,
  cutPosition: shoe.cutPosition,
  roundsLeft: shoe.roundsLeft,
  cuttingCardOut: shoe.roundsLeft !== null,
  cut: shoe.behindCut === null ? null : shoe.size - shoe.behindCut,
});

function winnerOf({ cards }: RoundRecord): Facts['winner'] | null {
  if (nextSlot(cards) !== undefined) return null;
  const { player, banker } = handsOf(cards);
  const margin = totalOf(player) - totalOf(banker);
  return margin === 0 ? 'tie' : margin > 0 ? 'player' : 'banker';
}

/** What a terminal sees of its own bets. The credit of the terminal is left out, since the table does not know it. */
export function terminalView(table: Table, terminal: string) {
  const { round, phase, settings } = table;
  const slip = (round && ownValue(round.slips, terminal)) ?? {};
  const lost = ownValue(table.disconnected, terminal);
  const inRound = Object.keys(slip).length > 0;
  return {
    terminal,
    round: round && { id: round.id, number: round.number },
    slip,
    stake: totalStake(slip),
    inRound,
    disconnected: lost && { back: lost.back, by: disconnectClause(settings, lost.closed, inRound) },
    paid: round && paidView(round, phase, terminal, slip),
    /** True while the payout of the terminal from the round is disputed. [READING 52] */
    frozen: round !== null && inRound && isDisputedForTerminal(table, round.id, terminal),
    /** Open shortfalls of the terminal by round, in minor units. [READING 57] */
    owes: ownValue(table.shortfalls, terminal) ?? {},
  };
}

/**
 * Results of the stakes of a terminal. Null before the round ends, except for a slip that was voided by decision: its
 * results are known at once.
 */
function paidView(round: Round, phase: Phase, terminal: string, slip: Slip): readonly StakeResult[] | null {
  const { ending } = round;
  const voided = ownValue(round.voided, terminal);
  const voidedResults = voided ? stakeResults(voided.slip, { voidBy: voided.by }) : [];
  const endedResults = ending && phase === 'idle' ? stakeResults(slip, ending) : null;
  return endedResults || voided ? [...voidedResults, ...(endedResults ?? [])] : null;
}

/** The clause by which a terminal that disconnected is in the round or not. [ETG 5.10, HOUSE 11] */
function disconnectClause(setting: TableSettings, closed: boolean, accepted: boolean): string {
  const { terminals } = gameAndRulebookOf(setting).book;
  if (closed) return accepted ? terminals.closedAccepted : terminals.closedNotAccepted;
  return accepted ? terminals.openAccepted : terminals.openNotAccepted;
}
