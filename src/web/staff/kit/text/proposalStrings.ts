import { formatMoney } from '../../../../base/formatMoney.ts';
import { type ProposalChange, type SettingField } from '../../../../wire/staff/proposalEffects.ts';
import { type Language, createStringsGetter } from '../../../shared/text/language.ts';
import { cardName } from '../components/card.tsx';
import { irregularityNamesByLanguage } from './irregularityStrings.ts';

// Texts of what a proposal does. They use only data that the approval hash covers, so the approver signs what is on
// screen.

type ChangeTexts = { readonly [T in ProposalChange['type']]: (change: Extract<ProposalChange, { type: T }>) => string };
type Texts = { readonly [name: string]: string };

const kindName = (kind: string, language: Language): string =>
  irregularityNamesByLanguage[language].short[kind] ?? kind;
const countsText = (counts: { readonly [card: string]: number }, none: string): string => {
  const cards = Object.entries(counts).filter(([, times]) => times > 0);
  return cards.length === 0 ? none : cards.map(([card, times]) => `${cardName(card)} × ${times}`).join(', ');
};
/** Shoe and number of a round, parsed from the round id. */
const roundParts = (id: string): readonly [shoe: string, number: string] => {
  const parts = id.split('/');
  return [parts.at(-2) ?? '', parts.at(-1) ?? ''];
};
const roundEn = (id: string): string => `round ${roundParts(id)[1]} of shoe ${roundParts(id)[0]}`;
const roundZh = (id: string): string => `牌靴 ${roundParts(id)[0]} 第 ${roundParts(id)[1]} 局`;

const decisionsEn: Texts = {
  stand: 'the result stands',
  continue: 'the round continues',
  void: 'void',
  burn: 'the card is burned',
};
const decisionsZh: Texts = { stand: '结果有效', continue: '继续', void: '作废', burn: '烧牌' };

const changesEn: ChangeTexts = {
  'settings-change': () => 'The settings change as listed.',
  'table-close': () => 'The table closes; no further round opens.',
  'table-reopen': () => 'The table opens again.',
  'order-restore': () => 'The order of the shoe is recorded as restored; play goes on.',
  'shoe-ready': () => 'The shoe becomes ready for play.',
  'card-carry': () => 'One card was drawn face down; it is dealt next.',
  'cut-correct': ({ shoe, was, behind }) => `Shoe ${shoe}: ${behind} cards are behind the cutting card, not ${was}.`,
  'shoe-end': ({ shoe, seen, expected, extra, missing, isUnopened }) =>
    isUnopened
      ? `Shoe ${shoe} ends unopened: its order is lost.`
      : `Shoe ${shoe} ends: ${seen} of ${expected} cards. Missing: ${countsText(missing, 'none')}. Extra: ${countsText(extra, 'none')}.`,
  'shoe-seal': ({ shoe, seal, to }) =>
    `Shoe ${shoe} leaves the table uncounted, under seal ${seal}${to === null ? '' : `, to ${to}`}.`,
  'shoe-count': ({ shoe, seal, seen, expected, extra, missing }) =>
    `Sealed shoe ${shoe}, seal ${seal}: ${seen} of ${expected} cards. Missing: ${countsText(missing, 'none')}. Extra: ${countsText(extra, 'none')}.`,
  'shoe-lock': ({ shoe }) => `Shoe ${shoe} is locked; no further round is dealt from it.`,
  'round-void': () => 'The round is void; every stake is returned.',
  'round-replay': () => 'The round is replayed in the order drawn.',
  'slip-void': ({ terminal }) => `The stakes of ${terminal} are returned; the other slips stay.`,
  'round-resume': ({ won, lost }) =>
    `The round resumes. Decided already: ${won.length} wagers won, ${lost.length} lost.`,
  'card-enter': ({ slot, card }) => `The ${cardName(card)} is entered as ${slot}.`,
  'card-correct': ({ place, slot, was, card }) =>
    `Card ${place} (${slot}): ${cardName(was)} is corrected to ${cardName(card)}.`,
  'card-burn': ({ card }) => `The ${cardName(card)} is burned.`,
  'report-dismiss': ({ kind }) => `The report is dismissed: ${kindName(kind, 'en')}.`,
  irregularity: ({ kind, stops }) => `${stops ? 'The table stops' : 'Recorded'}: ${kindName(kind, 'en')}.`,
  'felt-confirm': ({ count }) => `The felt has the ${count} recorded cards.`,
  'referral-decide': ({ decision, terminal, round }) => {
    const subject = [terminal ?? [], round === null ? [] : roundEn(round)].flat().join(', ');
    return `Decision${subject === '' ? '' : ` for ${subject}`}: ${decisionsEn[decision] ?? decision}.`;
  },
  refer: ({ decision }) =>
    `The question goes to the Gaming Shift Manager${decision === null ? '' : `; proposed: ${decisionsEn[decision] ?? decision}`}.`,
  'shortfall-collect': ({ terminal, round, amount, left }) =>
    `${formatMoney(amount)} is collected from the credit of ${terminal} for ${roundEn(round)}; ${formatMoney(left)} stays open.`,
  'shortfall-write-off': ({ terminal, round, amount, left }) =>
    `${formatMoney(amount)} of ${terminal} for ${roundEn(round)} is written off; the house bears it. ${formatMoney(left)} stays open.`,
};

