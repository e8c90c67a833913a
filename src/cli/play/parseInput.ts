import { type Refusal, quoted, refuse } from '../../base/refusal.ts';
import { type ErrorCode } from '../support/codes.ts';

/** What a patron may type beside stakes, in the order of the help. */
export const playCommands = {
  x2: 'double every stake',
  undo: 'take back the last change',
  rebet: 'the stakes of your last round in the place of these',
  clear: 'take all stakes back',
  deal: 'close bets and deal; an empty line does the same',
  layout: 'the wagers with their limits and odds',
  rules: 'the pay table with its clauses',
  roads: 'all roads of the shoe',
  load: 'more demo credit',
  help: 'this list',
  quit: 'leave; stakes that are not dealt for go back',
} as const;
export type PlayCommandName = keyof typeof playCommands;

export type PlayInput = { readonly word: PlayCommandName } | { readonly wager: string; readonly amount: number };
type Refused = Refusal<ErrorCode>;

const mostLetters = 200;
const mostDigits = 12;

const isWord = (text: string): text is PlayCommandName => Object.hasOwn(playCommands, text);

/** What a line asks for; a wager may be cut short as long as it is clear which one is meant. */
export function parseInput(line: string, offered: readonly string[]): PlayInput | Refused {
  if (line.length > mostLetters) {
    return refuse<ErrorCode>('line-too-long', `A line may have ${mostLetters} letters; type a shorter one.`);
  }
  const parts = line
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '');
  const [first] = parts;
  if (first === undefined) return { word: 'deal' };
  if (isWord(first)) {
    return parts.length === 1
      ? { word: first }
      : refuse<ErrorCode>('unexpected-argument', `\`${first}\` stands alone; type it without anything after it.`);
  }
  const amount = parts.at(-1)!;
  const named = parts.length > 1 ? parts.slice(0, -1).join('-') : first;
  const wager = wagerNamed(named, offered, parts.length === 1);
  if (typeof wager !== 'string') return wager;
  if (parts.length === 1) {
    return refuse<ErrorCode>('missing-argument', `Say how much you stake on ${wager}, as in \`${wager} 5\`.`);
  }
  const cents = centsOf(amount);
  return typeof cents === 'number' ? { wager, amount: cents } : cents;
}

function wagerNamed(name: string, offered: readonly string[], alone: boolean): string | Refused {
  if (offered.includes(name)) return name;
  const near = offered.filter((wager) => wager.startsWith(name));
  if (near.length === 1) return near[0]!;
  if (near.length > 1) {
    const few = near.length > 8 ? [...near.slice(0, 7), `${near.length - 7} more`] : near;
    const all = `${few.slice(0, -1).join(', ')} or ${few.at(-1)}`;
    return refuse<ErrorCode>('unknown-wager', `${quoted(name)} may be ${all}; type more of it.`);
  }
  return alone
    ? refuse<ErrorCode>('unknown-command', `${quoted(name)} is neither a wager nor a command; \`help\` lists both.`)
    : refuse<ErrorCode>('unknown-wager', `There is no wager ${quoted(name)} here; \`layout\` lists them.`);
}

/** 5, 2.5 and 2.50 as whole cents, digit by digit: no fraction is ever made. */
function centsOf(text: string): number | Refused {
  const [, whole, cents = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined) {
    return refuse<ErrorCode>('bad-stake', `${quoted(text)} is no amount; write one such as 5 or 2.50.`);
  }
  if (whole.length > mostDigits) {
    return refuse<ErrorCode>('too-large-stake', `${quoted(text)} is more than any table takes; stake less.`);
  }
  return Number(`${whole}${cents.padEnd(2, '0')}`);
}
