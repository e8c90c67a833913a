import { nextSlot } from '../../rules/play.ts';
import { committedIndex } from '../../rules/shoeCommitment.ts';
import { type CommandName } from '../../table/schema/commands.ts';
import { isSettlementBlocked, leadingIrregularity } from '../../table/irregularities.ts';
import { type Table } from '../../table/state.ts';
import { type RandomSource } from '../ports/random.ts';
import { type StoredRequest } from '../../store/store.ts';
import { type VirtualShoe } from './virtualShoe.ts';

/** How long a table without staff waits between its steps, in milliseconds. */
export type Pace = {
  readonly betweenRounds: number;
  readonly betweenCards: number;
  /** Bets open at one moment of each cycle alone, so that tables which share a cycle open one after another. */
  readonly turn?: Turn;
};

/** So long after the beginning of each cycle; cycles are counted from the beginning of time. */
type Turn = { readonly cycle: number; readonly after: number };

export const floorPost = { system: 'floor' } as const;
export const shufflerPost = { system: 'shuffler' } as const;

/** What a table without staff does next, and when. */
export type DueStep =
  | {
      readonly at: number;
      readonly asked: StoredRequest;
      /** Called where the table refuses it, by whoever does not want to ask again. */
      readonly refused?: () => void;
    }
  /** A shoe is to be shuffled, sealed and committed. */
  | { readonly at: number; readonly shuffle: true };

/** Why a round is void and a shoe out of use whose order the shuffler no longer knows. [READING 29] */
const lostOrder = 'The order of the shoe is lost.';

/**
 * The dealer of a table that has none: a function of the table and of the shoe it deals from, so that a table which comes
 * back from its record goes on where it stood. Where the shoe is given up, `why` tells the reason.
 * Undefined where somebody else has to decide.
 */
export function nextStep(
  table: Table,
  pace: Pace,
  known: VirtualShoe | undefined,
  chance: RandomSource,
  why = lostOrder,
): DueStep | undefined {
  const { phase, round, shoe, setting } = table;
  const matter = leadingIrregularity(table);
  const hidden = known?.id === shoe?.id ? known : undefined;
  const ask = (at: number, type: CommandName, fields: object = {}): DueStep => ({
    at,
    asked: { type, who: floorPost, ...fields },
  });
  if (matter === undefined && table.referrals.length > 0) return undefined;
  // What a clause computes is carried out by itself; anything else waits for somebody.
  if (matter?.kind === 'interruption') return ask(table.at, 'ConfirmRuling');
  if (matter?.kind === 'order-altered' && !hidden) return ask(table.at, 'VoidRound', { reason: why });
  if (matter?.rulings.every((ruling) => ruling === 'void')) {
    return ask(table.at, 'VoidRound', { reason: matter.note ?? matter.kind });
  }
  if (matter !== undefined) return undefined;
  // What has been dealt is settled first.
  if (
    shoe !== null &&
    !hidden &&
    shoe.lockedBy === null &&
    phase !== 'result' &&
    table.pendingSettlements.length === 0
  ) {
    return ask(table.at, 'ReportIrregularity', { kind: 'order-altered', note: why });
  }
  switch (phase) {
    case 'idle':
      if (table.pendingSettlements.some((job) => !isSettlementBlocked(job, table)))
        return ask(table.at, 'PostSettlement');
      if (table.pendingSettlements.length > 0) return undefined;
      if (table.closed) return undefined;
      if (shoe === null) return { at: table.at + pace.betweenRounds, shuffle: true };
      if (!shoe.ready) return ask(table.at, 'ChooseTurn', { turn: chance.below(shoe.size) });
      if (shoe.lockedBy !== null || shoe.roundsLeft === 0) {
        const opened = hidden && { cards: hidden.cards, salts: hidden.salts };
        return ask(table.at + pace.betweenRounds, 'EndShoe', opened);
      }
      return ask(table.at + pace.betweenRounds, 'OpenBets');
    case 'betting':
      return ask(round!.closesAt, 'CallClose');
    case 'closing':
      return ask(round!.deadline! + setting.grace, 'CloseBets');
    case 'dealing': {
      const index = committedIndex(shoe!.size, shoe!.turn!, shoe!.drawn);
      const card = { slot: nextSlot(round!.cards)!, ...hidden!.at(index) };
      return ask(table.at + pace.betweenCards, 'DealCard', card);
    }
    case 'result':
      if (table.pendingSettlements.some((job) => !isSettlementBlocked(job, table)))
        return ask(table.at, 'PostSettlement');
      if (table.pendingSettlements.length > 0) return undefined;
      return ask(round!.resultAt! + setting.pause, 'Settle');
  }
}

/** Between rounds a table changes hands: where it may, there is time for it. */
const shortestRest = 50;

/** A pace by which there is a rest between rounds, however short. */
export const restingPace = (pace: Pace): Pace => ({
  ...pace,
  betweenRounds: Math.max(pace.betweenRounds, shortestRest),
});

/** The first turn of a table from a moment on, and since the floor came back; that moment itself where there are no turns. */
export function turnFrom(at: number, { turn }: Pace, since: number): number {
  if (turn === undefined) return at;
  const { cycle, after } = turn;
  return Math.ceil((Math.max(at, since) - after) / cycle) * cycle + after;
}

/** A step that opens bets waits for the table's turn; any other is left as it is. */
export function inTurn(step: DueStep | undefined, pace: Pace, since: number): DueStep | undefined {
  if (step === undefined || !('asked' in step) || step.asked.type !== 'OpenBets') return step;
  return { ...step, at: turnFrom(step.at, pace, since) };
}