const changesZh: ChangeTexts = {
  'settings-change': () => '设置按下表更改。',
  'table-close': () => '牌台关闭，不再开新局。',
  'table-reopen': () => '牌台重新开放。',
  'order-restore': () => '记录靴内次序已恢复，继续发牌。',
  'shoe-ready': () => '牌靴可以使用。',
  'card-carry': () => '有一张牌面朝下出靴，作为下一张发出。',
  'cut-correct': ({ shoe, was, behind }) => `牌靴 ${shoe}：切牌之后为 ${behind} 张，不是 ${was} 张。`,
  'shoe-end': ({ shoe, seen, expected, extra, missing, isUnopened }) =>
    isUnopened
      ? `牌靴 ${shoe} 未揭示即结束：次序已失。`
      : `牌靴 ${shoe} 结束：${expected} 张中有 ${seen} 张。缺：${countsText(missing, '无')}。多：${countsText(extra, '无')}。`,
  'shoe-seal': ({ shoe, seal, to }) => `牌靴 ${shoe} 未点数离台，封条 ${seal}${to === null ? '' : `，送往 ${to}`}。`,
  'shoe-count': ({ shoe, seal, seen, expected, extra, missing }) =>
    `封存牌靴 ${shoe}，封条 ${seal}：${expected} 张中有 ${seen} 张。缺：${countsText(missing, '无')}。多：${countsText(extra, '无')}。`,
  'shoe-lock': ({ shoe }) => `牌靴 ${shoe} 停用，不再从中发牌。`,
  'round-void': () => '该局作废，退回全部投注。',
  'round-replay': () => '按出靴次序复原该局。',
  'slip-void': ({ terminal }) => `退回 ${terminal} 的投注，其他注单不变。`,
  'round-resume': ({ won, lost }) => `该局继续。已定：${won.length} 种投注赢，${lost.length} 种输。`,
  'card-enter': ({ slot, card }) => `${cardName(card)}录为 ${slot}。`,
  'card-correct': ({ place, slot, was, card }) =>
    `第 ${place} 张（${slot}）：${cardName(was)}更正为${cardName(card)}。`,
  'card-burn': ({ card }) => `烧掉${cardName(card)}。`,
  'report-dismiss': ({ kind }) => `撤销报告：${kindName(kind, 'zh')}。`,
  irregularity: ({ kind, stops }) => `${stops ? '停局' : '记录'}：${kindName(kind, 'zh')}。`,
  'felt-confirm': ({ count }) => `台面上就是所记录的 ${count} 张牌。`,
  'referral-decide': ({ decision, terminal, round }) => {
    const subject = [terminal ?? [], round === null ? [] : roundZh(round)].flat().join('，');
    return `裁定${subject === '' ? '' : `（${subject}）`}：${decisionsZh[decision] ?? decision}。`;
  },
  refer: ({ decision }) =>
    `呈报值班博彩经理${decision === null ? '' : `，建议：${decisionsZh[decision] ?? decision}`}。`,
  'shortfall-collect': ({ terminal, round, amount, left }) =>
    `从 ${terminal} 的余额收回${roundZh(round)}欠款 ${formatMoney(amount)}，尚欠 ${formatMoney(left)}。`,
  'shortfall-write-off': ({ terminal, round, amount, left }) =>
    `核销 ${terminal} ${roundZh(round)}欠款 ${formatMoney(amount)}，由赌场承担，尚欠 ${formatMoney(left)}。`,
};

