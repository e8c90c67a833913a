import { isObject, isText, kind, plainKinds } from '../../rules/fields.ts';
import { irregularityKinds } from '../../games/irregularities.ts';
import { slots } from '../../rules/play.ts';
import { type Ratio } from '../../rules/ratio.ts';
import { type LinePost, type Post, linePosts, sidePosts } from '../../games/posts.ts';
import { type Person, type Who } from './posts.ts';

/** Every stake of one terminal in a round, in whole minor units, by wager. */
export type Slip = { readonly [wager: string]: number };
export type Slips = { readonly [terminal: string]: Slip };
/** Amounts by terminal. */
export type Amounts = { readonly [terminal: string]: number };

/** What a settled round does to a wager; each slip's amounts follow from it. */
export type WagerResult = {
  readonly result: 'win' | 'push' | 'lose';
  readonly pays: Ratio;
  readonly commission: Ratio;
  readonly by: string;
};
export type Results = { readonly [wager: string]: WagerResult };

const id = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Names within a property: letters, digits, points, lines; they make up round and account ids. */
export const isId = (value: unknown): value is string => isText(value) && id.test(value);

/** Until the end of the year 9999. */
const latest = 253_402_300_799_999;
export const isTime = (value: unknown): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= latest;
export const isAmount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const isRecordOf = (value: unknown, fits: (one: unknown) => boolean): boolean =>
  isObject(value) && Object.entries(value).every(([name, one]) => isText(name) && fits(one));
const isAmounts = (value: unknown): boolean => isRecordOf(value, isAmount);
const isIdRecordOf = (value: unknown, fits: (one: unknown) => boolean): boolean =>
  isRecordOf(value, fits) && Object.keys(value as object).every(isId);

const isPost = (value: unknown): value is Post => ([...linePosts, ...sidePosts] as readonly unknown[]).includes(value);
const isLinePost = (value: unknown): value is LinePost => (linePosts as readonly unknown[]).includes(value);

function isPerson(value: unknown): value is Person {
  if (!isObject(value) || !isId(value['person']) || !isPost(value['post'])) return false;
  const { person: _, post: __, acting, until, ...rest } = value;
  if (Object.keys(rest).length > 0 || (acting === undefined) !== (until === undefined)) return false;
  return acting === undefined || (isLinePost(acting) && isTime(until));
}

const isWho = (value: unknown): value is Who =>
  isPerson(value) ||
  (isObject(value) &&
    Object.keys(value).length === 1 &&
    ((Object.hasOwn(value, 'terminal') && isId(value['terminal'])) ||
      (Object.hasOwn(value, 'system') && isId(value['system']))));

const hex64 = /^[0-9a-f]{64}$/;
const isHex = (value: unknown): boolean => isText(value) && hex64.test(value);

/** What staff may report; the table itself tells the rest apart. */
export const reportable = [
  'foreign-card',
  'extra-card',
  'missing-card',
  'unshuffled-cards',
  'wrong-number',
  'drawn-together',
  'order-altered',
  'too-few-cards',
  'face-up-card',
  'wrong-order',
  'unreadable-card',
  'cutting-card-missing',
] as const;

const oneOf = <const T extends readonly string[]>(values: T) =>
  kind<T[number]>(`one of ${values.join(', ')}`, (value) => (values as readonly unknown[]).includes(value));

/** The kinds of fields that commands and events have. */
export const kinds = {
  ...plainKinds,
  id: kind<string>('a name of letters, digits, points and lines, 64 at most', isId),
  ids: kind<readonly string[]>('a list of names', (value) => Array.isArray(value) && value.every(isId)),
  reason: kind<string>(
    'a reason in words, 500 letters at most',
    (value) => isText(value) && value.trim() !== '' && value.length <= 500,
  ),
  time: kind<number>('a time in milliseconds since 1970', isTime),
  notice: kind<number>(
    'a number of milliseconds, an hour at most',
    (value) => isTime(value) && (value as number) <= 3_600_000,
  ),
  amount: kind<number>('a whole number of minor units', isAmount),
  whole: kind<number>('a whole number', isAmount),
  flag: kind<boolean>('true or false', (value) => typeof value === 'boolean'),
  slot: oneOf(slots),
  card: kind<string>('a card such as KD or L3', isText),
  cards: kind<readonly string[]>('a list of cards', (value) => Array.isArray(value) && value.every(isText)),
  hash: kind<string>(
    'sha256: and 64 hexadecimal digits',
    (value) => isText(value) && value.startsWith('sha256:') && hex64.test(value.slice(7)),
  ),
  hex: kind<string>('64 hexadecimal digits', isHex),
  hexes: kind<readonly string[]>(
    'a list of texts of 64 hexadecimal digits',
    (value) => Array.isArray(value) && value.every(isHex),
  ),
  slip: kind<Slip>('stakes in whole minor units by wager', (value) =>
    isRecordOf(value, (one) => typeof one === 'number'),
  ),
  slips: kind<Slips>('slips by terminal', (value) => isIdRecordOf(value, isAmounts)),
  amounts: kind<Amounts>('amounts in whole minor units by terminal', (value) => isIdRecordOf(value, isAmount)),
  counts: kind<{ readonly [card: string]: number }>('a count for each card', isAmounts),
  person: kind<Person>('a person with a post', isPerson),
  who: kind<Who>('a person with a post, a terminal or a system', isWho),
  setting: kind<{ readonly [field: string]: unknown }>('a setting', isObject),
  results: kind<Results>('a result for each wager', isObject),
  effects: kind<readonly object[]>('a list of events', (value) => Array.isArray(value) && value.every(isObject)),
  act: kind<{ readonly [field: string]: unknown }>('a command', isObject),
  irregularity: oneOf(irregularityKinds),
  report: oneOf(reportable),
  'wager-report': oneOf(['late-wager', 'raised-wager', 'withdrawn-wager'] as const),
  decision: oneOf(['stand', 'continue', 'void', 'burn'] as const),
  outcome: oneOf(['results', 'void'] as const),
  surplus: oneOf(['none', 'carried', 'burned'] as const),
  phase: oneOf(['dealing', 'result', 'settled'] as const),
} as const;
