import { type Rulebook, rulebooks } from '../../../../games/rulebooks.ts';
import { irregularityTextsOf } from '../../../shared/text/irregularityText.ts';
import type { Language } from '../../../shared/text/language.ts';

// Summaries of clauses, by topic of a rulebook or by number of a house procedure. The wording is our own. Which clause
// covers a topic is part of the rulebook.

type Texts = { readonly [name: string]: string };

const en: Texts = {
  open: 'Bets open when the dealer calls for them.',
  close: 'After the call “No more bets” no bet is accepted; cards are dealt only then.',
  placedLate: 'A bet placed after “No more bets” is not in the round.',
  raisedLate: 'An amount added to a bet after “No more bets” is not in the round; the earlier bet stands.',
  withdrawnLate: 'A bet cannot be removed after “No more bets”; it wins or loses as if it were still there.',
  cards: 'A shoe has a set number of decks. All backs have one design; all cards are inspected before use.',
  deal: 'The first four cards are dealt in turn: Player, Banker, Player, Banker.',
  play: 'The table of play says which hand draws a third card and which stands.',
  playerCards: 'The first and the third card are the first two of the Player hand.',
  bankerCards: 'The second and the fourth card are the first two of the Banker hand.',
  natural: 'With eight or nine on either hand no third card is dealt.',
  playerDraws: 'Without a natural the Player draws on 0 to 5 and stands on 6 and 7.',
  bankerAfterStand: 'When the Player stands, the Banker draws on 0 to 5 and stands on 6 and 7.',
  bankerAfterDraw: 'When the Player draws, the third card of the Player says whether the Banker draws.',
  winner: 'The hand with the total nearer to nine wins.',
  tie: 'Equal totals are a tie.',
  limits: 'A bet must be between the minimum and the maximum of its spot.',
  roles: 'A person who acts in a role, or in a higher one, has the authority of that role.',
  tooLate: 'Once bets are open for the next round, an irregularity can only be referred.',
  unplayable: 'A round that cannot be completed for a reason other than its cards is void; all stakes are returned.',
  refer: 'The Gaming Shift Manager decides what no rule covers; until then the game is stopped.',
  cut: 'When the cutting card comes out, it is laid aside and the round is finished; the shoe ends then or one round later.',
  correction:
    'If a screen or a scan is wrong, the cards that were dealt decide. Dealer and supervisor correct it before the round is settled.',
  'HOUSE 1': 'Referral: dealer or supervisor refers, the table freezes, and the Gaming Shift Manager decides.',
  'HOUSE 2': 'Roles: which role may do what, and which actions need two persons. A proposal expires after two minutes.',
  'HOUSE 3': 'Cutting card: the round in which it appears is finished; the table settings say when the shoe ends.',
  'HOUSE 4': 'Face-up card: after the first card it is dealt; before the first card it is referred and may be burned.',
  'HOUSE 5': 'Wrong order: the cards are replayed in the order drawn; if that order is unknown, the round is void.',
  'HOUSE 6':
    'Interruption: all cards drawn are entered. If a bet is then decided, the round continues; if not, it is void.',
  'HOUSE 7':
    'Counts: extra, missing or unshuffled cards void the round and lock the shoe. A used shoe is counted blind.',
  'HOUSE 8': 'Third cards drawn together: replayed if the order is known; if not, the round is void.',
  'HOUSE 9': 'Correction: the card on the felt decides, not the scan. The dealer may take back the last card entered.',
  'HOUSE 10':
    'Limits and credit: no stake may exceed a limit or the credit. Money that cannot be taken back is a shortfall.',
  'HOUSE 11': 'Lost terminals: bets that the server accepted in time are in the round.',
  'HOUSE 12': 'A round that cannot be completed for a reason other than its cards is void; all stakes are returned.',
};

