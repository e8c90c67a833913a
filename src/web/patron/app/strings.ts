import { createStringsGetter } from '../../shared/text/language.ts';
import { sharedStringsByLanguage } from '../../shared/text/strings.ts';

const en = {
  ...sharedStringsByLanguage.en,
  title: 'Punto demo floor',
  tables: 'Tables',
  joining: 'Connecting …',
  lost: 'Connection lost; reconnecting. Accepted bets remain in play.',
  reload: 'This page is out of date; reload it.',
  missed: (number: number) =>
    `Your last change arrived too late for round ${number}. Your credit is unchanged; bets accepted before remain in play.`,
  missedShort: (number: number) =>
    `Chips below the minimum were not sent and are not in round ${number}. Your credit is unchanged; bets accepted before remain in play.`,
  lacking: (name: string | null, amount: string) =>
    name === null
      ? `Not sent yet: ${amount} more is needed for the total minimum.`
      : `Not sent yet: ${name} needs ${amount} more for its minimum.`,
  notIn: 'Not in the round',
  refused: 'Refused',
};

const zh: typeof en = {
  ...sharedStringsByLanguage.zh,
  title: 'Punto 试玩大厅',
  tables: '大厅',
  joining: '正在连接……',
  lost: '连接已断开，正在重试。已接受的投注仍然有效。',
  reload: '页面已过期，请重新载入。',
  missed: (number) => `您最后的更改未能及时送达：不计入第 ${number} 局。余额不受影响；此前已接受的投注仍然有效。`,
  missedShort: (number) =>
    `未达最低限额的筹码没有送出：不计入第 ${number} 局。余额不受影响；此前已接受的投注仍然有效。`,
  lacking: (name, amount) =>
    name === null ? `尚未送出：总投注还差 ${amount} 才达最低限额。` : `尚未送出：${name}还差 ${amount} 才达最低限额。`,
  notIn: '未计入',
  refused: '不接受',
};

export const patronStrings = createStringsGetter({ en, zh });
