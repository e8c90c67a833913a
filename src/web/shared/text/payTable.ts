import { type FactName } from '../../../rules/facts.ts';
import { type PayLine, type Wager, type FactPattern, netPerUnitOf } from '../../../rules/wager.ts';
import { payTableRows } from '../../../rules/payTableText.ts';
import { language } from './language.ts';

// Pay table in Chinese. The English pay table comes from src/rules/payTableText.ts.

const hands: { readonly [hand: string]: string } = { player: '闲', banker: '庄' };
const winners: { readonly [winner: string]: string } = { player: '闲赢', banker: '庄赢', tie: '和局' };
const colours: { readonly [colour: string]: string } = { red: '同为红色', black: '同为黑色', mixed: '红黑各一' };
const preciousPairs: { readonly [tier: string]: string } = {
  none: '无对子',
  other: '其他对子',
  diamonds: '方块对子',
  fours: '其他 4 对子',
  'diamond-fours': '方块 4 对子',
};
const tigerPairs: { readonly [tier: string]: string } = {
  none: '两家均无对子',
  single: '一家有对子',
  double: '两家均有对子，牌面不同',
  twin: '两家均有对子，牌面相同',
};

/** The condition on one fact of the round as Chinese text, such as "庄 6 点". */
function factText(fact: FactName, wanted: unknown): string {
  const values: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  const any = (texts?: { readonly [value: string]: string }): string =>
    values.map((value) => texts?.[String(value)] ?? String(value)).join(' 或 ');
  const hand = hands[fact.startsWith('player') ? 'player' : 'banker']!;
  switch (fact) {
    case 'winner':
      return any(winners);
    case 'margin':
      return `胜 ${any()} 点`;
    case 'playerTotal':
    case 'bankerTotal':
      return `${hand} ${any()} 点`;
    case 'playerCards':
    case 'bankerCards':
      return `${hand} ${any()} 张牌`;
    case 'playerNatural':
    case 'bankerNatural':
      return `${hand}${any({ true: '例牌', false: '非例牌' })}`;
    case 'playerPair':
    case 'bankerPair':
      return `${hand}${any({ true: '有对子', false: '无对子' })}`;
    case 'playerPreciousPair':
    case 'bankerPreciousPair':
      return `${hand}${any(preciousPairs)}`;
    case 'playerColour':
    case 'bankerColour':
      return `${hand}首两张${any(colours)}`;
    case 'tigerPair':
      return any(tigerPairs);
  }
}

const caseOf = (when: FactPattern): string =>
  (Object.entries(when) as [FactName, unknown][]).map(([fact, wanted]) => factText(fact, wanted)).join('，');

function paysOf(line: PayLine): string {
  if (line.pays === 'push') return '退回';
  const odds = `${line.pays[0]} : ${line.pays[1]}`;
  if (line.commission === undefined) return odds;
  const [win, per] = netPerUnitOf(line);
  return `${win} : ${per}（${odds}，减佣金 ${line.commission[0]}/${line.commission[1]}）`;
}

/** Rows of the pay table of a wager in the language of the screen: condition, odds and clause. */
export function localizedPayTableRows(wager: Wager): readonly (readonly [string, string, string])[] {
  if (language.value === 'en') return payTableRows(wager);
  return [
    ...wager.lines.map((line) => [caseOf(line.when), paysOf(line), line.by] as const),
    ...(wager.losses ?? []).map((loss) => [caseOf(loss.when), '输', loss.by] as const),
    ['其他情况', '输', wager.by],
  ];
}
