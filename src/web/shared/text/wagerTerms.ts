import { type FactName } from '../../../rules/facts.ts';
import { type PayLine, type Wager, type FactPattern } from '../../../rules/wager.ts';
import { payLineOddsText } from './oddsText.ts';

// Terms of a wager for its spot on the felt: each of its odds with a short condition. The pay table has the full
// conditions.

/** One term of a wager. `pays`: the odds or a push. `when`: the condition, empty if there is none. */
export type WagerTerm = { readonly when: string; readonly pays: string };

type Texts = { readonly [value: string]: string };

const termTexts = {
  en: {
    push: 'push',
    on: (total: string) => `on ${total}`,
    cards: (count: string) => `${count} cards`,
    by: (margin: string) => `by ${margin}`,
    winner: { player: 'Player', banker: 'Banker', tie: 'tie' },
    natural: { true: 'natural', false: '' },
    pair: { true: 'pair', false: 'no pair' },
    precious: { none: 'no pair', other: 'other pair', diamonds: '♦ pair', fours: 'other 4s', 'diamond-fours': '4♦ 4♦' },
    tiger: { none: 'no pair', single: 'single', double: 'double', twin: 'twin' },
    colour: { red: 'red', black: 'black', mixed: 'mixed' },
  },
  zh: {
    push: '退回',
    on: (total: string) => `${total} 点`,
    cards: (count: string) => `${count} 张`,
    by: (margin: string) => `胜${margin}点`,
    winner: { player: '闲', banker: '庄', tie: '和' },
    natural: { true: '例牌', false: '' },
    pair: { true: '对子', false: '无对子' },
    precious: { none: '无对子', other: '其他对', diamonds: '♦ 对', fours: '其他 4 对', 'diamond-fours': '4♦ 4♦' },
    tiger: { none: '无对子', single: '单', double: '双', twin: '同' },
    colour: { red: '红', black: '黑', mixed: '红黑' },
  },
} as const;

function factText(fact: FactName, wanted: unknown, t: (typeof termTexts)[keyof typeof termTexts]): string {
  const values: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  const any = (from: Texts = {}): string => values.map((value) => from[String(value)] ?? String(value)).join('/');
  switch (fact) {
    case 'winner':
      return any(t.winner);
    case 'margin':
      return t.by(any());
    case 'playerTotal':
    case 'bankerTotal':
      return t.on(any());
    case 'playerCards':
    case 'bankerCards':
      return t.cards(any());
    case 'playerNatural':
    case 'bankerNatural':
      return any(t.natural);
    case 'playerPair':
    case 'bankerPair':
      return any(t.pair);
    case 'playerPreciousPair':
    case 'bankerPreciousPair':
      return any(t.precious);
    case 'playerColour':
    case 'bankerColour':
      return any(t.colour);
    case 'tigerPair':
      return any(t.tiger);
  }
}

const entriesOf = (when: FactPattern): readonly [FactName, unknown][] => Object.entries(when) as [FactName, unknown][];

/** True for a pay line that only says that a tie is a push. Every game has such a line, so spots leave it out. */
const isPlainTie = ({ pays, when }: PayLine): boolean =>
  pays === 'push' && entriesOf(when).every(([fact]) => fact === 'winner');

/**
 * Terms of a wager; the term without a condition is first. A condition that all pay lines share is left out, because
 * the name of the wager implies it.
 */
export function wagerTerms(wager: Wager, of: keyof typeof termTexts): readonly WagerTerm[] {
  const t = termTexts[of];
  const lines = wager.lines.filter((line) => !isPlainTie(line));
  const isCommon = (fact: FactName, wanted: unknown): boolean =>
    lines.every(({ when }) => JSON.stringify(when[fact]) === JSON.stringify(wanted));
  const terms = lines.map((line) => {
    const parts = entriesOf(line.when).filter(([fact, wanted]) => !isCommon(fact, wanted));
    // The winner is shown as a condition only for a push.
    const shownFacts = parts.filter(([fact]) => fact !== 'winner' || line.pays === 'push');
    const texts = shownFacts.map(([fact, wanted]) => factText(fact, wanted, t)).filter((text) => text !== '');
    const pays = line.pays === 'push' ? t.push : payLineOddsText(line);
    return { when: (line.pays === 'push' ? texts.toReversed() : texts).join(' '), pays };
  });
  const isUniform = new Set(terms.map(({ pays }) => pays)).size === 1;
  const single = isUniform ? [{ when: '', pays: terms[0]!.pays }] : terms;
  return [...single.filter(({ when }) => when === ''), ...single.filter(({ when }) => when !== '')];
}

/** All terms of a wager in one line: "1 : 1, on 6 1 : 2". */
export const wagerTermsText = (terms: readonly WagerTerm[]): string =>
  terms.map(({ when, pays }) => (when === '' ? pays : `${when} ${pays}`)).join(', ');
