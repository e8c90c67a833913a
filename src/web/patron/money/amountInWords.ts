import type { Language } from '../../shared/text/language.ts';

const small = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen'
).split(' ');
const tens = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const scales = [
  [1_000_000_000, 'billion'],
  [1_000_000, 'million'],
  [1_000, 'thousand'],
  [100, 'hundred'],
] as const;

function english(whole: number): string {
  if (whole < 20) return small[whole]!;
  if (whole < 100) return tens[Math.floor(whole / 10)]! + (whole % 10 === 0 ? '' : `-${small[whole % 10]}`);
  const [size, name] = scales.find(([one]) => whole >= one)!;
  const rest = whole % size;
  return `${english(Math.floor(whole / size))} ${name}${rest === 0 ? '' : ` ${english(rest)}`}`;
}

const digits = Array.from('零壹贰叁肆伍陆柒捌玖');

/** A number of up to four digits in the Chinese numerals of cheques. */
function fourDigits(whole: number): string {
  let text = '';
  for (const [size, name] of [
    [1_000, '仟'],
    [100, '佰'],
    [10, '拾'],
    [1, ''],
  ] as const) {
    const digit = Math.floor(whole / size) % 10;
    if (digit > 0) text += digits[digit]! + name;
    else if (text !== '' && !text.endsWith('零')) text += '零';
  }
  return text.replace(/零$/, '');
}

function chinese(whole: number): string {
  if (whole === 0) return '零';
  let text = '';
  for (const [size, name] of [
    [1_0000_0000_0000, '万亿'],
    [1_0000_0000, '亿'],
    [1_0000, '万'],
    [1, ''],
  ] as const) {
    const part = Math.floor(whole / size) % 1_0000;
    if (part === 0) continue;
    text += (text !== '' && part < 1_000 ? '零' : '') + fourDigits(part) + name;
  }
  return text;
}

/** An amount in words, for printed tickets: unlike a number, words cannot be forged by adding a digit. */
export function spelledOutAmount(cents: number, language: Language): string {
  const rest = String(cents % 100).padStart(2, '0');
  const whole = Math.floor(cents / 100);
  if (language === 'en') return `${english(whole)} and ${rest}/100`;
  return `${chinese(whole)}点${Array.from(rest, (digit) => digits[Number(digit)]).join('')}`;
}
