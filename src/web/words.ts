import { effect, signal } from '@preact/signals';

/** All words of the screens in English; every other language has the same keys. */
const en = {
  title: 'Punto demo floor',
  language: '中文',
  languageName: 'Switch to Chinese',
  demo: 'Demo',
  demoNotice: 'Demo credit only: it cannot be bought, and it is worth nothing.',
  lobbyTitle: 'Ten tables, ten games',
  lobbyHint: 'Choose a table to sit down with 1,000.00 of demo credit.',
  lastResult: 'Last result',
  sitDown: 'Sit down at',
  tables: 'Tables',
  joining: 'Connecting …',
  lost: 'The link is lost; trying again. Bets that were accepted stand.',
  lostUnsent: 'Pale chips have not been accepted.',
  reload: 'This page is out of date; load it again.',
  placeBets: 'Place your bets, please',
  noMoreBets: 'No more bets',
  shuffling: 'Next round soon',
  newShoe: 'A new shoe is being prepared',
  paying: 'Paying',
  stopped: 'The table has stopped; call the supervisor.',
  waitingForLink: 'Waiting for the table',
  seconds: 'seconds left',
  player: 'Player',
  banker: 'Banker',
  tie: 'Tie',
  playerWins: 'Player wins',
  bankerWins: 'Banker wins',
  tieGame: 'Tie',
  total: 'total',
  natural: 'Natural',
  odds: 'odds',
  minimum: 'minimum',
  maximum: 'maximum',
  yourStake: 'your stake',
  waiting: 'not accepted yet',
  mainWagers: 'Main wagers',
  sideWagers: 'Other wagers',
  chips: 'Chips',
  chip: 'Chip of',
  notAfforded: 'more than your credit',
  undo: 'UNDO',
  clear: 'CLEAR BET',
  double: 'x2',
  doubleName: 'x2: double all bets',
  again: 'RE-BET',
  bet: 'BET',
  credit: 'CREDIT',
  win: 'WIN',
  game: 'GAME #',
  tid: 'TID #',
  yourBets: 'Your bets',
  noBets: 'No bets in this round.',
  result: { win: 'won', push: 'push', lose: 'lost', void: 'returned' },
  commission: 'commission',
  voided: (number: number) => `Round ${number} is void: every stake went back.`,
  resumed: (number: number) =>
    `Round ${number} was interrupted. A bet was already decided by its cards, so it is dealt to its end.`,
  missed: (number: number) =>
    `Your last change did not reach the table in time: it is not in round ${number}. Credit is untouched; what was accepted before stands.`,
  lacking: (name: string | null, amount: string) =>
    name === null
      ? `Not sent yet: ${amount} more is needed for the total minimum.`
      : `Not sent yet: ${name} needs ${amount} more for its minimum.`,
  notIn: 'Not in the round',
  refused: 'Refused',
  close: 'Close',
  bigRoad: 'Big road',
  bead: 'Bead plate',
  noResults: 'no results yet',
  roadNotice: 'Past results say nothing about the next one.',
  shoe: 'Shoe',
  commitment: 'Commitment',
  turn: 'first card',
  cardsOut: 'cards out',
  checked: 'cards of this round checked against the commitment',
  checkFailed: 'A card does NOT fit the commitment: stop and complain.',
  cardGood: 'fits the commitment',
  cardBad: 'does not fit the commitment',
  malfunction: 'Malfunction voids all pays and plays.',
  totalMinimum: 'Total minimum',
  suits: { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' },
  suit: 'suit',
  payTable: 'Pay table',
  help: 'Help',
  phases: {
    idle: 'Next round soon',
    betting: 'Place your bets',
    closing: 'Closing',
    dealing: 'No more bets',
    result: 'Result',
    paying: 'Paying',
    closed: 'Table closed',
  },
};

export type Words = typeof en;

const zh: Words = {
  title: 'Punto 试玩大厅',
  language: 'English',
  languageName: '切换到英文',
  demo: '试玩',
  demoNotice: '仅为试玩积分：不可购买，亦无任何价值。',
  lobbyTitle: '十张台，十种玩法',
  lobbyHint: '选一张台入座，即得 1,000.00 试玩积分。',
  lastResult: '上局结果',
  sitDown: '入座',
  tables: '大厅',
  joining: '正在连接……',
  lost: '连接已断开，正在重试。已接受的投注仍然有效。',
  lostUnsent: '浅色筹码尚未被接受。',
  reload: '页面已过期，请重新载入。',
  placeBets: '请下注',
  noMoreBets: '停止下注',
  shuffling: '下一局即将开始',
  newShoe: '正在准备新牌靴',
  paying: '派彩中',
  stopped: '本台已停止，请联系主管。',
  waitingForLink: '正在等待牌台',
  seconds: '秒',
  player: '闲',
  banker: '庄',
  tie: '和',
  playerWins: '闲赢',
  bankerWins: '庄赢',
  tieGame: '和局',
  total: '点数',
  natural: '例牌',
  odds: '赔率',
  minimum: '最低',
  maximum: '最高',
  yourStake: '您的投注',
  waiting: '尚未接受',
  mainWagers: '主注',
  sideWagers: '其他投注',
  chips: '筹码',
  chip: '筹码',
  notAfforded: '超过余额',
  undo: '撤销',
  clear: '清除投注',
  double: 'x2',
  doubleName: 'x2：全部加倍',
  again: '重复投注',
  bet: '投注',
  credit: '余额',
  win: '赢额',
  game: '局号',
  tid: '终端号',
  yourBets: '您的投注',
  noBets: '本局没有投注。',
  result: { win: '赢', push: '退回（和注）', lose: '输', void: '退还' },
  commission: '佣金',
  voided: (number) => `第 ${number} 局作废：全部投注已退还。`,
  resumed: (number) => `第 ${number} 局曾中断。已发的牌已决定某项投注，因此继续发完。`,
  missed: (number) => `您最后的更改未能及时送达：不计入第 ${number} 局。余额不受影响；此前已接受的投注仍然有效。`,
  lacking: (name, amount) =>
    name === null ? `尚未送出：总投注还差 ${amount} 才达最低限额。` : `尚未送出：${name}还差 ${amount} 才达最低限额。`,
  notIn: '未计入',
  refused: '不接受',
  close: '关闭',
  bigRoad: '大路',
  bead: '珠盘路',
  noResults: '尚无结果',
  roadNotice: '以往结果不预示下一局。',
  shoe: '牌靴',
  commitment: '承诺值',
  turn: '首张位置',
  cardsOut: '已出牌',
  checked: '张本局的牌已与承诺值核对',
  checkFailed: '有牌与承诺值不符：请停止并投诉。',
  cardGood: '与承诺值相符',
  cardBad: '与承诺值不符',
  malfunction: '机器故障时，一切投注与派彩无效。',
  totalMinimum: '总投注最低',
  suits: { C: '梅花', D: '方块', H: '红心', S: '黑桃' },
  suit: '花色',
  payTable: '赔率表',
  help: '帮助',
  phases: {
    idle: '下一局即将开始',
    betting: '请下注',
    closing: '即将停止',
    dealing: '停止下注',
    result: '开牌结果',
    paying: '派彩中',
    closed: '本台已关闭',
  },
};

export type Language = 'en' | 'zh';
const languages: { readonly [L in Language]: Words } = { en, zh };

const remembered = (): Language => {
  try {
    return localStorage.getItem('punto.language') === 'zh' ? 'zh' : 'en';
  } catch {
    return 'en';
  }
};

export const language = signal<Language>(remembered());

/** The words of the language in use. */
export const words = (): Words => languages[language.value];

// The page is in a language from its first word on: for those who read it out, and for fonts.
effect(() => {
  document.documentElement.lang = language.value === 'en' ? 'en' : 'zh-Hans';
});

export function switchLanguage(): void {
  language.value = language.value === 'en' ? 'zh' : 'en';
  try {
    localStorage.setItem('punto.language', language.value);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
