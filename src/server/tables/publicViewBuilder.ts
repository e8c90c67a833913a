import { type TableTheme, defaultThemeOf } from '../../games/tableTheme.ts';
import { tableDecider } from '../../deciders/deciders.ts';
import { openStakesOfSession } from '../../runtime/money/terminalContext.ts';
import { sessionOfAccount } from '../../ledger/accounts.ts';
import { type ShoeStatistics } from '../../roads/statistics.ts';
import { assert } from '../../base/assert.ts';
import { type NextCardMessageFields, nextCardMessageFieldsOf } from './nextCardMessage.ts';
import { type StoredEntry } from '../../store/store.ts';
import { type TableEvent } from '../../table/schema/events.ts';
import { type Slip, type SlipsByTerminal } from '../../table/schema/fieldTypes.ts';
import { type TableSettings, gameAndRulebookOf } from '../../table/schema/settings.ts';
import { TableWithTally } from '../../table/views/tableWithTally.ts';
import {
  tableSettingsView,
  handsAndOutcomeView,
  displayedPhase,
  roundView,
  shoeView,
  terminalView,
} from '../../table/views/publicView.ts';
import { irregularityToRuleOn } from '../../table/irregularities.ts';
import { type Table, findRound, justEndedRound } from '../../table/state.ts';
import { type RoundOutcome, stakeResults } from '../../table/payouts.ts';
import { type ViewDelta, diffView } from '../../wire/viewDelta.ts';
import { packProofs } from '../../wire/cardProofCodec.ts';
import { formatResultCode } from '../../wire/resultCode.ts';
import { type TerminalTableView, type Spot, type LobbyTile, type PublicTableView } from '../../wire/tableView.ts';

/** Parts of the public view of a table that the server options give, and not the table state. */
export type PublicViewOptions = {
  readonly theme?: TableTheme;
  /** Gives the time at which an unattended table opens its next bets, if it is idle since the time `since`. */
  readonly opensAt?: (since: number) => number;
};

type ChangeSummary = {
  /** Sessions whose slip or credit has changed. */
  readonly sessions: ReadonlySet<string>;
  /** True if the round or its outcome has changed, so that every terminal view has changed. */
  readonly isRoundChanged: boolean;
  readonly isStakesOnly: boolean;
  readonly isPaid: boolean;
  /** True if an irregularity or referral was opened or closed. */
  readonly isReviewChanged: boolean;
};

/** Committed state of a table. `sequence` is the sequence of the last entry that it contains. */
export type TableAtSequence = { readonly table: Table; readonly sequence: number };

/** Why a table is paused. `table`: its stream processor cannot append. `record`: the event store does not answer. */
export type TablePauseReason = 'table' | 'record';

