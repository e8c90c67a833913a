import { type Metrics } from '../../metrics/metrics.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type CommandResult, type Denied, reused, revoked, unknown } from '../../runtime/stream/pendingCommand.ts';
import { type TableRuntime } from '../../runtime/tables/tableRuntime.ts';
import { isRefused, refuse } from '../../base/refusal.ts';
import { areSameStakes } from '../../rules/stakes.ts';
import { terminalOfSession } from '../../terminal/state.ts';
import { type ClientMessageOf } from '../../wire/messages.ts';
import { type Connection } from '../socket/patronConnection.ts';
import { Allowances, type ServerLimits } from '../limits/serverLimits.ts';

type Refused = { readonly refused: string; readonly message: string; readonly by?: string | null };

type Parts = {
  readonly clock: () => number;
  readonly limits: ServerLimits;
  readonly credit: number | null;
  readonly gauges: Metrics;
  readonly isClosing: () => boolean;
  readonly trouble: (what: string, error: unknown) => void;
};

/** A slip on its way to its table, and those who wait for the answer: more than one where it was sent again. */
type Ask = {
  readonly said: ClientMessageOf<'slip'>;
  readonly table: TableRuntime;
  readonly terminal: string;
  readonly secretHash: string;
  readonly arrived: number;
  readonly askers: Connection[];
};

/**
 * The slips of one terminal for one round of a table. One is with the table at a time; of those that come meanwhile the
 * last waits, and is all that is written of them.
 */
type Line = {
  isBusy: boolean;
  waiting: Ask | undefined;
  /** The ids of all that came, and of those that a later one took the place of. */
  readonly ids: Set<string>;
  readonly superseded: Set<string>;
  /** The ids of slips without a stake that came before the first bet, of which nothing is written. */
  readonly empty: Set<string>;
};

/** Slips between those who send them and the tables. */
export class SlipQueue {
  readonly #parts: Parts;
  readonly #floor: FloorRuntime;
  readonly #writes: Allowances;
  /** The lines at each table, by terminal, for the round that is played there. */
  readonly #rounds = new Map<string, { readonly round: string | undefined; readonly lines: Map<string, Line> }>();

  constructor(parts: Parts, floor: FloorRuntime) {
    this.#parts = parts;
    this.#floor = floor;
    this.#writes = new Allowances(parts.limits.writes, parts.limits.writesPerSecond);
  }

  /** Takes a slip; whoever sent it is answered in time. */
  take(connection: Connection, said: ClientMessageOf<'slip'>, table: TableRuntime, arrived: number): void {
    const { terminal, secretHash, address } = connection;
    const ask = { said, table, terminal: terminal!, secretHash: secretHash!, arrived, askers: [connection] };
    if (connection.table !== table.id) return this.#refuse(ask, notThere);
    // What is for another round leads to nothing new, but may have been answered before.
    const line = this.#lineOf(ask);
    if (line === undefined) return void this.#ask(ask);
    if (line.superseded.has(said.id)) return this.#refuse(ask, superseded);
    if (line.ids.has(said.id)) return this.#takeAgain(ask, line);
    const { slipsPerRound } = this.#parts.limits;
    if (line.ids.size >= slipsPerRound) return this.#refuse(ask, tooManyIn(slipsPerRound));
    if (!this.spend(address)) return this.#refuse(ask, tooManyFrom);
    line.ids.add(said.id);
    if (!line.isBusy) return void this.#work(line, ask);
    const before = line.waiting;
    line.waiting = ask;
    if (before === undefined) return undefined;
    line.superseded.add(before.said.id);
    return this.#refuse(before, superseded);
  }

  /** Whether one more may be written for an address; then it is counted. */
  spend(address: string): boolean {
    return this.#writes.spend(address, this.#parts.clock());
  }

