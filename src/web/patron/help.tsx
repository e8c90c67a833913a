import { type Book, bookOf } from '../../games/books.ts';
import { type Game } from '../../rules/game.ts';
import { gameOf } from '../shared/figures.ts';
import { wagerName } from '../shared/names.ts';
import { payRowsOf } from '../shared/paytable.ts';
import { Sheet } from './terminal/sheet.tsx';
import { view } from './state.ts';
import { type Language, language } from '../shared/language.ts';
import { words } from './words.ts';

type Section = readonly [title: string, text: string];

// What a patron may ask and no spot can tell.
const sections: { readonly [L in Language]: readonly Section[] } = {
  en: [
    [
      'When a bet is accepted',
      'A tap puts a pale chip with a dashed edge on the spot. When the server has recorded the bet the chip turns solid: from then on it stands, and BET and CREDIT show it. A pale chip is no bet yet. After “No more bets” nothing is placed, raised or withdrawn.',
    ],
    [
      'When the link or the terminal fails',
      'What the server accepted before the close stands and is settled as usual, even if its answer never reached you. What it did not accept took no part in the round, and your credit is untouched. Nobody can withdraw a bet by pulling a plug. Load the page again in the same browser: you are the same terminal, with the same credit and bets.',
    ],
    [
      'When the table is interrupted',
      'A short interruption changes nothing. After a longer one (10 seconds) the cards decide: if no bet on offer was won or lost yet, the round is void and every stake goes back; if one was, the round is dealt to its end. The screen says which, and by which clause.',
    ],
    [
      'The commitment, and the tick on each card',
      'Before the first bet the order of all cards of the shoe is fixed, and a fingerprint of it is shown: the commitment. Your browser holds each dealt card against it by itself; a tick says that the card lay at that place all along. Nobody can exchange a card after the bets.',
    ],
    [
      'Malfunction voids all pays and plays',
      'What that means is said by the clauses, not left to anyone: a fault that touched the outcome (a wrong card, a changed order, no next card) voids the round and all its stakes go back. An interruption, a lost link or a dead terminal is no such fault; the clauses above decide.',
    ],
    [
      'Complaints',
      'Name GAME # and TID #, both shown beside the meters. Every round is in a record that cannot be changed unnoticed.',
    ],
  ],
  zh: [
    [
      '投注何时被接受',
      '点按后，注位上出现浅色、虚线边的筹码。服务器记录投注后，筹码变为实色：投注即告有效，“投注”与“余额”随之更新。浅色筹码尚不是投注。“停止下注”之后，不能下注、加注或撤回。',
    ],
    [
      '连接或终端发生故障时',
      '服务器在停止下注前已接受的投注有效，照常结算，即使您没有收到回复。未被接受的不计入该局，余额不受影响。任何人都不能靠断线撤回投注。用同一浏览器重新载入页面，即为同一终端，余额与投注不变。',
    ],
    [
      '牌台中断时',
      '短暂中断不影响牌局。超过 10 秒时由已发的牌决定：若可下注的项目均未分出输赢，该局作废，全部投注退还；若已有一项分出输赢，则继续发完。画面会说明是哪一种及其条款。',
    ],
    [
      '承诺值与牌上的勾号',
      '首次下注之前，整副牌靴的顺序已经确定，并显示其指纹，即承诺值。您的浏览器自行将每张发出的牌与之核对；勾号表示这张牌一直就在那个位置。下注之后无人能换牌。',
    ],
    [
      '机器故障时，一切投注与派彩无效',
      '其含义由条款规定，不由任何人随意决定：影响结果的故障（错牌、顺序被改、无法发出下一张牌）使该局作废，全部投注退还。牌台中断、断线或终端失灵不属此类，由上述条款处理。',
    ],
    ['投诉', '请告知画面上的局号与终端号。每一局都有记录，任何改动都会被发现。'],
  ],
};

/** The clauses and house procedures behind each of them, in the book of the table. */
function clausesOf({ clauses, terminals, irregularities: wrong }: Book): readonly (readonly string[])[] {
  return [
    [clauses.open, clauses.close, clauses.withdrawnLate, clauses.placedLate],
    Object.values(terminals),
    Object.values(wrong.interruption.rulings).map(({ by }) => by),
    [wrong['order-altered'].by],
    (['foreign-card', 'order-altered', 'too-few-cards', 'interruption', 'terminals-lost'] as const).map(
      (kind) => wrong[kind].by,
    ),
    [clauses.refer],
  ];
}

/** Every line of every wager, with its clause, in words. */
function PayTable({ game }: { game: Game }) {
  return (
    <section class="pays">
      <h3>{words().payTable}</h3>
      {view.value!.layout.map(({ wager, name }) => (
        <table key={wager}>
          <caption>{wagerName(wager, name)}</caption>
          <tbody>
            {payRowsOf(game.wagers[wager]!).map(([when, pays, by]) => (
              <tr key={when}>
                <td>{when}</td>
                <td>{pays}</td>
                <td>{by}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </section>
  );
}

/** How bets, failures and interruptions are dealt with, and the pay table. [READING 13, 29] */
export function Help() {
  const game = view.value && gameOf(view.value.game.version);
  if (!game) return <></>;
  const clauses = clausesOf(bookOf(game));
  return (
    <Sheet name="help" title={words().help}>
      {sections[language.value].map(([title, text], n) => (
        <section key={title}>
          <h3>{title}</h3>
          <p>
            {text} <small class="clauses">{[...new Set(clauses[n])].join(', ')}</small>
          </p>
        </section>
      ))}
      <PayTable game={game} />
    </Sheet>
  );
}
