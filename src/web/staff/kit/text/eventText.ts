import { formatMoney } from '../../../../base/formatMoney.ts';
import { type ProposableCommandName } from '../../../../wire/staff/proposalEffects.ts';
import { type EventName } from '../../../../wire/staff/roundTypes.ts';
import { type Language } from '../../../shared/text/language.ts';
import { cardName } from '../components/card.tsx';
import { type PromptView } from '../../../../wire/staff/viewParts.ts';
import { shortHashText } from './timeText.ts';
import { irregularityNamesByLanguage } from './irregularityStrings.ts';

type Fields = { readonly [field: string]: unknown };
export type EventTitleAndDetail = readonly [title: string, detail?: string];
type EventTexts = { readonly [N in EventName]: (fields: Fields) => EventTitleAndDetail };

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const seconds = (value: unknown): string => String(Math.round(Number(value) / 1000));
const amount = (value: unknown): string => formatMoney(Number(value));
const card = (value: unknown): string => (typeof value === 'string' && value.length === 2 ? cardName(value) : '');
const count = (value: unknown): number => (Array.isArray(value) ? value.length : Number(value));
const quotedEn = (value: unknown): string => (text(value) === '' ? '' : `“${text(value)}”`);
const withDetail = (title: string, detail: string): EventTitleAndDetail => (detail === '' ? [title] : [title, detail]);
const listEn = (value: unknown): string => (Array.isArray(value) && value.length > 0 ? value.join(', ') : 'none');
const listZh = (value: unknown): string => (Array.isArray(value) && value.length > 0 ? value.join('、') : '无');

const decisionsEn: { readonly [decision: string]: string } = {
  stand: 'the result stands',
  continue: 'the round continues',
  void: 'void',
  burn: 'the card is burned',
};
const decisionsZh: { readonly [decision: string]: string } = {
  stand: '照旧',
  continue: '继续',
  void: '作废',
  burn: '烧牌',
};

/** Display names of commands, as proposals show them. */
type CommandNames = { readonly [N in ProposableCommandName]: string };
const commandNamesEn: CommandNames = {
  ChangeSettings: 'Settings change',
  CloseTable: 'Table closing',
  ReopenTable: 'Table reopening',
  CorrectCut: 'Cut correction',
  VerifyShoe: 'Shoe verification',
  EndShoe: 'End of shoe',
  SealShoe: 'Shoe sealing',
  CountSealedShoe: 'Sealed shoe count',
  VoidRound: 'Void',
  ReconstructRound: 'Reconstruction',
  RestoreOrder: 'Order restored',
  EnterCard: 'Card entered by eye',
  CorrectCard: 'Card correction',
  BurnCard: 'Card burn',
  DismissReport: 'Report dismissal',
  ConfirmFelt: 'Felt check',
  ConfirmRuling: 'Ruling by clause',
  DecideReferral: 'Decision',
  CollectShortfall: 'Shortfall collection',
  WriteOffShortfall: 'Shortfall write-off',
};
const commandNamesZh: CommandNames = {
  ChangeSettings: '更改设置',
  CloseTable: '关闭牌台',
  ReopenTable: '开放牌台',
  CorrectCut: '更正切牌位置',
  VerifyShoe: '核验牌靴',
  EndShoe: '收靴',
  SealShoe: '封靴',
  CountSealedShoe: '清点封存牌靴',
  VoidRound: '作废',
  ReconstructRound: '复原',
  RestoreOrder: '恢复次序',
  EnterCard: '目视录牌',
  CorrectCard: '更正牌',
  BurnCard: '烧牌',
  DismissReport: '撤销报告',
  ConfirmFelt: '核对台面牌',
  ConfirmRuling: '按条文裁定',
  DecideReferral: '裁定',
  CollectShortfall: '收回欠款',
  WriteOffShortfall: '核销欠款',
};

/** Type of a proposed command. Some events hold the whole command, others only its type. */
const commandType = (command: unknown): string =>
  typeof command === 'object' && command !== null ? text((command as Fields)['type']) : text(command);

export const commandDisplayNamesByLanguage: { readonly [L in Language]: { readonly [command: string]: string } } = {
  en: commandNamesEn,
  zh: commandNamesZh,
};

