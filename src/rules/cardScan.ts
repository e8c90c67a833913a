import { type Card, type DeckId, cardsOfDeck, parseCard, rankOf, suitOf } from './card.ts';
import { type ScanFormat } from './scanFormat.ts';
import { isRefused } from '../base/refusal.ts';

// Scans of card readers. A reader (keyboard scanner, pipe or electronic shoe) sends one text per card, in the scan
// format of the property.

/** The default scan format. A card is sent in card notation, such as 8H, TH, 10H or L3; the cutting card as CUT. */
export const defaultScanFormat: ScanFormat = { pattern: 'RS', cut: 'CUT' };

export type CardScan = { readonly card: Card } | { readonly cut: true } | { readonly unreadable: true };

const unreadable: CardScan = { unreadable: true };

/**
 * Parses a scan of a card or of the cutting card. Any other text is `unreadable`, and so is a card of another deck.
 * Letter case matters only for the codes in `cards` and for the fixed characters of `pattern`.
 */
export function parseScan(scanned: string, deck: DeckId, { pattern, cut, cards = {} }: ScanFormat): CardScan {
  const text = scanned.trim();
  if (text.toUpperCase() === cut.toUpperCase()) return { cut: true };
  const card = parseCard(Object.hasOwn(cards, text) ? cards[text] : cardText(text, pattern), deck);
  return isRefused(card) ? unreadable : { card };
}

/**
 * The rank and suit in a scanned text, without the fixed characters of the pattern; empty when the text does not
 * match.
 */
function cardText(text: string, pattern: string): string {
  const isRankFirst = pattern.indexOf('R') < pattern.indexOf('S');
  const [before, between, after] = pattern.split(/[RS]/u) as [string, string, string];
  if (!text.startsWith(before) || !text.endsWith(after) || text.length < before.length + after.length) return '';
  const middle = text.slice(before.length, text.length - after.length);
  // The rank may be "10", so it may have two characters; the suit has one.
  const split = isRankFirst ? middle.length - 1 - between.length : 1;
  if (split < 1 || middle.slice(split, split + between.length) !== between) return '';
  const [first, second] = [middle.slice(0, split), middle.slice(split + between.length)];
  return isRankFirst ? first + second : second + first;
}

/** Formats a card by the `pattern` of a scan format, for simulated card readers. */
export const formatScan = (card: Card, { pattern }: ScanFormat): string =>
  pattern.replace(/[RS]/gu, (letter) => (letter === 'R' ? rankOf(card) : suitOf(card)));

/** The first code in `cards` that stands for a card in neither deck; undefined when every code is valid. */
export const findInvalidScanCode = ({ cards = {} }: ScanFormat): string | undefined =>
  Object.keys(cards).find(
    (code) => ![...cardsOfDeck('french'), ...cardsOfDeck('elements')].includes(cards[code] as Card),
  );
