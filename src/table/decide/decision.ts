import { type Actor } from '../../access/actor.ts';
import { drawClauseOf } from '../../games/drawClause.ts';
import { type Rulebook, type TableClauses, rulebookOf } from '../../games/rulebooks.ts';
import { type Card } from '../../rules/card.ts';
import { handsOf, nextSlot } from '../../rules/play.ts';
import { type EventOf, type TableEvent } from '../schema/events.ts';
import { type TableRefusal, refuseAtTable } from '../schema/refusals.ts';
import { gameByName, gameAndRulebookOf } from '../schema/settings.ts';
import { type Phase, type RoundRecord, type Table, findRound } from '../state.ts';

/** Result of a table command: at least one event, or one refusal. */
export type TableDecision = readonly TableEvent[] | TableRefusal;

export type EventStamp = { readonly v: 1; readonly at: number; readonly actor: Actor; readonly second?: Actor };

export const tableEventStamp = ({ at, actor }: { readonly at: number; readonly actor: Actor }): EventStamp => ({
  v: 1,
  at,
  actor,
});

export const clausesOfTable = ({ settings }: Table): TableClauses => gameAndRulebookOf(settings).book.clauses;

/** The clause that says which hand gets the next card of the round in play, or that the deal is complete. */
export const drawClauseOfTable = ({ settings, round }: Table): string =>
  drawClauseOf(handsOf(round?.cards ?? []), gameAndRulebookOf(settings).book.draws);

/** The rulebook of a round. The table may have changed to another rulebook since. */
export const rulebookOfRound = (round: RoundRecord): Rulebook => rulebookOf(gameByName(round.game));

/**
 * The clause on referrals in the rulebook of the round. If the table keeps no round with this id, the clause in the
 * rulebook of the table.
 */
export function referralClauseOf(table: Table, roundId: string | null): string {
  const round = findRound(table, roundId);
  return (round === undefined ? clausesOfTable(table) : rulebookOfRound(round).clauses).refer;
}

export const isDealtFromVirtualShoe = ({ settings }: Table): boolean => settings.dealing === 'virtual';

type ReferralDetails = {
  readonly by: string;
  readonly reason: string;
  readonly round?: string;
  readonly terminals?: readonly string[];
  readonly proposed?: 'void' | 'burn';
  readonly proposedBy?: string;
};

/** The event of a new referral. The referral gets the next number of the table. [READING 59] */
export const referredEvent = (
  stamp: EventStamp,
  { referred }: Table,
  details: ReferralDetails,
): EventOf<'Referred'> => ({
  type: 'Referred',
  ...stamp,
  referral: `R${referred + 1}`,
  ...details,
});

const phaseText: { readonly [P in Phase]: string } = {
  idle: 'no round is being played',
  betting: 'bets are open',
  closing: 'the close of bets is announced',
  dealing: 'cards are being dealt',
  result: 'the deal is complete',
};

/** Refuses a command that does not fit the phase. `instead` is the second part of the message: what to do. */
export const refuseNotNow = ({ phase }: Table, by: string | null, instead: string): TableRefusal =>
  refuseAtTable('not-now', by, `Not possible now: ${phaseText[phase]}; ${instead}.`, { phase });

export const refuseNotHere = (instead: string): TableRefusal =>
  refuseAtTable('not-here', null, `Not possible at this table; ${instead}.`);

/** Refuses more cards than the shoe holds. [READING 67] */
export const refuseMoreCardsThanShoeHolds = ({ settings }: Table, message: string): TableRefusal =>
  refuseAtTable('shoe-over', gameAndRulebookOf(settings).book.irregularities['too-few-cards'].by, message);

/**
 * Deals the cards again by the table of play, in the given order. `surplus` are the cards that the deal does not need.
 * [READING 18]
 */
export function replayCards(cards: readonly Card[]): {
  used: readonly Card[];
  surplus: readonly Card[];
  complete: boolean;
} {
  const end = cards.findIndex((_, place) => nextSlot(cards.slice(0, place)) === undefined);
  const used = end === -1 ? cards : cards.slice(0, end);
  return { used, surplus: cards.slice(used.length), complete: nextSlot(used) === undefined };
}
