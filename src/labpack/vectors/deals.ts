import { games } from '../../games/registry.ts';
import { type Card, type DeckId, cardsOf } from '../../rules/card.ts';
import { type Deal, dealOf } from '../../rules/deal.ts';
import { type FactName } from '../../rules/facts.ts';
import { type Game, fullNameOf } from '../../rules/game.ts';
import { nextSlot } from '../../rules/play.ts';
import { isRefused } from '../../base/refusal.ts';
import { outcomeOf } from '../../rules/settle.ts';
import { factsUsed, lineIndexFor } from '../../rules/wager.ts';
import { chosenDeals } from './chosen.ts';
import { dealOfShoe } from './random.ts';

const shoeOf = (deck: DeckId) => ({ deck, decks: 8 });

/** Random deals that every game has, whatever they reach. */
const usual = 25;
/** As far as it is looked for deals that reach a line no other has reached. */
const farthest = 60_000;

/** A deal with all that a program must find in it. */
function dealVector(game: Game, { cards, hands, facts }: Deal): object {
  const asked = new Set(Object.values(game.wagers).flatMap((wager) => [...factsUsed(wager)]));
  const told = (['winner', ...asked] as const).filter((name, place, all) => all.indexOf(name) === place);
  return {
    game: fullNameOf(game),
    cards,
    hands,
    totals: { player: facts.playerTotal, banker: facts.bankerTotal },
    facts: Object.fromEntries(told.map((name: FactName) => [name, facts[name]])),
    wagers: Object.fromEntries(
      Object.entries(game.wagers).map(([id, wager]) => {
        const { result, net, by } = outcomeOf(wager, facts);
        return [id, { result, net, by }];
      }),
    ),
  };
}

/** One deal for each cell of the table of play, by two-card totals and third cards, with other cards for each. */
function everyCell(deck: DeckId): readonly (readonly Card[])[] {
  const ranks = cardsOf(deck).slice(0, 13);
  const deals: (readonly Card[])[] = [];
  const playOut = (cards: readonly Card[]): void => {
    if (nextSlot(cards) === undefined) deals.push(cards);
    // The Banker's third card opens no new cell: one is enough for each.
    else if (cards.length === 5) playOut([...cards, ranks[deals.length % 10]!]);
    else for (const card of ranks.slice(0, 10)) playOut([...cards, card]);
  };
  for (let player = 0; player < 10; player++) {
    for (let banker = 0; banker < 10; banker++) {
      // A ten and a card of the total's worth; two tens of different ranks for none.
      const [p2, b2] = [player, banker].map((total) => ranks[total === 0 ? 10 : total - 1]!);
      playOut([ranks[9]!, ranks[9]!, p2!, b2!]);
    }
  }
  return deals;
}

/** Cards that are no deal, and the code by which they are refused. */
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
    const deal = dealOf(cards, shoeOf(game.deck));
    if (isRefused(deal)) yield { game: fullNameOf(game), cards, refused: deal.refused };
  }
}

/** The deals of a game: those that show rows, those that reach further lines of its wagers, and some by chance. */
function* dealsOf(game: Game): Generator<Deal> {
  const wagers = Object.values(game.wagers);
  const open = new Set(
    wagers.flatMap(({ lines }, n) => Array.from({ length: lines.length + 1 }, (_, line) => `${n} ${line}`)),
  );
  const given = new Set<string>();
  const take = function* (cards: readonly string[], always: boolean): Generator<Deal> {
    const deal = dealOf(cards, shoeOf(game.deck));
    if (isRefused(deal) || given.has(cards.join(' '))) return;
    const reached = wagers
      .map((wager, n) => `${n} ${lineIndexFor(wager, deal.facts)}`)
      .filter((line) => open.has(line));
    if (!always && reached.length === 0) return;
    for (const line of reached) open.delete(line);
    given.add(cards.join(' '));
    yield deal;
  };
  for (const cards of chosenDeals[game.id] ?? []) yield* take(cards, true);
  // The first game of a deck plays every cell; the table of play is one for all games.
  if (games.find(({ deck }) => deck === game.deck) === game)
    for (const cards of everyCell(game.deck)) yield* take(cards, true);
  for (let n = 0; n < farthest && (n < usual || open.size > 0); n++) yield* take(dealOfShoe(game.deck, n), n < usual);
}

export function* dealVectors(): Generator<object> {
  for (const game of games) {
    for (const deal of dealsOf(game)) yield dealVector(game, deal);
    yield* refusals(game);
  }
}