/** Makes the public view of one table from its committed entries: full views, versioned deltas and the lobby tile. */
export class PublicViewBuilder {
  readonly id: string;
  /** Version of the public view; each delta increases it by one. */
  version = 0;
  readonly #follower: TableWithTally;
  #sequence: number;
  /**
   * Fault because of which the table cannot continue; undefined without a fault. A fault is not part of the table
   * state.
   */
  #fault: 'broken' | 'cannot-record' | undefined;
  readonly #pausedBy = new Set<TablePauseReason>();
  #notice: PublicTableView['notice'] = null;
  /** True if bets have opened since the notice appeared. */
  #isNoticeOld = false;
  readonly #repeatableSlips = new Map<string, Slip>();
  #settingsView:
    | {
        readonly settings: TableSettings;
        readonly view: ReturnType<typeof tableSettingsView> & Pick<PublicTableView, 'theme'>;
      }
    | undefined;
  #shoeTotals:
    | { readonly statistics: ShoeStatistics; readonly view: Pick<PublicTableView, 'results' | 'counts'> }
    | undefined;
  #lastRound: { readonly ending: RoundOutcome | null | undefined; readonly view: PublicTableView['last'] } = {
    ending: undefined,
    view: null,
  };
  #previousRound: { readonly round: string; readonly slips: ReadonlyMap<string, Slip> } = {
    round: '',
    slips: new Map(),
  };
  #patronCount = 0;
  readonly #displayInfo: PublicViewOptions;
  #lastView: PublicTableView;
  #fullMessage: string | undefined;
  #tile: LobbyTile;

  /**
   * After this call no other code may change `table`. `recent` are the last entries of the table; the newest of them is
   * the entry `sequence`.
   */
  constructor(
    { table, sequence }: TableAtSequence,
    recent: readonly StoredEntry[],
    displayInfo: PublicViewOptions = {},
  ) {
    this.#displayInfo = displayInfo;
    this.id = table.settings.table;
    this.#follower = new TableWithTally(table);
    this.#sequence = sequence;
    this.#restore(recent);
    this.#lastView = this.#view();
    this.#tile = tileOf(this.#lastView, 0);
  }

  get #table(): Table {
    return this.#follower.table!;
  }

  get table(): Table {
    return this.#table;
  }

  get fault(): 'broken' | 'cannot-record' | null {
    return this.#fault ?? null;
  }

  /** Tile of the table in the lobby, as last published. */
  get tile(): LobbyTile {
    return this.#tile;
  }

  /** Applies new entries and says what has changed. Entries that were applied before are skipped. */
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

  /** Open stakes of a session at this table: in the round in play and in rounds that are not paid yet. */
  openStakes(session: string): readonly { readonly table: string; readonly round: string; readonly stake: number }[] {
    return openStakesOfSession(this.#table, session).map((one) => ({ table: this.id, ...one }));
  }

  get nextCard(): NextCardMessageFields {
    return nextCardMessageFieldsOf(this.#table);
  }

  /** Smallest total stake that the table accepts, in minor units. */
  get minSlip(): number {
    const { layout, totalMinimum } = this.#lastView;
    return Math.max(totalMinimum, Math.min(...layout.map(({ minimum }) => minimum)));
  }

  markBroken(): void {
    this.#fault = 'broken';
  }

  setPaused(isPaused: boolean, by: TablePauseReason = 'table'): void {
    if (isPaused) this.#pausedBy.add(by);
    else this.#pausedBy.delete(by);
    if (this.#fault !== 'broken') this.#fault = this.#pausedBy.size > 0 ? 'cannot-record' : undefined;
  }

  setPatronCount(patrons: number): void {
    this.#patronCount = patrons;
  }

  /** Gives the changes of the view since the last call, as a message in JSON; undefined if the view has not changed. */
  takeDelta(): string | undefined {
    const now = this.#view();
    const delta = diffView(this.#lastView, now);
    if (delta === undefined) return undefined;
    this.#lastView = now;
    this.#fullMessage = undefined;
    this.version += 1;
    return JSON.stringify({ type: 'change', table: this.id, version: this.version, ...delta });
  }

  /** Changes of the lobby tile since the last call; undefined if the tile has not changed. */
  takeTileDelta(): ViewDelta | undefined {
    const now = tileOf(this.#lastView, this.#patronCount);
    const delta = diffView(this.#tile, now);
    this.#tile = now;
    return delta;
  }

  /** Message with the full view as last published, as JSON. */
  fullMessage(): string {
    const { id, version } = this;
    return (this.#fullMessage ??= JSON.stringify({ type: 'table', table: id, version, view: this.#lastView }));
  }

  terminalTableView(terminal: string, session: string, credit: number): TerminalTableView {
    const { round, slip, stake, paid } = terminalView(this.#table, session);
    const rebet = this.#repeatableSlips.get(session) ?? {};
    return { terminal, credit, round, slip, stake, rebet, paid, last: this.#previousRoundOf(session) };
  }

  /** Bets and results of a session in the previous round; null if the session had no bets in that round. */
  #previousRoundOf(session: string): TerminalTableView['last'] {
    const { round, slips } = this.#previousRound;
    const earlier = this.#table.history.at(-1);
    const slip = slips.get(session);
    if (earlier?.id !== round || earlier.ending === null || slip === undefined) return null;
    return { id: round, number: earlier.number, slip, paid: stakeResults(slip, earlier.ending) };
  }

  #apply(event: TableEvent): void {
    // When bets open, the slips of the last round are kept, so that patrons can place the same stakes again.
    const { round } = this.#table;
    if (event.type === 'BetsOpened') this.#keepSlips(round?.id ?? '', round?.slips ?? {});
    const now = this.#follower.apply(event).round;
    this.#updateNotice(event, now ?? noRound);
  }

  /** After a start, restores the repeatable slips and the notice from stored entries. */
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

  /**
   * Sets or removes the notice because of an event. `round` is the current round, but a resettlement may be about an
   * earlier round.
   */
  #updateNotice(event: TableEvent, round: RoundName): void {
    const about = (event.type === 'RoundResettled' ? findRound(this.#table, event.round) : undefined) ?? round;
    const notice = noticeOf(event, about);
    if (notice) {
      this.#notice = notice;
      this.#isNoticeOld = false;
    } else if (event.type === 'BetsOpened') {
      // A notice about money stays for one more round, since patrons may have been away from the terminal. The notice
      // `resumed` is removed when the next bets open.
      if (this.#isNoticeOld || this.#notice?.kind === 'resumed') this.#notice = null;
      this.#isNoticeOld = true;
    }
  }

  #keepSlips(round: string, slips: SlipsByTerminal): void {
    const played = Object.entries(slips).filter(([, slip]) => Object.keys(slip).length > 0);
    for (const [session, slip] of played) this.#repeatableSlips.set(session, slip);
    this.#previousRound = { round, slips: new Map(played) };
  }

  /**
   * Builds the public view from the present state. Parts that have not changed are the same objects as in the last
   * view, so that the comparison is fast.
   */
  #view(): PublicTableView {
    const table = this.#table;
    const { settings, round, shoe } = table;
    // An irregularity that waits for a ruling is shown before a referral.
    const irregularity = irregularityToRuleOn(table);
    const [referral] = table.referrals;
    if (this.#settingsView?.settings !== settings) {
      const theme = this.#displayInfo.theme ?? defaultThemeOf(gameAndRulebookOf(settings).game);
      this.#settingsView = { settings, view: { ...tableSettingsView(settings), theme } };
    }
    const stopped = irregularity
      ? { kind: irregularity.kind, by: irregularity.by }
      : referral
        ? { kind: 'referred', by: referral.by }
        : null;
    return {
      ...this.#settingsView.view,
      phase: displayedPhase(table),
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

  #lastRoundView(): PublicTableView['last'] {
    const round = this.#table.history.at(-1);
    if (round?.ending !== this.#lastRound.ending) {
      this.#lastRound = { ending: round?.ending, view: round ? handsAndOutcomeView(round) : null };
    }
    return this.#lastRound.view;
  }

  /**
   * Gives results and counts of the shoe. They are cached until the next result, which makes a new `statistics` object.
   */
  #shoeTotalsView(): Pick<PublicTableView, 'results' | 'counts'> {
    const { statistics, rounds: all, won } = this.#follower.tally;
    if (this.#shoeTotals?.statistics !== statistics) {
      const { rounds, banker, player, tie, naturals } = statistics;
      const wagers = Object.fromEntries(this.#table.settings.offered.map((wager) => [wager, won[wager] ?? 0]));
      const counts = { rounds, banker, player, tie, naturals, wagers };
      this.#shoeTotals = { statistics, view: { results: all.map(formatResultCode), counts } };
    }
    return this.#shoeTotals.view;
  }

  /**
   * Gives the time at which an unattended table opens its next bets. Null if the table is attended, its pace is
   * unknown, or bets cannot open next.
   */
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

function noticeOf(event: TableEvent, { id: round, number }: RoundName): PublicTableView['notice'] {
  if (event.type === 'RoundVoided') return { kind: 'void', round, number, by: event.by, reason: event.reason };
  if (event.type === 'RoundResumed') return { kind: 'resumed', round, number, by: event.by, reason: '' };
  if (event.type !== 'RoundResettled') return null;
  return { kind: event.results === undefined ? 'void' : 'corrected', round, number, by: event.by, reason: '' };
}

const reviewCounts = ({ openIrregularities: irregularities, referrals }: Table): string =>
  `${irregularities.length} ${referrals.length}`;

const roundOf = (table: Table) => ({ round: table.round?.id, ending: justEndedRound(table)?.ending });

function tileOf(view: PublicTableView, patrons: number): LobbyTile {
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

/**
 * Gives two ranges of limits for a tile: for Player and Banker, and for all other wagers. Each range is from the lowest
 * minimum to the highest maximum.
 */
function limitsOf({ layout }: PublicTableView): LobbyTile['limits'] {
  const isMain = ({ wager }: Spot): boolean => wager === 'player' || wager === 'banker';
  const rangeOf = (spots: readonly Spot[]): readonly [number, number] => [
    Math.min(...spots.map(({ minimum }) => minimum)),
    Math.max(...spots.map(({ maximum }) => maximum)),
  ];
  const sides = layout.filter((spot) => !isMain(spot));
  return { main: rangeOf(layout.filter(isMain)), sides: sides.length > 0 ? rangeOf(sides) : null };
}
