/**
 * Chinese texts of reasons for a void, by the English text in the event log. These reasons are set by the program or
 * chosen by staff from a list.
 */
export const chineseVoidReasons: { readonly [english: string]: string } = {
  'No outcome was established before the interruption.': '中断之前尚未有任何结果可以确定。',
  'Wrong card on record': '记录的牌不对',
  'Card cannot be read': '牌读不出',
  'Foreign card': '外来牌',
  'Extra card': '同牌过多',
  'Face-up card': '牌面朝上',
  'Cards dealt out of order': '牌放错位置',
  'Wrong number of cards': '多发或少发',
  'Cards drawn together': '同时抽出',
  'Shoe order disturbed': '靴内次序打乱',
  'Not enough cards to finish': '牌不够',
  'Missing card': '缺牌',
  'Shoe not shuffled': '未洗牌',
  'System interruption': '本台中断',
  'No rule covers it': '规则没有写明',
};
