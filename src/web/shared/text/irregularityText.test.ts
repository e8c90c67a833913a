import { expect, test } from 'vitest';
import { rulebooks } from '../../../games/rulebooks.ts';
import { irregularityKinds } from '../../../games/irregularities.ts';
import { irregularityTextsOf } from './irregularityText.ts';

test.each(rulebooks)(
  'every irregularity of $id has texts in both languages, each ruling with its own clause',
  (book) => {
    for (const language of ['en', 'zh'] as const) {
      const all = irregularityTextsOf(book, language);
      expect(all.map(({ kind }) => kind)).toEqual(irregularityKinds);
      for (const { kind, happened, rulings: texts } of all) {
        const { rulings, by, afterSettlement } = book.irregularities[kind];
        const clauses = Object.values(rulings).map((effect) => effect.by);
        expect(texts.map((one) => one.by)).toEqual(afterSettlement ? [...clauses, by] : clauses);
        expect(new Set(texts.map(({ text }) => text)).size).toBe(texts.length);
        for (const text of [happened, ...texts.map((one) => one.text)]) {
          expect(text).toMatch(
            language === 'zh' ? /^[\p{Script=Han}，。、：；]+( [\p{Script=Han}，。、：；]+)?$/u : /^[A-Z][ -~]+$/,
          );
        }
      }
    }
  },
);

test('a locked shoe is mentioned only with the void that locks it', () => {
  const [bac] = rulebooks;
  const rulingsOf = (kind: string) => irregularityTextsOf(bac!, 'en').find((one) => one.kind === kind)!.rulings;
  expect(rulingsOf('order-altered')).toEqual([
    { text: 'If the order can be restored, the round continues.', by: 'BAC 5.4' },
    { text: 'The round is void: all bets are returned, won or lost. The shoe is replaced.', by: 'BAC 5.4' },
  ]);
  expect(rulingsOf('drawn-together')[1]!.text).toBe('The round is void: all bets are returned, won or lost.');
  expect(rulingsOf('late-wager')).toEqual([{ text: 'The bet does not count.', by: 'BAC 5.6' }]);
});
