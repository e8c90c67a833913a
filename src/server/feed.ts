import { stakedAt } from '../floor/brings.ts';
import { tableDecider } from '../ledger/accounted.ts';
import { holderOf } from '../ledger/accounts.ts';
import { type Statistics } from '../roads/statistics.ts';
import { assert } from '../rules/assert.ts';
import { type StoredEntry } from '../store/store.ts';
import { type TableEvent } from '../table/declare/events.ts';
import { type Slip } from '../table/declare/kinds.ts';
import { type Setting } from '../table/declare/setting.ts';
import { Follower } from '../table/show/follower.ts';
import { fixedView, phaseView, roundView, shoeView, terminalView } from '../table/show/views.ts';
import { type Table, lastRound } from '../table/table.ts';
import { type Change, changeOf } from '../wire/changes.ts';
import { shortened } from '../wire/proofs.ts';
import { type Purse } from '../wire/purse.ts';
import { type OwnView, type Tile, type View } from '../wire/views.ts';

/** What an addition to the record means for those who watch. */
type Concerned = {
  /** Sessions whose slip or credit has changed, wherever they sit. */
  readonly holders: ReadonlySet<string>;
  /** Everyone at the table sees something else of themselves: another round, or what the round came to. */
  readonly turned: boolean;
  /** Nothing but stakes has moved. */
  readonly stakesOnly: boolean;
};

/** Where a record stands: the state after so many entries. */
export type Stand = { readonly table: Table; readonly sequence: number };

/** What is told of one table, in versions: followed from its record, whole or as what has changed since. */
export class Feed {
  readonly id: string;
  /** Counts the changes of what everyone sees. */
  version = 0;
  readonly #follower: Follower;
  #sequence: number;
  /** Why it stands still, besides what the record tells. */
  #trouble: 'broken' | 'cannot-record' | undefined;
  #notice: View['notice'] = null;
  readonly #again = new Map<string, Slip>();
  #fixed: { readonly setting: Setting; readonly view: ReturnType<typeof fixedView> } | undefined;
  #roads: { readonly statistics: Statistics; readonly bead: View['bead']; readonly big: View['big'] } | undefined;
  /** What was told last, and its text once somebody has asked for the whole. */
  #told: View;
  #whole: string | undefined;
  #tile: Tile;

  /** From a state that is its own from now on, and from the last entries that led to it. */
  constructor({ table, sequence }: Stand, recent: readonly StoredEntry[]) {
    this.id = table.setting.table;
    this.#follower = new Follower(table);
    this.#sequence = sequence;
    this.#recall(recent);
    this.#told = this.#view();
    this.#tile = tileOf(this.#told);
  }

