import { wordsIn } from '../../shared/language.ts';

const en = {
  help: 'Help',
  pages: {
    pays: 'Pay table',
    play: 'How to play',
    drawing: 'Third cards',
    wrong: 'If something goes wrong',
    limits: 'Limits',
    about: 'About this game',
  },
  close: 'Close',
  decks: (decks: number, cards: number) => `${decks} decks, ${cards} cards`,
  book: (id: string) => `rulebook ${id}`,
  wager: 'Wager',
  winsWhen: 'Wins when',
  pays: 'Pays',
  clause: 'Rule',
  chance: 'Chance',
  edge: 'House edge',
  back: 'Return',
  stakeBack: 'stake back',
  otherwise: 'The first line that fits counts; where none does, the wager loses.',
  commission: (odds: string, part: string) => `${odds} less ${part} commission`,
  counting: 'Counting every deal …',
  notCounted: 'The figures could not be worked out here; the odds above are right.',
  exact: (decks: number) =>
    `Chance, house edge and return are exact: counted over every deal of a fresh shoe of ${decks} decks. Chance is how often the wager wins; stakes that come back count in the return. Each wager is paid by itself, whatever else is staked.`,
  playing: [
    [
      'What it is about',
      'Two hands are dealt, Player and Banker; they are only names, and the same two for everyone. You bet on which of them comes nearer to nine, on a tie, or on what the table offers beside.',
    ],
    [
      'What cards are worth',
      'An ace counts one, two to nine what they show, tens and pictures nothing. Of a sum only the last digit counts: seven and eight make five.',
    ],
    [
      'The deal',
      'Player, Banker, Player, Banker get a card each. Eight or nine on two cards is a natural and ends the deal. Otherwise fixed rules say whether Player and then Banker take one third card; nobody chooses.',
    ],
    [
      'The result',
      'The higher total wins. Equal totals are a tie: stakes on Player and Banker come back, stakes on Tie win. Pairs are judged by the first two cards of a hand alone.',
    ],
    [
      'When a bet is accepted',
      'A tap puts a pale chip on the spot. When the server has recorded the bet the chip turns solid: from then on it stands, and BET and CREDIT show it. A pale chip is no bet yet. After “No more bets” nothing is placed, raised or withdrawn.',
    ],
  ],
  pictures: {
    french: 'Pictures are jack, queen and king.',
    elements: 'Pictures are Sau 壽, Luk 祿 and Fuk 福; suits are numbered one to five.',
  },
  natural: 'A total of 8 or 9 on two cards, in either hand: nobody draws.',
  playerDraws: (totals: string) => `Player takes a third card on ${totals} and stands on anything higher.`,
  standing: (totals: string) => `After a Player that stands, Banker takes a third card on ${totals}.`,
  drawn: 'After a Player that has drawn, Banker goes by its own total and by what the third card of Player is worth:',
  bankerTotal: 'Banker total',
  thirdCard: 'Third card of Player is worth',
  draws: 'draws',
  stands: 'stands',
  drawsMark: 'D',
  standsMark: '·',
  recovery: 'If this screen, its link or the table fails',
  recoveryText:
    'What the server accepted before the close stands and is settled as usual, even if its answer never reached you. What it did not accept took no part in the round, and your credit is untouched. Nobody can withdraw a bet by pulling a plug. Once the link is back this screen shows your credit, whether you were in the round, and what came of it.',
  terminals: {
    closedAccepted: 'This screen had shown the close, and the bet was accepted: it is settled as usual.',
    openNotAccepted: 'This screen had not shown the close, and the bet was not accepted: it was not in the round.',
    closedNotAccepted: 'This screen had shown the close, and the bet was not accepted: it was not in the round.',
    openAccepted: 'This screen had not shown the close, but the bet was accepted: it is settled as usual.',
  },
  happened: 'What happened',
  follows: 'What follows',
  malfunction: 'Malfunction voids all pays and plays',
  malfunctionText:
    'What that means is said by these rules and left to nobody: a fault that touched the outcome voids the round, and all its stakes go back. A lost link or a screen that fails is no such fault.',
  complaint: 'A complaint',
  complaintText:
    'Ask for the supervisor, and name GAME # and TID # of this screen. Every round is in a record that shows any change.',
  spot: 'Spot',
  least: 'Minimum',
  most: 'Maximum',
  totalMinimum: 'Least in all for a bet',
  step: 'Stakes go in steps of',
  limitsText: 'Minimum and maximum are those of one screen in one round; the server holds to the same figures.',
  bookTitle: 'The book',
  bookText: (id: string, version: string, date: string) =>
    `This game is played by the rulebook ${id}, ${version}, in force from ${date}.`,
  version: (number: string) => `version ${number}`,
  noVersion: 'which has no number',
  approved: 'The book is written for electronic tables.',
  notApproved:
    'The book is written for live tables with chips on a felt: the game lacks an approval for electronic tables.',
  cardsDecide: 'Displays inform, cards decide',
  cardsDecideText:
    'Roads, counters and boards only inform. Where a display and the cards that were dealt differ, the cards decide, and what was paid wrongly is put right.',
  past: 'Past results',
  pastText:
    'Roads show what was. They say nothing about the next round: no result makes another more likely that the cards left do not.',
  commitment: 'Cards proven',
  commitmentText:
    'Before the first bet the order of all cards of a virtual shoe is fixed, and a fingerprint of it is shown. Your browser holds each card against it by itself: nobody can exchange a card after the bets.',
  care: 'Play with care',
  careText:
    'Every wager has a house edge: whoever plays long loses. Play with what you can spare, and stop when it is no pleasure.',
  myLimits: 'My limits',
};

