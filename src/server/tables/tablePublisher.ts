import { type TableTheme, defaultTheme } from '../../games/tableTheme.ts';
import { tableDecider } from '../../deciders/deciders.ts';
import { openStakesAt } from '../../runtime/money/terminalContext.ts';
import { sessionOfAccount } from '../../ledger/accounts.ts';
import { type Statistics } from '../../roads/statistics.ts';
import { assert } from '../../base/assert.ts';
import { type NextCard, nextCardOf } from './nextCard.ts';
import { type StoredEntry } from '../../store/store.ts';
import { type TableEvent } from '../../table/schema/events.ts';
import { type Slip, type Slips } from '../../table/schema/fieldTypes.ts';
import { type TableSettings, resolveSettings } from '../../table/schema/settings.ts';
import { Follower } from '../../table/views/follower.ts';
import { fixedView, handsView, phaseView, roundView, shoeView, terminalView } from '../../table/views/publicView.ts';
import { leadingIrregularity } from '../../table/irregularities.ts';
import { type Table, findRound, lastRound } from '../../table/state.ts';
import { type RoundOutcome, stakeResults } from '../../table/payouts.ts';
import { type ViewDelta, diffView } from '../../wire/viewDelta.ts';
import { packProofs } from '../../wire/cardProofCodec.ts';
import { formatResultCode } from '../../wire/resultCode.ts';
import { type TerminalTableView, type Spot, type Tile, type View } from '../../wire/tableView.ts';

/** Display facts of a table that come from its configuration. */
export type TableDisplayInfo = {
  readonly theme?: TableTheme;
  /** When an unattended table that is idle since `since` opens its next bets. */
  readonly opensAt?: (since: number) => number;
};

/** What new entries change for subscribers. */
type ChangeSummary = {
  /** Sessions with a changed slip or credit, at any table. */
  readonly sessions: ReadonlySet<string>;
  /** The round or its outcome changed, and with it every terminal view. */
  readonly isRoundChanged: boolean;
  readonly isStakesOnly: boolean;
  readonly isPaid: boolean;
  /** An irregularity or referral was opened or closed. */
  readonly isReviewChanged: boolean;
};

/** State of a table after the entry `sequence`. */
export type TableAtSequence = { readonly table: Table; readonly sequence: number };

/** Why a table cannot append for the time being: its processor reports it, or its store is silent. */
export type PauseReason = 'table' | 'record';

