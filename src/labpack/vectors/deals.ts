import { games } from '../../games/registry.ts';
import { type Card, type DeckId, cardsOfDeck } from '../../rules/card.ts';
import { type Deal, parseDeal } from '../../rules/deal.ts';
import { type FactName } from '../../rules/facts.ts';
import { type Game, versionedGameId } from '../../rules/game.ts';
import { nextSlot } from '../../rules/play.ts';
import { isRefused } from '../../base/refusal.ts';
import { wagerOutcomeOf } from '../../rules/settle.ts';
import { factsUsed, payLineIndexFor } from '../../rules/wager.ts';
import { chosenDeals } from './chosenDeals.ts';
import { firstDealOfSeededShoe } from './seededShoes.ts';

const shoeOf = (deck: DeckId) => ({ deck, decks: 8 });

/** Number of random deals of each game that are taken even if they reach no new pay line. */
const defaultDeals = 25;
/**
 * Maximum number of random deals that are tried for a game. More than `defaultDeals` are tried only until every pay
 * line is reached.
 */
const maxTries = 60_000;

/** Vector of a deal: its hands, totals, facts and the result of each wager. */
function dealVector(game: Game, { cards, hands, facts }: Deal): object {
  const usedFacts = new Set(Object.values(game.wagers).flatMap((wager) => [...factsUsed(wager)]));
  const factList = (['winner', ...usedFacts] as const).filter((name, index, all) => all.indexOf(name) === index);
  return {
    game: versionedGameId(game),
    cards,
    hands,
    totals: { player: facts.playerTotal, banker: facts.bankerTotal },
    facts: Object.fromEntries(factList.map((name: FactName) => [name, facts[name]])),
    wagers: Object.fromEntries(
      Object.entries(game.wagers).map(([id, wager]) => {
        const { result, net, by } = wagerOutcomeOf(wager, facts);
        return [id, { result, net, by }];
      }),
    ),
  };
}

/** Deals that cover each cell of the table of play, by two-card totals and third cards. */
function dealsOfEveryCell(deck: DeckId): readonly (readonly Card[])[] {
  const ranks = cardsOfDeck(deck).slice(0, 13);
  const deals: (readonly Card[])[] = [];
  const playOut = (cards: readonly Card[]): void => {
    if (nextSlot(cards) === undefined) deals.push(cards);
    // The third card of the Banker leads to no other cell, so only one card is tried.
    else if (cards.length === 5) playOut([...cards, ranks[deals.length % 10]!]);
    else for (const card of ranks.slice(0, 10)) playOut([...cards, card]);
  };
  for (let player = 0; player < 10; player++) {
    for (let banker = 0; banker < 10; banker++) {
      // Each hand is a ten and a card that counts the total; for the total zero, the second card is a picture.
      const [p2, b2] = [player, banker].map((total) => ranks[total === 0 ? 10 : total - 1]!);
      playOut([ranks[9]!, ranks[9]!, p2!, b2!]);
    }
  }
  return deals;
}

/** Lists of cards that are not a valid deal. */
const refusedDeals = {
  french: [
    '',
    '9S',
    'TS 9H QC 5C',
    '2S KC 3H 6D 6H',
    '9S 2C 9H 4D AS',
    '9S 2C 9H XX',
    '9S 2C 9H 43',
    'AH 6C JD 3H 2S 2S',
  ],
  elements: ['', '91', 'T1 92 S3 54', '91 22 93 44 A1', '91 22 93 4S'],
} as const;

function* refusals(game: Game): Generator<object> {
  for (const text of refusedDeals[game.deck]) {
    const cards = text.split(' ').filter((card) => card !== '');
    const deal = parseDeal(cards, shoeOf(game.deck));
    if (isRefused(deal)) yield { game: versionedGameId(game), cards, refused: deal.refused };
  }
}

/**
 * The deals of a game: the chosen deals, the deals of every cell of the table of play for the first game of a deck, and
 * random deals. After the first `defaultDeals`, a random deal is taken only if it reaches a new pay line.
 */
function* dealsOf(game: Game): Generator<Deal> {
  const wagers = Object.values(game.wagers);
  const openLines = new Set(
    wagers.flatMap(({ lines }, n) => Array.from({ length: lines.length + 1 }, (_, line) => `${n} ${line}`)),
  );
  const seen = new Set<string>();
  const takeDeal = function* (cards: readonly string[], isForced: boolean): Generator<Deal> {
    const deal = parseDeal(cards, shoeOf(game.deck));
    if (isRefused(deal) || seen.has(cards.join(' '))) return;
    const reached = wagers
      .map((wager, n) => `${n} ${payLineIndexFor(wager, deal.facts)}`)
      .filter((line) => openLines.has(line));
    if (!isForced && reached.length === 0) return;
    for (const line of reached) openLines.delete(line);
    seen.add(cards.join(' '));
    yield deal;
  };
  for (const cards of chosenDeals[game.id] ?? []) yield* takeDeal(cards, true);
  // Only the first game of each deck gets the deals of every cell, because all games of a deck have the same table of
  // play.
  if (games.find(({ deck }) => deck === game.deck) === game)
    for (const cards of dealsOfEveryCell(game.deck)) yield* takeDeal(cards, true);
  for (let n = 0; n < maxTries && (n < defaultDeals || openLines.size > 0); n++)
    yield* takeDeal(firstDealOfSeededShoe(game.deck, n), n < defaultDeals);
}

export function* dealVectors(): Generator<object> {
  for (const game of games) {
    for (const deal of dealsOf(game)) yield dealVector(game, deal);
    yield* refusals(game);
  }
}