/**
 * Counts of cards as pairs of card and count. An event holds the counts as an object. In the list of recent events they
 * are text, such as "AC 1, KD 2".
 */
const cardCountsOf = (counts: unknown): readonly (readonly string[])[] =>
  typeof counts === 'string'
    ? counts.split(', ').map((one) => one.split(' '))
    : Object.entries(counts ?? {}).map(([counted, times]) => [counted, text(times)]);
const hasCards = (counts: unknown): boolean => cardCountsOf(counts).length > 0;
const cardCountsText = (counts: unknown): string =>
  cardCountsOf(counts)
    .map(([counted, times]) => `${card(counted)} ${times}`)
    .join(', ');

const shufflesZh: { readonly [method: string]: string } = {
  machine: '机器',
  'by hand': '手洗',
  'sealed as shuffled': '已洗封装',
};

const en: EventTexts = {
  TableOpened: () => ['Table opened'],
  SettingsChanged: () => ['Settings changed'],
  TableClosed: ({ reason }) => withDetail('Table closed', quotedEn(reason)),
  TableReopened: ({ reason }) => withDetail('Table reopened', quotedEn(reason)),
  ShoeBrought: ({ shoe, seal, size }) => [`Shoe ${text(shoe)} received, ${text(size)} cards`, `seal ${text(seal)}`],
  CardsInspected: ({ match, note }) =>
    withDetail(
      match === undefined
        ? 'Faces and backs inspected'
        : match === true
          ? 'Faces and backs match'
          : 'Faces or backs do not match',
      quotedEn(note),
    ),
  CardsCounted: ({ counted, expected }) => [`${text(counted)} cards counted, ${text(expected)} expected`],
  ShoeShuffled: ({ method }) => [`Cards shuffled${method === undefined ? '' : `: ${text(method)}`}`],
  ShoeCut: ({ behind }) => [`Cutting card placed, ${text(behind)} cards behind it`],
  CutCorrected: ({ was, behind }) => [`Cut corrected: ${text(behind)} cards behind it, not ${text(was)}`],
  ShoeVerified: ({ shoe }) => [`Shoe ${text(shoe)} verified`],
  ShoeCommitted: ({ shoe }) => [`Card order of shoe ${text(shoe)} committed`],
  CutPositionChosen: ({ cutPosition }) => [`Cut position chosen: ${text(cutPosition)}`],
  CardsBurned: ({ card: first, count: rest }) => [`${card(first)} turned, ${text(rest)} more burned`],
  CuttingCardOut: ({ missing, roundsLeft }) => [
    missing === true ? 'Cutting card missing' : 'Cutting card out',
    `rounds left in the shoe: ${text(roundsLeft)}`,
  ],
  ShoeLocked: ({ reason }) => withDetail('Shoe locked', text(reason)),
  ShoeSealed: ({ shoe, seal, to }) => [
    `Shoe ${text(shoe)} sealed`,
    `seal ${text(seal)}${to === undefined ? '' : `, to ${text(to)}`}`,
  ],
  ShoeCounted: ({ shoe, seen, expected, extra, missing }) => [
    `Shoe ${text(shoe)} counted blind: ${text(seen)} of ${text(expected)} cards`,
    [
      ...(hasCards(missing) ? [`missing: ${cardCountsText(missing)}`] : []),
      ...(hasCards(extra) ? [`too many: ${cardCountsText(extra)}`] : []),
    ].join('; '),
  ],
  SealedShoeCounted: ({ shoe, seen, expected }) => [
    `Sealed shoe ${text(shoe)} counted: ${text(seen)} of ${text(expected)}`,
  ],
  CountInvestigated: ({ shoe, reason }) => withDetail(`Count of shoe ${text(shoe)} investigated`, quotedEn(reason)),
  ShoeEnded: ({ shoe, seen, expected }) => [`Shoe ${text(shoe)} ended: ${text(seen)} of ${text(expected)} cards`],
  BetsOpened: ({ closesAt, at }) =>
    typeof closesAt === 'number' && typeof at === 'number'
      ? ['Bets opened', `for ${seconds(closesAt - at)} s`]
      : ['Bets opened'],
  BetsExtended: () => ['More time to bet'],
  ClosingCalled: () => ['“No more bets” called'],
  BetsClosed: () => ['Bets closed'],
  SlipSet: ({ terminal }) => [`Stakes of ${text(terminal)}`],
  CardDealt: ({ slot, card: dealt }) => [`${text(slot)}: ${card(dealt)}`],
  CardTakenBack: ({ slot, card: dealt }) => [`${card(dealt)} taken back from ${text(slot)}`],
  RoundSettled: () => ['Settled'],
  RoundResettled: ({ outcome }) => [outcome === 'void' ? 'Voided after settlement' : 'Re-settled'],
  RoundVoided: ({ reason }) => withDetail('Round void', text(reason)),
  SlipVoided: ({ terminal, reason }) => withDetail(`Stakes of ${text(terminal)} returned`, text(reason)),
  SettlementPosted: ({ count: slips }) => [slips === 1 || slips === '1' ? '1 slip paid' : `${text(slips)} slips paid`],
  IrregularityFound: ({ kind, note }) =>
    withDetail(`Stopped: ${irregularityNamesByLanguage.en.short[text(kind)] ?? text(kind)}`, quotedEn(note)),
  ReportDismissed: ({ reason }) => withDetail('Report dismissed', text(reason)),
  RoundReconstructed: ({ surplus }) => [
    'Round replayed in the order drawn',
    surplus === 'none' ? 'no surplus card; both versions stay on record' : `surplus card: ${text(surplus)}`,
  ],
  OrderRestored: ({ reason }) => withDetail('Shoe order restored', text(reason)),
  CardCorrected: ({ was, card: now, reason }) => withDetail(`${card(was)} corrected to ${card(now)}`, text(reason)),
  CardBurned: ({ card: burned }) => [`${card(burned)} burned`],
  WagerReported: ({ kind, place, amount: chips }) => [
    `${irregularityNamesByLanguage.en.short[text(kind)] ?? text(kind)}: place ${text(place)}, ${amount(chips)}`,
  ],
  Interrupted: ({ at, since }) => [
    'Table interrupted',
    typeof at === 'number' && typeof since === 'number' ? `no service for ${seconds(at - since)} s` : '',
  ],
  InterruptionLogged: () => ['Short interruption, noted'],
  FeltConfirmed: ({ cards }) => ['Felt matches the record', cards === undefined ? '' : `${count(cards)} cards`],
  RoundResumed: ({ won, lost }) => [
    'Round resumed',
    won === undefined ? '' : `won: ${listEn(won)}; lost: ${listEn(lost)}`,
  ],
  TerminalsDisconnected: ({ terminals }) => [
    terminals === undefined
      ? 'Terminals are offline. The round continues.'
      : `${count(terminals)} terminals are offline. The round continues.`,
  ],
  TerminalsReconnected: ({ terminals }) => [
    terminals === undefined ? 'Terminals are online again' : `${count(terminals)} terminals are online again`,
  ],
  Referred: ({ reason }) => withDetail('Referred to the Gaming Shift Manager', quotedEn(reason)),
  ReferralDecided: ({ decision, reason }) =>
    withDetail(`Decided: ${decisionsEn[text(decision)] ?? text(decision)}`, quotedEn(reason)),
  SupervisorCalled: ({ reason }) => withDetail('Supervisor called', text(reason)),
  CallAnswered: () => ['Supervisor arrived'],
  NoteAdded: ({ text: note }) => ['Note', quotedEn(note)],
  ShortfallCollected: ({ terminal, amount: paid }) => [`Shortfall of ${amount(paid)} collected from ${text(terminal)}`],
  ShortfallWrittenOff: ({ terminal, amount: lost }) => [`${amount(lost)} of ${text(terminal)} written off`],
  Proposed: ({ command, hash }) => [
    command === undefined
      ? 'Approval requested'
      : `${commandDisplayNamesByLanguage.en[commandType(command)] ?? commandType(command)} proposed`,
    boundTo(hash, 'approval code '),
  ],
  Approved: () => ['Approved'],
  ProposalWithdrawn: () => ['Proposal withdrawn'],
};

