import { chineseVoidReasons } from './voidReasons.ts';
import { language } from './language.ts';

// Chinese names of games and wagers. Their English names come from the definitions of the games.

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

/** Short names of games for small spaces. The English short names leave out the word "Baccarat". */
const shortNames: { readonly [id: string]: BilingualName } = {
  'sands-super': { en: 'Sands Super', zh: '金沙超级百家乐' },
  'sands-elements': { en: 'Sands Elements', zh: '金沙五行免佣' },
  'fabulous-4': { en: 'Fabulous 4', zh: '神奇四点百家乐' },
  'super-six': { en: 'Super Six', zh: '超级六免佣' },
  'fortune-six': { en: 'Fortune Six', zh: '幸运六免佣' },
  'super-6': { en: 'Super 6', zh: '超级 6 免佣' },
  'no-commission': { en: 'No Commission', zh: '免佣百家乐' },
  'tiger-no-commission': { en: 'Tiger No Commission', zh: '老虎免佣百家乐' },
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

export type BilingualName = { readonly en: string; readonly zh: string };

export const bilingualGameName = (game: string, english: string): BilingualName => ({
  en: english,
  zh: games[game.split('@', 1)[0]!] ?? english,
});

export function bilingualWagerName(wager: string, english: string): BilingualName {
  const winsOn = /^(player|banker|tie)-wins-on-(\d)$/.exec(wager);
  return { en: english, zh: winsOn ? `${sides[winsOn[1]!]!} ${winsOn[2]!} 点胜` : (wagers[wager] ?? english) };
}

/** Name of a game in the language of the screen. `game` is the id of the game, with or without a version. */
export const gameName = (game: string, english: string): string => bilingualGameName(game, english)[language.value];

/** Name of a wager in the language of the screen. A wager without a Chinese name keeps its English name. */
export const wagerName = (wager: string, english: string): string => bilingualWagerName(wager, english)[language.value];

/** Short name of a game in both languages; its full name if it has no short name. */
export const bilingualShortGameName = (game: string, english: string): BilingualName =>
  shortNames[game.split('@', 1)[0]!] ?? bilingualGameName(game, english);

/** Reason for a void in the language of the screen. A reason that staff typed is not translated. */
export const voidReasonText = (english: string): string =>
  language.value === 'zh' ? (chineseVoidReasons[english] ?? english) : english;
