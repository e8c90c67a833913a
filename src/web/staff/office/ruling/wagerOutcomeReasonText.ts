import { type PromptView } from '../../../../wire/staff/viewParts.ts';
import { type Language } from '../../../shared/text/language.ts';

// Texts that say why the cards dealt so far decide a wager or leave it undecided.

type Texts = { readonly [name: string]: string };
type StatusTexts = { readonly facts: Texts; readonly values: Texts; readonly or: string } & {
  readonly byCode: {
    readonly [code: string]: (fields: Texts, isWon: boolean, list: (values: string) => string) => string;
  };
};

const factTexts = (fields: Texts, facts: Texts, list: (values: string) => string, isOpen: boolean): readonly string[] =>
  Object.entries(fields)
    .filter(([, values]) => values.includes(' ') === isOpen)
    .map(([fact, values]) => `${facts[fact] ?? fact} ${list(values)}`);

const factsEn: Texts = {
  winner: 'the winner',
  margin: 'the margin',
  playerTotal: 'the Player total',
  bankerTotal: 'the Banker total',
  playerCards: 'the Player cards',
  bankerCards: 'the Banker cards',
  playerNatural: 'a Player natural',
  bankerNatural: 'a Banker natural',
  playerPair: 'a Player pair',
  bankerPair: 'a Banker pair',
  playerPreciousPair: 'the Player pair',
  bankerPreciousPair: 'the Banker pair',
  playerColour: 'the Player colours',
  bankerColour: 'the Banker colours',
  tigerPair: 'the pairs of both hands',
};
const factsZh: Texts = {
  winner: '胜方',
  margin: '点数差',
  playerTotal: '闲点数',
  bankerTotal: '庄点数',
  playerCards: '闲张数',
  bankerCards: '庄张数',
  playerNatural: '闲天牌',
  bankerNatural: '庄天牌',
  playerPair: '闲对',
  bankerPair: '庄对',
  playerPreciousPair: '闲对子',
  bankerPreciousPair: '庄对子',
  playerColour: '闲颜色',
  bankerColour: '庄颜色',
  tigerPair: '两手对子',
};

const textsByLanguage: { readonly [L in Language]: StatusTexts } = {
  en: {
    facts: factsEn,
    values: {
      player: 'Player',
      banker: 'Banker',
      tie: 'a tie',
      true: 'yes',
      false: 'no',
      none: 'none',
      red: 'both red',
      black: 'both black',
      mixed: 'mixed',
      single: 'one pair',
      double: 'two pairs',
      twin: 'two of one rank',
      other: 'another pair',
      diamonds: 'a pair of diamonds',
      fours: 'a pair of fours',
      'diamond-fours': 'the fours of diamonds',
    },
    or: ' or ',
    byCode: {
      fact: ({ fact, is, needs }, isWon, list) =>
        isWon
          ? `${capitalize(factsEn[fact!] ?? fact!)}: ${list(is!)}, which wins it`
          : `${capitalize(factsEn[fact!] ?? fact!)}: ${list(is!)}; it needs ${list(needs!)}`,
      totals: ({ player, banker }, _isWon, list) =>
        `Player can end on ${list(player!)}, Banker on ${list(banker!)}: this bet cannot win`,
      facts: (fields, isWon, list) => {
        const decided = factTexts(fields, factsEn, list, false);
        return `${isWon ? 'Wins whatever card comes' : 'Loses whatever card comes'}${decided.length > 0 ? `: ${decided.join(', ')}` : ''}`;
      },
      open: (fields, _isWon, list) => {
        const open = factTexts(fields, factsEn, list, true);
        return open.length === 0 ? 'It depends on the cards to come' : `Undecided: ${open.join(', ')}`;
      },
      push: () => 'Neither won nor lost: the stake is returned',
      early: ({ cards }) => `Too few cards to decide: ${cards}`,
      always: () => 'Decided before any card',
    },
  },
  zh: {
    facts: factsZh,
    values: {
      player: '闲',
      banker: '庄',
      tie: '和',
      true: '有',
      false: '无',
      none: '无',
      red: '同红',
      black: '同黑',
      mixed: '混色',
      single: '一对',
      double: '两对',
      twin: '同点两对',
      other: '其他对子',
      diamonds: '方块对',
      fours: '四点对',
      'diamond-fours': '方块四对',
    },
    or: ' 或 ',
    byCode: {
      fact: ({ fact, is, needs }, isWon, list) =>
        isWon
          ? `${factsZh[fact!] ?? fact}：${list(is!)}，因此赢`
          : `${factsZh[fact!] ?? fact}：${list(is!)}；须为${list(needs!)}`,
      totals: ({ player, banker }, _isWon, list) => `闲只能是 ${list(player!)}，庄只能是 ${list(banker!)}：都不能赢`,
      facts: (fields, isWon, list) => {
        const decided = factTexts(fields, factsZh, list, false);
        return `${isWon ? '不论来什么牌都赢' : '不论来什么牌都输'}${decided.length > 0 ? `：${decided.join('，')}` : ''}`;
      },
      open: (fields, _isWon, list) => {
        const open = factTexts(fields, factsZh, list, true);
        return open.length === 0 ? '取决于后面的牌' : `未定：${open.join('，')}`;
      },
      push: () => '不输不赢，投注退回',
      early: ({ cards }) => `牌太少，尚不能定：${cards} 张`,
      always: () => '发牌之前已定',
    },
  },
};

const capitalize = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

/** Text of a list of values. Three or more consecutive numbers are shown as a range. */
function listText(values: string, { values: names, or }: StatusTexts): string {
  const items = values.split(' ');
  const numbers = items.map(Number);
  const isRange = items.length > 2 && numbers.every((value, n) => n === 0 || value === numbers[n - 1]! + 1);
  if (isRange) return `${items[0]}–${items.at(-1)}`;
  return items.map((value) => names[value] ?? value.replaceAll('-', ' ')).join(or);
}

export function wagerOutcomeReasonText({ code, with: fields }: PromptView, result: string, language: Language): string {
  const texts = textsByLanguage[language];
  return texts.byCode[code]?.(fields, result === 'won', (values) => listText(values, texts)) ?? code;
}
