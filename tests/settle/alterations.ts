import { createHash } from 'node:crypto';
import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { type ExportedEntry } from './occurrences.ts';

type Side = 'from' | 'to';
type ExportedPosting = ExportedEntry['postings'][number];
/** Alters the entries of an export in place. */
type Change = (entries: ExportedEntry[]) => void;

/** Numbers the postings of each account again, in their order, and adds them up. */
function addUp(entries: readonly ExportedEntry[]): void {
  const accounts = new Map<string, { readonly posting: ExportedPosting; readonly side: Side }[]>();
  for (const posting of entries.flatMap(({ postings }) => postings)) {
    for (const side of ['from', 'to'] as const) {
      const moves = accounts.get(posting[side]) ?? [];
      moves.push({ posting, side });
      accounts.set(posting[side], moves);
    }
  }
  const versionOf = ({ posting, side }: { posting: ExportedPosting; side: Side }) => Number(posting[`${side}Version`]);
  for (const moves of accounts.values()) {
    let balance = 0;
    for (const [index, { posting, side }] of moves
      .toSorted((one, other) => versionOf(one) - versionOf(other))
      .entries()) {
      posting[`${side}Version`] = index + 1;
      posting[`${side}Before`] = balance;
      balance += side === 'to' ? posting.amount : -posting.amount;
      posting[`${side}After`] = balance;
    }
  }
}

/** Lines of an export with entries that are numbered and chained again. */
function chained(entries: readonly ExportedEntry[]): readonly string[] {
  let [stream, sequence, previous] = ['', 0, ''];
  return entries.map((entry) => {
    if (entry.stream !== stream) [stream, sequence, previous] = [entry.stream, 0, `sha256:${'0'.repeat(64)}`];
    const text = JSON.stringify(Object.assign(entry, { sequence: ++sequence, previous }));
    previous = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    return `{"hash":"${previous}","body":${text}}`;
  });
}

/** The altered export. All balances and hashes fit again. */
export function altered(lines: readonly string[], change: Change): readonly string[] {
  const entries = lines.map((line) => (JSON.parse(line) as { readonly body: ExportedEntry }).body);
  change(entries);
  addUp(entries);
  return chained(entries);
}

/** Changes the amount of one posting of one of these entries, and returns the entry. */
export function alterPayout(
  entries: readonly ExportedEntry[],
  random: RandomSource,
  isPayout: (entry: ExportedEntry) => boolean,
): ExportedEntry {
  const payouts = entries.filter((entry) => entry.postings.length > 0 && isPayout(entry));
  const entry = payouts[random.below(payouts.length)]!;
  const posting = entry.postings[random.below(entry.postings.length)]!;
  posting.amount += 100 * (1 + random.below(50)) * (posting.amount > 5_000 && random.below(2) === 0 ? -1 : 1);
  return entry;
}

type Results = { [wager: string]: { result: string; pays: number[]; commission: number[] } };
type Slip = { [wager: string]: number };
const resultsOf = ({ event }: ExportedEntry): Results => (event['results'] ?? {}) as Results;

/** The first entry of this type that the test accepts, and its index. */
function find(
  entries: readonly ExportedEntry[],
  type: string,
  isWanted: (entry: ExportedEntry, index: number) => boolean = () => true,
): readonly [ExportedEntry, number] {
  const index = entries.findIndex((entry, at) => entry.event.type === type && isWanted(entry, at));
  if (index < 0) throw new Error(`the export has no such ${type}`);
  return [entries[index]!, index];
}
const isChunkOf = ({ event }: ExportedEntry, chunk: ExportedEntry | undefined): boolean =>
  chunk?.event.type === 'SettlementPosted' && chunk.event['settlement'] === event['settlement'];
const remove = (entries: ExportedEntry[], isRemoved: (entry: ExportedEntry) => boolean): void =>
  void entries.splice(0, entries.length, ...entries.filter((entry) => !isRemoved(entry)));
const isOf = (kind: string, account: string): boolean => account.split('/')[2] === kind;

/** Leaves out the payments of the first such settlement that has some. */
const withoutPayments =
  (type: string): Change =>
  (entries) => {
    const [unpaid] = find(entries, type, (entry, at) => isChunkOf(entry, entries[at + 1]));
    remove(entries, (entry) => isChunkOf(unpaid, entry));
  };
const withEvent =
  (type: string, change: (event: { [field: string]: unknown }) => void, fields: object = {}): Change =>
  (entries) => {
    const [{ event }] = find(entries, type, ({ event: each }) =>
      Object.entries(fields).every(([name, value]) => each[name] === value),
    );
    change(event);
  };

