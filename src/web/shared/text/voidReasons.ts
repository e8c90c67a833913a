/** Chinese texts of reasons for a void, by the stored English text: of the program, or chosen on a staff screen. */
export const chineseVoidReasons: { readonly [english: string]: string } = {
  'No outcome was established before the interruption.': '中断之前尚未有任何结果可以确定。',
  'Wrong card on record': '记录的牌不对',
  'Card cannot be read': '牌读不出',
  'Card does not belong': '外来牌',
  'Same card too often': '同牌过多',
  'Card lies face up': '牌面朝上',
  'Cards in the wrong place': '牌放错位置',
  'Too many or too few cards': '多发或少发',
  'Cards came out together': '同时抽出',
  'Order in the shoe disturbed': '靴内次序打乱',
  'Not enough cards to finish': '牌不够',
  'A card is missing': '缺牌',
  'Shoe was not shuffled': '未洗牌',
  'The table stopped': '本台中断',
  'No rule covers it': '规则没有写明',
};
