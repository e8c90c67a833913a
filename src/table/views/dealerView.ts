import { versionedGameId } from '../../rules/game.ts';
import { type StaffActor } from '../../access/actor.ts';
import { nextSlot, slots } from '../../rules/play.ts';
import { gameByName, gameAndRulebookOf } from '../schema/settings.ts';
import { takeBackRefusal } from '../decide/cards.ts';
import { stoppedRefusal } from '../decide/decide.ts';
import { type Round, type ShoeState, type Table } from '../state.ts';
import {
  type StaffTableCommandName,
  staffActorView,
  actorViewIfStaff,
  irregularityView,
  requiredRoles,
} from './irregularityView.ts';
import { nextCommands } from './nextCommands.ts';
import { approvableProposal } from './approvableProposal.ts';
import { feltInstructions, reportedChipsInstructions } from './feltInstructions.ts';
import { reportMenu } from './reportMenu.ts';
import { dealerPromptOf, settleClauseOfGame } from './prompt.ts';
import { type CreditLookup, proposalEffects, keepChangedMoneyRows } from './proposalEffects.ts';
import { handsAndOutcomeView, displayedPhase } from './publicView.ts';

// The part of the dealer's view that the table knows. The server adds staff numbers, messages and faults.

/**
 * The dealer's view of a table: what to do next, and by which clause. It shows nothing about single patrons, with one
 * exception: paid money that an open proposal changes. `creditOf` looks up credits, on which some amounts of a proposal
 * depend.
 */
export function buildDealerView(table: Table, at: number = table.at, creditOf?: CreditLookup) {
  const { settings, round, shoe, openIrregularities, referrals, pendingSettlements, phase, call } = table;
  const proposal = approvableProposal(table);
  const { game, book } = gameAndRulebookOf(settings);
  const [irregularity] = openIrregularities;
  return {
    table: settings.table,
    game: { name: game.name, version: versionedGameId(game), rulebook: game.book },
    clauses: { ...book.clauses, settle: settleClauseOfGame(game) },
    deck: game.deck,
    decks: settings.decks,
    bets: settings.bets,
    dealing: settings.dealing,
    attended: settings.attended,
    offered: settings.offered.map((wager) => ({ wager, name: game.wagers[wager]!.name })),
    burn: settings.burn,
    bettingTime: settings.bettingTime,
    grace: settings.grace,
    pause: settings.pause,
    interruption: settings.interruption,
    phase: displayedPhase(table),
    prompt: dealerPromptOf(table, at),
    due: phase === 'dealing' ? nextSlot(round!.cards)! : null,
    next: nextCommands(table),
    round: round && dealerRoundView(round, table),
    shoe: shoe && dealerShoeView(shoe),
    sealed: table.sealed.map(({ id, seal, to, since, game: dealt, decks, miscounts = 0 }) => ({
      shoe: id,
      seal,
      to,
      since,
      deck: gameByName(dealt).deck,
      decks,
      miscounts,
    })),
    warnings: warningsOf(shoe),
    slips: round?.terminals ?? 0,
    terminalsDisconnected: Object.values(table.disconnected).filter(({ back }) => !back).length,
    stopped: irregularity ? irregularityView(irregularity, table) : null,
    /** Open irregularities that are ruled on after the first one. */
    waiting: openIrregularities
      .slice(1)
      .map(({ kind, by, round: about, since }) => ({ kind, by, round: about, since })),
    referred: referrals.map(({ id, by, reason, round: about, terminals, since, actor, proposed }) => ({
      id,
      by,
      reason,
      round: about,
      since,
      from: actorViewIfStaff(actor),
      terminals: terminals?.length ?? null,
      proposed,
    })),
    proposal: proposal && {
      ...proposalView(proposal, table),
      effects: keepChangedMoneyRows(proposalEffects(table, creditOf)),
    },
    reports: reportMenu(table),
    felt: settings.bets === 'chips' ? feltInstructions(table) : null,
    places: reportedChipsInstructions(table),
    paying:
      phase === 'idle' && pendingSettlements.length > 0
        ? {
            posted: pendingSettlements.reduce((sum, { done }) => sum + done, 0),
            slips: pendingSettlements.reduce((sum, { order }) => sum + order.length, 0),
          }
        : null,
    // Only staff can call a supervisor.
    called: call && { at: call.at, reason: call.reason, from: staffActorView(call.actor as StaffActor) },
  };
}

/** Codes of warnings about the shoe. The shoe may be used in spite of a warning. */
const warningsOf = (shoe: ShoeState | null): readonly string[] =>
  shoe?.ready && !shoe.shuffled ? ['not-shuffled'] : [];

function proposalView({ id, command, hash, since, actor, expires }: NonNullable<Table['proposal']>, table: Table) {
  const { type, reason } = command;
  const { first, second } = requiredRoles(type as StaffTableCommandName, table, { ...command, actor });
  return {
    id,
    command: type,
    reason: typeof reason === 'string' ? reason : null,
    // The system never proposes, so `actor` is staff.
    from: staffActorView(actor as StaffActor),
    second: second ?? first,
    hash,
    since,
    expires,
  };
}

function dealerRoundView(round: Round, table: Table) {
  const { openedAt, closesAt, deadline, resultAt, begun, settlements } = round;
  return {
    ...handsAndOutcomeView(round, table.phase === 'idle'),
    openedAt,
    closesAt,
    deadline,
    resultAt,
    cards: round.cards.map((card, place) => {
      const { at, how, actor } = round.came[place]!;
      const slot = place === 4 ? nextSlot(round.cards.slice(0, 4))! : slots[place]!;
      return { card, slot, at, how, dealer: actorViewIfStaff(actor)?.person ?? null };
    }),
    begun,
    mayTakeBack: takeBackRefusal(table) === undefined && stoppedRefusal({ type: 'TakeBackCard' }, table) === undefined,
    settlements,
  };
}

const dealerShoeView = (shoe: ShoeState) => ({
  id: shoe.id,
  size: shoe.size,
  out: shoe.drawn,
  ready: shoe.ready,
  seal: shoe.seal,
  decks: shoe.decks,
  backs: shoe.backs,
  inspected: shoe.inspected,
  counted: shoe.counted,
  shuffled: shoe.shuffled,
  shuffle: shoe.shuffle,
  behind: shoe.behindCut,
  burned: shoe.burned,
  virtual: shoe.root !== null,
  toCut:
    shoe.behindCut === null || shoe.roundsLeft !== null ? null : Math.max(0, shoe.size - shoe.behindCut - shoe.drawn),
  cuttingCardOut: shoe.roundsLeft !== null,
  roundsLeft: shoe.roundsLeft,
  lockedBy: shoe.lockedBy,
  carried: shoe.carried,
  rounds: shoe.rounds,
  ...(shoe.miscounts !== undefined && { miscounts: shoe.miscounts }),
});
