import { type RecalledRound } from '../../../wire/roundRecall.ts';
import { type TerminalTableView, type StakeResultView, type View } from '../../../wire/tableView.ts';

// Notices of voids and corrections that changed a patron's money, shown with amounts until they are acknowledged.

export type RoundNotice = {
  /** Identifies the notice: the same round with other amounts is a new notice. */
  readonly key: string;
  /** The whole round is void, single bets of this terminal are void, or the round was settled again. */
  readonly kind: 'void' | 'part' | 'corrected';
  readonly table: string;
  readonly round: string;
  /** Numbers start again with each shoe. */
  readonly number: number;
  readonly by: string;
  readonly reason: string;
  readonly stake: number;
  readonly returned: number;
  /** The amount returned before, if this page received it. */
  readonly was: number | null;
};

export type Tellings = {
  /** The session that the notices are for; undefined before the first. */
  readonly session?: string;
  readonly waiting: readonly RoundNotice[];
  /** Keys of acknowledged notices, newest last. */
  readonly done: readonly string[];
  /** The last known return of each round, newest last. */
  readonly seen: readonly (readonly [round: string, returned: number])[];
};

export const nothingTold: Tellings = { waiting: [], done: [], seen: [] };

const most = 50;

type End = {
  readonly id: string;
  readonly number: number;
  readonly voidBy: string | null;
  readonly isAgain: boolean;
  /** The whole round is settled, not only single bets. */
  readonly isWhole: boolean;
  readonly paid: readonly StakeResultView[];
};

/** The rounds in the view that have ended for this terminal. */
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

/** Stakes settled with the round, and stakes that were voided individually before. */
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

/** The notice about the end of a round; undefined if nothing was irregular. */
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

/** A notice about settled stakes, with their sums. */
function telling(
  about: Omit<RoundNotice, 'key' | 'stake' | 'returned'>,
  paid: readonly StakeResultView[],
): RoundNotice {
  const returned = sumOf(paid, 'returned');
  const key = `${about.round}/${about.kind}/${returned}`;
  return { ...about, key, stake: sumOf(paid, 'stake'), returned };
}

/** The notices after a new view of a table. */
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

/** The notices after a recall, newest round first: rounds that ended out of sight get theirs too. */
export function tellingsRecalled(tellings: Tellings, rounds: readonly RecalledRound[]): Tellings {
  let all = tellings;
  for (const round of rounds.toReversed()) {
    const told = toldOfRecalled(round);
    if (told) all = withTold(all, told);
  }
  return all;
}

/** A notice if the round was voided for this session, wholly or in part, or settled again. */
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

/** A void of the whole round and a void of single bets with the same amount are one notice. */
const matterOf = (key: string): string => key.replace('/part/', '/void/');

/** True if the notice was shown, acknowledged or not. */
const isTold = ({ waiting, done }: Tellings, { key }: RoundNotice): boolean =>
  [...done, ...waiting.map((one) => one.key)].some((one) => matterOf(one) === matterOf(key));

/** A newer notice about a round replaces the older one. */
function withTold(tellings: Tellings, told: RoundNotice): Tellings {
  if (isTold(tellings, told)) return tellings;
  const others = tellings.waiting.filter(({ round }) => round !== told.round);
  return { ...tellings, waiting: [...others, told] };
}

/** The patron has acknowledged the notice. */
export const acknowledged = ({ waiting, done, ...others }: Tellings, key: string): Tellings => ({
  ...others,
  waiting: waiting.filter((told) => told.key !== key),
  done: [...done, key].slice(-most),
});

/** Drops all notices when another session begins: they concern the money of another patron. [READING 60] */
export function tellingsIn(tellings: Tellings, session: string): Tellings {
  const { session: before, waiting, done } = tellings;
  if (before === session) return tellings;
  if (before === undefined) return { ...tellings, session };
  return { ...tellings, session, waiting: [], done: [...done, ...waiting.map(({ key }) => key)].slice(-most) };
}