const zh: EventTexts = {
  TableOpened: () => ['本台已开'],
  SettingsChanged: () => ['启用新设置'],
  TableClosed: ({ reason }) => withDetail('本台已关', text(reason)),
  TableReopened: ({ reason }) => withDetail('本台重新开放', text(reason)),
  ShoeBrought: ({ shoe, seal, size }) => [`领到牌靴 ${text(shoe)}，${text(size)} 张`, `封条 ${text(seal)}`],
  CardsInspected: ({ match, note }) =>
    withDetail(
      match === undefined ? '已验看牌面与背面' : match === true ? '牌面与背面无误' : '牌面或背面有误',
      text(note),
    ),
  CardsCounted: ({ counted, expected }) => [`点得 ${text(counted)} 张，应为 ${text(expected)} 张`],
  ShoeShuffled: ({ method }) => [
    `已洗牌${method === undefined ? '' : `：${shufflesZh[text(method)] ?? text(method)}`}`,
  ],
  ShoeCut: ({ behind }) => [`已插切牌，其后 ${text(behind)} 张`],
  CutCorrected: ({ was, behind }) => [`切牌记录有误：其后 ${text(behind)} 张，不是 ${text(was)} 张`],
  ShoeVerified: ({ shoe }) => [`牌靴 ${text(shoe)} 可用`],
  ShoeCommitted: ({ shoe }) => [`牌靴 ${text(shoe)} 已锁定次序`],
  CutPositionChosen: ({ cutPosition }) => [`选定首张：${text(cutPosition)}`],
  CardsBurned: ({ card: first, count: rest }) => [`翻出${card(first)}，另烧 ${text(rest)} 张`],
  CuttingCardOut: ({ missing, roundsLeft }) => [
    missing === true ? '切牌不见' : '切牌已出',
    `本靴还可发 ${text(roundsLeft)} 局`,
  ],
  ShoeLocked: ({ reason }) => withDetail('此靴停用', text(reason)),
  ShoeSealed: ({ shoe, seal, to }) => [
    `牌靴 ${text(shoe)} 封存离台`,
    `封条 ${text(seal)}${to === undefined ? '' : `，送往 ${text(to)}`}`,
  ],
  ShoeCounted: ({ shoe, seen, expected, extra, missing }) => [
    `牌靴 ${text(shoe)} 盲点：${text(seen)} / ${text(expected)} 张`,
    [
      ...(hasCards(missing) ? [`少：${cardCountsText(missing)}`] : []),
      ...(hasCards(extra) ? [`多：${cardCountsText(extra)}`] : []),
    ].join('；'),
  ],
  SealedShoeCounted: ({ shoe, seen, expected }) => [
    `封存牌靴 ${text(shoe)} 已清点：${text(seen)} / ${text(expected)} 张`,
  ],
  ShoeEnded: ({ shoe, seen, expected }) => [`牌靴 ${text(shoe)} 收走：${text(seen)} / ${text(expected)} 张`],
  BetsOpened: ({ closesAt, at }) =>
    typeof closesAt === 'number' && typeof at === 'number'
      ? ['开始下注', `${seconds(closesAt - at)} 秒`]
      : ['开始下注'],
  BetsExtended: () => ['延长下注时间'],
  ClosingCalled: () => ['宣布停止'],
  BetsClosed: () => ['停止下注'],
  SlipSet: ({ terminal }) => [`${text(terminal)} 下注`],
  CardDealt: ({ slot, card: dealt }) => [`${text(slot)}：${card(dealt)}`],
  CardTakenBack: ({ slot, card: dealt }) => [`从 ${text(slot)} 撤回${card(dealt)}`],
  RoundSettled: () => ['已结算'],
  RoundResettled: ({ outcome }) => [outcome === 'void' ? '结算后作废' : '重新结算'],
  RoundVoided: ({ reason }) => withDetail('该局作废', text(reason)),
  SlipVoided: ({ terminal, reason }) => withDetail(`${text(terminal)} 的投注退回`, text(reason)),
  SettlementPosted: ({ count: slips }) => [`已派 ${text(slips)} 张注单`],
  IrregularityFound: ({ kind, note }) =>
    withDetail(`停局：${irregularityNamesByLanguage.zh.short[text(kind)] ?? text(kind)}`, text(note)),
  ReportDismissed: ({ reason }) => withDetail('报告有误，已撤销', text(reason)),
  RoundReconstructed: ({ surplus }) => [
    '按出靴次序复原',
    surplus === 'none'
      ? '没有多出的牌；两种版本都留在记录中'
      : `多出一张牌：${surplus === 'burned' ? '已烧' : '留作下一张'}`,
  ],
  OrderRestored: ({ reason }) => withDetail('靴内次序已恢复', text(reason)),
  CardCorrected: ({ was, card: now, reason }) => withDetail(`${card(was)}应为${card(now)}`, text(reason)),
  CardBurned: ({ card: burned }) => [`${card(burned)}已烧`],
  WagerReported: ({ kind, place, amount: chips }) => [
    `${irregularityNamesByLanguage.zh.short[text(kind)] ?? text(kind)}：位置 ${text(place)}，${amount(chips)}`,
  ],
  Interrupted: ({ at, since }) => [
    '本台中断',
    typeof at === 'number' && typeof since === 'number' ? `中断 ${seconds(at - since)} 秒` : '',
  ],
  InterruptionLogged: () => ['短暂中断，已记录'],
  FeltConfirmed: ({ cards }) => ['台面与记录一致', cards === undefined ? '' : `${count(cards)} 张`],
  RoundResumed: ({ won, lost }) => ['该局继续', won === undefined ? '' : `已赢：${listZh(won)}；已输：${listZh(lost)}`],
  TerminalsDisconnected: ({ terminals }) => [
    terminals === undefined ? '终端断线，该局继续。' : `${count(terminals)} 台终端断线，该局继续。`,
  ],
  TerminalsReconnected: ({ terminals }) => [terminals === undefined ? '终端恢复' : `${count(terminals)} 台终端恢复`],
  Referred: ({ reason }) => withDetail('呈报值班博彩经理', text(reason)),
  ReferralDecided: ({ decision, reason }) =>
    withDetail(`裁定：${decisionsZh[text(decision)] ?? text(decision)}`, text(reason)),
  SupervisorCalled: ({ reason }) => withDetail('呼叫主管', text(reason)),
  CountInvestigated: ({ shoe, reason }) => withDetail(`牌靴 ${text(shoe)} 的清点已查看`, text(reason)),
  CallAnswered: () => ['主管已到'],
  NoteAdded: ({ text: note }) => ['备注', text(note)],
  ShortfallCollected: ({ terminal, amount: paid }) => [`${text(terminal)} 已付欠款 ${amount(paid)}`],
  ShortfallWrittenOff: ({ terminal, amount: lost }) => [`${text(terminal)} 的 ${amount(lost)} 核销`],
  Proposed: ({ command, hash }) => [
    command === undefined
      ? '请求第二人'
      : `提出：${commandDisplayNamesByLanguage.zh[commandType(command)] ?? commandType(command)}`,
    boundTo(hash, '核准码 '),
  ],
  Approved: () => ['第二人已核准'],
  ProposalWithdrawn: () => ['提议已收回'],
};

/** Approval code after the label `before`; empty without a hash. */
const boundTo = (hash: unknown, before: string): string =>
  text(hash) === '' ? '' : `${before}${shortHashText(text(hash))}`;

const eventTexts: { readonly [L in Language]: EventTexts } = { en, zh };

/** Title and detail of an event. An event type of a later version is shown by its name. */
export function eventText(type: string, fields: Fields, language: Language): EventTitleAndDetail {
  const texts = eventTexts[language];
  return Object.hasOwn(texts, type) ? texts[type as EventName](fields) : [type];
}

const numberFields: ReadonlySet<string> = new Set(['closesAt', 'since', 'amount']);

/**
 * Text of an event that the server sends as a prompt. All fields of a prompt are strings, so numbers are parsed again.
 */
export function eventTextOfPrompt(
  { code, with: fields }: PromptView,
  at: number,
  language: Language,
): EventTitleAndDetail {
  const plain = Object.entries(fields).map(([name, value]) => [name, numberFields.has(name) ? Number(value) : value]);
  return eventText(code, { ...Object.fromEntries(plain), at }, language);
}
