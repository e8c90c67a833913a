import { createStringsGetter } from '../../../shared/text/language.ts';

/** Texts for a terminal that may not bet at any table. */
const en = {
  lockedTitle: 'This terminal is locked',
  owed: 'Staff will pay you',
  owedText: 'Staff have been called and will pay you here. Please stay at the terminal.',
  lockedText: 'You cannot load credit, bet or collect here. Please call staff to unlock it.',
  breakTitle: (time: string) => `You are on a break until ${time}`,
  breakText: 'You cannot bet until then. Open bets are still settled.',
};

const zh: typeof en = {
  lockedTitle: '终端已锁定',
  owed: '待人工派付给您',
  owedText: '已通知职员前来派付：请留在终端旁，直至付清。',
  lockedText: '现在不能存入、投注或兑出；请联系职员解锁。',
  breakTitle: (time) => `您正在休息，至 ${time}`,
  breakText: '在此之前不能投注。已接受的投注照常进行。',
};

export const bettingBlockStrings = createStringsGetter({ en, zh });
