import { stringsFor } from '../../shared/text/language.ts';

/** Texts for a terminal that takes no bets, whatever the state of its table. */
const en = {
  lockedTitle: 'This terminal is locked',
  owed: 'Waits to be paid to you by hand',
  owedText: 'The staff are called and pay it here: stay at the terminal until they have.',
  lockedText: 'Nothing can be loaded, staked or collected here; call the staff, who unlock it.',
  breakTitle: (time: string) => `You are on a break until ${time}`,
  breakText: 'Nothing is staked until then. Bets that stand are played to their end.',
};

const zh: typeof en = {
  lockedTitle: '终端已锁定',
  owed: '待人工派付给您',
  owedText: '已通知职员前来派付：请留在终端旁，直至付清。',
  lockedText: '现在不能存入、投注或兑出；请联系职员解锁。',
  breakTitle: (time) => `您正在休息，至 ${time}`,
  breakText: '在此之前不能投注。已接受的投注照常进行。',
};

/** The strings of the current language. */
export const bettingBlockStrings = stringsFor({ en, zh });
