import { wordsIn } from '../../../shared/language.ts';

const en = {
  find: 'Number or id of a round',
  allTables: 'All tables',
  all: 'All',
  void: 'Void',
  corrected: 'Settled again',
  table: 'Table',
  round: 'Round',
  day: 'Day',
  result: 'Result',
  playing: 'is played',
  none: 'No round of the gaming day fits. An older one opens by its whole id.',
  shoe: (shoe: string) => `shoe ${shoe}`,
  wins: (one: number, other: number) => `wins ${one} to ${other}`,
  tied: (total: number) => `at ${total}`,
  story: 'Story',
  correct: 'Correct',
  choose: 'Choose a round.',
  list: 'Rounds',
};
type Words = typeof en;
const zh: Words = {
  find: '局号或编号',
  allTables: '全部牌台',
  all: '全部',
  void: '作废',
  corrected: '重新结算',
  table: '牌台',
  round: '局',
  day: '日期',
  result: '结果',
  playing: '进行中',
  none: '本博彩日没有符合的牌局。更早的牌局可用完整编号打开。',
  shoe: (shoe) => `牌靴 ${shoe}`,
  wins: (one, other) => `${one} 比 ${other}`,
  tied: (total) => `${total} 点`,
  story: '经过',
  correct: '更正',
  choose: '请选一局。',
  list: '牌局',
};
export const words = wordsIn<Words>({ en, zh });
