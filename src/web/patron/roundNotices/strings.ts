import { createStringsGetter } from '../../shared/text/language.ts';

const en = {
  out: (number: number) =>
    `Reconnected: you were not in round ${number}. No bet of yours was accepted, and your credit is unchanged.`,
  playing: (number: number, stake: string) =>
    `Reconnected: your bets of ${stake} are in round ${number}, which is still in play.`,
  settled: (number: number, result: string, stake: string, returned: string) =>
    `Reconnected: you were in round ${number}. ${result}: you staked ${stake} and ${returned} was returned, winnings included.`,
  voided: (number: number, returned: string) =>
    `Reconnected: round ${number} is void, and your ${returned} was returned to your credit.`,
  over: (number: number) =>
    `Reconnected: you were in round ${number}, which has ended. See your result in the list of your rounds.`,
  unsure: (number: number) =>
    `Reconnected: round ${number} has ended. See in the list of your rounds whether your last change was in it.`,
  results: { player: 'Player won', banker: 'Banker won', tie: 'It was a tie' },
  leftIn: (table: string, number: number) => `Accepted bets are in play: table ${table}, round ${number}.`,
  leftDoubtful: (table: string, number: number) =>
    `One bet was still being sent to table ${table}, round ${number}. Whether it was accepted is shown once the connection is back.`,
  leftUnsent: (table: string, number: number) =>
    `Chips at table ${table} that were not sent have been removed: they are not in round ${number}.`,
  noticeAt: (table: string) => `Table ${table}:`,
  noticeTitle: {
    void: (number: number) => `Round #${number} is void`,
    part: (number: number) => `Bets of yours in round #${number} are void`,
    corrected: (number: number) => `Round #${number} is settled again`,
  },
  noticeMoney: {
    void: (_stake: string) => 'Every stake is back in your credit',
    part: (_stake: string) => 'Back in your credit',
    corrected: (stake: string) => `Returned for ${stake} staked`,
  },
  noticeWas: (was: string, change: string) => `${was} was returned before; your credit changed by ${change}.`,
  close: 'Close',
  acknowledge: 'I have read this',
};

const zh: typeof en = {
  out: (number) => `已恢复连接：您没有参与第 ${number} 局。没有投注被接受，余额不受影响。`,
  playing: (number, stake) => `已恢复连接：您的投注 ${stake} 计入第 ${number} 局，该局仍在进行。`,
  settled: (number, result, stake, returned) =>
    `已恢复连接：您参与了第 ${number} 局。${result}：投注 ${stake}，连同赢额共返还 ${returned}。`,
  voided: (number, returned) => `已恢复连接：第 ${number} 局作废，您的 ${returned} 已退回余额。`,
  over: (number) => `已恢复连接：您参与了第 ${number} 局，该局已结束。投注结果见您的历史局。`,
  unsure: (number) => `已恢复连接：第 ${number} 局已结束。您最后的更改是否计入，见您的历史局。`,
  results: { player: '闲赢', banker: '庄赢', tie: '和局' },
  leftIn: (table, number) => `已接受的投注已计入：${table} 台第 ${number} 局。`,
  leftDoubtful: (table, number) =>
    `有一注仍在送往 ${table} 台第 ${number} 局的途中：可能已计入，也可能没有；连接恢复后该台将告知。`,
  leftUnsent: (table, number) => `${table} 台尚未送出的筹码已收回，不计入第 ${number} 局。`,
  noticeAt: (table) => `${table} 台：`,
  noticeTitle: {
    void: (number) => `第 ${number} 局作废`,
    part: (number) => `您在第 ${number} 局的部分投注作废`,
    corrected: (number) => `第 ${number} 局已重新结算`,
  },
  noticeMoney: {
    void: () => '全部投注已退还至余额',
    part: () => '已退还至余额',
    corrected: (stake) => `投注 ${stake}，返还`,
  },
  noticeWas: (was, change) => `此前返还 ${was}；余额变动 ${change}。`,
  close: '关闭',
  acknowledge: '我已阅读',
};

export const noticeStrings = createStringsGetter({ en, zh });