const changeTexts: { readonly [L in Language]: ChangeTexts } = { en: changesEn, zh: changesZh };

export const proposalChangeText = (change: ProposalChange, language: Language): string =>
  (changeTexts[language][change.type] as (one: ProposalChange) => string)(change);

type SettingTexts = { readonly [F in SettingField]: string };

const settingsEn: SettingTexts = {
  property: 'Property',
  table: 'Table',
  currency: 'Currency',
  game: 'Game',
  decks: 'Decks',
  offered: 'Wagers offered',
  step: 'Chip step',
  tray: 'Chips',
  limits: 'Limits',
  totalMinimum: 'Total minimum',
  bettingTime: 'Betting time',
  grace: 'Grace',
  pause: 'Pause before settling',
  interruption: 'Interruption',
  roundsAfterCut: 'Rounds after the cut',
  behind: 'Cards behind the cut',
  burn: 'Burn',
  dealing: 'Dealing',
  bets: 'Bets',
  attended: 'Attended',
  chunk: 'Slips posted together',
  'profile.name': 'Profile',
  'profile.version': 'Profile version',
  'profile.approved': 'Approved games',
  'profile.timeZone': 'Time zone',
  'profile.dayStartHour': 'Gaming day starts',
};
const settingsZh: SettingTexts = {
  property: '场所',
  table: '牌台',
  currency: '货币',
  game: '游戏',
  decks: '副数',
  offered: '所设投注',
  step: '筹码单位',
  tray: '筹码',
  limits: '限额',
  totalMinimum: '总额下限',
  bettingTime: '下注时间',
  grace: '宽限',
  pause: '结算前停顿',
  interruption: '中断',
  roundsAfterCut: '切牌后局数',
  behind: '切牌后张数',
  burn: '烧牌',
  dealing: '发牌方式',
  bets: '投注方式',
  attended: '有荷官',
  chunk: '每批派彩注单',
  'profile.name': '辖区规定',
  'profile.version': '规定版本',
  'profile.approved': '核准的游戏',
  'profile.timeZone': '时区',
  'profile.dayStartHour': '营业日开始',
};

