import { formatMoney } from '../../../base/formatMoney.ts';
import { type SlipStakes } from '../../../wire/messages.ts';
import { wagerName } from '../../shared/text/gameNames.ts';
import { slipTotal } from './slipSignals.ts';
import { type PatronRefusal, tableView } from './state.ts';
import { language } from '../../shared/text/language.ts';

// Texts of refusals in a patron's words: names of spots and amounts instead of IDs and cents.

type Sentence = { readonly en: string; readonly zh: string };

const fixedTexts: { readonly [code: string]: Sentence } = {
  'bets-closed': {
    en: 'Bets are closed; wait for the next round.',
    zh: '已停止下注，现在不能投注，请等下一局。',
  },
  'late-raise': {
    en: 'Bets are closed: accepted bets remain, and none can be added.',
    zh: '已停止下注：已接受的投注有效，不能加注。',
  },
  'late-withdrawal': {
    en: 'Bets are closed: accepted bets remain; wait for the result.',
    zh: '已停止下注：投注有效，不能撤回，请等结果。',
  },
  'no-terminals': {
    en: 'That table takes bets with chips only; choose another table.',
    zh: '该台以筹码投注：可观看其牌台屏，或在此选择其他台。',
  },
  'not-seated': {
    en: 'You are no longer seated at that table; choose it again in the lobby.',
    zh: '您已不在该台，请返回大厅重新选择。',
  },
  'secret-revoked': {
    en: 'This page no longer controls the terminal; reload it.',
    zh: '此终端已停用，请重新载入页面。',
  },
  'too-many-slips': {
    en: 'Too many changes: accepted bets remain; wait a moment.',
    zh: '更改次数过多：已接受的投注有效，请稍候或等下一局。',
  },
  'server-closing': {
    en: 'The server is shutting down and takes no more bets.',
    zh: '服务器正在关闭，不再接受投注。',
  },
  'cannot-record': {
    en: 'The bet was not accepted: the system cannot record bets right now; try again shortly.',
    zh: '此投注未被接受：目前无法记录，请稍后再试。',
  },
  'result-unknown': {
    en: 'It is not known yet whether this bet was recorded; this screen shows the answer once the table is back.',
    zh: '尚不能确定此投注是否已记录；本台恢复后，画面会显示。',
  },
  'terminal-locked': { en: 'This terminal is locked; call staff.', zh: '终端已锁定，请联系职员。' },
  'on-a-break': {
    en: 'You are on a break and cannot bet until it is over.',
    zh: '您正在休息：休息结束前不能投注。',
  },
  'over-stake-limit': {
    en: 'That is above your limit for one round; bet less.',
    zh: '超过您设定的每局投注限额，请减少投注。',
  },
  'over-loss-limit': {
    en: 'That could exceed your loss limit for this session; bet less.',
    zh: '可能超过您设定的本次亏损限额，请减少投注。',
  },
  'awaiting-ruling': {
    en: 'The table is waiting for a ruling and takes no bets.',
    zh: '本台正等待裁定，暂不接受投注。',
  },
  'awaiting-decision': {
    en: 'The table is waiting for a ruling and takes no bets.',
    zh: '本台正等待裁定，暂不接受投注。',
  },
  'table-stopped': { en: 'The table has stopped; call the supervisor.', zh: '本台已停止，请联系主管。' },
  'too-many-messages': { en: 'Too many requests; wait a moment and try again.', zh: '操作过于频繁，请稍候再试。' },
  'too-many-seats': {
    en: 'Too many new terminals are connecting; wait a minute and try again.',
    zh: '新终端过多，请一分钟后再试。',
  },
  'unknown-table': { en: 'There is no such table; choose a table here.', zh: '没有这张台，请在此选择。' },
  'wrong-protocol': { en: 'This page is out of date; reload it.', zh: '页面已过期，请重新载入。' },
};

const nameOf = (wager: string): string =>
  wagerName(wager, tableView.value?.layout.find((spot) => spot.wager === wager)?.name ?? wager);

