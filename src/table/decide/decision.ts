import { type Actor } from '../../access/actor.ts';
import { type Rulebook, type Clauses, rulebookOf } from '../../games/rulebooks.ts';
import { type Card } from '../../rules/card.ts';
import { nextSlot } from '../../rules/play.ts';
import { type EventOf, type TableEvent } from '../schema/events.ts';
import { type TableRefusal, refuseAtTable } from '../schema/refusals.ts';
import { gameByName, gameAndRulebookOf } from '../schema/settings.ts';
import { type Phase, type RoundRecord, type Table, findRound } from '../state.ts';

/** Events, none when nothing changes, or one refusal. */
export type TableDecision = readonly TableEvent[] | TableRefusal;

export type EventStamp = { readonly v: 1; readonly at: number; readonly actor: Actor; readonly second?: Actor };

export const tableEventStamp = ({ at, actor }: { readonly at: number; readonly actor: Actor }): EventStamp => ({
  v: 1,
  at,
  actor,
});

export const clausesAt = ({ settings }: Table): Clauses => gameAndRulebookOf(settings).book.clauses;

/** The rulebook of the round's game, which may differ from that of the table now. */
export const rulebookOfRound = (round: RoundRecord): Rulebook => rulebookOf(gameByName(round.game));

/** The referral clause: of the round's rulebook, else of the table's. */
export function referClause(table: Table, details: string | null): string {
  const round = findRound(table, details);
  return (round === undefined ? clausesAt(table) : rulebookOfRound(round).clauses).refer;
}

export const usesVirtualShoe = ({ settings }: Table): boolean => settings.dealing === 'virtual';

type ReferralDetails = {
  readonly by: string;
  readonly reason: string;
  readonly round?: string;
  readonly terminals?: readonly string[];
  readonly proposed?: 'void' | 'burn';
  readonly proposedBy?: string;
};

/** A referral with the next number. [READING 59] */
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
  closing: 'the close is called',
  dealing: 'cards are being dealt',
  result: 'the deal is complete',
};

/** `instead` says what to do. */
export const refuseNotNow = ({ phase }: Table, by: string | null, instead: string): TableRefusal =>
  refuseAtTable('not-now', by, `That cannot be now: ${phaseText[phase]}; ${instead}.`, { phase });

export const refuseNotHere = (instead: string): TableRefusal =>
  refuseAtTable('not-here', null, `That does not fit how this table deals; ${instead}.`);

/** Deals cards by the table of play, in the order in which they left the shoe; surplus cards remain. [READING 18] */
export function replayCards(cards: readonly Card[]): {
  used: readonly Card[];
  surplus: readonly Card[];
  complete: boolean;
} {
  let length = 0;
  while (length < cards.length && nextSlot(cards.slice(0, length)) !== undefined) length++;
  const used = cards.slice(0, length);
  return { used, surplus: cards.slice(length), complete: nextSlot(used) === undefined };
}
