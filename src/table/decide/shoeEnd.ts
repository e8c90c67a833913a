import { isRefused } from '../../base/refusal.ts';
import { ownValue } from '../../base/ownValue.ts';
import { type Card, type DeckId, cardsOfDeck, parseCard } from '../../rules/card.ts';
import { isCommittedShoe } from '../../rules/shoeCommitment.ts';
import { type CommandOf } from '../schema/commands.ts';
import { type TableRefusal, refuseAtTable, tableRefusalWithClause } from '../schema/refusals.ts';
import { gameAndRulebookOf } from '../schema/settings.ts';
import { type ShoeState, type Table, isPlaying } from '../state.ts';
import {
  type TableDecision,
  type EventStamp,
  clausesOfTable,
  isDealtFromVirtualShoe,
  refuseNotHere,
  refuseNotNow,
  tableEventStamp,
} from './decision.ts';

/**
 * True when the cutting card of a live shoe must have come out, by the number of cards drawn, but was not reported.
 * [READING 58]
 */
export const isCuttingCardDue = ({ root, size, drawn: drawnCards, behindCut, roundsLeft: left }: ShoeState): boolean =>
  root === null && left === null && drawnCards > size - behindCut!;

/** Records that the cutting card came out of a live shoe. [ETG 3.10, HOUSE 3] */
export function decideReportCuttingCard(command: CommandOf<'ReportCuttingCard'>, table: Table): TableDecision {
  const { shoe, round } = table;
  const { cut } = clausesOfTable(table);
  if (isDealtFromVirtualShoe(table))
    return refuseNotHere('with a virtual shoe the table itself finds the cutting card; do not report it');
  if (shoe === null || !shoe.ready) return refuseAtTable('shoe-not-ready', cut, 'No shoe is ready; prepare one first.');
  if (shoe.roundsLeft !== null)
    return refuseNotNow(table, cut, 'the cutting card is already out, so there is nothing to report');
  return [
    {
      type: 'CuttingCardOut',
      ...tableEventStamp(command),
      shoe: shoe.id,
      ...(isPlaying(table) && { round: round!.id }),
      by: cut,
      roundsLeft: roundsLeftAfterCuttingCard(table),
    },
  ];
}

/**
 * Number of rounds that may still open once the cutting card is out. If it came out before the first card of a round,
 * that round is the last. If it came out later in a round, `roundsAfterCut` more rounds follow. [READING 23] If it is
 * reported between rounds and was due by the number of cards drawn, it counts as out in the last round. If it is
 * reported between rounds and was not due, the next round is the last. [READING 58]
 */
export function roundsLeftAfterCuttingCard(table: Table): number {
  if (!isPlaying(table)) return isCuttingCardDue(table.shoe!) ? table.settings.roundsAfterCut : 1;
  return table.round!.begun ? table.settings.roundsAfterCut : 0;
}

/**
 * Takes the shoe away and compares its cards with full decks. A difference is recorded; no round changes. [READING 25]
 */
export function decideEndShoe(command: CommandOf<'EndShoe'>, stamp: EventStamp, table: Table): TableDecision {
  const { shoe } = table;
  if (isPlaying(table)) return refuseNotNow(table, null, 'finish the round first');
  if (shoe === null)
    return refuseAtTable('shoe-not-ready', null, 'There is no shoe at the table; there is nothing to end.');
  const { game } = gameAndRulebookOf(table.settings);
  const { seen, cards, salts } = command;
  if (shoe.root === null) {
    if (seen === undefined || cards !== undefined || salts !== undefined) {
      return refuseNotHere('for a live shoe give only "seen", the count of each card, dealt and undealt');
    }
    const counts = parseCardCounts(seen, game.deck);
    if (isRefused(counts)) return counts;
    const compared = compareWithFullDecks(counts, game.deck, table.settings.decks);
    return [{ type: 'ShoeEnded', ...stamp, shoe: shoe.id, expected: shoe.size, ...compared }];
  }
  if (shoe.lockedBy !== null && cards === undefined && salts === undefined && seen === undefined) {
    // A locked shoe whose card order is lost cannot be opened. The event says so by `unopened`. [READING 29]
    const drawnCards = Object.values(shoe.seen).reduce((sum, times) => sum + times, 0);
    const ended = { shoe: shoe.id, expected: shoe.size, seen: drawnCards, extra: {}, missing: {}, unopened: true };
    return [{ type: 'ShoeEnded', ...stamp, ...ended }];
  }
  if (cards === undefined || salts === undefined || seen !== undefined) {
    return refuseNotHere('for a virtual shoe give only "cards" and "salts", all of them in the committed order');
  }
  const opened: Card[] = [];
  for (const text of cards) {
    const card = parseCard(text, game.deck);
    if (isRefused(card)) return tableRefusalWithClause(card);
    opened.push(card);
  }
  if (!isCommittedShoe({ shoe: shoe.id, size: shoe.size, root: shoe.root }, opened, salts)) {
    return refuseAtTable(
      'wrong-proof',
      null,
      'These are not the committed cards; give the cards and salts as they were committed.',
    );
  }
  const counts: { [card: string]: number } = {};
  for (const card of opened) counts[card] = (ownValue(counts, card) ?? 0) + 1;
  return [
    {
      type: 'ShoeEnded',
      ...stamp,
      shoe: shoe.id,
      expected: shoe.size,
      ...compareWithFullDecks(counts, game.deck, table.settings.decks),
      cards: opened,
      salts,
    },
  ];
}

type Counts = { readonly [card: string]: number };

/** Card counts by the standard name of each card. If a card is given in two spellings, its two counts are added. */
export function parseCardCounts(seen: Counts, deck: DeckId): Counts | TableRefusal {
  const counts: { [card: string]: number } = {};
  for (const [text, times] of Object.entries(seen)) {
    const card = parseCard(text, deck);
    if (isRefused(card)) return tableRefusalWithClause(card);
    counts[card] = (ownValue(counts, card) ?? 0) + times;
  }
  return counts;
}

/** Compares card counts with full decks. `seen` is the total; `extra` and `missing` are the differences by card. */
export function compareWithFullDecks(counts: Counts, deck: DeckId, decks: number) {
  const extra: { [card: string]: number } = {};
  const missing: { [card: string]: number } = {};
  let seen = 0;
  for (const card of cardsOfDeck(deck)) {
    const times = ownValue(counts, card) ?? 0;
    seen += times;
    if (times > decks) extra[card] = times - decks;
    if (times < decks) missing[card] = decks - times;
  }
  return { seen, extra, missing };
}