/**
 * The text of a refused slip, with the name of the spot or the amount. Undefined if no such text exists for the code
 * and the slip.
 */
function aboutSlip(code: string, slip: SlipStakes, accepted: SlipStakes, creditCents: number): Sentence | undefined {
  const { layout = [], step = 0, totalMinimum = 0 } = tableView.value ?? {};
  const stakeOn = (wager: string): number => slip[wager] ?? 0;
  const over = layout.find(({ wager, maximum }) => stakeOn(wager) > maximum);
  const under = layout.find(({ wager, minimum }) => stakeOn(wager) > 0 && stakeOn(wager) < minimum);
  const raised = Object.keys(accepted).find((wager) => stakeOn(wager) > accepted[wager]!);
  const lowered = Object.keys(accepted).find((wager) => stakeOn(wager) < accepted[wager]!);
  if (code === 'over-maximum' && over) {
    const [name, maximumText] = [nameOf(over.wager), formatMoney(over.maximum)];
    return {
      en: `The maximum on ${name} is ${maximumText}; bet less.`,
      zh: `${name}最高 ${maximumText}，请减少投注。`,
    };
  }
  if (code === 'under-minimum' && under) {
    const [name, minimumText] = [nameOf(under.wager), formatMoney(under.minimum)];
    return {
      en: `The minimum on ${name} is ${minimumText}; bet more or remove the bet.`,
      zh: `${name}最低 ${minimumText}，请增加投注。`,
    };
  }
  if (code === 'under-total-minimum') {
    const minimumText = formatMoney(totalMinimum);
    return {
      en: `The minimum for all bets together is ${minimumText}; bet more.`,
      zh: `总投注最低 ${minimumText}，请增加投注。`,
    };
  }
  if (code === 'off-step-stake') {
    return { en: `Stakes are multiples of ${formatMoney(step)}.`, zh: `投注额须为 ${formatMoney(step)} 的倍数。` };
  }
  if (code === 'not-enough-credit' && creditCents === 0) {
    return {
      en: 'You have no credit left: insert a bill or a ticket at COLLECT.',
      zh: '没有可投注的余额：请存入纸币或票据，入口在“兑出”。',
    };
  }
  if (code === 'not-enough-credit') {
    const [more, credit] = [formatMoney(slipTotal(slip) - slipTotal(accepted)), formatMoney(creditCents)];
    return {
      en: `The added bets need ${more}, and your credit is ${credit}; bet less.`,
      zh: `新增投注需 ${more}，而余额为 ${credit}，请减少投注。`,
    };
  }
  if (code === 'late-raise' && raised !== undefined) {
    const [name, acceptedText, more] = [
      nameOf(raised),
      formatMoney(accepted[raised]!),
      formatMoney(stakeOn(raised) - accepted[raised]!),
    ];
    return {
      en: `Bets are closed: ${acceptedText} on ${name} remains, ${more} more was refused.`,
      zh: `已停止下注：${name} ${acceptedText} 有效，加注 ${more} 不接受。`,
    };
  }
  if (code === 'late-withdrawal' && lowered !== undefined) {
    const [name, acceptedText] = [nameOf(lowered), formatMoney(accepted[lowered]!)];
    return {
      en: `Bets are closed: ${acceptedText} on ${name} remains; wait for the result.`,
      zh: `已停止下注：${name} ${acceptedText} 有效，请等结果。`,
    };
  }
  return undefined;
}

/**
 * The text of a refusal in the language of the screen. If this file has no text for the code, an English screen shows
 * the server's message, and a Chinese screen shows a general sentence.
 */
export function patronRefusalText({ code, message, slip, accepted, credit }: PatronRefusal): string {
  const found = (slip && aboutSlip(code, slip, accepted ?? {}, credit ?? 0)) ?? fixedTexts[code];
  return found?.[language.value] ?? (language.value === 'zh' ? '服务器不接受此操作。' : message);
}
