import { type Card, parseCard } from '../../rules/card.ts';
import { committedIndex, isCommittedCard } from '../../rules/shoeCommitment.ts';
import { nextSlot } from '../../rules/play.ts';
import { isRefused } from '../../base/refusal.ts';
import { type CommandOf } from '../schema/commands.ts';
import {
  type TableDecision,
  type EventStamp,
  clausesOfTable,
  drawClauseOfTable,
  isDealtFromVirtualShoe,
  refuseMoreCardsThanShoeHolds,
  refuseNotHere,
  refuseNotNow,
  tableEventStamp,
} from './decision.ts';
import { type TableEvent } from '../schema/events.ts';
import { irregularityFoundEvent } from './irregularities/reports.ts';
import { type TableRefusal, refuseAtTable, tableRefusalWithClause } from '../schema/refusals.ts';
import { gameAndRulebookOf } from '../schema/settings.ts';
import { roundsLeftAfterCuttingCard } from './shoeEnd.ts';
import { type Round, type Table, isPlaying, isShoeEmpty } from '../state.ts';
import { ownValue } from '../../base/ownValue.ts';

export function decideDealCard(command: CommandOf<'DealCard'>, table: Table): TableDecision {
  const { keyed, afterwards } = command;
  const round = roundExpectingSlotOrRefusal(command.slot, table);
  if (isRefused(round)) return round;
  if (keyed && isDealtFromVirtualShoe(table))
    return refuseNotHere('a card of a virtual shoe is never keyed in; leave "keyed" out');
  if (afterwards && table.settings.bets !== 'chips') {
    return refuseNotHere('only a round with chips is dealt while the system is down; leave "afterwards" out');
  }
  const drawn = checkDrawnCard(command, table);
  if (isRefused(drawn)) return drawn;
  const stamp = tableEventStamp(command);
  return [
    ...cuttingCardBefore(stamp, table, round),
    ...cardDealtEvents(stamp, table, round, drawn, {
      ...drawn.proof,
      ...(keyed && { keyed }),
      ...(afterwards && { afterwards }),
    }),
  ];
}

/**
 * Refusal while no card is due, because the deal is complete or no cards are being dealt. Undefined if a card is due.
 */
export function noCardDueRefusal(table: Table): TableRefusal | undefined {
  const { close } = clausesOfTable(table);
  if (table.phase === 'result') {
    const instead = table.openIrregularities.length > 0 ? 'rule on the open irregularity' : 'settle the round';
    return refuseAtTable('card-after-deal', drawClauseOfTable(table), `The deal is complete; ${instead}.`);
  }
  return table.phase === 'dealing'
    ? undefined
    : refuseNotNow(table, close, 'cards are dealt only after bets are closed');
}

export function roundExpectingSlotOrRefusal(slot: string, table: Table): Round | TableRefusal {
  const refusal = noCardDueRefusal(table);
  if (refusal !== undefined) return refusal;
  const round = table.round!;
  const drawn = nextSlot(round.cards)!;
  return slot === drawn
    ? round
    : refuseAtTable('wrong-slot', drawClauseOfTable(table), `The next card is for ${drawn}; deal it there.`, {
        slot: drawn,
      });
}

/** The `CuttingCardOut` event if the cutting card of a virtual shoe lies before the next card; else no event. */
function cuttingCardBefore(stamp: EventStamp, table: Table, round: Round): readonly TableEvent[] {
  const shoe = table.shoe!;
  if (shoe.root === null || shoe.roundsLeft !== null || shoe.drawn < shoe.size - shoe.behindCut!) return [];
  const { cut } = clausesOfTable(table);
  return [
    {
      type: 'CuttingCardOut',
      ...stamp,
      shoe: shoe.id,
      round: round.id,
      by: cut,
      roundsLeft: roundsLeftAfterCuttingCard(table),
    },
  ];
}

type CardDetails = { readonly [F in 'keyed' | 'byEye' | 'afterwards' | 'index' | 'salt' | 'proof']?: unknown };

