import { type RecalledRound } from '../../../wire/roundRecall.ts';
import { type TerminalTableView, type StakeResultView, type PublicTableView } from '../../../wire/tableView.ts';

// Notices of voids and corrections that changed a patron's money. A notice shows the amounts until the patron
// acknowledges it.

export type RoundNotice = {
  /** Identifies the notice. A notice of the same round with other amounts has another key. */
  readonly key: string;
  /**
   * `void`: the whole round is void. `part`: single bets of this terminal are void. A recall does not say whether the
   * whole round is void, so a void in a recalled round is `part` too. `corrected`: the round was settled again.
   */
  readonly kind: 'void' | 'part' | 'corrected';
  readonly table: string;
  readonly round: string;
  /** Number of the round within its shoe, from 1. */
  readonly number: number;
  readonly by: string;
  readonly reason: string;
  readonly stake: number;
  readonly returned: number;
  /**
   * Amount that the previous settlement of the round returned, in cents; null if that amount is unknown or equals
   * `returned`.
   */
  readonly was: number | null;
};

export type RoundNoticeState = {
  /** The credit session of the notices; undefined before the first session. */
  readonly session?: string;
  readonly waiting: readonly RoundNotice[];
  /** Keys of acknowledged notices, newest last. */
  readonly done: readonly string[];
  /** The amount that each round last returned to this terminal, in cents; newest round last. */
  readonly lastReturns: readonly (readonly [round: string, returned: number])[];
};

export const noRoundNotices: RoundNoticeState = { waiting: [], done: [], lastReturns: [] };

const maxRemembered = 50;

type End = {
  readonly id: string;
  readonly number: number;
  readonly voidBy: string | null;
  readonly isAgain: boolean;
  /** True when the whole round is settled; false when only single bets are settled. */
  readonly isWhole: boolean;
  readonly paid: readonly StakeResultView[];
};

/** The last and the current round of the view, each only if stakes of this terminal in the round are settled. */
function endsIn({ round, last, notice }: PublicTableView, own: TerminalTableView): readonly End[] {
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

/** The stakes that were settled with the round, and the stakes that were voided singly before. */
function splitStakes({ voidBy, paid }: End): {
  readonly settled: readonly StakeResultView[];
  readonly voided: readonly StakeResultView[];
} {
  if (voidBy !== null) return { settled: paid, voided: [] };
  return {
    settled: paid.filter(({ result }) => result !== 'void'),
    voided: paid.filter(({ result }) => result === 'void'),
  };
}

/** The notice about the end of a round; undefined if there was neither a void nor a correction. */
function noticeOf(end: End, { table, notice }: PublicTableView, was: number | null): RoundNotice | undefined {
  const { id, number, voidBy, isAgain } = end;
  const { settled, voided } = splitStakes(end);
  const all = sumOf(settled, 'returned');
  const kind =
    voidBy !== null ? 'void' : isAgain || (end.isWhole && was !== null && was !== all) ? 'corrected' : 'part';
  const concerned = kind === 'part' ? voided : settled;
  if (concerned.length === 0) return undefined;
  const about = notice?.round === id ? notice : null;
  const by = voidBy ?? (kind === 'part' ? voided[0]!.by : (about?.by ?? ''));
  const reason = about?.reason ?? '';
  return makeNotice({ kind, table, round: id, number, by, reason, was: was === all ? null : was }, concerned);
}

function makeNotice(
  about: Omit<RoundNotice, 'key' | 'stake' | 'returned'>,
  paid: readonly StakeResultView[],
): RoundNotice {
  const returned = sumOf(paid, 'returned');
  const key = `${about.round}/${about.kind}/${returned}`;
  return { ...about, key, stake: sumOf(paid, 'stake'), returned };
}

export function noticesAfterView(
  notices: RoundNoticeState,
  view: PublicTableView,
  own: TerminalTableView,
): RoundNoticeState {
  let all = notices;
  for (const end of endsIn(view, own)) all = withEnd(all, end, view);
  return all;
}

function withEnd(notices: RoundNoticeState, end: End, view: PublicTableView): RoundNoticeState {
  const { id: round } = end;
  const was = notices.lastReturns.find(([one]) => one === round)?.[1] ?? null;
  const now = end.isWhole ? sumOf(splitStakes(end).settled, 'returned') : was;
  const others = notices.lastReturns.filter(([one]) => one !== round);
  const updated =
    now === null || now === was
      ? notices
      : { ...notices, lastReturns: [...others, [round, now] as const].slice(-maxRemembered) };
  const notice = noticeOf(end, view, was);
  return notice === undefined ? updated : withNotice(updated, notice);
}

/**
 * Adds a notice for each recalled round that was voided or corrected, unless the notice exists already. `rounds` are
 * newest first.
 */
export function noticesAfterRecall(notices: RoundNoticeState, rounds: readonly RecalledRound[]): RoundNoticeState {
  let all = notices;
  for (const round of rounds.toReversed()) {
    const notice = noticeOfRecalled(round);
    if (notice) all = withNotice(all, notice);
  }
  return all;
}

/** Notice about a recalled round with voided bets or a correction; undefined for all other rounds. */
function noticeOfRecalled({
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
  return makeNotice({ ...about, was: was === returned ? null : was }, last.paid);
}

/** Writes `part` as `void` in a key, so that a whole and a partial void with the same amount count as one notice. */
const withoutPart = (key: string): string => key.replace('/part/', '/void/');

/** True when the notice exists already, acknowledged or not. */
const hasNotice = ({ waiting, done }: RoundNoticeState, { key }: RoundNotice): boolean =>
  [...done, ...waiting.map((one) => one.key)].some((one) => withoutPart(one) === withoutPart(key));

/** Adds a notice. It replaces an older notice about the same round. */
function withNotice(notices: RoundNoticeState, notice: RoundNotice): RoundNoticeState {
  if (hasNotice(notices, notice)) return notices;
  const others = notices.waiting.filter(({ round }) => round !== notice.round);
  return { ...notices, waiting: [...others, notice] };
}

export const acknowledgeNotice = ({ waiting, done, ...others }: RoundNoticeState, key: string): RoundNoticeState => ({
  ...others,
  waiting: waiting.filter((notice) => notice.key !== key),
  done: [...done, key].slice(-maxRemembered),
});

/**
 * Drops all notices when another credit session begins, because the notices are about money of the previous session.
 * [READING 60]
 */
export function dropNoticesOfOtherSessions(notices: RoundNoticeState, session: string): RoundNoticeState {
  const { session: before, waiting, done } = notices;
  if (before === session) return notices;
  if (before === undefined) return { ...notices, session };
  return { ...notices, session, waiting: [], done: [...done, ...waiting.map(({ key }) => key)].slice(-maxRemembered) };
}
