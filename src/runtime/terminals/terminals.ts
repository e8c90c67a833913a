import { terminalDecider } from '../../deciders/deciders.ts';
import { sessionOfAccount, terminalAccount } from '../../ledger/accounts.ts';
import { isRefused } from '../../base/refusal.ts';
import { decodeCommand } from '../../store/commandRecord.ts';
import { type StoredRequest, type StoredEntry } from '../../store/store.ts';
import { type Table } from '../../table/state.ts';
import { type CashOutMethod } from '../../terminal/fieldTypes.ts';
import {
  type TerminalState,
  remainingLimits,
  currentSession,
  seatedTerminal,
  sessionId,
  terminalOfSession,
} from '../../terminal/state.ts';
import { terminalContext } from '../money/commandContext.ts';
import { cashOutCommands, terminalGuess } from '../money/freshReads.ts';
import { TerminalBindings } from './terminalBindings.ts';
import { floorPost } from '../tables/pacing.ts';
import { DisputedPayouts } from '../money/disputedPayouts.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type CommandResult, type Brought, type Denied, cannotRecord } from '../stream/pendingCommand.ts';
import { TerminalRunners } from './terminalProcessors.ts';
import { type Owner, type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

/** The terminals of a floor: who is linked to which, and the credit of each as a stream of its own. */
export class Terminals extends TerminalBindings {
  readonly #owner: Owner;
  readonly #world: RuntimeDependencies;
  readonly #purse: BalanceCache;
  /** Every table as it stands, for what is at stake there. */
  readonly #tables: () => Iterable<Table>;
  readonly #paid: DisputedPayouts;
  readonly runners: TerminalRunners;
  /** Each terminal as the record has it. What decides runs ahead while it writes, and nobody may see that. */
  readonly #written = new Map<string, TerminalState | undefined>();

  constructor(
    owner: Owner,
    world: RuntimeDependencies,
    purse: BalanceCache,
    tables: () => Iterable<Table>,
    readTables: () => Promise<void>,
  ) {
    super(owner, world);
    this.#owner = owner;
    this.#world = world;
    this.#purse = purse;
    this.#tables = tables;
    this.#paid = new DisputedPayouts(world.store);
    const look = async (): Promise<void> => {
      await readTables();
      await this.#paid.look(this.#tables());
    };
    this.runners = new TerminalRunners({
      world,
      purse,
      streamOf: (terminal) => this.#streamOf(terminal),
      brings: (asked, state) => this.#broughtTo(asked, state),
      guess: terminalGuess({ store: world.store, purse, owner, look }),
      accounts: (state) => [
        terminalAccount(owner, currentSession(state)),
        terminalAccount(owner, state.terminal, 'hand-pay'),
      ],
      loaded: (terminal, state) => this.#written.set(terminal, state),
      publish: (terminal, entries) => this.#publish(terminal, entries),
    });
  }

  /** Something was written of a terminal elsewhere: resolves once it has been read up to there. */
  heard(terminal: string, sequence: number): Promise<void> {
    this.use(terminal);
    return this.runners.heard(terminal, sequence);
  }

  #streamOf(terminal: string): string {
    return `${this.#owner.property}/terminal/${terminal}`;
  }

  /** Nothing is written of a terminal, and that is known of it; or it is forgotten. */
  protected override held(terminal: string, isHeld: boolean): void {
    if (isHeld) this.#written.set(terminal, undefined);
    else this.#written.delete(terminal);
  }

  /** Whether credit has never come to a terminal. */
  isNew(terminal: string): boolean {
    return (this.#written.get(terminal)?.sessions ?? 0) === 0;
  }

  /** The session that a terminal plays in; undefined before it was ever asked for. */
  session(terminal: string): string | undefined {
    if (!this.#written.has(terminal)) return undefined;
    const state = this.#written.get(terminal);
    return state === undefined ? sessionId(terminal, 1) : currentSession(state);
  }

  /** Why a terminal is out of use, if it is. */
  lockedBy(terminal: string): string | null {
    return this.#written.get(terminal)?.locked ?? null;
  }

  /** When something was last written of a terminal itself; undefined where that was never asked for. */
  movedAt(terminal: string): number | undefined {
    return this.#written.get(terminal)?.at;
  }

  /** What the patron of a session has set, as far as it holds. */
  careOf(session: string, credit: number): Brought | undefined {
    const state = this.#written.get(terminalOfSession(session));
    const isPresent = state !== undefined && state.open && currentSession(state) === session;
    return isPresent ? remainingLimits(state.limits, state.loaded, credit) : undefined;
  }

  /** What waits to be paid by hand at a terminal. */
  owedAt(terminal: string): number {
    return this.#purse.balance(terminalAccount(this.#owner, terminal, 'hand-pay'));
  }

  /** What two persons have signed at a terminal, and the cage has still to pay. */
  signedAt(terminal: string): TerminalState['signed'] {
    return this.#written.get(terminal)?.signed ?? {};
  }

  /** What one person has proposed to be paid by hand at a terminal, while a second may sign it. */
  proposedAt(terminal: string): TerminalState['proposal'] {
    const proposal = this.#written.get(terminal)?.proposal ?? null;
    return proposal !== null && proposal.expires >= this.#world.clock() ? proposal : null;
  }

  /** The credit of a terminal, and what of it stands or may be taken back. */
  moneyOf(terminal: string): { readonly credit: number; readonly staked: number; readonly inQuestion: number } {
    const { staked = 0, inQuestion = 0 } = this.#broughtTo(
      { type: 'CollectCredit', who: floorPost },
      this.#written.get(terminal),
    ) as { staked?: number; inQuestion?: number };
    return { credit: this.creditOf(terminal), staked, inQuestion };
  }

  /** Every session that has credit, whether it goes on or not. */
  *credits(): Generator<{ readonly terminal: string; readonly session: number; readonly amount: number }> {
    for (const [account, amount] of this.#purse.all()) {
      const holder = amount > 0 ? sessionOfAccount(account) : undefined;
      if (holder === undefined) continue;
      const terminal = terminalOfSession(holder);
      yield { terminal, session: Number(holder.slice(terminal.length + 1)), amount };
    }
  }

  /** Resolves once it is known what the patron of a session has set; undefined where it is already. */
  reading(session: string): Promise<unknown> | undefined {
    const terminal = terminalOfSession(session);
    return this.#written.has(terminal) ? undefined : this.runners.of(terminal);
  }

  creditOf(terminal: string): number {
    const session = this.session(terminal);
    return session === undefined ? 0 : this.#purse.balance(terminalAccount(this.#owner, session));
  }

  /** What a session that has played still has, and whether it goes on. [READING 60] */
  creditIn(session: string): { readonly credit: number; readonly open: boolean } {
    const state = this.#written.get(terminalOfSession(session));
    const credit = Math.max(0, this.#purse.available(terminalAccount(this.#owner, session)));
    return { credit, open: state !== undefined && state.open && currentSession(state) === session };
  }

  /** Credit is given again: once, however often that is asked before anything else has happened to the terminal. */
  async refill(terminal: string, amount: number): Promise<CommandResult> {
    const { sequence } = await this.runners.of(terminal);
    return this.submit(terminal, `refill/${terminal}/${sequence}`, { type: 'LoadCredit', way: 'promotion', amount });
  }

  protected override async begun(terminal: string, credit: number): Promise<string | Denied> {
    const { property, currency } = this.#owner;
    const steps = [
      ['seat', { type: 'SeatTerminal', terminal, property, currency }],
      ['first', { type: 'LoadCredit', way: 'promotion', amount: credit }],
    ] as const;
    const { state } = await this.runners.of(terminal);
    const done = state === undefined ? 0 : state.sessions === 0 ? 1 : 2;
    for (const [step, asked] of steps.slice(done, credit === 0 ? 1 : 2)) {
      // Under an id that makes it happen once.
      const answered = await this.submit(terminal, `${step}/${terminal}`, asked);
      if ('refused' in answered) return answered.refused === 'result-unknown' ? cannotRecord : answered;
    }
    return terminal;
  }

  /** Comes back from its record; gives the session that it plays in. */
  async open(terminal: string): Promise<string> {
    await this.runners.of(terminal);
    return this.session(terminal) ?? sessionId(terminal, 1);
  }

  /** The same as the record has it at this moment, where other nodes write there too. */
  async fresh(terminal: string): Promise<void> {
    const { shared, store } = this.#world;
    if (shared === undefined) {
      await this.runners.of(terminal);
      return;
    }
    await this.runners.fresh(terminal);
    const accounts = [
      terminalAccount(this.#owner, this.session(terminal) ?? terminal),
      terminalAccount(this.#owner, terminal, 'hand-pay'),
    ];
    for (const account of accounts) this.#purse.refresh(account, await store.balance(account));
  }

  /** Asks something of a terminal's credit: in the name of the floor, unless somebody else is named. */
  async submit(
    terminal: string,
    id: string,
    asked: { readonly type: string; readonly [field: string]: unknown },
    brought?: Brought,
  ): Promise<CommandResult> {
    const unseated = await this.seatFirst(terminal);
    if (unseated) return unseated;
    const runner = await this.runners.of(terminal);
    // What comes in order is asked in order, unless the record is to be looked at first.
    const isRead = this.#world.shared !== undefined || !cashOutCommands.has(asked.type);
    const looking = isRead ? undefined : this.#paid.look(this.#tables());
    if (looking) await looking;
    return runner.submit(id, { who: floorPost, ...asked }, this.#world.clock(), brought);
  }

  /** The whole credit goes out, and the session ends. [READING 60] */
  collect(terminal: string, id: string, way: CashOutMethod): Promise<CommandResult> {
    return this.submit(terminal, id, { type: 'CollectCredit', way });
  }

  /** A session that has nothing left ends, once; what would be left in it is not touched. [READING 60] */
  async end(terminal: string): Promise<CommandResult> {
    const { sequence } = await this.runners.of(terminal);
    return this.submit(terminal, `end/${terminal}/${sequence}`, { type: 'EndSession' });
  }

  /** The first answer to a command that is in the record; undefined for any other. */
  async known(terminal: string, id: string, asked: StoredRequest): Promise<CommandResult | undefined> {
    return (await this.runners.of(terminal)).known(id, asked);
  }

  /** What the record holds of a command; nothing where it is not there. */
  async recorded(terminal: string, id: string): Promise<readonly StoredEntry[]> {
    return (await this.runners.of(terminal)).recorded(id);
  }

  /** When a terminal's session began, what was loaded in it and what limits it; undefined while none goes on. */
  goingOn(terminal: string): Pick<TerminalState, 'sessions' | 'since' | 'loaded' | 'limits'> | undefined {
    const state = this.#written.get(terminal);
    return state?.open ? state : undefined;
  }

  /** Why COLLECT does not work now, if it does not. [ETG layout-1] */
  uncollectable(terminal: string): Denied | undefined {
    return this.refusalOf(terminal, { type: 'IssueTicket', ticket: '0'.repeat(32) });
  }

  /** Why something would be refused of a terminal by what is written; undefined where it would not be. Nothing is written. */
  refusalOf(terminal: string, asked: { readonly type: string; readonly [field: string]: unknown }): Denied | undefined {
    const now = this.#world.clock();
    const state = this.#written.get(terminal) ?? seatedTerminal({ ...this.#owner, terminal, at: now });
    const whole = { who: floorPost, ...asked };
    const command = terminalDecider.commandFrom(
      decodeCommand({ asked: whole, brought: this.#broughtTo(whole, state) }, Math.max(now, state.at)),
    );
    if (isRefused(command)) return { ...command, by: null };
    const decision = terminalDecider.decide(command, state);
    return isRefused(decision) ? decision : undefined;
  }

  #broughtTo(asked: StoredRequest, state: TerminalState | undefined): Brought {
    const { handPay } = this.#world;
    return terminalContext(asked, state, this.#purse, this.#owner, this.#tables(), this.#paid, handPay);
  }

  #publish(terminal: string, entries: readonly StoredEntry[]): void {
    const { evolve, eventFrom } = terminalDecider;
    const before = this.#written.get(terminal);
    this.#written.set(
      terminal,
      entries.reduce((state, { event }) => evolve(state, eventFrom(event)), before),
    );
    this.#world.credited?.(terminal);
  }
}
