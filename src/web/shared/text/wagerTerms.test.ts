import { expect, test } from 'vitest';
import { games } from '../../../games/registry.ts';
import { wagerTerms, wagerTermsText } from './wagerTerms.ts';

const wagerOf = (game: string, wager: string) => games.find(({ id }) => id === game)!.wagers[wager]!;

test.each([
  ['baccarat', 'banker', '0.95 : 1', '0.95 : 1'],
  ['baccarat', 'player', '1 : 1', '1 : 1'],
  ['no-commission', 'banker', '1 : 1, on 6 1 : 2', '1 : 1, 6 点 1 : 2'],
  ['tiger', 'tiger', '2 cards 12 : 1, 3 cards 20 : 1', '2 张 12 : 1, 3 张 20 : 1'],
  ['tiger', 'big-tiger', '50 : 1', '50 : 1'],
  ['tiger', 'tiger-pair', 'twin 100 : 1, double 20 : 1, single 4 : 1', '同 100 : 1, 双 20 : 1, 单 4 : 1'],
  ['sands-super', 'sands-six', '6 : 1', '6 : 1'],
  ['sands-super', 'tie-wins-on-4', '100 : 1', '100 : 1'],
  ['sands-super', 'player-red', '2 : 1', '2 : 1'],
  [
    'fabulous-4',
    'player-precious-pair',
    '4♦ 4♦ 30 : 1, other 4s 15 : 1, ♦ pair 12 : 1, other pair 9 : 1',
    '4♦ 4♦ 30 : 1, 其他 4 对 15 : 1, ♦ 对 12 : 1, 其他对 9 : 1',
  ],
  ['fabulous-4', 'player', '1 : 1, on 4 1 : 2, on 1 2 : 1', '1 : 1, 4 点 1 : 2, 1 点 2 : 1'],
  ['fabulous-4', 'banker', '1 : 1, on 4 push, on 1 2 : 1', '1 : 1, 4 点 退回, 1 点 2 : 1'],
  [
    'super-6',
    'banker-dragon-bonus',
    'by 9 30 : 1, by 8 10 : 1, by 7 6 : 1, by 6 4 : 1, by 5 2 : 1, by 4 1 : 1, natural 1 : 1, natural tie push',
    '胜9点 30 : 1, 胜8点 10 : 1, 胜7点 6 : 1, 胜6点 4 : 1, 胜5点 2 : 1, 胜4点 1 : 1, 例牌 1 : 1, 例牌 和 退回',
  ],
])('the terms of %s %s are %s', (game, wager, english, chinese) => {
  expect(wagerTermsText(wagerTerms(wagerOf(game, wager), 'en'))).toBe(english);
  expect(wagerTermsText(wagerTerms(wagerOf(game, wager), 'zh'))).toBe(chinese);
});

test.each([
  ['SUP diagram-a', 'sands-super'],
  ['ETG layout-8', 'tiger'],
  ['ETG layout-8', 'tiger-no-commission'],
])('[%s] the terms of every wager of %s follow its pay table', (_, game) => {
  for (const wager of Object.values(games.find(({ id }) => id === game)!.wagers)) {
    for (const line of wager.lines) {
      if (line.pays === 'push') continue;
      // If the odds of one pay line change, the terms change in both languages.
      const { commission: _commission, ...rest } = line;
      const lines = wager.lines.map((one) => (one === line ? { ...rest, pays: [77, 3] as const } : one));
      for (const of of ['en', 'zh'] as const) {
        expect(wagerTermsText(wagerTerms({ ...wager, lines }, of)), wager.name).toContain('77 : 3');
      }
    }
  }
});

test('no two terms of a wager have the same condition, and none is lost', () => {
  for (const { wagers } of games) {
    for (const wager of Object.values(wagers)) {
      for (const of of ['en', 'zh'] as const) {
        const terms = wagerTerms(wager, of);
        expect(new Set(terms.map(({ when }) => when)).size, wager.name).toBe(terms.length);
        const odds = new Set(wager.lines.flatMap(({ pays }) => (pays === 'push' ? [] : [pays.join(' ')])));
        expect(new Set(terms.filter(({ pays }) => pays.includes(' : ')).map(({ pays }) => pays)).size).toBe(odds.size);
      }
    }
  }
});
