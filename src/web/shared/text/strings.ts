import { createStringsGetter } from './language.ts';

const en = {
  player: 'Player',
  banker: 'Banker',
  tie: 'Tie',
  bigRoad: 'Big road',
  bead: 'Bead plate',
  bigEye: 'Big eye boy',
  small: 'Small road',
  cockroach: 'Cockroach pig',
  lastResults: 'Last results',
  noResults: 'no results yet',
  ties: (count: number) => (count === 1 ? '1 tie' : `${count} ties`),
  pairs: { playerPair: 'Player pair', bankerPair: 'Banker pair' },
  marks: { r: 'red', b: 'blue' },
  noMark: 'no mark',
  ifNext: 'If the next winner is',
  seconds: 'seconds left',
  faceDown: 'face down',
  suits: { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' },
  suit: 'suit',
  cardGood: 'verified',
  cardBad: 'verification failed',
};

const zh: typeof en = {
  player: '闲',
  banker: '庄',
  tie: '和',
  bigRoad: '大路',
  bead: '珠盘路',
  bigEye: '大眼仔',
  small: '小路',
  cockroach: '曱甴路',
  lastResults: '最近结果',
  noResults: '尚无结果',
  ties: (count) => `和 ${count}`,
  pairs: { playerPair: '闲对', bankerPair: '庄对' },
  marks: { r: '红', b: '蓝' },
  noMark: '无标记',
  ifNext: '问路',
  seconds: '秒',
  faceDown: '暗牌',
  suits: { C: '梅花', D: '方块', H: '红心', S: '黑桃' },
  suit: '花色',
  cardGood: '已核对',
  cardBad: '核对不符',
};

export const sharedStringsByLanguage = { en, zh };

export const sharedStrings = createStringsGetter(sharedStringsByLanguage);
