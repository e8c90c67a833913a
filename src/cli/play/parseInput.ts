import { type Refusal, quoteForMessage, refuse } from '../../base/refusal.ts';
import { type ErrorCode } from '../support/errorCodes.ts';

export const interactiveCommandDescriptions = {
  x2: 'double every stake',
  undo: 'undo the last change of your stakes',
  rebet: 'place your last bet again',
  clear: 'take back all stakes',
  deal: 'close bets and deal; an empty line does the same',
  layout: 'show the wagers with their limits and odds',
  rules: 'show the pay table with its clauses',
  roads: 'show all roads of the shoe',
  load: 'load more demo credit',
  help: 'show this list',
  quit: 'leave; open stakes are returned',
} as const;
export type InteractiveCommandName = keyof typeof interactiveCommandDescriptions;

export type PlayInput =
  | { readonly command: InteractiveCommandName }
  | { readonly wager: string; readonly amount: number };
type Refused = Refusal<ErrorCode>;

const maxLineLength = 200;
const maxDigits = 12;

const isCommandName = (text: string): text is InteractiveCommandName =>
  Object.hasOwn(interactiveCommandDescriptions, text);

/** Parses a line that the patron typed. A wager may be shortened to a unique prefix. */
export function parseInput(line: string, offered: readonly string[]): PlayInput | Refused {
  if (line.length > maxLineLength) {
    return refuse<ErrorCode>(
      'line-too-long',
      `A line may have at most ${maxLineLength} characters; type a shorter one.`,
    );
  }
  const tokens = line
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '');
  const [first] = tokens;
  if (first === undefined) return { command: 'deal' };
  if (isCommandName(first)) {
    return tokens.length === 1
      ? { command: first }
      : refuse<ErrorCode>('unexpected-argument', `Type \`${first}\` alone, without anything after it.`);
  }
  const amountText = tokens.at(-1)!;
  const wagerText = tokens.length > 1 ? tokens.slice(0, -1).join('-') : first;
  const wager = resolveWager(wagerText, offered, tokens.length === 1);
  if (typeof wager !== 'string') return wager;
  if (tokens.length === 1) {
    return refuse<ErrorCode>('missing-argument', `Type an amount after ${wager}, as in \`${wager} 5\`.`);
  }
  const cents = parseCents(amountText);
  return typeof cents === 'number' ? { wager, amount: cents } : cents;
}

function resolveWager(name: string, offered: readonly string[], isAlone: boolean): string | Refused {
  if (offered.includes(name)) return name;
  const candidates = offered.filter((wager) => wager.startsWith(name));
  if (candidates.length === 1) return candidates[0]!;
  if (candidates.length > 1) {
    const listed = candidates.length > 8 ? [...candidates.slice(0, 7), `${candidates.length - 7} more`] : candidates;
    const choices = `${listed.slice(0, -1).join(', ')} or ${listed.at(-1)}`;
    return refuse<ErrorCode>('unknown-wager', `${quoteForMessage(name)} may mean ${choices}; type more of the name.`);
  }
  return isAlone
    ? refuse<ErrorCode>(
        'unknown-command',
        `${quoteForMessage(name)} is neither a wager nor a command; \`layout\` lists the wagers, \`help\` the commands.`,
      )
    : refuse<ErrorCode>('unknown-wager', `There is no wager ${quoteForMessage(name)} here; \`layout\` lists them.`);
}

/** Parses an amount such as 5, 2.5 or 2.50 into cents. The digits are joined as text. A multiplication could round. */
function parseCents(text: string): number | Refused {
  const [, whole, cents = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined) {
    return refuse<ErrorCode>('bad-stake', `${quoteForMessage(text)} is not an amount; type one such as 5 or 2.50.`);
  }
  if (whole.length > maxDigits) {
    return refuse<ErrorCode>('too-large-stake', `${quoteForMessage(text)} is more than any table accepts; stake less.`);
  }
  return Number(`${whole}${cents.padEnd(2, '0')}`);
}
