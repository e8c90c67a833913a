import { expect, test } from 'vitest';
import { spelledOutAmount } from './amountInWords.ts';

test.each([
  [0, 'zero and 00/100', '零点零零'],
  [5, 'zero and 05/100', '零点零伍'],
  [1_999, 'nineteen and 99/100', '壹拾玖点玖玖'],
  [4_200, 'forty-two and 00/100', '肆拾贰点零零'],
  [10_100, 'one hundred one and 00/100', '壹佰零壹点零零'],
  [110_000, 'one thousand one hundred and 00/100', '壹仟壹佰点零零'],
  [100_500, 'one thousand five and 00/100', '壹仟零伍点零零'],
  [1_000_050, 'ten thousand and 50/100', '壹万点伍零'],
  [1_001_000, 'ten thousand ten and 00/100', '壹万零壹拾点零零'],
  [200_000_000_100, 'two billion one and 00/100', '贰拾亿零壹点零零'],
] as const)('%i cents are written in words', (cents, en, zh) => {
  expect([spelledOutAmount(cents, 'en'), spelledOutAmount(cents, 'zh')]).toEqual([en, zh]);
});
