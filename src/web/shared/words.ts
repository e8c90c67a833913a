import { wordsIn } from './language.ts';

/** What is called the same on every screen. */
const en = {
  player: 'Player',
  banker: 'Banker',
  tie: 'Tie',
  bigRoad: 'Big road',
  bead: 'Bead plate',
  noResults: 'no results yet',
  suits: { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' },
  suit: 'suit',
  cardGood: 'fits the commitment',
  cardBad: 'does not fit the commitment',
};

const zh: typeof en = {
  player: '闲',
  banker: '庄',
  tie: '和',
  bigRoad: '大路',
  bead: '珠盘路',
  noResults: '尚无结果',
  suits: { C: '梅花', D: '方块', H: '红心', S: '黑桃' },
  suit: '花色',
  cardGood: '与承诺值相符',
  cardBad: '与承诺值不符',
};

export const common = { en, zh };

/** The words of the language in use. */
export const words = wordsIn(common);