/**
 * The events of a dealt card. If the shoe has now given more copies of the card than its decks have, a further event
 * stops the table. [ETG 5.1, HOUSE 7]
 */
export function cardDealtEvents(
  stamp: EventStamp,
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
  return (ownValue(shoe.seen, card) ?? 0) < table.settings.decks
    ? [event]
    : [event, irregularityFoundEvent(stamp, table, 'extra-card', `${card} was seen more often than the decks hold.`)];
}

/** Refusal while the last card cannot be taken back; undefined if it can. */
export function takeBackRefusal(table: Table): TableRefusal | undefined {
  if (isDealtFromVirtualShoe(table))
    return refuseAtTable('card-proven', null, 'A card of a virtual shoe is proven; it cannot be taken back.');
  return table.phase === 'dealing' && table.round!.lastEntry !== null
    ? undefined
    : refuseNotNow(
        table,
        clausesOfTable(table).correction,
        'only the last card can be taken back, before the next card and before the result; correct any other card',
      );
}

/** The dealer needs no approval to take back the last card, before the next card and before the result. [HOUSE 9] */
export function decideTakeBackCard(command: CommandOf<'TakeBackCard'>, table: Table): TableDecision {
  const refusal = takeBackRefusal(table);
  if (refusal !== undefined) return refusal;
  const round = table.round!;
  const card = round.cards.at(-1)!;
  const slot = nextSlot(round.cards.slice(0, -1))!;
  // A carried card left the shoe face down before it was dealt. When it is taken back, it is carried again: the next
  // card to be dealt. [READING 18]
  const carried = round.lastEntry === 'carried' && { carried: true };
  return [{ type: 'CardTakenBack', ...tableEventStamp(command), round: round.id, slot, card, ...carried }];
}

type ShownCard = { readonly card: string; readonly salt?: string; readonly proof?: readonly string[] };
/** The next card of the shoe, after its check. `proof` is for a virtual shoe: committed index, salt and hash path. */
export type DrawnCard = {
  readonly card: Card;
  readonly proof?: { index: number; salt: string; proof: readonly string[] };
};

/** Refusal while the shoe is locked or empty; undefined if the shoe can give a card. */
export function noCardAvailableRefusal(table: Table): TableRefusal | undefined {
  const shoe = table.shoe!;
  if (shoe.lockedBy !== null) {
    return refuseAtTable(
      'shoe-locked',
      shoe.lockedBy,
      `The shoe is locked and no card is dealt from it; ${isPlaying(table) ? 'refer the round' : 'change the shoe'}.`,
    );
  }
  return isShoeEmpty(shoe)
    ? refuseMoreCardsThanShoeHolds(
        table,
        `The shoe has no card left; ${isPlaying(table) ? 'report too few cards' : 'change the shoe'}.`,
      )
    : undefined;
}

/**
 * Checks the card that the sender gives as the next card of the shoe. For a virtual shoe, the proof of the card must
 * fit the commitment.
 */
export function checkDrawnCard(shown: ShownCard, table: Table): DrawnCard | TableRefusal {
  const shoe = table.shoe!;
  const { game } = gameAndRulebookOf(table.settings);
  const card = parseCard(shown.card, game.deck);
  if (isRefused(card)) return tableRefusalWithClause(card);
  const refusal = noCardAvailableRefusal(table);
  if (refusal !== undefined) return refusal;
  const { salt, proof } = shown;
  if (!isDealtFromVirtualShoe(table)) {
    return salt === undefined && proof === undefined
      ? { card }
      : refuseNotHere('leave salt and proof out for a live shoe');
  }
  const index = committedIndex(shoe.size, shoe.cutPosition!, shoe.drawn);
  const commitment = { shoe: shoe.id, size: shoe.size, root: shoe.root! };
  if (salt === undefined || proof === undefined || !isCommittedCard(commitment, index, card, salt, proof)) {
    return refuseAtTable(
      'wrong-proof',
      null,
      `${card} is not proven to be card ${index} of the shoe; give the committed card with its salt and proof.`,
    );
  }
  return { card, proof: { index, salt, proof } };
}
