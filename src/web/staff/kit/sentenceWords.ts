import { type Language } from '../../shared/language.ts';
import { wrongWords } from './wrongWords.ts';

// The sentences of a table, by their codes. Each says what is wanted; why it is wanted stands in `reasonWords`.

type Given = { readonly [name: string]: string };
type Said = { readonly [code: string]: (given: Given) => string };

const nameEn: Given = { player: 'Player', banker: 'Banker', tie: 'Tie' };
const nameZh: Given = { player: '闲', banker: '庄', tie: '和' };

/** The higher total first. */
const scoreOf = (player: string, banker: string): readonly string[] =>
  player > banker ? [player, banker] : [banker, player];

const winsEn = ({ last, player, banker }: Given): string =>
  last === 'tie' ? `Tie at ${player}` : `${nameEn[last!]} wins, ${scoreOf(player!, banker!).join(' to ')}`;
const winsZh = ({ last, player, banker }: Given): string =>
  last === 'tie' ? `和局，${player} 点` : `${nameZh[last!]}赢，${scoreOf(player!, banker!).join(' 比 ')}`;

const en: Said = {
  ready: () => 'Ready for the next round',
  'bets-open': () => 'Bets are open',
  closing: () => 'Closing',
  'first-card': () => 'Player’s first card',
  'second-card': () => 'Banker’s first card',
  'third-card': () => 'Player’s second card',
  'fourth-card': () => 'Banker’s second card',
  'player-draws': () => 'Player draws a third card',
  'player-stands': () => 'Banker draws a third card',
  'banker-draws': () => 'Banker draws a third card',
  'result-player': (given) => winsEn({ ...given, last: 'player' }),
  'result-banker': (given) => winsEn({ ...given, last: 'banker' }),
  'result-tie': (given) => winsEn({ ...given, last: 'tie' }),
  paying: () => 'Paying',
  closed: () => 'The table is closed',
  'no-shoe': () => 'Bring the new cards',
  'choose-turn': () => 'The first card is chosen',
  'inspect-shoe': () => 'Look at faces and backs',
  'count-shoe': () => 'Count the new cards',
  'shuffle-shoe': () => 'Shuffle the cards',
  'cut-shoe': () => 'Cut the cards',
  'verify-shoe': () => 'A second person verifies the shoe',
  'shoe-locked': () => 'This shoe is out of use: change it',
  'shoe-over': () => 'The shoe is over: change it',
  'burn-first': () => 'Turn the first card and burn',
  'cutting-card-due': () => 'By count the cutting card is out',
  proposed: () => 'Waiting for the second person',
  stopped: ({ kind }) => `Stopped: ${wrongWords.en.short[kind!] ?? kind}`,
  frozen: () => 'Frozen: the Gaming Shift Manager decides',
  last: (given) => (given['last'] === 'void' ? 'the round was void' : winsEn(given)),
};

const zh: Said = {
  ready: () => '可开始下一局',
  'bets-open': () => '下注中',
  closing: () => '即将停止',
  'first-card': () => '闲 第一张牌',
  'second-card': () => '庄 第一张牌',
  'third-card': () => '闲 第二张牌',
  'fourth-card': () => '庄 第二张牌',
  'player-draws': () => '闲补第三张牌',
  'player-stands': () => '庄补第三张牌',
  'banker-draws': () => '庄补第三张牌',
  'result-player': (given) => winsZh({ ...given, last: 'player' }),
  'result-banker': (given) => winsZh({ ...given, last: 'banker' }),
  'result-tie': (given) => winsZh({ ...given, last: 'tie' }),
  paying: () => '派彩中',
  closed: () => '本台已关',
  'no-shoe': () => '领取新牌',
  'choose-turn': () => '选定首张牌',
  'inspect-shoe': () => '验看牌面与背面',
  'count-shoe': () => '清点新牌',
  'shuffle-shoe': () => '洗牌',
  'cut-shoe': () => '切牌',
  'verify-shoe': () => '第二人核验牌靴',
  'shoe-locked': () => '此靴停用，请更换',
  'shoe-over': () => '此靴已完，请更换',
  'burn-first': () => '翻首张并烧牌',
  'cutting-card-due': () => '按张数切牌应已出现',
  proposed: () => '等待第二人',
  stopped: ({ kind }) => `停局：${wrongWords.zh.short[kind!] ?? kind}`,
  frozen: () => '冻结：由值班博彩经理裁定',
  last: (given) => (given['last'] === 'void' ? '该局作废' : winsZh(given)),
};

export const sentenceWords: { readonly [L in Language]: Said } = { en, zh };
