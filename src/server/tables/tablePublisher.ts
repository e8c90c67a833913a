import { type TableTheme, usualLook } from '../../games/tableTheme.ts';
import { tableDecider } from '../../deciders/deciders.ts';
import { openStakesAt } from '../../runtime/money/commandContext.ts';
import { sessionOfAccount } from '../../ledger/accounts.ts';
import { type Statistics } from '../../roads/statistics.ts';
import { assert } from '../../base/assert.ts';
import { type Due, dueOf } from './nextCard.ts';
import { type StoredEntry } from '../../store/store.ts';
import { type TableEvent } from '../../table/schema/events.ts';
import { type Slip, type Slips } from '../../table/schema/fieldTypes.ts';
import { type TableSettings, resolveSettings } from '../../table/schema/settings.ts';
import { Follower } from '../../table/views/follower.ts';
import { fixedView, handsView, phaseView, roundView, shoeView, terminalView } from '../../table/views/publicView.ts';
import { leadingIrregularity } from '../../table/irregularities.ts';
import { type Table, keptRound, lastRound } from '../../table/state.ts';
import { type RoundOutcome, stakeResults } from '../../table/payouts.ts';
import { type ViewDelta, diffView } from '../../wire/viewDelta.ts';
import { packProofs } from '../../wire/cardProofCodec.ts';
import { resultCode } from '../../wire/resultCode.ts';
import { type TerminalTableView, type Spot, type Tile, type View } from '../../wire/tableView.ts';

/** What is known of a table besides its record. */
export type TableDisplayInfo = {
  readonly look?: TableTheme;
  /** When a table without staff opens its bets that has been at rest since a moment. */
  readonly opens?: (since: number) => number;
};

/** What an addition to the record means for those who watch. */
type Concerned = {
  /** Sessions whose slip or credit has changed, wherever they sit. */
  readonly holders: ReadonlySet<string>;
  /** Everyone at the table sees something else of themselves: another round, or what the round came to. */
  readonly turned: boolean;
  /** Nothing but stakes has moved. */
  readonly stakesOnly: boolean;
  /** Stakes of a round were paid. */
  readonly isPaid: boolean;
  /** What is in question has changed. */
  readonly isQuestioned: boolean;
};

/** Where a record stands: the state after so many entries. */
export type Stand = { readonly table: Table; readonly sequence: number };

/** What keeps a table from recording for the time being. */
export type Halting = 'table' | 'record';

