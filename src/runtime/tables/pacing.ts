import { floorActor } from '../../access/actor.ts';
import { nextSlot } from '../../rules/play.ts';
import { committedIndex } from '../../rules/shoeCommitment.ts';
import { type CommandName } from '../../table/schema/commands.ts';
import { isSettlementBlocked, irregularityToRuleOn } from '../../table/irregularities.ts';
import { type Table } from '../../table/state.ts';
import { type RandomSource } from '../ports/random.ts';
import { type StoredPayload } from '../../store/store.ts';
import { type VirtualShoe } from './virtualShoe.ts';

/** Pace of an unattended table: the pauses between rounds and between cards, in milliseconds. */
export type Pace = {
  readonly betweenRounds: number;
  readonly betweenCards: number;
  /**
   * If present, bets open only at one moment of each cycle, so that tables with the same cycle open one after another.
   */
  readonly turn?: OpeningTurn;
};

/**
 * The moment at which a table may open bets: `after` milliseconds into each cycle. A cycle lasts `cycle` milliseconds,
 * counted from the Unix epoch.
 */
type OpeningTurn = { readonly cycle: number; readonly after: number };

/** Next step of the automation of a table: a command or a shuffle. It is due at the time `at`. */
export type DueStep =
  | {
      readonly at: number;
      readonly request: StoredPayload;
      /** Called if the table refuses the request, so that the automation does not send it again and again. */
      readonly onRefused?: () => void;
    }
  | { readonly at: number; readonly shuffle: true };

/** Reason that is recorded for a void round when the card order of the shoe is lost. [READING 29] */
const lostOrder = 'The order of the shoe is lost.';

/**
 * Next step of an unattended table; undefined if staff must act. Except for a random cut position, the step depends
 * only on the table, its shoe and its pace. So a restarted table continues where it was. If the shoe cannot be used,
 * `reason` is recorded with the void round.
 */
export function nextUnattendedStep(
  table: Table,
  pace: Pace,
  loaded: VirtualShoe | undefined,
  random: RandomSource,
  reason = lostOrder,
): DueStep | undefined {
  const { phase, round, shoe, settings } = table;
  const irregularity = irregularityToRuleOn(table);
  const virtualShoe = loaded?.id === shoe?.id ? loaded : undefined;
  const step = (at: number, type: CommandName, fields: object = {}): DueStep => ({
    at,
    request: { type, actor: floorActor, ...fields },
  });
  if (irregularity === undefined && table.referrals.length > 0) return undefined;
  // A ruling that follows from the clause alone is carried out at once. Any other ruling waits for staff.
  if (irregularity?.kind === 'interruption') return step(table.at, 'ConfirmRuling');
  if (irregularity?.kind === 'order-altered' && !virtualShoe) return step(table.at, 'VoidRound', { reason });
  if (irregularity?.rulings.every((ruling) => ruling === 'void')) {
    return step(table.at, 'VoidRound', { reason: irregularity.note ?? irregularity.kind });
  }
  if (irregularity !== undefined) return undefined;
  // A shoe whose order is unknown is reported, but a round with a result is settled first.
  if (
    shoe !== null &&
    !virtualShoe &&
    shoe.lockedBy === null &&
    phase !== 'result' &&
    table.pendingSettlements.length === 0
  ) {
    return step(table.at, 'ReportIrregularity', { kind: 'order-altered', note: reason });
  }
  switch (phase) {
    case 'idle':
      if (table.pendingSettlements.some((settlement) => !isSettlementBlocked(settlement, table)))
        return step(table.at, 'PostSettlement');
      if (table.pendingSettlements.length > 0) return undefined;
      if (table.closed) return undefined;
      if (shoe === null) return { at: table.at + pace.betweenRounds, shuffle: true };
      if (!shoe.ready) return step(table.at, 'ChooseCutPosition', { cutPosition: random.below(shoe.size) });
      if (shoe.lockedBy !== null || shoe.roundsLeft === 0) {
        const opened = virtualShoe && { cards: virtualShoe.cards, salts: virtualShoe.salts };
        return step(table.at + pace.betweenRounds, 'EndShoe', opened);
      }
      return step(table.at + pace.betweenRounds, 'OpenBets');
    case 'betting':
      return step(round!.closesAt, 'CallClose');
    case 'closing':
      return step(round!.deadline! + settings.grace, 'CloseBets');
    case 'dealing': {
      const index = committedIndex(shoe!.size, shoe!.cutPosition!, shoe!.drawn);
      const card = { slot: nextSlot(round!.cards)!, ...virtualShoe!.at(index) };
      return step(table.at + pace.betweenCards, 'DealCard', card);
    }
    case 'result':
      if (table.pendingSettlements.some((settlement) => !isSettlementBlocked(settlement, table)))
        return step(table.at, 'PostSettlement');
      if (table.pendingSettlements.length > 0) return undefined;
      return step(round!.resultAt! + settings.pause, 'Settle');
  }
}

/**
 * Minimum pause between rounds in a cluster, in milliseconds. During the pause a table can be handed over to another
 * node.
 */
const minRestMs = 50;

export const paceWithHandOverPause = (pace: Pace): Pace => ({
  ...pace,
  betweenRounds: Math.max(pace.betweenRounds, minRestMs),
});

/**
 * Time of the first opening turn that is neither before `at` nor before `since`. If the pace has no opening turn, `at`
 * itself.
 */
export function nextOpeningTurn(at: number, { turn }: Pace, since: number): number {
  if (turn === undefined) return at;
  const { cycle, after } = turn;
  return Math.ceil((Math.max(at, since) - after) / cycle) * cycle + after;
}

/** Delays a step that opens bets until the opening turn of the table; returns any other step unchanged. */
export function delayStepToOpeningTurn(step: DueStep | undefined, pace: Pace, since: number): DueStep | undefined {
  if (step === undefined || !('request' in step) || step.request.type !== 'OpenBets') return step;
  return { ...step, at: nextOpeningTurn(step.at, pace, since) };
}
