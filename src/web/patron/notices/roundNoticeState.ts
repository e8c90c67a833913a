import { type RecalledRound } from '../../../wire/roundRecall.ts';
import { type TerminalTableView, type StakeResultView, type View } from '../../../wire/tableView.ts';

// What touched a patron's money out of the usual, with its amounts: told until it is acknowledged, wherever the table is
// by then.

export type RoundNotice = {
  /** Names it for good: the same round with other amounts is told again. */
  readonly key: string;
  /** The whole round is void, some bets of this terminal are, or the round was settled again. */
  readonly kind: 'void' | 'part' | 'corrected';
  readonly table: string;
  readonly round: string;
  /** Numbers begin again with each shoe. */
  readonly number: number;
  readonly by: string;
  readonly reason: string;
  readonly stake: number;
  readonly returned: number;
  /** What had been returned before, where that was seen here. */
  readonly was: number | null;
};

export type Tellings = {
  /** The session that it is told to; not known before the first. */
  readonly session?: string;
  readonly waiting: readonly RoundNotice[];
  /** The keys of what was acknowledged, the newest last. */
  readonly done: readonly string[];
  /** What rounds had returned when it was last seen, the newest last. */
  readonly seen: readonly (readonly [round: string, returned: number])[];
};

export const nothingTold: Tellings = { waiting: [], done: [], seen: [] };

/** So much is remembered of what is over. */
const most = 50;

type End = {
  readonly id: string;
  readonly number: number;
  readonly voidBy: string | null;
  readonly isAgain: boolean;
  /** All of it is settled, not some bets alone. */
  readonly isWhole: boolean;
  readonly paid: readonly StakeResultView[];
};

/** The rounds in sight that have ended for this terminal. */
function endsIn({ round, last, notice }: View, own: TerminalTableView): readonly End[] {
  const isCorrected = (id: string): boolean => notice?.kind === 'corrected' && notice.round === id;
  const ends: End[] = [];
  if (last !== null && own.last?.id === last.id) {
    const { id, number, voidBy } = last;
    ends.push({ id, number, voidBy, isAgain: isCorrected(id), isWhole: true, paid: own.last.paid });
  }
  if (round !== null && own.round?.id === round.id && own.paid !== null) {
    const { id, number, voidBy, settledAgain, won } = round;
    const isWhole = won !== null || voidBy !== null;
    ends.push({ id, number, voidBy, isAgain: settledAgain, isWhole, paid: own.paid });
  }
  return ends.filter(({ paid }) => paid.length > 0);
}

const sumOf = (paid: readonly StakeResultView[], what: 'stake' | 'returned'): number =>
  paid.reduce((sum, one) => sum + one[what], 0);

/** The stakes that ended with the round, and those that were void before and by themselves. */
function partsOf({ voidBy, paid }: End): {
  readonly settled: readonly StakeResultView[];
  readonly aside: readonly StakeResultView[];
} {
  if (voidBy !== null) return { settled: paid, aside: [] };
  return {
    settled: paid.filter(({ result }) => result !== 'void'),
    aside: paid.filter(({ result }) => result === 'void'),
  };
}

/** What is to be told of the end of a round; undefined where it was as usual. */
function toldOf(end: End, { table, notice }: View, was: number | null): RoundNotice | undefined {
  const { id, number, voidBy, isAgain } = end;
  const { settled, aside } = partsOf(end);
  const all = sumOf(settled, 'returned');
  const kind =
    voidBy !== null ? 'void' : isAgain || (end.isWhole && was !== null && was !== all) ? 'corrected' : 'part';
  const concerned = kind === 'part' ? aside : settled;
  if (concerned.length === 0) return undefined;
  const about = notice?.round === id ? notice : null;
  const by = voidBy ?? (kind === 'part' ? aside[0]!.by : (about?.by ?? ''));
  const reason = about?.reason ?? '';
  return telling({ kind, table, round: id, number, by, reason, was: was === all ? null : was }, concerned);
}

/** What is told of stakes, with what they come to. */
function telling(
  about: Omit<RoundNotice, 'key' | 'stake' | 'returned'>,
  paid: readonly StakeResultView[],
): RoundNotice {
  const returned = sumOf(paid, 'returned');
  const key = `${about.round}/${about.kind}/${returned}`;
  return { ...about, key, stake: sumOf(paid, 'stake'), returned };
}

/** After another look at a table. */
export function tellingsAfter(tellings: Tellings, view: View, own: TerminalTableView): Tellings {
  let all = tellings;
  for (const end of endsIn(view, own)) all = withEnd(all, end, view);
  return all;
}

function withEnd(tellings: Tellings, end: End, view: View): Tellings {
  const { id: round } = end;
  const was = tellings.seen.find(([one]) => one === round)?.[1] ?? null;
  const now = end.isWhole ? sumOf(partsOf(end).settled, 'returned') : was;
  const others = tellings.seen.filter(([one]) => one !== round);
  const looked =
    now === null || now === was ? tellings : { ...tellings, seen: [...others, [round, now] as const].slice(-most) };
  const told = toldOf(end, view, was);
  return told === undefined ? looked : withTold(looked, told);
}

/** After a look at past rounds of the session, the newest first: what was out of sight is told as well. */
export function tellingsRecalled(tellings: Tellings, rounds: readonly RecalledRound[]): Tellings {
  let all = tellings;
  for (const round of rounds.toReversed()) {
    const told = toldOfRecalled(round);
    if (told) all = withTold(all, told);
  }
  return all;
}

/** A round that was void for this session, with all others or alone, or that was settled again. */
function toldOfRecalled({
  table,
  id,
  number,
  settled,
  voidBy,
  reason,
  corrected,
}: RecalledRound): RoundNotice | undefined {
  const last = settled.at(-1);
  if (last === undefined || (voidBy === null && !corrected)) return undefined;
  const kind = voidBy === null ? 'corrected' : 'part';
  const returned = sumOf(last.paid, 'returned');
  const before = settled.at(-2);
  const was = before ? sumOf(before.paid, 'returned') : returned;
  const about = { kind, table, round: id, number, by: voidBy ?? '', reason: reason ?? '' } as const;
  return telling({ ...about, was: was === returned ? null : was }, last.paid);
}

/** A void of the whole round says as much as one of these bets, whichever of them was told first. */
const matterOf = (key: string): string => key.replace('/part/', '/void/');

/** Whether it was told, be it read or not. */
const isTold = ({ waiting, done }: Tellings, { key }: RoundNotice): boolean =>
  [...done, ...waiting.map((one) => one.key)].some((one) => matterOf(one) === matterOf(key));

/** What is newer of a round takes the place of what is older. */
function withTold(tellings: Tellings, told: RoundNotice): Tellings {
  if (isTold(tellings, told)) return tellings;
  const others = tellings.waiting.filter(({ round }) => round !== told.round);
  return { ...tellings, waiting: [...others, told] };
}

/** The patron has read it. */
export const acknowledged = ({ waiting, done, ...others }: Tellings, key: string): Tellings => ({
  ...others,
  waiting: waiting.filter((told) => told.key !== key),
  done: [...done, key].slice(-most),
});

/** In another session nobody is told what became of somebody else's money. [READING 60] */
export function tellingsIn(tellings: Tellings, session: string): Tellings {
  const { session: before, waiting, done } = tellings;
  if (before === session) return tellings;
  if (before === undefined) return { ...tellings, session };
  return { ...tellings, session, waiting: [], done: [...done, ...waiting.map(({ key }) => key)].slice(-most) };
}