/** What is told of one table, in versions: followed from its record, whole or as what has changed since. */
export class TablePublisher {
  readonly id: string;
  /** Counts the changes of what everyone sees. */
  version = 0;
  readonly #follower: Follower;
  #sequence: number;
  /** Why it stands still, besides what the record tells. */
  #trouble: 'broken' | 'cannot-record' | undefined;
  readonly #halted = new Set<Halting>();
  #notice: View['notice'] = null;
  /** Bets have opened since it was new. */
  #isOld = false;
  readonly #again = new Map<string, Slip>();
  #fixed:
    | { readonly setting: TableSettings; readonly view: ReturnType<typeof fixedView> & Pick<View, 'look'> }
    | undefined;
  #shoe: { readonly statistics: Statistics; readonly view: Pick<View, 'results' | 'counts'> } | undefined;
  #last: { readonly ending: RoundOutcome | null | undefined; readonly view: View['last'] } = {
    ending: undefined,
    view: null,
  };
  /** The slips of the round before. */
  #before: { readonly round: string; readonly slips: ReadonlyMap<string, Slip> } = { round: '', slips: new Map() };
  /** How many patrons sit there. */
  #patrons = 0;
  readonly #extra: TableDisplayInfo;
  /** What was told last, and its text once somebody has asked for the whole. */
  #told: View;
  #whole: string | undefined;
  #tile: Tile;

  /** From a state that is its own from now on, and from the last entries that led to it. */
  constructor({ table, sequence }: Stand, recent: readonly StoredEntry[], extra: TableDisplayInfo = {}) {
    this.#extra = extra;
    this.id = table.setting.table;
    this.#follower = new Follower(table);
    this.#sequence = sequence;
    this.#recall(recent);
    this.#told = this.#view();
    this.#tile = tileOf(this.#told, 0);
  }

  get #table(): Table {
    return this.#follower.table!;
  }

  /** The table as the record has it. */
  get table(): Table {
    return this.#table;
  }

  /** Why it stands still, besides what the record tells. */
  get trouble(): 'broken' | 'cannot-record' | null {
    return this.#trouble ?? null;
  }

  /** Its tile in the lobby, as of the last version. */
  get tile(): Tile {
    return this.#tile;
  }

  /** Takes in what was written, and says whom it concerns. What it has seen already is passed over. */
  add(entries: readonly StoredEntry[]): Concerned {
    const holders = new Set<string>();
    let stakesOnly = true;
    let isPaid = false;
    const questions = questionsOf(this.#table);
    const before = turnOf(this.#table);
    for (const { event, postings, sequence } of entries) {
      if (sequence <= this.#sequence) continue;
      assert(sequence === this.#sequence + 1, 'a table is told of entry by entry');
      this.#sequence = sequence;
      for (const { from, to } of postings) {
        for (const holder of [sessionOfAccount(from), sessionOfAccount(to)])
          if (holder !== undefined) holders.add(holder);
      }
      const happened = tableDecider.eventFrom(event);
      if (happened.type === 'SlipSet') holders.add(happened.terminal);
      else stakesOnly = false;
      if (happened.type === 'SettlementPosted') isPaid = true;
      this.#take(happened);
    }
    const after = turnOf(this.#table);
    const turned = before.round !== after.round || before.ending !== after.ending;
    return { holders, turned, stakesOnly, isPaid, isQuestioned: questions !== questionsOf(this.#table) };
  }

  /** The stakes of a session that stand there. */
  standing(session: string): readonly { readonly table: string; readonly round: string; readonly stake: number }[] {
    return openStakesAt(this.#table, session).map((one) => ({ table: this.id, ...one }));
  }

  /** What a reader of cards is told. */
  get due(): Due {
    return dueOf(this.#table);
  }

  /** The least that a slip here may hold. */
  get least(): number {
    const { layout, totalMinimum } = this.#told;
    return Math.max(totalMinimum, Math.min(...layout.map(({ least }) => least)));
  }

  /** The table cannot go on. */
  stop(): void {
    this.#trouble = 'broken';
  }

  /** The table cannot record for the time being, by itself or since its record answers nobody; or can again. */
  halt(isHalted: boolean, by: Halting = 'table'): void {
    if (isHalted) this.#halted.add(by);
    else this.#halted.delete(by);
    if (this.#trouble !== 'broken') this.#trouble = this.#halted.size > 0 ? 'cannot-record' : undefined;
  }

  /** So many patrons sit there now. */
  seat(patrons: number): void {
    this.#patrons = patrons;
  }

  /** The message with what has changed since the last one; undefined when nothing has. Made once for all. */
  change(): string | undefined {
    const now = this.#view();
    const change = diffView(this.#told, now);
    if (change === undefined) return undefined;
    this.#told = now;
    this.#whole = undefined;
    this.version += 1;
    return JSON.stringify({ type: 'change', table: this.id, version: this.version, ...change });
  }

  /** What has changed of its tile; undefined when nothing has. */
  tileChange(): ViewDelta | undefined {
    const now = tileOf(this.#told, this.#patrons);
    const change = diffView(this.#tile, now);
    this.#tile = now;
    return change;
  }

  /** The message with everything, as of the last version. */
  whole(): string {
    const { id, version } = this;
    return (this.#whole ??= JSON.stringify({ type: 'table', table: id, version, view: this.#told }));
  }

  /** What a terminal sees of itself, with its credit. */
  own(terminal: string, session: string, credit: number): TerminalTableView {
    const { round, slip, stake, paid } = terminalView(this.#table, session);
    const again = this.#again.get(session) ?? {};
    return { terminal, credit, round, slip, stake, again, paid, last: this.#lastOf(session) };
  }

  /** What became of a session's stakes in the round before. */
  #lastOf(session: string): TerminalTableView['last'] {
    const { round, slips } = this.#before;
    const earlier = this.#table.history.at(-1);
    const slip = slips.get(session);
    if (earlier?.id !== round || earlier.ending === null || slip === undefined) return null;
    return { id: round, number: earlier.number, slip, paid: stakeResults(slip, earlier.ending) };
  }

  #take(event: TableEvent): void {
    // What was staked in the last round can be staked again in the next.
    const { round } = this.#table;
    if (event.type === 'BetsOpened') this.#putAside(round?.id ?? '', round?.slips ?? {});
    const now = this.#follower.take(event).round;
    this.#tellOf(event, now ?? noRound);
  }

  /** What could be staked again, and what is still to be told, before the program was started. */
  #recall(entries: readonly StoredEntry[]): void {
    const slips = new Map<string, Slip>();
    let round = noRound;
    for (const { event, sequence } of entries) {
      if (sequence > this.#sequence) return;
      const happened = tableDecider.eventFrom(event);
      if (happened.type === 'SlipSet') slips.set(happened.terminal, happened.slip);
      else if (happened.type === 'BetsOpened') {
        this.#putAside(round.id, Object.fromEntries(slips));
        round = { id: happened.round, number: happened.number };
        slips.clear();
      }
      this.#tellOf(happened, round);
    }
  }

  /** What is to be told after an event in a round; one that is settled again may be an earlier one. */
  #tellOf(event: TableEvent, round: Named): void {
    const about = (event.type === 'RoundResettled' ? keptRound(this.#table, event.round) : undefined) ?? round;
    const told = noticeOf(event, about);
    if (told) {
      this.#notice = told;
      this.#isOld = false;
    } else if (event.type === 'BetsOpened') {
      // What touches money is told a round longer, to whoever was away.
      if (this.#isOld || this.#notice?.kind === 'resumed') this.#notice = null;
      this.#isOld = true;
    }
  }

  /** The slips of a round that is over become those that can be staked again. */
  #putAside(round: string, slips: Slips): void {
    const played = Object.entries(slips).filter(([, slip]) => Object.keys(slip).length > 0);
    for (const [session, slip] of played) this.#again.set(session, slip);
    this.#before = { round, slips: new Map(played) };
  }

  /** What everyone sees. It shares with the one before what has stayed the same. */
  #view(): View {
    const table = this.#table;
    const { setting, round, shoe } = table;
    // What was referred is no longer the supervisor's.
    const matter = leadingIrregularity(table);
    const [referral] = table.referrals;
    if (this.#fixed?.setting !== setting) {
      const look = this.#extra.look ?? usualLook(resolveSettings(setting).game);
      this.#fixed = { setting, view: { ...fixedView(setting), look } };
    }
    const stopped = matter
      ? { kind: matter.kind, by: matter.by }
      : referral
        ? { kind: 'referred', by: referral.by }
        : null;
    return {
      ...this.#fixed.view,
      phase: phaseView(table),
      opensAt: this.#opensAt(),
      round: round && roundView(round, table),
      last: this.#lastView(),
      cards: packProofs((round?.cards ?? []).map((card, place) => ({ card, ...round!.proofs[place] }))),
      staked: Object.fromEntries(Object.entries(round?.totals ?? {}).map(([wager, total]) => [wager, { ...total }])),
      shoe: shoe && shoeView(shoe),
      stopped: this.#trouble ? { kind: this.#trouble, by: null } : stopped,
      notice: this.#notice,
      ...this.#shoeSoFar(),
    };
  }

  #lastView(): View['last'] {
    const of = this.#table.history.at(-1);
    if (of?.ending !== this.#last.ending) this.#last = { ending: of?.ending, view: of ? handsView(of) : null };
    return this.#last.view;
  }

  /** Results and counters; every result makes other statistics. */
  #shoeSoFar(): Pick<View, 'results' | 'counts'> {
    const { statistics, rounds: all, won } = this.#follower.tally;
    if (this.#shoe?.statistics !== statistics) {
      const { rounds, banker, player, tie, naturals } = statistics;
      const wagers = Object.fromEntries(this.#table.setting.offered.map((wager) => [wager, won[wager] ?? 0]));
      const counts = { rounds, banker, player, tie, naturals, wagers };
      this.#shoe = { statistics, view: { results: all.map(resultCode), counts } };
    }
    return this.#shoe.view;
  }

  /** When a table without staff opens its next round. */
  #opensAt(): number | null {
    const {
      phase,
      pendingSettlements: jobs,
      closed,
      shoe,
      openIrregularities: held,
      referrals,
      setting,
      at,
    } = this.#table;
    const { opens } = this.#extra;
    const goesOn = shoe?.ready === true && shoe.lockedBy === null && shoe.roundsLeft !== 0;
    const waits = jobs.length > 0 || closed || held.length > 0 || referrals.length > 0 || this.#trouble !== undefined;
    return opens === undefined || setting.attended || phase !== 'idle' || waits || !goesOn ? null : opens(at);
  }
}

type Named = { readonly id: string; readonly number: number };
const noRound: Named = { id: '', number: 0 };

/** What an event has to tell of a round. */
function noticeOf(event: TableEvent, { id: round, number }: Named): View['notice'] {
  if (event.type === 'RoundVoided') return { kind: 'void', round, number, by: event.by, reason: event.reason };
  if (event.type === 'RoundResumed') return { kind: 'resumed', round, number, by: event.by, reason: '' };
  if (event.type !== 'RoundResettled') return null;
  return { kind: event.results === undefined ? 'void' : 'corrected', round, number, by: event.by, reason: '' };
}

/** What awaits a ruling or a decision, in one word. */
const questionsOf = ({ openIrregularities: held, referrals }: Table): string => `${held.length} ${referrals.length}`;

const turnOf = (table: Table) => ({ round: table.round?.id, ending: lastRound(table)?.ending });

function tileOf(view: View, patrons: number): Tile {
  const { table, attended, bets, game, phase, round, stopped, results, opensAt, decks, bettingTime, look } = view;
  const { shoe } = view;
  const betting = phase === 'betting' || phase === 'closing';
  const shown = round !== null && round.player.cards.length > 0 ? round : betting ? view.last : null;
  return {
    table,
    attended,
    bets,
    ready: shoe !== null && shoe.ready && shoe.roundsLeft !== 0,
    game: game.version,
    name: game.name,
    phase,
    number: round?.number ?? null,
    closesAt: betting ? (round?.deadline ?? round?.closesAt ?? null) : null,
    bettingTime,
    opensAt,
    winner: shown !== null && shown.voidBy === null ? shown.winner : null,
    totals: shown && { player: shown.player.total, banker: shown.banker.total },
    voidBy: shown?.voidBy ?? null,
    stopped: stopped?.kind ?? null,
    limits: limitsOf(view),
    decks,
    look,
    patrons,
    results,
  };
}

/** From the least to the most that can be staked on Player and Banker, and on any other wager. */
function limitsOf({ layout }: View): Tile['limits'] {
  const isMain = ({ wager }: Spot): boolean => wager === 'player' || wager === 'banker';
  const rangeOf = (spots: readonly Spot[]): readonly [number, number] => [
    Math.min(...spots.map(({ least }) => least)),
    Math.max(...spots.map(({ most }) => most)),
  ];
  const sides = layout.filter((spot) => !isMain(spot));
  return { main: rangeOf(layout.filter(isMain)), sides: sides.length > 0 ? rangeOf(sides) : null };
}