/** What is wrong in each export although its balances and hashes fit, and the line that says so. */
export const alterations: { readonly [what: string]: readonly [Change, RegExp] } = {
  'odds that no rulebook has': [
    (entries) => {
      const [entry, at] = find(entries, 'RoundSettled', (each) => resultsOf(each)['tie']?.result === 'win');
      resultsOf(entry)['tie']!.pays = [9, 1];
      const { postings } = entries[at + 1]!;
      const win = postings.find((posting, index) => posting.amount === 8 * (postings[index - 1]?.amount ?? 0))!;
      win.amount += win.amount / 8;
    },
    /, wager tie: result: expected win 8 to 1, recorded win 9 to 1 \[\w+ 1\.1\.\d+, 4\.\d\]$/m,
  ],
  'a double commission': [
    (entries) => {
      const [entry, at] = find(entries, 'RoundSettled', (_, index) =>
        entries[index + 1]!.postings.some(({ to }) => isOf('commission', to)),
      );
      resultsOf(entry)['banker']!.commission = [1, 10];
      for (const posting of entries[at + 1]!.postings) if (isOf('commission', posting.to)) posting.amount *= 2;
    },
    /, wager banker: result: expected win 1 to 1 less 1\/20, recorded win 1 to 1 less 1\/10 \[BAC 3\.10, 4\.1\]$/m,
  ],
  'a stake on another wager': [
    (entries) => {
      const wagerWith = (entry: ExportedEntry, result: string): string | undefined =>
        Object.keys(resultsOf(entry)).find((wager) => resultsOf(entry)[wager]!.result === result);
      const slipsOf = ({ event }: ExportedEntry, without: string, having: string): readonly Slip[] =>
        entries
          .filter(({ event: each }) => each.type === 'SlipSet' && each['round'] === event['round'])
          .map(({ event: each }) => each['slip'] as Slip)
          .filter((slip) => having in slip && !(without in slip));
      const [entry] = find(entries, 'RoundSettled', (each) => {
        const [won, lost] = [wagerWith(each, 'win'), wagerWith(each, 'lose')];
        return won !== undefined && lost !== undefined && slipsOf(each, won, lost).length > 0;
      });
      const [won, lost] = [wagerWith(entry, 'win')!, wagerWith(entry, 'lose')!];
      const [slip] = slipsOf(entry, won, lost) as [Slip];
      slip[won] = slip[lost]!;
      delete slip[lost];
    },
    /, terminal T\d\.1, wager [\w-]+: \S+\/house\/\S+ to \S+\/terminal\/T\d\.1: expected \d+, recorded 0 \[/,
  ],
  'a wager that is not on offer': [
    withEvent('TableOpened', ({ settings }) => {
      const each = settings as { offered: readonly string[] };
      each.offered = each.offered.filter((wager) => wager !== 'tie');
    }),
    /, terminal T1\.1, wager tie: the wager is offered: expected true, recorded false$/m,
  ],
  'another game': [
    withEvent('BetsOpened', (event) => (event['game'] = 'no-commission@2021-10-28'), { game: 'baccarat@7' }),
    /: game: expected baccarat@7, recorded no-commission@2021-10-28$/m,
  ],
  'a void that gives no stake back': [
    withoutPayments('RoundVoided'),
    /: the round before: expected finished, recorded not posted to the last slip$/m,
  ],
  'a voided slip that is not given back': [
    withoutPayments('SlipVoided'),
    /: the round before: expected finished, recorded not posted to the last slip$/m,
  ],
  'voids without a report': [
    (entries) => {
      for (const { event } of entries) if (event.type === 'IrregularityFound') event.type = 'NoteAdded';
    },
    /: a reason for the void is on record: expected true, recorded false/,
  ],
  'a void by the clause of another book': [
    withEvent('RoundVoided', (event) => (event['by'] = 'SUP 5.2'), { by: 'BAC 5.2' }),
    /: a clause that voids: expected true, recorded false \[SUP 5\.2\]$/m,
  ],
  'a decision to void that is not carried out': [
    withEvent('ReferralDecided', (event) => (event['decision'] = 'void'), { decision: 'stand' }),
    /: the void that entry \d+ decided: expected yes, recorded no$/m,
  ],
  'an interruption by which a wager is not decided': [
    withEvent('RoundResumed', (event) => (event['lost'] = [])),
    /: wagers lost: expected [\w -]+, recorded none \[/,
  ],
  'a round that is paid twice': [
    (entries) => {
      const [entry, at] = find(entries, 'SettlementPosted', ({ postings }) => postings.length > 0);
      entries.splice(at + 1, 0, structuredClone(entry));
    },
    /: first slip of the chunk: expected \d+, recorded 0$/m,
  ],
  'slips that are paid by a settlement that another one replaced': [
    (entries) => {
      const [{ event }] = find(entries, 'SettlementPosted', (each) => String(each.event['settlement']).endsWith('#2'));
      event['settlement'] = String(event['settlement']).replace(/2$/, '1');
    },
    /: no later settlement replaced this one: expected true, recorded false$/m,
  ],
  'credit from the house in an entry that moves no money': [
    (entries) => {
      const isWin = ({ from, to }: ExportedPosting): boolean => isOf('house', from) && isOf('terminal', to);
      const [{ postings }, at] = find(entries, 'SettlementPosted', (each) => each.postings.some(isWin));
      const [closed] = find(entries, 'BetsClosed', (_, index) => index > at);
      closed.postings.push({ ...postings.find(isWin)!, amount: 5_000 });
    },
    /: \S+\/house\/\S+ to \S+\/terminal\/\S+: expected 0, recorded 5000$/m,
  ],
  'a correction that takes nothing back': [
    (entries) => {
      const isTakenBack = ({ from, to }: ExportedPosting): boolean => isOf('terminal', from) && isOf('house', to);
      const [, at] = find(entries, 'RoundResettled', (_, index) => entries[index + 1]!.postings.some(isTakenBack));
      const { postings } = entries[at + 1]!;
      postings.splice(0, postings.length, ...postings.filter((posting) => !isTakenBack(posting)));
    },
    /: \S+\/terminal\/\S+ to \S+\/house\/\S+: expected \d+, recorded 0 \[/,
  ],
  'a corrected card without a settlement': [
    (entries) => {
      const [settled] = find(entries, 'RoundResettled', (_, at) => entries[at - 1]!.event.type === 'CardCorrected');
      remove(entries, (entry) => entry === settled || isChunkOf(settled, entry));
    },
    /: the round before: expected finished, recorded not settled by its cards$/m,
  ],
  'a third card that is missing': [
    (entries) => {
      const [{ event: settled }, at] = find(entries, 'RoundSettled', (_, index) =>
        /[PB]3/.test(String(entries[index - 1]!.event['slot'])),
      );
      entries.splice(at - 1, 1);
      settled['cards'] = (settled['cards'] as readonly string[]).slice(0, -1);
    },
    /: next card that is due: expected none, recorded [PB]3 \[\w+ 3\.[89]\]$/m,
  ],
  'a reconstruction in another order than two persons gave': [
    (entries) => {
      const [, at] = find(entries, 'RoundReconstructed');
      const proposed = entries.slice(0, at).findLast(({ event }) => event.type === 'Proposed')!;
      (proposed.event['command'] as { cards: string[] }).cards.reverse();
    },
    /: cards after: expected \S+, recorded \S+ \[/,
  ],
  'a carried card that is not dealt': [
    withEvent('CardDealt', (event) => delete event['carried'], { carried: true }),
    /: the carried card is dealt: expected true, recorded false \[READING 18\]$/m,
  ],
  'a shortfall that the cage pays': [
    (entries) => {
      const [{ postings }] = find(entries, 'ShortfallCollected');
      Object.assign(postings[0]!, { from: 'sg1/SGD/cage/T4', fromVersion: 1_000_000 });
    },
    /, terminal T4\.\d: \S+\/terminal\/\S+ to \S+\/shortfall\/\S+: expected 6000, recorded 0 \[HOUSE 10\]$/m,
  ],
  'less collected than the credit': [
    (entries) => {
      const [{ event, postings }] = find(entries, 'CreditCollected');
      postings[0]!.amount -= 100;
      event['amount'] = postings[0]!.amount;
    },
    /: account \S+\/terminal\/\S+, balance after: expected 0, recorded 100$/m,
  ],
};

/** The export in which an account has more from one posting on, although nothing was paid in. */
export function withFalseBalance(lines: readonly string[], account: string): readonly string[] {
  const entries = lines.map((line) => (JSON.parse(line) as { readonly body: ExportedEntry }).body);
  for (const posting of entries.flatMap(({ postings }) => postings)) {
    for (const side of ['from', 'to'] as const) {
      const version = Number(posting[`${side}Version`]);
      if (posting[side] !== account || version < 10) continue;
      posting[`${side}After`] = Number(posting[`${side}After`]) + 1_000;
      posting[`${side}Before`] = Number(posting[`${side}Before`]) + 1_000;
    }
  }
  return chained(entries);
}