  get #table(): Table {
    return this.#follower.table!;
  }

  /** Its tile in the lobby, as of the last version. */
  get tile(): Tile {
    return this.#tile;
  }

  /** Takes in what was written, and says whom it concerns. What it has seen already is passed over. */
  add(entries: readonly StoredEntry[]): Concerned {
    const holders = new Set<string>();
    let stakesOnly = true;
    const before = turnOf(this.#table);
    for (const { event, postings, sequence } of entries) {
      if (sequence <= this.#sequence) continue;
      assert(sequence === this.#sequence + 1, 'a table is told of entry by entry');
      this.#sequence = sequence;
      for (const { from, to } of postings) {
        for (const holder of [holderOf(from), holderOf(to)]) if (holder !== undefined) holders.add(holder);
      }
      const happened = tableDecider.eventFrom(event);
      if (happened.type === 'SlipSet') holders.add(happened.terminal);
      else stakesOnly = false;
      this.#take(happened);
    }
    const after = turnOf(this.#table);
    return { holders, turned: before.round !== after.round || before.ending !== after.ending, stakesOnly };
  }

  /** The table cannot go on. */
  stop(): void {
    this.#trouble = 'broken';
  }

  /** The table cannot record for the time being, or can again. */
  halt(isHalted: boolean): void {
    if (this.#trouble !== 'broken') this.#trouble = isHalted ? 'cannot-record' : undefined;
  }

  /** The message with what has changed since the last one; undefined when nothing has. Made once for all. */
  change(): string | undefined {
    const now = this.#view();
    const change = changeOf(this.#told, now);
    if (change === undefined) return undefined;
    this.#told = now;
    this.#whole = undefined;
    this.version += 1;
    return JSON.stringify({ type: 'change', table: this.id, version: this.version, ...change });
  }

  /** What has changed of its tile; undefined when nothing has. */
  tileChange(): Change | undefined {
    const now = tileOf(this.#told);
    const change = changeOf(this.#tile, now);
    this.#tile = now;
    return change;
  }

  /** The message with everything, as of the last version. */
  whole(): string {
    const { id, version } = this;
    return (this.#whole ??= JSON.stringify({ type: 'table', table: id, version, view: this.#told }));
  }

  /** What a terminal sees of itself, with its credit. */
  own(terminal: string, session: string, credit: number): OwnView {
    const { round, slip, stake, paid } = terminalView(this.#table, session);
    return { terminal, credit, round, slip, stake, again: this.#again.get(session) ?? {}, paid };
  }

  /** What a session has at stake here. */
  standing(session: string): Purse['standing'] {
    const stake = stakedAt(this.#table, session);
    return stake === 0 ? [] : [{ table: this.id, round: this.#table.round!.id, stake }];
  }

  #take(event: TableEvent): void {
    // What was staked in the last round can be staked again in the next.
    if (event.type === 'BetsOpened') putAside(Object.entries(this.#table.round?.slips ?? {}), this.#again);
    const number = this.#follower.take(event).round?.number ?? 0;
    this.#notice = noticeAfter(event, number, this.#notice);
  }

  /** What could be staked again, and what is still to be told, before the program was started. */
  #recall(entries: readonly StoredEntry[]): void {
    const slips = new Map<string, Slip>();
    let number = 0;
    for (const { event, sequence } of entries) {
      if (sequence > this.#sequence) return;
      const happened = tableDecider.eventFrom(event);
      if (happened.type === 'SlipSet') slips.set(happened.terminal, happened.slip);
      else if (happened.type === 'BetsOpened') {
        ({ number } = happened);
        putAside(slips, this.#again);
        slips.clear();
      }
      this.#notice = noticeAfter(happened, number, this.#notice);
    }
  }

  /** What everyone sees. It shares with the one before what has stayed the same. */
  #view(): View {
    const table = this.#table;
    const { setting, round, shoe } = table;
    const [matter] = table.held;
    const [referral] = table.referrals;
    if (this.#fixed?.setting !== setting) this.#fixed = { setting, view: fixedView(setting) };
    const { roads, statistics } = this.#follower.tally;
    // Every result makes other statistics.
    if (this.#roads?.statistics !== statistics) {
      this.#roads = { statistics, bead: [...roads.beads], big: [...roads.bigRoad] };
    }
    const stopped = matter
      ? { kind: matter.kind, by: matter.by }
      : referral
        ? { kind: 'referred', by: referral.by }
        : null;
    return {
      ...this.#fixed.view,
      phase: phaseView(table),
      round: round && roundView(round),
      cards: shortened((round?.cards ?? []).map((card, place) => ({ card, ...round!.proofs[place] }))),
      staked: Object.fromEntries(Object.entries(round?.totals ?? {}).map(([wager, total]) => [wager, { ...total }])),
      shoe: shoe && shoeView(shoe),
      stopped: this.#trouble ? { kind: this.#trouble, by: null } : stopped,
      notice: this.#notice,
      bead: this.#roads.bead,
      big: this.#roads.big,
    };
  }
}

/** What is to be told of an interrupted round after an event, in the round with that number. */
function noticeAfter(event: TableEvent, number: number, before: View['notice']): View['notice'] {
  if (event.type === 'RoundVoided') return { kind: 'void', number, by: event.by, reason: event.reason };
  if (event.type === 'RoundResumed') return { kind: 'resumed', number, by: event.by, reason: '' };
  // A void is told a round longer, to whoever was away.
  if (event.type === 'BetsOpened' && !(before?.kind === 'void' && before.number + 1 === number)) return null;
  return before;
}

const turnOf = (table: Table) => ({ round: table.round?.id, ending: lastRound(table)?.ending });

function tileOf({ table, game, phase, round, stopped, big }: View): Tile {
  const betting = phase === 'betting' || phase === 'closing';
  return {
    table,
    game: game.version,
    name: game.name,
    phase,
    number: round?.number ?? null,
    closesAt: betting ? (round?.deadline ?? round?.closesAt ?? null) : null,
    winner: round?.winner ?? null,
    stopped: stopped?.kind ?? null,
    big,
  };
}

/** The slips of a round that is over become those that can be staked again. */
function putAside(slips: Iterable<readonly [string, Slip]>, again: Map<string, Slip>): void {
  for (const [terminal, slip] of slips) if (Object.keys(slip).length > 0) again.set(terminal, slip);
}