/** Publishes one table: committed state from its entries, full views and versioned deltas. */
export class TablePublisher {
  readonly id: string;
  /** Incremented with every delta of the public view. */
  version = 0;
  readonly #follower: Follower;
  #sequence: number;
  /** Operational fault, which is no part of the table state. */
  #fault: 'broken' | 'cannot-record' | undefined;
  readonly #pausedBy = new Set<PauseReason>();
  #notice: View['notice'] = null;
  /** Bets have opened since the notice appeared. */
  #isNoticeOld = false;
  readonly #repeatableSlips = new Map<string, Slip>();
  #settingsView:
    | { readonly settings: TableSettings; readonly view: ReturnType<typeof fixedView> & Pick<View, 'theme'> }
    | undefined;
  #shoeTotals: { readonly statistics: Statistics; readonly view: Pick<View, 'results' | 'counts'> } | undefined;
  #lastRound: { readonly ending: RoundOutcome | null | undefined; readonly view: View['last'] } = {
    ending: undefined,
    view: null,
  };
  /** Slips of the previous round, by session. */
  #previousRound: { readonly round: string; readonly slips: ReadonlyMap<string, Slip> } = {
    round: '',
    slips: new Map(),
  };
  #patronCount = 0;
  readonly #displayInfo: TableDisplayInfo;
  /** Last published view, and its message if a full view was requested. */
  #lastView: View;
  #fullMessage: string | undefined;
  #tile: Tile;

  /** Takes ownership of `table`. `recent` are the last entries that led to it. */
  constructor(
    { table, sequence }: TableAtSequence,
    recent: readonly StoredEntry[],
    displayInfo: TableDisplayInfo = {},
  ) {
    this.#displayInfo = displayInfo;
    this.id = table.settings.table;
    this.#follower = new Follower(table);
    this.#sequence = sequence;
    this.#restore(recent);
    this.#lastView = this.#view();
    this.#tile = tileOf(this.#lastView, 0);
  }

  get #table(): Table {
    return this.#follower.table!;
  }

  /** Committed state. */
  get table(): Table {
    return this.#table;
  }

  get fault(): 'broken' | 'cannot-record' | null {
    return this.#fault ?? null;
  }

  /** Lobby tile as of the last version. */
  get tile(): Tile {
    return this.#tile;
  }

  /** Applies new entries; entries seen before are skipped. */
  add(entries: readonly StoredEntry[]): ChangeSummary {
    const sessions = new Set<string>();
    let isStakesOnly = true;
    let isPaid = false;
    const reviewBefore = reviewCounts(this.#table);
    const before = roundOf(this.#table);
    for (const { event, postings, sequence } of entries) {
      if (sequence <= this.#sequence) continue;
      assert(sequence === this.#sequence + 1, 'entries of a table arrive without gaps');
      this.#sequence = sequence;
      for (const { from, to } of postings) {
        for (const holder of [sessionOfAccount(from), sessionOfAccount(to)])
          if (holder !== undefined) sessions.add(holder);
      }
      const parsed = tableDecider.parseEvent(event);
      if (parsed.type === 'SlipSet') sessions.add(parsed.terminal);
      else isStakesOnly = false;
      if (parsed.type === 'SettlementPosted') isPaid = true;
      this.#apply(parsed);
    }
    const after = roundOf(this.#table);
    const isRoundChanged = before.round !== after.round || before.ending !== after.ending;
    return {
      sessions,
      isRoundChanged,
      isStakesOnly,
      isPaid,
      isReviewChanged: reviewBefore !== reviewCounts(this.#table),
    };
  }

  /** Stakes of a session in rounds in play or not yet paid. */
  openStakes(session: string): readonly { readonly table: string; readonly round: string; readonly stake: number }[] {
    return openStakesAt(this.#table, session).map((one) => ({ table: this.id, ...one }));
  }

  get nextCard(): NextCard {
    return nextCardOf(this.#table);
  }

  /** Smallest slip that the table accepts. */
  get minSlip(): number {
    const { layout, totalMinimum } = this.#lastView;
    return Math.max(totalMinimum, Math.min(...layout.map(({ minimum }) => minimum)));
  }

  markBroken(): void {
    this.#fault = 'broken';
  }

  setPaused(isPaused: boolean, by: PauseReason = 'table'): void {
    if (isPaused) this.#pausedBy.add(by);
    else this.#pausedBy.delete(by);
    if (this.#fault !== 'broken') this.#fault = this.#pausedBy.size > 0 ? 'cannot-record' : undefined;
  }

  setPatronCount(patrons: number): void {
    this.#patronCount = patrons;
  }

  /** Delta message since the last call, for all subscribers; undefined if nothing changed. */
  takeDelta(): string | undefined {
    const now = this.#view();
    const delta = diffView(this.#lastView, now);
    if (delta === undefined) return undefined;
    this.#lastView = now;
    this.#fullMessage = undefined;
    this.version += 1;
    return JSON.stringify({ type: 'change', table: this.id, version: this.version, ...delta });
  }

  /** Undefined if the tile did not change. */
  takeTileDelta(): ViewDelta | undefined {
    const now = tileOf(this.#lastView, this.#patronCount);
    const delta = diffView(this.#tile, now);
    this.#tile = now;
    return delta;
  }

  /** Full view message, as of the last version. */
  fullMessage(): string {
    const { id, version } = this;
    return (this.#fullMessage ??= JSON.stringify({ type: 'table', table: id, version, view: this.#lastView }));
  }

  terminalTableView(terminal: string, session: string, credit: number): TerminalTableView {
    const { round, slip, stake, paid } = terminalView(this.#table, session);
    const rebet = this.#repeatableSlips.get(session) ?? {};
    return { terminal, credit, round, slip, stake, rebet, paid, last: this.#previousRoundOf(session) };
  }

  /** Result of a session in the previous round. */
  #previousRoundOf(session: string): TerminalTableView['last'] {
    const { round, slips } = this.#previousRound;
    const earlier = this.#table.history.at(-1);
    const slip = slips.get(session);
    if (earlier?.id !== round || earlier.ending === null || slip === undefined) return null;
    return { id: round, number: earlier.number, slip, paid: stakeResults(slip, earlier.ending) };
  }

  #apply(event: TableEvent): void {
    // The stakes of the last round are offered again in the next.
    const { round } = this.#table;
    if (event.type === 'BetsOpened') this.#keepSlips(round?.id ?? '', round?.slips ?? {});
    const now = this.#follower.take(event).round;
    this.#updateNotice(event, now ?? noRound);
  }

  /** Restores repeatable slips and the notice from stored entries after a start. */
  #restore(entries: readonly StoredEntry[]): void {
    const slips = new Map<string, Slip>();
    let round = noRound;
    for (const { event, sequence } of entries) {
      if (sequence > this.#sequence) return;
      const parsed = tableDecider.parseEvent(event);
      if (parsed.type === 'SlipSet') slips.set(parsed.terminal, parsed.slip);
      else if (parsed.type === 'BetsOpened') {
        this.#keepSlips(round.id, Object.fromEntries(slips));
        round = { id: parsed.round, number: parsed.number };
        slips.clear();
      }
      this.#updateNotice(parsed, round);
    }
  }

  /** A resettled round may be an earlier one. */
  #updateNotice(event: TableEvent, round: RoundName): void {
    const about = (event.type === 'RoundResettled' ? findRound(this.#table, event.round) : undefined) ?? round;
    const notice = noticeOf(event, about);
    if (notice) {
      this.#notice = notice;
      this.#isNoticeOld = false;
    } else if (event.type === 'BetsOpened') {
      // Notices about money stay one more round, for patrons who were away.
      if (this.#isNoticeOld || this.#notice?.kind === 'resumed') this.#notice = null;
      this.#isNoticeOld = true;
    }
  }

  /** Keeps the slips of a finished round for repetition. */
  #keepSlips(round: string, slips: Slips): void {
    const played = Object.entries(slips).filter(([, slip]) => Object.keys(slip).length > 0);
    for (const [session, slip] of played) this.#repeatableSlips.set(session, slip);
    this.#previousRound = { round, slips: new Map(played) };
  }

  /** Public view. Unchanged parts are the same objects as in the last view, so that diffs are cheap. */
  #view(): View {
    const table = this.#table;
    const { settings, round, shoe } = table;
    // A referral is shown only when no irregularity waits for the supervisor.
    const irregularity = leadingIrregularity(table);
    const [referral] = table.referrals;
    if (this.#settingsView?.settings !== settings) {
      const theme = this.#displayInfo.theme ?? defaultTheme(resolveSettings(settings).game);
      this.#settingsView = { settings, view: { ...fixedView(settings), theme } };
    }
    const stopped = irregularity
      ? { kind: irregularity.kind, by: irregularity.by }
      : referral
        ? { kind: 'referred', by: referral.by }
        : null;
    return {
      ...this.#settingsView.view,
      phase: phaseView(table),
      opensAt: this.#opensAt(),
      round: round && roundView(round, table),
      last: this.#lastRoundView(),
      cards: packProofs((round?.cards ?? []).map((card, index) => ({ card, ...round!.proofs[index] }))),
      staked: Object.fromEntries(Object.entries(round?.totals ?? {}).map(([wager, total]) => [wager, { ...total }])),
      shoe: shoe && shoeView(shoe),
      stopped: this.#fault ? { kind: this.#fault, by: null } : stopped,
      notice: this.#notice,
      ...this.#shoeTotalsView(),
    };
  }

  #lastRoundView(): View['last'] {
    const round = this.#table.history.at(-1);
    if (round?.ending !== this.#lastRound.ending) {
      this.#lastRound = { ending: round?.ending, view: round ? handsView(round) : null };
    }
    return this.#lastRound.view;
  }

  /** Cached: each result creates a new `statistics` object. */
  #shoeTotalsView(): Pick<View, 'results' | 'counts'> {
    const { statistics, rounds: all, won } = this.#follower.tally;
    if (this.#shoeTotals?.statistics !== statistics) {
      const { rounds, banker, player, tie, naturals } = statistics;
      const wagers = Object.fromEntries(this.#table.settings.offered.map((wager) => [wager, won[wager] ?? 0]));
      const counts = { rounds, banker, player, tie, naturals, wagers };
      this.#shoeTotals = { statistics, view: { results: all.map(formatResultCode), counts } };
    }
    return this.#shoeTotals.view;
  }

  /** Only for unattended tables. */
  #opensAt(): number | null {
    const {
      phase,
      pendingSettlements: settlements,
      closed,
      shoe,
      openIrregularities: irregularities,
      referrals,
      settings,
      at,
    } = this.#table;
    const { opensAt } = this.#displayInfo;
    const isShoePlayable = shoe?.ready === true && shoe.lockedBy === null && shoe.roundsLeft !== 0;
    const isBlocked =
      settlements.length > 0 ||
      closed ||
      irregularities.length > 0 ||
      referrals.length > 0 ||
      this.#fault !== undefined;
    return opensAt === undefined || settings.attended || phase !== 'idle' || isBlocked || !isShoePlayable
      ? null
      : opensAt(at);
  }
}

type RoundName = { readonly id: string; readonly number: number };
const noRound: RoundName = { id: '', number: 0 };

function noticeOf(event: TableEvent, { id: round, number }: RoundName): View['notice'] {
  if (event.type === 'RoundVoided') return { kind: 'void', round, number, by: event.by, reason: event.reason };
  if (event.type === 'RoundResumed') return { kind: 'resumed', round, number, by: event.by, reason: '' };
  if (event.type !== 'RoundResettled') return null;
  return { kind: event.results === undefined ? 'void' : 'corrected', round, number, by: event.by, reason: '' };
}

const reviewCounts = ({ openIrregularities: irregularities, referrals }: Table): string =>
  `${irregularities.length} ${referrals.length}`;

const roundOf = (table: Table) => ({ round: table.round?.id, ending: lastRound(table)?.ending });

function tileOf(view: View, patrons: number): Tile {
  const { table, attended, bets, game, phase, round, stopped, results, opensAt, decks, bettingTime, theme } = view;
  const { shoe } = view;
  const isBetting = phase === 'betting' || phase === 'closing';
  const shownRound = round !== null && round.player.cards.length > 0 ? round : isBetting ? view.last : null;
  return {
    table,
    attended,
    bets,
    ready: shoe !== null && shoe.ready && shoe.roundsLeft !== 0,
    game: game.version,
    name: game.name,
    phase,
    number: round?.number ?? null,
    closesAt: isBetting ? (round?.deadline ?? round?.closesAt ?? null) : null,
    bettingTime,
    opensAt,
    winner: shownRound !== null && shownRound.voidBy === null ? shownRound.winner : null,
    totals: shownRound && { player: shownRound.player.total, banker: shownRound.banker.total },
    voidBy: shownRound?.voidBy ?? null,
    stopped: stopped?.kind ?? null,
    limits: limitsOf(view),
    decks,
    theme,
    patrons,
    results,
  };
}

/** Range from the lowest minimum to the highest maximum: of Player and Banker, and of the other wagers. */
function limitsOf({ layout }: View): Tile['limits'] {
  const isMain = ({ wager }: Spot): boolean => wager === 'player' || wager === 'banker';
  const rangeOf = (spots: readonly Spot[]): readonly [number, number] => [
    Math.min(...spots.map(({ minimum }) => minimum)),
    Math.max(...spots.map(({ maximum }) => maximum)),
  ];
  const sides = layout.filter((spot) => !isMain(spot));
  return { main: rangeOf(layout.filter(isMain)), sides: sides.length > 0 ? rangeOf(sides) : null };
}
