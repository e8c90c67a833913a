import { language } from './words.ts';

// Names of games and wagers. English ones come from the games themselves.

const games: { readonly [id: string]: string } = {
  baccarat: '百家乐',
  'sands-super': '金沙超级百家乐',
  'sands-elements': '金沙五行免佣百家乐',
  'fabulous-4': '神奇四点百家乐',
  'super-six': '超级六（Super Six）免佣百家乐',
  'fortune-six': '幸运六免佣百家乐',
  'super-6': '超级 6（Super 6）免佣百家乐',
  'no-commission': '免佣百家乐',
  tiger: '老虎百家乐',
  'tiger-no-commission': '老虎免佣百家乐',
};

const wagers: { readonly [id: string]: string } = {
  player: '闲',
  banker: '庄',
  tie: '和',
  'player-pair': '闲对',
  'banker-pair': '庄对',
  'player-red': '闲红',
  'player-black': '闲黑',
  'banker-red': '庄红',
  'banker-black': '庄黑',
  'sands-six': '金沙六点',
  'player-precious-pair': '闲珍贵对子',
  'banker-precious-pair': '庄珍贵对子',
  'player-fabulous-4': '闲神奇四点',
  'banker-fabulous-4': '庄神奇四点',
  'super-six': '超级六',
  'fortune-six': '幸运六',
  'super-6': '超级 6',
  'player-dragon-bonus': '闲龙宝',
  'banker-dragon-bonus': '庄龙宝',
  tiger: '老虎',
  'small-tiger': '小老虎',
  'big-tiger': '大老虎',
  'tiger-tie': '老虎和',
  'tiger-pair': '老虎对子',
};

const sides: { readonly [side: string]: string } = { player: '闲', banker: '庄', tie: '和' };

/** The name of a game's table in the language in use. */
export const gameName = (table: string, english: string): string =>
  language.value === 'zh' ? (games[table] ?? english) : english;

/** The name of a wager in the language in use; one without a translation keeps its own. */
export function wagerName(wager: string, english: string): string {
  if (language.value !== 'zh') return english;
  const winsOn = /^(player|banker|tie)-wins-on-(\d)$/.exec(wager);
  return winsOn ? `${sides[winsOn[1]!]!} ${winsOn[2]!} 点胜` : (wagers[wager] ?? english);
}

const refusals: { readonly [code: string]: string } = {
  'bets-closed': '本局已不接受投注，请等下一局。',
  'late-raise': '停止下注后不能加注；已接受的投注有效。',
  'late-withdrawal': '停止下注后不能撤回；投注有效。',
  'not-enough-credit': '余额不足，请减少投注。',
  'over-maximum': '超过该投注的最高限额。',
  'under-minimum': '低于该投注的最低限额。',
  'under-total-minimum': '低于总投注最低限额。',
  'stake-off-step': '投注额不是最小单位的倍数。',
  'server-closing': '服务器正在关闭，不再接受投注。',
  'table-stopped': '本台已停止，请联系主管。',
  'too-many-messages': '操作过于频繁，请稍候。',
  'too-many-seats': '新终端过多，请稍后再试。',
};

/** A refusal in the language in use; English is what the server said. */
export const refusalText = (code: string, english: string): string =>
  language.value === 'zh' ? (refusals[code] ?? '服务器不接受此操作。') : english;
