import { terminalOf } from '../ledger/accounts.ts';
import { paidOn, totalOn } from '../table/money.ts';
import { type Ending } from '../table/money.ts';
import { type Slip } from '../table/declare/kinds.ts';
import { type Table } from '../table/table.ts';
import { publicView } from '../table/show/views.ts';
import { type StoredEntry } from '../store/store.ts';
import { type OwnView, type Tile, type View } from '../wire/views.ts';

/** What a change of the record means for those who watch. */
export type Change = {
  /** Terminals whose slip or credit has changed, wherever they sit. */
  readonly terminals: ReadonlySet<string>;
  /** Everyone at the table sees something else of themselves: another round, or what the round came to. */
  readonly turned: boolean;
  /** Nothing but stakes has moved. */
  readonly stakesOnly: boolean;
};

/**
 * What has been written of one table, ready to be shown. It is brought up to date when the record has grown and at no other
 * time: while a batch is being written the table itself runs ahead of the record.
 */
export class Shown {
  readonly id: string;
  /** Counts the changes of what everyone sees. */
  version = 0;
  tile!: Tile;
  #texts = new Map<keyof View, string>();
  #whole: string | undefined;
  #changed: (keyof View)[] = [];
  #totals: View['staked'] = {};
  #notice: View['notice'] = null;
  #slips = new Map<string, Slip>();
  #again = new Map<string, Slip>();
  #round: { readonly id: string; readonly number: number } | null = null;
  #ending: Ending | null = null;

  constructor(table: Table) {
    this.id = table.setting.table;
    this.#slips = new Map(Object.entries(table.round?.slips ?? {}));
    this.#take(table);
    this.#changed = [];
  }

  /** Takes in what was written, and says whom it concerns. */
  add(entries: readonly StoredEntry[], table: Table): Change {
    const terminals = new Set<string>();
    let stakesOnly = true;
    for (const { event, postings } of entries) {
      for (const { from, to } of postings) {
        for (const terminal of [terminalOf(from), terminalOf(to)]) if (terminal !== undefined) terminals.add(terminal);
      }
      if (event.type === 'SlipSet') {
        const terminal = event['terminal'] as string;
        this.#slips.set(terminal, event['slip'] as Slip);
        terminals.add(terminal);
        continue;
      }
      stakesOnly = false;
      const number = table.round?.number ?? 0;
      if (event.type === 'BetsOpened') this.#turnPage(number);
      if (event.type === 'RoundVoided') {
        this.#notice = { kind: 'void', number, by: event['by'] as string, reason: event['reason'] as string };
      } else if (event.type === 'RoundResumed') {
        this.#notice = { kind: 'resumed', number, by: event['by'] as string, reason: '' };
      }
    }
    const before = { round: this.#round?.id, ending: this.#ending };
    if (stakesOnly) this.#totals = structuredClone(table.round?.totals ?? {});
    else this.#take(table);
    const turned = before.round !== this.#round?.id || before.ending !== this.#ending;
    return { terminals, turned, stakesOnly };
  }

  /** What could be staked again before the program was started: from entries that were shown in an earlier life. */
  recall(entries: readonly StoredEntry[]): void {
    const slips = new Map<string, Slip>();
    const again = new Map<string, Slip>();
    for (const { event } of entries) {
      if (event.type === 'SlipSet') slips.set(event['terminal'] as string, event['slip'] as Slip);
      else if (event.type === 'BetsOpened') putAside(slips, again);
    }
    this.#again = new Map([...again, ...this.#again]);
  }

  /** The table cannot go on. */
  stop(): string | undefined {
    this.#put('stopped', { kind: 'broken', by: null });
    this.tile = { ...this.tile, stopped: true };
    return this.change();
  }

  /** The message with what has changed since the last one; undefined when nothing has. Made once for all. */
  change(): string | undefined {
    this.#put('staked', this.#totals);
    if (this.#changed.length === 0) return undefined;
    this.version += 1;
    this.#whole = undefined;
    const text = this.#message(false, this.#changed);
    this.#changed = [];
    return text;
  }

  /** The message with everything, as of the last change. */
  whole(): string {
    return (this.#whole ??= this.#message(true, [...this.#texts.keys()]));
  }

  /** What a terminal sees of itself, with its credit. */
  own(terminal: string, credit: number): OwnView {
    const slip = this.#slips.get(terminal) ?? {};
    const paid = this.#ending && paidOn(slip, this.#ending);
    return {
      terminal,
      credit,
      round: this.#round,
      slip: { ...slip },
      stake: totalOn(slip),
      again: { ...this.#again.get(terminal) },
      paid: paid && [...paid],
    };
  }

  /** A new round: what was staked in the last one can be staked again. A void is told a round longer, to whoever was away. */
  #turnPage(number: number): void {
    putAside(this.#slips, this.#again);
    if (this.#notice?.kind !== 'void' || this.#notice.number + 1 !== number) this.#notice = null;
  }

  #take(table: Table): void {
    const { round, stopped, referred, roads, ...rest } = publicView(table);
    this.#totals = structuredClone(table.round?.totals ?? {});
    const { staked: _, ...played } = round ?? { staked: null };
    const view: Omit<View, 'staked'> = {
      table: rest.table,
      currency: rest.currency,
      game: rest.game,
      layout: rest.layout,
      tray: [...rest.tray],
      step: rest.step,
      totalMinimum: rest.totalMinimum,
      phase: rest.phase,
      call: rest.call,
      round: round && (played as unknown as View['round']),
      shoe: rest.shoe,
      stopped: stopped ?? (referred && { kind: 'referred', by: referred.by }),
      notice: this.#notice,
      bead: roads.bead,
      big: roads.big,
    };
    for (const [field, value] of Object.entries(view)) this.#put(field as keyof View, value);
    this.#put('staked', this.#totals);
    this.#round = round && { id: round.id, number: round.number };
    this.#ending = table.phase === 'idle' ? (table.round?.ending ?? null) : null;
    const betting = view.phase === 'betting' || view.phase === 'closing';
    this.tile = {
      table: view.table,
      name: view.game.name,
      phase: view.phase,
      number: round?.number ?? null,
      closesAt: betting ? (round?.deadline ?? round?.closesAt ?? null) : null,
      winner: round?.winner ?? null,
      stopped: view.stopped !== null,
      big: roads.big,
    };
  }

  #put(field: keyof View, value: unknown): void {
    const text = JSON.stringify(value);
    if (this.#texts.get(field) === text) return;
    this.#texts.set(field, text);
    this.#whole = undefined;
    if (!this.#changed.includes(field)) this.#changed.push(field);
  }

  #message(whole: boolean, fields: readonly (keyof View)[]): string {
    const view = fields.map((field) => `"${field}":${this.#texts.get(field)!}`).join(',');
    return `{"type":"table","table":"${this.id}","version":${this.version},"whole":${whole},"view":{${view}}}`;
  }
}

/** The slips of a round that is over become those that can be staked again. */
function putAside(slips: Map<string, Slip>, again: Map<string, Slip>): void {
  for (const [terminal, slip] of slips) if (Object.keys(slip).length > 0) again.set(terminal, slip);
  slips.clear();
}