type Words = typeof en;

const zh: Words = {
  help: '帮助',
  pages: {
    pays: '赔率表',
    play: '玩法',
    drawing: '补牌规则',
    wrong: '异常情况',
    limits: '限额',
    about: '关于本游戏',
  },
  close: '关闭',
  decks: (decks, cards) => `${decks} 副牌，共 ${cards} 张`,
  book: (id) => `规则书 ${id}`,
  wager: '投注项',
  winsWhen: '获胜条件',
  pays: '赔率',
  clause: '条款',
  chance: '中奖率',
  edge: '庄家优势',
  back: '返还率',
  stakeBack: '退回本金',
  otherwise: '以首个符合的条件为准；均不符合即为输。',
  commission: (odds, part) => `${odds}，减 ${part} 佣金`,
  counting: '正在计算全部发牌可能……',
  notCounted: '此处未能算出这些数字；以上赔率无误。',
  exact: (decks) =>
    `中奖率、庄家优势与返还率均为精确值，由全新 ${decks} 副牌靴的全部发牌可能计算得出。中奖率为赢注的机会；退回的本金计入返还率。各注分别派彩，互不影响。`,
  playing: [
    [
      '目标',
      '每局发两手牌：闲与庄。两者只是名称，所有人都押同样的两手牌。您可押哪一手更接近九点、押和局，或押本台的其他投注项。',
    ],
    ['点数', 'A 为一点，2 至 9 按牌面，10 与花牌为零点。总和只取个位：七加八为五点。'],
    [
      '发牌',
      '依闲、庄、闲、庄次序各发两张。任一方首两张合计八点或九点为例牌，即止。否则按固定规则决定闲、庄是否各补一张；无人可以选择。',
    ],
    ['结果', '点数大者胜。点数相同为和局：闲、庄投注退回，和注获胜。对子只看一手的首两张牌。'],
    [
      '投注何时被接受',
      '点按后，注位上出现浅色筹码。服务器记录投注后，筹码变为实色：投注即告有效，“投注”与“余额”随之更新。浅色筹码尚不是投注。“停止下注”之后，不能下注、加注或撤回。',
    ],
  ],
  pictures: { french: '花牌为 J、Q、K。', elements: '花牌为壽、祿、福；花色以一至五编号。' },
  natural: '任一方首两张合计 8 点或 9 点：双方均不补牌。',
  playerDraws: (totals) => `闲 ${totals} 点补第三张，点数更高则停牌。`,
  standing: (totals) => `闲停牌时，庄 ${totals} 点补第三张。`,
  drawn: '闲补牌后，庄按自己的点数与闲第三张牌的点数决定：',
  bankerTotal: '庄点数',
  thirdCard: '闲第三张牌的点数',
  draws: '补牌',
  stands: '停牌',
  drawsMark: '补',
  standsMark: '·',
  recovery: '本机、连接或牌台发生故障时',
  recoveryText:
    '服务器在停止下注前已接受的投注有效，照常结算，即使您没有收到回复。未被接受的不计入该局，余额不受影响。任何人都不能靠断线撤回投注。连接恢复后，本机会显示余额、您是否在该局之中，以及结果。',
  terminals: {
    closedAccepted: '本机已显示停止下注，投注已被接受：照常结算。',
    openNotAccepted: '本机尚未显示停止下注，投注未被接受：不计入该局。',
    closedNotAccepted: '本机已显示停止下注，投注未被接受：不计入该局。',
    openAccepted: '本机尚未显示停止下注，但投注已被接受：照常结算。',
  },
  happened: '发生的情况',
  follows: '处理方式',
  malfunction: '机器故障时，一切投注与派彩无效',
  malfunctionText:
    '其含义由这些条款规定，不由任何人随意决定：影响结果的故障使该局作废，全部投注退还。断线或终端失灵不属此类。',
  complaint: '投诉',
  complaintText: '请找主管，并告知本机画面上的局号与终端号。每一局都有记录，任何改动都会被发现。',
  spot: '注位',
  least: '最低',
  most: '最高',
  totalMinimum: '每次总投注最低',
  step: '投注单位',
  limitsText: '最低与最高均为一台终端在一局中的限额；服务器按同样的数字执行。',
  bookTitle: '规则书',
  bookText: (id, version, date) => `本游戏依规则书 ${id}（${version}）进行，自 ${date} 起施行。`,
  version: (number) => `第 ${number} 版`,
  noVersion: '无版本号',
  approved: '该规则书为电子牌台而订。',
  notApproved: '该规则书为使用实体筹码的现场牌台而订：本游戏未获电子牌台的批准。',
  cardsDecide: '显示仅供参考，以牌为准',
  cardsDecideText: '路单、计数与看板仅供参考。显示与实际发出的牌不符时，以牌为准，错付之数予以更正。',
  past: '以往结果',
  pastText: '路单只显示过去，不预示下一局：除剩余的牌之外，任何结果都不会使另一结果更易出现。',
  commitment: '牌已验证',
  commitmentText:
    '首次下注之前，虚拟牌靴全部牌的顺序已经确定，并显示其指纹。您的浏览器自行将每张牌与之核对：下注之后无人能换牌。',
  care: '理性博彩',
  careText: '每项投注都有庄家优势：久赌必输。请量力而为，不再是乐趣时就停下。',
  myLimits: '我的限额',
};

export const helpWords = { en, zh };

/** The words of the language in use. */
export const words = wordsIn<Words>(helpWords);
