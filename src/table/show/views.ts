import { type Game, fullNameOf } from '../../rules/game.ts';
import { type Facts } from '../../rules/facts.ts';
import { totalOf } from '../../rules/hand.ts';
import { handsOf, nextSlot } from '../../rules/play.ts';
import { type Paid, paidOn, totalOn } from '../money.ts';
import { nextCommands } from './next.ts';
import { type Tally, tallyOf } from './tally.ts';
import { type Setting, termsOf } from '../declare/setting.ts';
import { type Phase, type Round, type Shoe, type Table, own } from '../table.ts';

// What each role may see. Nothing undealt in any of them; other patrons' slips in none but the supervisor's.

/** What everyone sees, the same for all. */
export function publicView(table: Table, { roads, statistics }: Tally = tallyOf(table)) {
  const { setting, round, shoe, held, referral } = table;
  return {
    property: setting.property,
    ...fixedView(setting),
    phase: phaseView(table),
    call: callOf(table),
    round: round && {
      ...roundView(round, table),
      cards: round.cards.map((card, place) => ({ card, ...round.proofs[place] })),
      staked: round.totals,
    },
    shoe: shoe && shoeView(shoe),
    stopped: held && { kind: held.kind, by: held.by },
    referred: referral && { by: referral.by },
    roads: {
      bead: roads.beads,
      big: roads.bigRoad,
      bigEye: roads.cellsOf('bigEye'),
      small: roads.cellsOf('small'),
      cockroach: roads.cellsOf('cockroach'),
      ask: { player: roads.ask('player'), banker: roads.ask('banker') },
    },
    statistics,
  };
}

/** What stays while the setting does. */
export function fixedView(setting: Setting) {
  const { game, book } = termsOf(setting);
  return {
    table: setting.table,
    currency: setting.currency,
    game: { name: game.name, version: fullNameOf(game), book: game.book, electronicApproval: !book.felt },
    layout: setting.offered.map((wager) => layoutSpot(wager, game, setting)),
    tray: setting.tray,
    step: setting.step,
    totalMinimum: setting.totalMinimum,
  };
}

const layoutSpot = (wager: string, game: Game, { limits }: Setting) => {
  const [least, most] = limits[wager]!;
  return { wager, name: game.wagers[wager]!.name, least, most };
};

export const phaseView = ({ phase, jobs }: Table): Phase | 'paying' =>
  phase === 'idle' && jobs.length > 0 ? 'paying' : phase;

export const callOf = ({ phase }: Table): string | null =>
  phase === 'betting' || phase === 'closing' ? 'Place your bets, please' : phase === 'idle' ? null : 'No more bets';

/** A round but for what grows in it: its cards and the stakes on it. */
export function roundView(round: Round, { phase }: Table) {
  const { player, banker } = handsOf(round.cards);
  const { ending } = round;
  return {
    id: round.id,
    number: round.number,
    closesAt: round.closesAt,
    deadline: round.deadline,
    player: { cards: player, total: totalOf(player) },
    banker: { cards: banker, total: totalOf(banker) },
    next: phase === 'dealing' ? nextSlot(round.cards)! : null,
    winner: winnerOf(round),
    results: phase === 'idle' && ending && 'results' in ending ? ending.results : null,
    voidBy: ending && 'voidBy' in ending ? ending.voidBy : null,
    settledAgain: round.settlements > 1,
  };
}

export const shoeView = (shoe: Shoe) => ({
  id: shoe.id,
  cards: shoe.size,
  out: shoe.drawn,
  rounds: shoe.rounds,
  ready: shoe.ready,
  root: shoe.root,
  turn: shoe.turn,
  cuttingCardOut: shoe.roundsLeft !== null,
  roundsLeft: shoe.roundsLeft,
  lockedBy: shoe.lockedBy,
});

/** Who won, once the deal is complete. */
function winnerOf({ cards }: Round): Facts['winner'] | null {
  if (nextSlot(cards) !== undefined) return null;
  const { player, banker } = handsOf(cards);
  const margin = totalOf(player) - totalOf(banker);
  return margin === 0 ? 'tie' : margin > 0 ? 'player' : 'banker';
}

/** What a terminal sees of itself; its credit is not the table's to know. */
export function terminalView(table: Table, terminal: string) {
  const { round, phase, setting } = table;
  const slip = (round && own(round.slips, terminal)) ?? {};
  const paid: readonly Paid[] | null = round?.ending && phase === 'idle' ? paidOn(slip, round.ending) : null;
  const lost = own(table.lost, terminal);
  const inRound = Object.keys(slip).length > 0;
  return {
    terminal,
    round: round && { id: round.id, number: round.number },
    slip,
    stake: totalOn(slip),
    inRound,
    lost: lost && { back: lost.back, by: lostBy(setting, lost.closed, inRound) },
    paid,
  };
}

/** What settles whether a lost terminal is in the round. [ETG 5.10, HOUSE 11] */
function lostBy(setting: Setting, closed: boolean, accepted: boolean): string {
  const { terminals } = termsOf(setting).book;
  if (closed) return accepted ? terminals.closedAccepted : terminals.closedNotAccepted;
  return accepted ? terminals.openAccepted : terminals.openNotAccepted;
}

/** What the dealer sees: what to do next, and nothing about any patron. */
export function dealerView(table: Table) {
  const { round, shoe, held, referral, proposal, setting } = table;
  return {
    ...publicView(table),
    next: nextCommands(table),
    slips: round?.terminals ?? 0,
    terminalsLost: Object.values(table.lost).filter(({ back }) => !back).length,
    warnings: shoe?.ready && !shoe.shuffled ? ['No shuffle of this shoe is recorded.'] : [],
    stopped: held && { kind: held.kind, by: held.by, rulings: held.rulings, note: held.note },
    referred: referral && { by: referral.by, reason: referral.reason, proposed: referral.proposed },
    proposal: proposal && { id: proposal.id, type: proposal.act.type, hash: proposal.hash, expires: proposal.expires },
    felt: setting.bets === 'chips' ? feltOf(table) : null,
  };
}

/** What the dealer does with the chips on each spot. [READING 48] */
function feltOf({ round, phase }: Table) {
  const ending = phase === 'idle' ? round?.ending : null;
  if (!ending) return null;
  if ('voidBy' in ending) return { void: ending.voidBy };
  return Object.entries(ending.results).map(([wager, { result, pays, commission, by }]) => ({
    wager,
    do: result === 'win' ? 'pay' : result === 'push' ? 'push' : 'take',
    pays,
    commission,
    by,
  }));
}
