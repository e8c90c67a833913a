import { describe, expect, test } from 'vitest';
import { games } from '../games/registry.ts';
import { type Card, cardsOfDeck } from './card.ts';
import { decidedWagers } from './decidedWagers.ts';
import { parseDeal } from './deal.ts';
import { type FactName } from './facts.ts';
import { type Game, wagerIdsOf } from './game.ts';
import { nextSlot } from './play.ts';
import { wagerOutcomeOf } from './settle.ts';
import { wagerStatuses } from './wagerStatus.ts';

const named = (id: string): Game => games.find((game) => game.id === id)!;
const cards = (text: string): readonly Card[] => (text === '' ? [] : text.split(' ')) as readonly Card[];
const why = (game: string, text: string, wager: string) => wagerStatuses(named(game), [wager], cards(text))[0];

describe('[ETG 5.9] why a wager is decided, or is not', () => {
  test.each([
    ['tiger', '9S 9C 7H', 'tiger', 'lost', { code: 'totals', with: { player: '6', banker: '0 1 2 3 4 5 6 7 8 9' } }],
    ['tiger', '9S 9C 7H', 'tiger-pair', 'open', { code: 'open', with: { tigerPair: 'none single' } }],
    ['tiger', '9S 9C 7H', 'tie', 'open', { code: 'open', with: { winner: 'player banker tie' } }],
    [
      'baccarat',
      '9S 2C 9H',
      'player-pair',
      'won',
      { code: 'fact', with: { fact: 'playerPair', is: 'true', needs: 'true' } },
    ],
    [
      'baccarat',
      '9S 2C KH',
      'player-pair',
      'lost',
      { code: 'fact', with: { fact: 'playerPair', is: 'false', needs: 'true' } },
    ],
    [
      'baccarat',
      '9S 2C KH 4D',
      'banker',
      'lost',
      { code: 'fact', with: { fact: 'winner', is: 'player', needs: 'banker tie' } },
    ],
    ['baccarat', 'KS 2C 9H 7D', 'player', 'open', { code: 'push', with: { winner: 'tie' } }],
    [
      'tiger',
      'KS 2C 5H 4D 3S',
      'tiger',
      'lost',
      { code: 'fact', with: { fact: 'winner', is: 'player', needs: 'banker' } },
    ],
    [
      'tiger',
      'KS 2C 5H 4D KD',
      'tiger',
      'won',
      { code: 'facts', with: { winner: 'banker', bankerTotal: '6', bankerCards: '2' } },
    ],
    ['baccarat', '9S 2C', 'tie', 'open', { code: 'early', with: { cards: '2' } }],
  ])('%s after %s: %s is %s', (game, text, wager, result, reason) => {
    expect(why(game, text, wager)).toEqual({ wager, result, why: reason });
  });

  test('a line with several values is reported with all of them', () => {
    const game = named('baccarat');
    const lines = [{ when: { playerTotal: [1, 2] as const }, pays: [5, 1] as const, by: 'X 1' }];
    const low: Game = { ...game, wagers: { low: { name: 'Low', by: 'X 1', lines } } };
    expect(wagerStatuses(low, ['low'], cards('9S 2C 9H 4D'))).toEqual([
      { wager: 'low', result: 'lost', why: { code: 'fact', with: { fact: 'playerTotal', is: '8', needs: '1 2' } } },
    ]);
    expect(wagerStatuses(low, ['low'], cards('KS 8C AH KD'))).toMatchObject([{ result: 'won' }]);
  });

  test('a wager that no cards can touch is decided before any', () => {
    const game = named('sands-elements');
    const sure: Game = {
      ...game,
      wagers: {
        sure: { name: 'Sure', by: 'X 1', lines: [{ when: { playerColour: 'none' }, pays: [1, 1], by: 'X 1' }] },
      },
    };
    expect(wagerStatuses(sure, ['sure'], [])).toEqual([
      { wager: 'sure', result: 'won', why: { code: 'always', with: {} } },
    ]);
  });
});

/** Deals of a deck from a fixed pseudo-random sequence of cards. */
function dealsOf(game: Game, count: number): readonly (readonly Card[])[] {
  const deck = cardsOfDeck(game.deck);
  let seed = 7;
  const next = (): Card => deck[(seed = (seed * 48_271) % 2_147_483_647) % deck.length]!;
  return Array.from({ length: count }, () => {
    const dealt: Card[] = [];
    while (nextSlot(dealt) !== undefined) dealt.push(next());
    return dealt;
  });
}

test.each(games.map((game) => [game.id, game] as const))(
  '%s: what is decided is what is certain, and the reason alone decides it in any deal',
  (_, game) => {
    const offered = wagerIdsOf(game);
    const deals = dealsOf(game, 150);
    const facts = deals.map((dealt) => {
      const deal = parseDeal(dealt, { deck: game.deck, decks: 10 });
      if (!('facts' in deal)) throw new Error(deal.message);
      return deal.facts;
    });
    for (const [n, dealt] of deals.slice(0, 12).entries()) {
      const prefix = dealt.slice(0, 3 + (n % 3));
      const { won, lost } = decidedWagers(game, offered, prefix);
      const decided = wagerStatuses(game, offered, prefix);
      const as = (result: string) => decided.filter((one) => one.result === result).map(({ wager }) => wager);
      expect([as('won'), as('lost')]).toEqual([won, lost]);
      for (const { wager, result, why: reason } of decided) {
        if (reason.code !== 'fact' && reason.code !== 'totals') continue;
        const given: { readonly [fact: string]: string } =
          reason.code === 'fact'
            ? { [reason.with['fact']!]: reason.with['is']! }
            : { playerTotal: reason.with['player']!, bankerTotal: reason.with['banker']! };
        for (const one of facts) {
          const fits = Object.keys(given).every((fact) =>
            given[fact]!.split(' ').includes(String(one[fact as FactName])),
          );
          if (fits)
            expect(wagerOutcomeOf(game.wagers[wager]!, one).result, wager).toBe(result === 'won' ? 'win' : 'lose');
        }
      }
    }
  },
);
