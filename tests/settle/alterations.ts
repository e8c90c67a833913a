import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { type ExportedEntry } from './occurrences.ts';

/** Accounts move by their number, so a change goes on in all later postings of the account, in whatever stream. */
const shift = (entries: readonly ExportedEntry[], account: string, after: number, by: number): void => {
  for (const posting of entries.flatMap(({ postings }) => postings)) {
    for (const side of ['from', 'to'] as const) {
      const version = posting[`${side}Version`] as number;
      if (posting[side] !== account || version < after) continue;
      posting[`${side}After`] = (posting[`${side}After`] as number) + by;
      if (version > after) posting[`${side}Before`] = (posting[`${side}Before`] as number) + by;
    }
  }
};

type Line = { readonly hash: string; readonly body: ExportedEntry };
const parsed = (lines: readonly string[]): readonly Line[] => lines.map((line) => JSON.parse(line) as Line);
const printed = (lines: readonly Line[]): readonly string[] => lines.map((line) => JSON.stringify(line));

/** The export in which Tie pays nine to one once, in its result and in the posting of one slip. */
export function withBetterOdds(lines: readonly string[]): readonly string[] {
  const all = parsed(lines);
  const entries = all.map(({ body }) => body);
  const at = entries.findIndex(({ event }) => event.type === 'RoundSettled' && isTie(event['results']));
  (entries[at]!.event['results'] as Results)['tie']!.pays = [9, 1];
  const { postings } = entries[at + 1]!;
  const win = postings.find(
    ({ from, amount }, index) => from.includes('/house/') && isEightfold(amount, postings[index - 1]!),
  )!;
  const stake = win.amount / 8;
  win.amount += stake;
  shift(entries, win.from, win['fromVersion'] as number, -stake);
  shift(entries, win.to, win['toVersion'] as number, stake);
  return printed(all);
}
type Results = { [wager: string]: { result: string; pays: number[] } };
const isTie = (results: unknown): boolean => (results as Results | undefined)?.['tie']?.result === 'win';
const isEightfold = (amount: number, back: { readonly amount: number }): boolean => amount === 8 * back.amount;

/** The export in which no report leads to the voids of its rounds. */
export const withoutReports = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => line.replaceAll('"type":"IrregularityFound"', '"type":"NoteAdded"'));

/** The export with one payout altered, all balances after it to match, and the entry that has it. */
export function altered(
  lines: readonly string[],
  random: RandomSource,
  isPayout: (entry: ExportedEntry) => boolean,
): { readonly lines: readonly string[]; readonly entry: ExportedEntry } {
  const all = parsed(lines);
  const entries = all.map(({ body }) => body);
  const payouts = entries.filter((entry) => entry.postings.length > 0 && isPayout(entry));
  const entry = payouts[random.below(payouts.length)]!;
  const posting = entry.postings[random.below(entry.postings.length)]!;
  const change = 100 * (1 + random.below(50)) * (posting.amount > 5_000 && random.below(2) === 0 ? -1 : 1);
  posting.amount += change;
  shift(entries, posting.from, posting['fromVersion'] as number, -change);
  shift(entries, posting.to, posting['toVersion'] as number, change);
  return { lines: printed(all), entry };
}