  #lineOf(ask: Ask): Line | undefined {
    const { table, terminal } = ask;
    const round = table.table.round?.id;
    let now = this.#rounds.get(table.id);
    if (now === undefined || now.round !== round) {
      now = { round, lines: new Map() };
      this.#rounds.set(table.id, now);
    }
    if (!isForNow(ask)) return undefined;
    let line = now.lines.get(terminal);
    if (line === undefined) {
      line = { isBusy: false, waiting: undefined, ids: new Set(), superseded: new Set(), empty: new Set() };
      now.lines.set(terminal, line);
    }
    return line;
  }

  /** Sent again while it waits, it is answered with the first; otherwise the table knows it by its id. */
  #takeAgain(ask: Ask, { waiting, empty }: Line): void {
    const { id, slip } = ask.said;
    const isWaiting = waiting?.said.id === id && areSameStakes(waiting.said.slip, slip);
    if (isWaiting) waiting.askers.push(...ask.askers);
    else if (empty.has(id)) void this.#answer(ask, async () => (isEmpty(slip) ? nothingTaken : reused));
    else void this.#ask(ask);
  }

  async #work(line: Line, first: Ask): Promise<void> {
    line.isBusy = true;
    for (let next: Ask | undefined = first; next !== undefined; next = line.waiting) {
      line.waiting = undefined;
      await this.#ask(next);
    }
    line.isBusy = false;
  }

  #ask(ask: Ask): Promise<void> {
    return this.#answer(ask, () => this.#decided(ask));
  }

  /** Says no, unless it was said yes before: then that stands. */
  #refuse(ask: Ask, why: Refused): void {
    void this.#answer(ask, async () => (await this.#known(ask)) ?? why);
  }

  async #answer(
    { said: { id, round, slip }, arrived, askers }: Ask,
    answering: () => Promise<CommandResult | Refused>,
  ): Promise<void> {
    const answered = await answering().catch((error: unknown): Refused => {
      this.#parts.trouble('a slip', error);
      // It may be in the record since it was sent before: asked again with the same id, it is told.
      return unknown;
    });
    const { clock, gauges } = this.#parts;
    gauges.answered('slip', isRefused(answered), clock() - arrived);
    for (const asker of askers) {
      if (isRefused(answered)) asker.refuse(answered, id);
      else asker.tell({ type: 'accepted', id, round, slip });
    }
  }

  async #decided(ask: Ask): Promise<CommandResult | Refused> {
    const { terminals } = this.#floor;
    const { table, terminal, arrived } = ask;
    const session = await this.#sessionOf(ask);
    const locked = terminals.lockedBy(terminal);
    const barred = locked !== null ? lockedBy(locked) : this.#parts.isClosing() ? closing : undefined;
    if (barred) return (await this.#known(ask)) ?? barred;
    const unbegun = terminals.isNew(terminal) ? await this.#begun(ask, session) : undefined;
    if (unbegun) return unbegun;
    const answered = await table.submit(idOf(ask), askedBy(session, ask), arrived);
    return isReused(answered) ? ((await this.#known(ask)) ?? answered) : answered;
  }

  /**
   * The first bet that a table takes is what a terminal begins with in the record: what is refused, and a slip without a
   * stake, writes nothing. Gives the answer where it comes to that.
   */
  async #begun(ask: Ask, session: string): Promise<CommandResult | undefined> {
    const { terminals } = this.#floor;
    const { said, table, terminal, secretHash, arrived } = ask;
    // By a table that cannot record, and for another round, nothing is taken anyway.
    if (!isForNow(ask) || !table.runner.canRecord) return undefined;
    if (terminals.of(secretHash) !== terminal) return revoked;
    const credit = this.#parts.credit ?? 0;
    const refusal = table.refusalOf(askedBy(session, ask), arrived, { credit });
    if (refusal) return refusal;
    if (isEmpty(said.slip)) {
      this.#lineOf(ask)?.empty.add(said.id);
      return nothingTaken;
    }
    const begun = await terminals.begin(terminal, credit);
    return typeof begun === 'string' ? undefined : begun;
  }

  /** The first answer to a slip that is in the record, be it by a session that has ended since. */
  async #known(ask: Ask): Promise<CommandResult | undefined> {
    const { table, terminal } = ask;
    const session = await this.#sessionOf(ask);
    const answered = await table.known(idOf(ask), askedBy(session, ask));
    if (answered === undefined || !isReused(answered)) return answered;
    const [first] = await table.recorded(idOf(ask));
    const holder = first?.event['terminal'];
    if (typeof holder !== 'string' || holder === session || terminalOfSession(holder) !== terminal) return answered;
    return table.known(idOf(ask), askedBy(holder, ask));
  }

  async #sessionOf({ terminal }: Ask): Promise<string> {
    const { terminals } = this.#floor;
    return terminals.session(terminal) ?? terminals.open(terminal);
  }
}

/** Whether a slip is for the round that is played. */
const isForNow = ({ said, table }: Ask): boolean => said.round === table.table.round?.id;

const isEmpty = (slip: ClientMessageOf<'slip'>['slip']): boolean => Object.keys(slip).length === 0;

/** What is said to a slip without a stake of a terminal that nobody has bet at: it stands, and needs no entry. */
const nothingTaken: CommandResult = { entries: [] };

/** Ids of different terminals never meet, so that nobody can use up another's. */
const idOf = ({ said, terminal }: Ask): string => `${said.id}/${terminal}`;

const askedBy = (session: string, { said: { round, slip } }: Ask) =>
  ({ type: 'SetSlip', who: { terminal: session }, round, slip }) as const;

const isReused = (answered: CommandResult): answered is Denied =>
  isRefused(answered) && answered.refused === 'command-reused';

export const closing = refuse<'server-closing'>('server-closing', 'The server is closing and takes no more bets.');

const notThere = refuse<'not-seated'>('not-seated', 'You do not sit at that table; sit down there first.');

const superseded = refuse<'superseded'>(
  'superseded',
  'A later slip of this terminal came before this one was looked at; the later one counts.',
);

const tooManyIn = (most: number): Refused =>
  refuse<'too-many-slips'>(
    'too-many-slips',
    `A terminal sends ${most} slips for a round at most; what stands stays, wait for the next round.`,
  );

const tooManyFrom = refuse<'too-many-slips'>(
  'too-many-slips',
  'Too many slips come from your address; what stands stays, wait a moment and try again.',
);

const lockedBy = (reason: string): Refused =>
  refuse<'terminal-locked'>('terminal-locked', `The terminal is locked (${reason}); call the staff.`);
