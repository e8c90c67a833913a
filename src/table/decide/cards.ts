import { type Card } from '../../rules/card.ts';
import { nextSlot } from '../../rules/play.ts';
import { isRefused } from '../../base/refusal.ts';
import { type CommandOf } from '../schema/commands.ts';
import {
  type TableDecision,
  type Stamp,
  clausesAt,
  isVirtual,
  refuseNotHere,
  refuseNotNow,
  tableStamp,
} from './decision.ts';
import { type TableEvent } from '../schema/events.ts';
import { irregularityFoundEvent } from './irregularities/reports.ts';
import { refuseAtTable } from '../schema/refusals.ts';
import { type DrawnCard, drawCard, roundsLeft } from './shoes.ts';
import { type Round, type Table } from '../state.ts';
import { ownValue } from '../../base/ownValue.ts';

/** A card for the slot that the table of play names, and for no other. */
export function decideDealCard(command: CommandOf<'DealCard'>, table: Table): TableDecision {
  const { keyed, afterwards } = command;
  const round = roundDueForSlot(command.slot, table);
  if (isRefused(round)) return round;
  if (keyed && isVirtual(table)) return refuseNotHere('nobody keys in a card of a virtual shoe');
  if (afterwards && table.setting.bets !== 'chips') {
    return refuseNotHere('only a round with chips is dealt while the system is lost');
  }
  const drawn = drawCard(command, table);
  if (isRefused(drawn)) return drawn;
  const stamp = tableStamp(command);
  return [
    ...cuttingCardBefore(stamp, table, round),
    ...cardDealtEvents(stamp, table, round, drawn, {
      ...drawn.proof,
      ...(keyed && { keyed }),
      ...(afterwards && { afterwards }),
    }),
  ];
}

/** The round in which that slot is next. */
export function roundDueForSlot(slot: string, table: Table): Round | ReturnType<typeof refuseAtTable> {
  const { round } = table;
  const { close, play } = clausesAt(table);
  if (table.phase === 'result') return refuseAtTable('deal-complete', play, 'The deal is complete; settle the round.');
  if (table.phase !== 'dealing' || round === null)
    return refuseNotNow(table, close, 'cards are dealt once bets are closed');
  const drawn = nextSlot(round.cards)!;
  return slot === drawn
    ? round
    : refuseAtTable('wrong-slot', play, `The next card is for ${drawn}; deal it there.`, { slot: drawn });
}

/** In a virtual shoe the cutting card lies at its place, and the table meets it. */
function cuttingCardBefore(stamp: Stamp, table: Table, round: Round): readonly TableEvent[] {
  const shoe = table.shoe!;
  if (shoe.root === null || shoe.roundsLeft !== null || shoe.drawn < shoe.size - shoe.behindCut!) return [];
  const { cut } = clausesAt(table);
  return [{ type: 'CuttingCardOut', ...stamp, shoe: shoe.id, round: round.id, by: cut, roundsLeft: roundsLeft(table) }];
}

type CardDetails = { readonly [F in 'keyed' | 'byEye' | 'afterwards' | 'index' | 'salt' | 'proof']?: unknown };

/** A card in its slot; one identity too many stops the table by itself. [ETG 5.1, HOUSE 7] */
export function cardDealtEvents(
  stamp: Stamp,
  table: Table,
  round: Round,
  { card }: DrawnCard,
  details: CardDetails,
): readonly TableEvent[] {
  const shoe = table.shoe!;
  const cards: readonly Card[] = [...round.cards, card];
  const event = {
    type: 'CardDealt',
    ...stamp,
    round: round.id,
    slot: nextSlot(round.cards)!,
    card,
    complete: nextSlot(cards) === undefined,
    ...details,
    ...(shoe.carried && { carried: true }),
  } as TableEvent;
  return (ownValue(shoe.seen, card) ?? 0) < table.setting.decks
    ? [event]
    : [event, irregularityFoundEvent(stamp, table, 'extra-card', `${card} was seen more often than the decks hold.`)];
}

/** The dealer alone may take back the last entry, until the next card or the result. [HOUSE 9] */
export function decideTakeBackCard(command: CommandOf<'TakeBackCard'>, table: Table): TableDecision {
  const { round } = table;
  if (isVirtual(table))
    return refuseAtTable('card-proven', null, 'A card of a virtual shoe is proven; it cannot be taken back.');
  if (table.phase !== 'dealing' || !round?.lastEntry) {
    return refuseNotNow(
      table,
      clausesAt(table).correction,
      'only the last entry is taken back, before the next card and before the result; correct any other',
    );
  }
  const card = round.cards.at(-1)!;
  const slot = nextSlot(round.cards.slice(0, -1))!;
  // What had lain ready unseen lies there again. [READING 18]
  const carried = round.lastEntry === 'carried' && { carried: true };
  return [{ type: 'CardTakenBack', ...tableStamp(command), round: round.id, slot, card, ...carried }];
}
