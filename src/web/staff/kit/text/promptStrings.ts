import { irregularityNamesByLanguage } from './irregularityStrings.ts';
import type { Language } from '../../../shared/text/language.ts';

type Fields = { readonly [name: string]: string };
type PromptTexts = { readonly [code: string]: (fields: Fields) => string };

const nameEn: Fields = { player: 'Player', banker: 'Banker', tie: 'Tie' };
const nameZh: Fields = { player: '闲', banker: '庄', tie: '和' };

/** The totals of both hands as text, the higher total first. */
const scoreOf = (player: string, banker: string): readonly string[] =>
  player > banker ? [player, banker] : [banker, player];

const winsEn = ({ last, player, banker }: Fields): string =>
  last === 'tie' ? `Tie at ${player}` : `${nameEn[last!]} wins, ${scoreOf(player!, banker!).join(' to ')}`;
const winsZh = ({ last, player, banker }: Fields): string =>
  last === 'tie' ? `和局，${player} 点` : `${nameZh[last!]}赢，${scoreOf(player!, banker!).join(' 比 ')}`;

const decisionsEn: Fields = {
  stand: 'the result stands',
  continue: 'the round continues',
  void: 'void',
  burn: 'the card is burned',
};
const decisionsZh: Fields = { stand: '照旧', continue: '继续', void: '作废', burn: '烧牌' };

/** Reasons to call the supervisor, as they are stored. `callsEn` and `callsZh` have their texts in the same order. */
export const supervisorCallReasonCodes = ['complaint', 'relief', 'shoe', 'terminal', 'come now'] as const;
const callsEn = ['patron complaint', 'relief or break', 'shoe check', 'terminal problem', 'come now'];
const callsZh = ['客人投诉', '换班或休息', '看一下牌靴', '终端问题', '请马上来'];
const callText = (texts: readonly string[], reason: string): string =>
  texts[(supervisorCallReasonCodes as readonly string[]).indexOf(reason)] ?? reason;
const callEn = (reason: string): string => callText(callsEn, reason);
const callZh = (reason: string): string => callText(callsZh, reason);

const en: PromptTexts = {
  ready: () => 'Ready for the next round',
  'bets-open': () => 'Bets are open',
  closing: () => 'Bets are closing',
  'first-card': () => 'Player’s first card',
  'second-card': () => 'Banker’s first card',
  'third-card': () => 'Player’s second card',
  'fourth-card': () => 'Banker’s second card',
  'player-draws': () => 'Player draws a third card',
  'player-stands': () => 'Banker draws a third card',
  'banker-draws': () => 'Banker draws a third card',
  'result-player': (fields) => winsEn({ ...fields, last: 'player' }),
  'result-banker': (fields) => winsEn({ ...fields, last: 'banker' }),
  'result-tie': (fields) => winsEn({ ...fields, last: 'tie' }),
  paying: () => 'Paying',
  closed: () => 'The table is closed',
  'no-shoe': () => 'Receive the new cards',
  'choose-turn': () => 'Cut position not chosen yet',
  'inspect-shoe': () => 'Inspect faces and backs',
  'count-shoe': () => 'Count the new cards',
  'shuffle-shoe': () => 'Shuffle the cards',
  'cut-shoe': () => 'Cut the cards',
  'verify-shoe': () => 'Shoe waits for verification',
  'shoe-locked': () => 'Shoe locked: change it',
  'shoe-over': () => 'End of shoe: change it',
  'burn-first': () => 'Turn the first card and burn',
  'cutting-card-due': () => 'By count the cutting card is due',
  proposed: () => 'Waiting for approval',
  stopped: ({ kind }) => `Stopped: ${irregularityNamesByLanguage.en.short[kind!] ?? kind}`,
  frozen: () => 'Frozen: the Gaming Shift Manager decides',
  last: (fields) => (fields['last'] === 'void' ? 'the round was void' : winsEn(fields)),
  ...Object.fromEntries(
    Object.entries(irregularityNamesByLanguage.en.short).map(([kind, text]) => [
      kind,
      () => text[0]!.toUpperCase() + text.slice(1),
    ]),
  ),
  note: ({ actor, text }) => (actor === '' ? text! : `${actor}: ${text}`),
  'supervisor-called': ({ reason }) => `Supervisor called: ${callEn(reason!)}`,
  'call-answered': ({ actor }) => `${actor} is here.`,
  'terminals-lost': ({ count }) =>
    count === undefined
      ? 'Terminals offline'
      : count === '1'
        ? '1 terminal is offline. The round continues.'
        : `${count} terminals are offline. The round continues.`,
  'terminals-back': ({ count }) =>
    count === '1' ? '1 terminal is online again.' : `${count} terminals are online again.`,
  'shoe-verified': ({ actor, shoe }) => `Shoe ${shoe} verified${actor === '' ? '' : ` by ${actor}`}.`,
  referred: ({ actor }) => (actor === '' ? 'Referred.' : `Referred by ${actor}.`),
  'referral-decided': ({ decision }) => `Decided: ${decisionsEn[decision!] ?? decision}.`,
  'round-voided': () => 'Round void: all stakes are returned.',
  'proposal-withdrawn': ({ actor }) => `${actor} withdrew the proposal. Nothing has changed.`,
  'proposal-replaced': ({ actor }) => `Replaced by a new proposal from ${actor}.`,
  'setting-changed': () => 'The table settings were changed.',
};

