import { createStringsGetter } from '../../../shared/text/language.ts';

const en = {
  title: (shoe: string, table: string) => `Count the sealed shoe ${shoe} of ${table}`,
  none: (table: string) => `${table} has no sealed shoe to count.`,
  seal: 'Seal',
  lies: 'Location',
  since: 'Since',
  waiting: 'Under seal',
  blind: 'Blind: key one digit for each kind of card; no figures until all are keyed.',
  recount: 'The count does not agree. Count again, blind. Every count is on record.',
  others: 'Two persons who did not seal the shoe count it.',
  keyed: (done: number, all: number) => `${done} of ${all} kinds keyed`,
  propose: 'Propose the count',
  two: 'then another person',
  toTable: 'To the table',
};
type Strings = typeof en;
const zh: Strings = {
  title: (shoe, table) => `清点 ${table} 的封存牌靴 ${shoe}`,
  none: (table) => `${table} 没有封存待点的牌靴。`,
  seal: '封条',
  lies: '存放处',
  since: '封存时间',
  waiting: '封存中',
  blind: '盲点：每种牌键入一位数；全部点完之前不显示任何数目。',
  recount: '点数不符，请再盲点一次。每次清点均有记录。',
  others: '封靴的人不点牌，由另外两人清点。',
  keyed: (done, all) => `已键入 ${done} / ${all} 种`,
  propose: '提出点数',
  two: '再由另一人核准',
  toTable: '回到牌台',
};
export const sealedShoeStrings = createStringsGetter<Strings>({ en, zh });
