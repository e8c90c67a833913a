import { createStringsGetter } from '../../shared/text/language.ts';

/** A duration in words: "52 minutes", "1 hour 5 minutes". */
function englishSpan(minutes: number): string {
  const part = (count: number, name: string): readonly string[] =>
    count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
  const parts = [...part(Math.floor(minutes / 60), 'hour'), ...part(minutes % 60, 'minute')];
  return parts.length === 0 ? 'less than a minute' : parts.join(' ');
}

function chineseSpan(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (minutes === 0) return '不到一分钟';
  return `${hours > 0 ? ` ${hours} 小时` : ''}${rest > 0 ? ` ${rest} 分钟` : ''}`;
}

const en = {
  close: 'Close',
  session: 'session',
  noSession: 'no session',
  noSessionLabel: 'No session has begun: limits, break and help',
  clockLabel: (minutes: number): string => `Session of ${englishSpan(minutes)}: limits, break and help`,
  played: (minutes: number): string => `You have played for ${englishSpan(minutes)}`,
  notPlayed: 'No session has begun yet',
  acceptedText: 'Accepted bets remain in play while you read this.',
  loaded: 'Loaded',
  atStake: 'At stake',
  net: 'Result since start',
  myLimits: 'MY LIMITS',
  limits: 'Your limits for this session',
  loss: 'Loss',
  stake: 'Stake per round',
  of: 'of',
  noLimit: 'no limit',
  lower: 'LOWER',
  set: 'SET',
  lowerLabel: (name: string): string => `Lower the limit: ${name}`,
  setLabel: (name: string): string => `Set a limit: ${name}`,
  choose: (name: string): string => `${name}: no more than`,
  note: 'A limit applies at once, can only be lowered, and ends with the session. Open bets count as lost until they are paid.',
  break: 'TAKE A BREAK',
  longer: 'LONGER BREAK',
  breakFor: 'No bets for',
  spans: { 15: '15 min', 30: '30 min', 60: '1 hour', 240: '4 hours', 1440: '24 hours' },
  paused: (time: string): string => `You are on a break until ${time}; you cannot bet until then.`,
  collect: 'COLLECT',
  keepPlaying: 'KEEP PLAYING',
  helpTitle: 'If it is no longer a game',
  help: 'Speak to our staff in confidence: they can tell you about counselling and self-exclusion. Play only with money you can spare, and never to win back losses.',
  unanswered: 'Connection lost. Your limits are shown here once it is back.',
  failed: 'That could not be set; try again.',
  failures: {
    'limits-only-tighten': 'A limit or a break can only be made stricter.',
    'no-session': 'There is no session; load credit first.',
    'not-seated': 'Sit down at a table first.',
  } as { readonly [code: string]: string },
};

const zh: typeof en = {
  close: '关闭',
  session: '本次',
  noSession: '尚未开始',
  noSessionLabel: '本次尚未开始：限额、休息与求助',
  clockLabel: (minutes) => `本次已${chineseSpan(minutes)}：限额、休息与求助`,
  played: (minutes) => `您已游戏${chineseSpan(minutes)}`,
  notPlayed: '本次尚未开始',
  acceptedText: '阅读期间，已接受的投注仍然有效。',
  loaded: '已存入',
  atStake: '投注中',
  net: '开始以来盈亏',
  myLimits: '我的限额',
  limits: '本次限额',
  loss: '亏损',
  stake: '每局投注',
  of: '/',
  noLimit: '无限额',
  lower: '调低',
  set: '设定',
  lowerLabel: (name) => `调低限额：${name}`,
  setLabel: (name) => `设定限额：${name}`,
  choose: (name) => `${name}：最多`,
  note: '限额立即生效，只可调低，随本次结束而终止。已接受的投注不变，派彩前按亏损计算。',
  break: '休息一下',
  longer: '延长休息',
  breakFor: '暂停投注',
  spans: { 15: '15 分钟', 30: '30 分钟', 60: '1 小时', 240: '4 小时', 1440: '24 小时' },
  paused: (time) => `您正在休息，至 ${time}：在此之前不能投注。`,
  collect: '兑出',
  keepPlaying: '继续游戏',
  helpTitle: '如果这已不再是娱乐',
  help: '请与职员联系：他们会为您保密，告知何处可获得辅导，以及如何申请禁止入场。只用您输得起的钱，切勿为追回损失而投注。',
  unanswered: '连接已断开：恢复后才能确定是否生效。',
  failed: '未能设定，请重试。',
  failures: {
    'limits-only-tighten': '限额与休息只能更严。',
    'no-session': '本次尚未开始，请先存入。',
    'not-seated': '请先在一张台就座。',
  },
};

export const limitsStringsByLanguage = { en, zh };

export const limitsStrings = createStringsGetter(limitsStringsByLanguage);