const zh: PromptTexts = {
  ready: () => '可开始下一局',
  'bets-open': () => '下注中',
  closing: () => '即将停止',
  'first-card': () => '闲 第一张牌',
  'second-card': () => '庄 第一张牌',
  'third-card': () => '闲 第二张牌',
  'fourth-card': () => '庄 第二张牌',
  'player-draws': () => '闲补第三张牌',
  'player-stands': () => '庄补第三张牌',
  'banker-draws': () => '庄补第三张牌',
  'result-player': (fields) => winsZh({ ...fields, last: 'player' }),
  'result-banker': (fields) => winsZh({ ...fields, last: 'banker' }),
  'result-tie': (fields) => winsZh({ ...fields, last: 'tie' }),
  paying: () => '派彩中',
  closed: () => '本台已关',
  'no-shoe': () => '领取新牌',
  'choose-turn': () => '尚未选定首张牌',
  'inspect-shoe': () => '验看牌面与背面',
  'count-shoe': () => '清点新牌',
  'shuffle-shoe': () => '洗牌',
  'cut-shoe': () => '切牌',
  'verify-shoe': () => '第二人核验牌靴',
  'shoe-locked': () => '此靴停用，请更换',
  'shoe-over': () => '此靴已完，请更换',
  'burn-first': () => '翻首张并烧牌',
  'cutting-card-due': () => '按张数切牌应已出现',
  proposed: () => '等待第二人',
  stopped: ({ kind }) => `停局：${irregularityNamesByLanguage.zh.short[kind!] ?? kind}`,
  frozen: () => '冻结：由值班博彩经理裁定',
  last: (fields) => (fields['last'] === 'void' ? '该局作废' : winsZh(fields)),
  ...Object.fromEntries(Object.entries(irregularityNamesByLanguage.zh.short).map(([kind, text]) => [kind, () => text])),
  note: ({ actor, text }) => (actor === '' ? text! : `${actor}：${text}`),
  'supervisor-called': ({ reason }) => `已呼叫主管：${callZh(reason!)}`,
  'call-answered': ({ actor }) => `${actor} 已到。`,
  'terminals-lost': ({ count }) => (count === undefined ? '终端失灵' : `${count} 台终端断线，本局继续。`),
  'terminals-back': ({ count }) => `${count} 台终端已恢复。`,
  'shoe-verified': ({ actor, shoe }) => `牌靴 ${shoe} ${actor === '' ? '已' : `由 ${actor} `}核验。`,
  referred: ({ actor }) => (actor === '' ? '已呈报。' : `${actor} 已呈报。`),
  'referral-decided': ({ decision }) => `裁定：${decisionsZh[decision!] ?? decision}。`,
  'round-voided': () => '本局作废，全部投注退回。',
  'proposal-withdrawn': ({ actor }) => `${actor} 已收回提案，一切照旧。`,
  'proposal-replaced': ({ actor }) => `${actor} 另有提案，先前待核准的提案已失效。`,
  'setting-changed': () => '本台设置已更改。',
};

export const promptStringsByLanguage: { readonly [L in Language]: PromptTexts } = { en, zh };