const en = {
  effects: 'What you approve',
  settings: settingsEn as { readonly [field: string]: string },
  values: {
    none: 'none',
    'first-card': 'by the first card',
    terminals: 'terminals',
    chips: 'chips',
    scanned: 'scanned',
    keyed: 'keyed',
    virtual: 'virtual',
    true: 'yes',
    false: 'no',
  } as Texts,
  setting: 'Setting',
  before: 'Before',
  after: 'After',
  notOffered: 'not offered',
  seconds: (count: string) => `${count} s`,
  hour: (hour: string) => `${hour}:00`,
  limits: (min: string, max: string) => `${min} to ${max}`,
  ofRound: (id: string) => {
    const [shoe, number] = roundParts(id);
    return `Round ${number} of shoe ${shoe}`;
  },
  cardsBefore: 'On record',
  cardsAfter: 'After approval',
  burned: 'burned',
  voided: 'Void',
  due: (slot: string, player: number, banker: number) => `Player ${player}, Banker ${banker}; ${slot} is due`,
  noCards: 'No card',
  settledNow: 'settled at once',
  settledLater: 'settled after the pause',
  wagers: 'Wagers',
  wager: 'Wager',
  results: { lose: 'loses', push: 'push' } as Texts,
  pays: (odds: string) => `pays ${odds}`,
  less: (odds: string, commission: string) => `pays ${odds}, less ${commission} % commission`,
  money: 'Amounts',
  sums: {
    staked: 'Staked',
    paid: 'Paid',
    due: 'Due',
    takenBack: 'To take back',
    paidMore: 'To pay',
    collected: 'Collected',
    short: 'Short',
  },
  credit: 'Credit',
  session: 'Credit session',
  collectedIs: 'Collected: paid money that is no longer in the credit. It may change until the approval, as Short may.',
  isShort: 'The shortfall stays open until it is paid, collected or written off.',
  ended: 'ended',
  shoe: {
    id: 'Shoe',
    seal: 'Seal',
    size: 'Cards',
    decks: 'Decks, backs',
    inspected: 'Inspected',
    counted: 'Counted',
    shuffle: 'Shuffled',
    behind: 'Behind the cut',
  },
  shuffles: {} as Texts,
  reason: 'Reason',
  notRecorded: 'not recorded',
  faulty: 'not in order',
  inOrder: 'in order',
  isCounted: (size: number) => `all ${size}`,
};
type Strings = typeof en;
const zh: Strings = {
  effects: '核准内容',
  settings: settingsZh,
  values: {
    none: '不烧',
    'first-card': '按首张',
    terminals: '终端',
    chips: '筹码',
    scanned: '扫描',
    keyed: '键入',
    virtual: '虚拟',
    true: '是',
    false: '否',
  },
  setting: '项目',
  before: '更改前',
  after: '更改后',
  notOffered: '不设',
  seconds: (count) => `${count} 秒`,
  hour: (hour) => `${hour} 时`,
  limits: (min, max) => `${min} 至 ${max}`,
  ofRound: roundZh,
  cardsBefore: '现有记录',
  cardsAfter: '核准之后',
  burned: '烧牌',
  voided: '作废',
  due: (slot, player, banker) => `闲 ${player}，庄 ${banker}；待发 ${slot}`,
  noCards: '没有牌',
  settledNow: '随即结算',
  settledLater: '停顿后结算',
  wagers: '投注',
  wager: '投注',
  results: { lose: '输', push: '退注' },
  pays: (odds) => `赔 ${odds}`,
  less: (odds, commission) => `赔 ${odds}，扣佣 ${commission} %`,
  money: '金额',
  sums: {
    staked: '投注',
    paid: '已派',
    due: '应派',
    takenBack: '应收回',
    paidMore: '应补派',
    collected: '已取走',
    short: '不足',
  },
  credit: '余额',
  session: '余额时段',
  collectedIs: '已取走：已派而不再留在余额中的款项。核准之前，已取走与不足都可能变动。',
  isShort: '不足之数挂账，直至付清、收回或核销。',
  ended: '已结束',
  shoe: {
    id: '牌靴',
    seal: '封条',
    size: '张数',
    decks: '副数、牌背',
    inspected: '验牌',
    counted: '点数',
    shuffle: '洗牌',
    behind: '切牌后张数',
  },
  shuffles: { machine: '机器', 'by hand': '手洗', 'sealed as shuffled': '已洗封装' },
  reason: '原因',
  notRecorded: '没有记录',
  faulty: '有误',
  inOrder: '无误',
  isCounted: (size) => `全部 ${size} 张`,
};
export const proposalStrings = createStringsGetter<Strings>({ en, zh });
