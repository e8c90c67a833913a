import { type Card, type DeckId, cardsOf, parseCard, rankOf, suitOf } from './card.ts';
import { type ScanFormat } from './scanFormat.ts';
import { isRefused } from '../base/refusal.ts';

// What a reader of cards says, be it a scanner that types, one on a pipe, or a shoe that reads: a text for each card, in
// the form that the property sets.

/** Cards as they are written everywhere else: 8H, TH or 10H, L3. */
export const defaultScanFormat: ScanFormat = { pattern: 'RS', cut: 'CUT' };

export type Scan = { readonly card: Card } | { readonly cut: true } | { readonly unreadable: true };

const unreadable: Scan = { unreadable: true };

/** What a scan says at a table that deals from such a deck; either case will do. */
export function parseScan(scanned: string, deck: DeckId, { pattern, cut, cards = {} }: ScanFormat): Scan {
  const text = scanned.trim();
  if (text.toUpperCase() === cut.toUpperCase()) return { cut: true };
  const card = parseCard(Object.hasOwn(cards, text) ? cards[text] : cardText(text, pattern), deck);
  return isRefused(card) ? unreadable : { card };
}

/** Rank and suit out of what stands around them. */
function cardText(text: string, pattern: string): string {
  const isRankFirst = pattern.indexOf('R') < pattern.indexOf('S');
  const [before, between, after] = pattern.split(/[RS]/u) as [string, string, string];
  if (!text.startsWith(before) || !text.endsWith(after) || text.length < before.length + after.length) return '';
  const middle = text.slice(before.length, text.length - after.length);
  // A ten may have two signs; a suit has one.
  const split = isRankFirst ? middle.length - 1 - between.length : 1;
  if (split < 1 || middle.slice(split, split + between.length) !== between) return '';
  const [first, second] = [middle.slice(0, split), middle.slice(split + between.length)];
  return isRankFirst ? first + second : second + first;
}

/** How a card would be scanned, for those who have no reader. */
export const formatScan = (card: Card, { pattern }: ScanFormat): string =>
  pattern.replace(/[RS]/gu, (letter) => (letter === 'R' ? rankOf(card) : suitOf(card)));

/** The first code of a list that names no card of any deck. */
export const invalidScanCode = ({ cards = {} }: ScanFormat): string | undefined =>
  Object.keys(cards).find((code) => ![...cardsOf('french'), ...cardsOf('elements')].includes(cards[code] as Card));
