import type { Language } from '../../../shared/text/language.ts';

// Rows of the report sheet, in groups. Two digits choose a row: the number of the group and of the row in the group.
// The clause and the effect of each report come from the server.

export type ReportSheetRow = {
  /** Kinds of irregularity that the row stands for. The row reports the first of them that can be reported now. */
  readonly kinds: readonly string[];
  readonly en: readonly [title: string, more: string];
  readonly zh: readonly [title: string, more: string];
  /** What the dealer must enter before the console sends the report, besides the kind of irregularity. */
  readonly needs: 'nothing' | 'fix' | 'place' | 'chips' | 'since' | 'text' | 'call';
};
export type ReportSheetGroup = { readonly en: string; readonly zh: string; readonly rows: readonly ReportSheetRow[] };

const row = (
  kinds: string,
  needs: ReportSheetRow['needs'],
  en: ReportSheetRow['en'],
  zh: ReportSheetRow['zh'],
): ReportSheetRow => ({
  kinds: kinds.split(' '),
  needs,
  en,
  zh,
});

export const reportSheetGroups: readonly ReportSheetGroup[] = [
  {
    en: 'Card problem',
    zh: '牌的问题',
    rows: [
      row(
        'mis-scan',
        'fix',
        ['Wrong card on record', 'Felt and screen show different cards'],
        ['记录的牌不对', '台面上的牌与屏幕不同'],
      ),
      row(
        'unreadable-card',
        'nothing',
        ['Card cannot be read', 'Worn, bent, or not read by the reader'],
        ['牌读不出', '磨损、弯折或读不到'],
      ),
      row(
        'foreign-card',
        'nothing',
        ['Foreign card', 'Joker, other back or other deck'],
        ['外来牌', '大小王、背面不同、别副牌'],
      ),
      row(
        'extra-card',
        'nothing',
        ['Extra card', 'More copies of a card than decks'],
        ['同牌过多', '同一张牌多于副数'],
      ),
      row(
        'face-up-after face-up-before',
        'nothing',
        ['Face-up card', 'Before the first card: refer it'],
        ['牌面朝上', '首张牌之前须呈报'],
      ),
    ],
  },
  {
    en: 'Order problem',
    zh: '次序问题',
    rows: [
      row(
        'wrong-order',
        'nothing',
        ['Cards dealt out of order', 'The order drawn is known'],
        ['牌放错位置', '出靴次序可知'],
      ),
      row(
        'wrong-number',
        'nothing',
        ['Wrong number of cards', 'Drawn when not due, or due and not drawn'],
        ['多发或少发', '不该补而补，或该补未补'],
      ),
      row(
        'drawn-together third-cards-together',
        'place',
        ['Cards drawn together', 'Two or more at once, at any draw'],
        ['同时抽出', '两张或更多一起出靴'],
      ),
    ],
  },
  {
    en: 'Shoe problem',
    zh: '牌靴问题',
    rows: [
      row(
        'order-altered',
        'nothing',
        ['Shoe order disturbed', 'Cards dropped or pushed back'],
        ['靴内次序打乱', '跌落、滑出、推回'],
      ),
      row(
        'too-few-cards',
        'nothing',
        ['Not enough cards to finish', 'The shoe has no next card'],
        ['牌不够', '牌靴无法再出牌'],
      ),
      row('missing-card', 'nothing', ['Missing card', 'The count is short'], ['缺牌', '清点时少牌']),
      row('unshuffled-cards', 'nothing', ['Shoe not shuffled', 'No shuffle is on record'], ['未洗牌', '没有洗牌记录']),
      row(
        'cutting-card',
        'nothing',
        ['Cutting card came out', 'This round is the last of the shoe'],
        ['切牌已出', '本局为本靴最后一局'],
      ),
      row(
        'cutting-card-missing',
        'nothing',
        ['Cutting card is missing', 'By count it should be out; it is not found'],
        ['切牌不见', '按张数应已出现，却找不到'],
      ),
    ],
  },
  {
    en: 'Late or moved bets',
    zh: '迟注或移注',
    rows: [
      row(
        'late-wager',
        'chips',
        ['Late bet', 'Placed after no more bets: not in the round'],
        ['停止后下注', '不计入本局'],
      ),
      row(
        'raised-wager',
        'chips',
        ['Bet raised late', 'Only the added amount is refused'],
        ['停止后加注', '只拒绝加的部分'],
      ),
      row(
        'withdrawn-wager',
        'chips',
        ['Bet removed late', 'It still wins or loses as placed'],
        ['停止后收回', '视同仍在，照计输赢'],
      ),
    ],
  },
  {
    en: 'Machine or power',
    zh: '机器或电力',
    rows: [
      row(
        'interruption',
        'since',
        ['System interruption', 'Power, server, shoe or console; then void or resume'],
        ['本台中断', '电力、服务器、牌靴、主控台'],
      ),
      row(
        'terminals-lost',
        'call',
        ['Terminals offline', 'One, some or all; the round continues'],
        ['终端失灵', '一台、多台或全部'],
      ),
    ],
  },
  {
    en: 'Anything else',
    zh: '其他情况',
    rows: [
      row(
        'anything-else',
        'text',
        ['No rule covers it', 'The table freezes until the Gaming Shift Manager decides'],
        ['规则没有写明', '冻结至值班博彩经理裁定'],
      ),
    ],
  },
];

const rows = reportSheetGroups.flatMap((group) => group.rows);
const shortNames = (language: Language): { readonly [kind: string]: string } => {
  const all = rows.flatMap((one) => one.kinds.map((kind) => [kind, one[language][0]] as const));
  const lowerFirst = (text: string): string => (language === 'en' ? text[0]!.toLowerCase() + text.slice(1) : text);
  return Object.fromEntries(all.map(([kind, text]) => [kind, lowerFirst(text)]));
};

/** Names of irregularities by kind, for use within a sentence: "foreign card". */
export const irregularityNamesByLanguage = { en: { short: shortNames('en') }, zh: { short: shortNames('zh') } };