const zh: Texts = {
  open: '荷官宣布后方可下注。',
  close: '宣布停止后不再接受下注，其后才发牌。',
  placedLate: '停止之后的下注不计入本局。',
  raisedLate: '停止之后加的部分不计入本局；此前的下注有效。',
  withdrawnLate: '停止之后不能收回下注；视同仍在，照计输赢。',
  cards: '牌靴由几副牌组成，背面须一致，使用前须验看。',
  deal: '先发四张，依次为闲、庄、闲、庄。',
  play: '补牌规则决定谁补第三张牌、谁停牌。',
  playerCards: '第一、第三张牌为闲家首两张。',
  bankerCards: '第二、第四张牌为庄家首两张。',
  natural: '任何一方八点或九点，双方均不补牌。',
  playerDraws: '无例牌时，闲家零至五点补牌，六点、七点停牌。',
  bankerAfterStand: '闲家停牌时，庄家零至五点补牌，六点、七点停牌。',
  bankerAfterDraw: '闲家补牌时，庄家是否补牌视闲家第三张牌而定。',
  winner: '点数较接近九点的一方胜出。',
  tie: '点数相同为和局。',
  limits: '下注须在该位置的最低与最高限额之间。',
  roles: '代理某岗位或更高岗位的人，可办理该岗位的事。',
  tooLate: '下一局开始下注后，此事只能呈报。',
  unplayable: '因牌以外的原因无法进行的一局作废，全部投注退回。',
  refer: '规则没有写明的情况由值班博彩经理裁定；在此之前本台停止。',
  cut: '切牌出现时放在一旁，发完该局；牌靴随之结束，或再过一局结束。',
  correction: '屏幕或扫描有误时，以实际发出的牌为准。结算之前由荷官与主管更正。',
  'HOUSE 1': '呈报：荷官或主管呈报，本台冻结，由值班博彩经理裁定。',
  'HOUSE 2': '岗位：谁办什么事，哪些事须由不同的两人。核准两分钟后失效。',
  'HOUSE 3': '切牌：出现切牌的一局发完；牌靴按本台设置结束。',
  'HOUSE 4': '牌面朝上的牌：首张牌之后照常发出；之前须呈报，可烧牌。',
  'HOUSE 5': '次序错误：按出靴次序复原；不能复原则该局作废。',
  'HOUSE 6': '中断：先录入所有已出靴的牌；届时已有下注分出输赢则续局，否则作废。',
  'HOUSE 7': '清点：多牌、缺牌或未洗牌，该局作废，牌靴停用。旧靴须盲点。',
  'HOUSE 8': '补牌同时抽出：次序可知则复原，否则该局作废。',
  'HOUSE 9': '更正：以台面上的牌为准，不以读数为准。荷官可撤回最后一次录入。',
  'HOUSE 10': '限额与余额：下注不得超过限额或余额；收不回的记为欠款。',
  'HOUSE 11': '终端断线：停止之前服务器已接受的下注计入本局。',
  'HOUSE 12': '因牌以外的原因无法进行的一局作废，全部投注退回。',
};

const texts: { readonly [L in Language]: Texts } = { en, zh };

/**
 * Summaries of all topics that a clause covers. The clause of the table of play also covers the single drawing rules,
 * but only its own summary is given.
 */
const topicSummaries = ({ clauses, draws }: Rulebook, by: string, t: Texts): readonly string[] =>
  Object.entries({ ...clauses, ...(by !== clauses.play && draws) }).flatMap(([topic, clause]) =>
    clause === by && t[topic] !== undefined ? [t[topic]] : [],
  );

/**
 * Summaries of a clause; empty if the clause is unknown. With `kind`, only what the clause rules on that kind of
 * irregularity. If it rules nothing on that kind, all its summaries.
 */
export function clauseSummaries(by: string, language: Language, kind?: string): readonly string[] {
  const t = texts[language];
  if (t[by] !== undefined) return [t[by]];
  const book = rulebooks.findLast(({ id }) => by.startsWith(`${id} `));
  if (book === undefined) return [];
  const irregularities = irregularityTextsOf(book, language);
  const own = irregularities.filter((one) => one.kind === kind && one.rulings.some((way) => way.by === by));
  if (own.length > 0) return own[0]!.rulings.filter((way) => way.by === by).map(({ text }) => text);
  const others = irregularities.flatMap(({ happened, rulings }) =>
    rulings
      .filter((way) => way.by === by)
      .map(({ text }) => (language === 'en' ? `${happened}. ${text}` : `${happened}。${text}`)),
  );
  return [...new Set([...topicSummaries(book, by, t), ...others])];
}
