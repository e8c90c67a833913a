import { expect, test } from 'vitest';
import { games } from '../../../../games/registry.ts';
import { parseDeal } from '../../../../rules/deal.ts';
import { badgesOfRound } from './badges.ts';

function badges(id: string, cards: string): { readonly en: readonly string[]; readonly zh: readonly string[] } {
  const game = games.find((one) => one.id === id)!;
  const deal = parseDeal(cards.split(' '), { deck: game.deck, decks: 8 });
  if (!('facts' in deal)) throw new Error(deal.message);
  const found = badgesOfRound(game, deal.facts);
  return { en: found.map(({ en }) => en), zh: found.map(({ zh }) => zh) };
}

test.each([
  // Banker wins 6 to 4 on five cards, of which Banker has two.
  ['tiger', 'AC KD 3D 6S KH', ['Banker on 6, 2 cards'], ['庄 6 点 · 2 张']],
  ['super-six', 'AC KD 3D 6S KH', ['Banker on 6'], ['庄 6 点']],
  ['baccarat', 'AC KD 3D 6S KH', [], []],
  ['tiger', '8C 8D KC KD', ['Natural 8'], ['例牌 8']],
  ['tiger', '9C 9D 9H 9S', ['Natural 8', 'Twin pairs'], ['例牌 8', '同牌两对']],
  ['tiger', '4C 3D 4H 3S', ['Natural 8', 'Two pairs'], ['例牌 8', '两家对子']],
  ['tiger', '4C 3D 4H 2S', ['Natural 8', 'Player pair'], ['例牌 8', '闲对']],
  ['baccarat', '4C 3D 4H 3S', ['Natural 8', 'Player pair', 'Banker pair'], ['例牌 8', '闲对', '庄对']],
  ['tiger', '3C 2D 3H 4S', ['Tie on 6', 'Player pair'], ['6 点和', '闲对']],
  ['fabulous-4', 'AC KD 3D 3S KH KC', ['Player on 4'], ['闲 4 点']],
  // In Sands Super every total has a wager in a number strip, and only the total 6 also has another wager.
  ['sands-super', 'KC KD 7D 6S', [], []],
])('%s after %s has the badges %j', (id, cards, en, zh) => {
  expect(badges(id, cards)).toEqual({ en, zh });
});
