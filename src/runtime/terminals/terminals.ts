import { terminalDecider } from '../../deciders/deciders.ts';
import { sessionOfAccount, terminalAccount } from '../../ledger/accounts.ts';
import { isRefused } from '../../base/refusal.ts';
import { commandFromRecord } from '../../store/commandRecord.ts';
import { type StoredPayload, type StoredEntry } from '../../store/store.ts';
import { type Table } from '../../table/state.ts';
import { type CashOutMethod } from '../../terminal/fieldTypes.ts';
import {
  type TerminalState,
  remainingSessionLimits,
  currentOrNextSessionId,
  newTerminalState,
  creditSessionId,
  terminalOfSession,
} from '../../terminal/state.ts';
import { terminalCommandContext } from '../money/terminalContext.ts';
import { cashOutCommands, createTerminalStaleReadPolicy } from '../money/freshReads.ts';
import { TerminalsBySecret } from './terminalsBySecret.ts';
import { floorActor } from '../../access/actor.ts';
import { DisputedPayouts } from '../money/disputedPayouts.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type CommandResult, type CommandContext } from '../stream/pendingCommand.ts';
import { type CommandRefusal, type UncheckedRefusal, cannotRecordRefusal } from '../stream/refusals.ts';
import { TerminalProcessors } from './terminalProcessors.ts';
import { type PropertyAndCurrency, type FloorDependencies } from '../ports/runtimeDependencies.ts';

/** A request to a terminal; the actor is the system unless the request names another actor. */
type TerminalRequest = { readonly type: string; readonly [field: string]: unknown };

/** All terminals of a floor: their bindings to secrets, their commands, and their credit. */
export class Terminals extends TerminalsBySecret {
  readonly #owner: PropertyAndCurrency;
  readonly #dependencies: FloorDependencies;
  readonly #balances: BalanceCache;
  readonly #tables: () => Iterable<Table>;
  readonly #disputedPayouts: DisputedPayouts;
  readonly processors: TerminalProcessors;
  /**
   * Committed state of each terminal in memory; undefined for a reserved terminal. Readers must not see the pending
   * state of a processor.
   */
  readonly #committed = new Map<string, TerminalState | undefined>();

  constructor(
    owner: PropertyAndCurrency,
    dependencies: FloorDependencies,
    balances: BalanceCache,
    tables: () => Iterable<Table>,
    readTables: () => Promise<void>,
  ) {
    super(owner, dependencies);
    this.#owner = owner;
    this.#dependencies = dependencies;
    this.#balances = balances;
    this.#tables = tables;
    this.#disputedPayouts = new DisputedPayouts(dependencies.store);
    const readTablesAndPayouts = async (): Promise<void> => {
      await readTables();
      await this.#disputedPayouts.refresh(this.#tables());
    };
    this.processors = new TerminalProcessors({
      dependencies,
      balances,
      streamOf: (terminal) => this.#streamOf(terminal),
      contextOf: (request, state) => this.#contextOf(request, state),
      staleReads: createTerminalStaleReadPolicy({
        store: dependencies.store,
        balances,
        owner,
        readTables: readTablesAndPayouts,
      }),
      accounts: (state) => [
        terminalAccount(owner, currentOrNextSessionId(state)),
        terminalAccount(owner, state.terminal, 'hand-pay'),
      ],
      onLoaded: (terminal, state) => this.#committed.set(terminal, state),
      publish: (terminal, entries) => this.#publish(terminal, entries),
    });
  }

  /**
   * Waits until this node has read the stream of a terminal up to `sequence`. A failure is only reported as a warning.
   */
  readUpTo(terminal: string, sequence: number): Promise<void> {
    this.register(terminal);
    return this.processors.readUpTo(terminal, sequence);
  }

  #streamOf(terminal: string): string {
    return `${this.#owner.property}/terminal/${terminal}`;
  }

  protected override setReserved(terminal: string, isReserved: boolean): void {
    if (isReserved) this.#committed.set(terminal, undefined);
    else this.#committed.delete(terminal);
  }

  /** True if the terminal never had credit. Precondition: the terminal is in memory. */
  isNew(terminal: string): boolean {
    return (this.#committed.get(terminal)?.sessions ?? 0) === 0;
  }

  /** Id of the current credit session of a terminal; undefined if the terminal is not in memory. */
  session(terminal: string): string | undefined {
    if (!this.#committed.has(terminal)) return undefined;
    const state = this.#committed.get(terminal);
    return state === undefined ? creditSessionId(terminal, 1) : currentOrNextSessionId(state);
  }

  /** Reason why a terminal is locked; null if the terminal is not locked or not in memory. */
  lockedBy(terminal: string): string | null {
    return this.#committed.get(terminal)?.locked ?? null;
  }

  /** Time since which a hand-pay of a terminal is due; undefined if none is due or the terminal is not in memory. */
  handPayDueSince(terminal: string): number | undefined {
    return this.#committed.get(terminal)?.handPayDue?.since;
  }

  /** The amounts that remain of the session limits; undefined if the session is not open or has no limits. */
  remainingLimits(session: string, credit: number): CommandContext | undefined {
    const state = this.#committed.get(terminalOfSession(session));
    const isPresent = state !== undefined && state.open && currentOrNextSessionId(state) === session;
    return isPresent ? remainingSessionLimits(state.limits, state.loaded, credit) : undefined;
  }

  /** Amount of the hand-pay that a terminal is still owed, in minor units. */
  handPayOwed(terminal: string): number {
    return this.#balances.balance(terminalAccount(this.#owner, terminal, 'hand-pay'));
  }

  /** Hand-pays of a terminal that have two signatures and that the cage has not paid yet. */
  signedAt(terminal: string): TerminalState['signed'] {
    return this.#committed.get(terminal)?.signed ?? {};
  }

  /** The open proposal for a hand-pay of a terminal; null if there is none or it has expired. */
  proposedAt(terminal: string): TerminalState['proposal'] {
    const proposal = this.#committed.get(terminal)?.proposal ?? null;
    return proposal !== null && proposal.expires >= this.#dependencies.clock() ? proposal : null;
  }

  /** Credit, open stakes and disputed money of a terminal, in minor units. */
  moneyOf(terminal: string): { readonly credit: number; readonly staked: number; readonly disputed: number } {
    const { staked = 0, disputed = 0 } = this.#contextOf(
      { type: 'CollectCredit', actor: floorActor },
      this.#committed.get(terminal),
    ) as { staked?: number; disputed?: number };
    return { credit: this.creditOf(terminal), staked, disputed };
  }

  /** All credit sessions with credit, whether open or ended. */
  *credits(): Generator<{ readonly terminal: string; readonly session: number; readonly amount: number }> {
    for (const [account, amount] of this.#balances.entries()) {
      const holder = amount > 0 ? sessionOfAccount(account) : undefined;
      if (holder === undefined) continue;
      const terminal = terminalOfSession(holder);
      yield { terminal, session: Number(holder.slice(terminal.length + 1)), amount };
    }
  }

  /**
   * Loads the terminal of a session, and with it the session limits; returns undefined if the terminal is in memory
   * already.
   */
  loading(session: string): Promise<unknown> | undefined {
    const terminal = terminalOfSession(session);
    return this.#committed.has(terminal) ? undefined : this.processors.processorOf(terminal);
  }

  creditOf(terminal: string): number {
    const session = this.session(terminal);
    return session === undefined ? 0 : this.#balances.balance(terminalAccount(this.#owner, session));
  }

  /** Credit of a session in minor units, and whether the session is open. [READING 60] */
  sessionCredit(session: string): { readonly credit: number; readonly open: boolean } {
    const state = this.#committed.get(terminalOfSession(session));
    const credit = Math.max(0, this.#balances.available(terminalAccount(this.#owner, session)));
    return { credit, open: state !== undefined && state.open && currentOrNextSessionId(state) === session };
  }

  /** Loads more demo credit. Repeated calls load the credit only once, until the terminal has another entry. */
  async refill(terminal: string, amount: number): Promise<CommandResult> {
    const { sequence } = await this.processors.processorOf(terminal);
    return this.submit(terminal, `refill/${terminal}/${sequence}`, { type: 'LoadCredit', method: 'promotion', amount });
  }

  protected override async startTerminal(terminal: string, credit: number): Promise<string | CommandRefusal> {
    const { property, currency } = this.#owner;
    const steps = [
      ['seat', { type: 'SeatTerminal', terminal, property, currency }],
      ['first', { type: 'LoadCredit', method: 'promotion', amount: credit }],
    ] as const;
    await this.processors.processorOf(terminal);
    // The committed state is read, because the pending state may show a step whose append fails. If a step is submitted
    // again while it is being appended, it is executed only once, because its command id is the same.
    const state = this.#committed.get(terminal);
    const done = state === undefined ? 0 : state.sessions === 0 ? 1 : 2;
    for (const [step, request] of steps.slice(done, credit === 0 ? 1 : 2)) {
      // The command id depends only on step and terminal, so that each step happens once.
      const result = await this.submit(terminal, `${step}/${terminal}`, request);
      if ('refused' in result) return result.refused === 'result-unknown' ? cannotRecordRefusal : result;
    }
    return terminal;
  }

  /** Loads a terminal; returns the id of its current credit session. */
  async open(terminal: string): Promise<string> {
    await this.processors.processorOf(terminal);
    return this.session(terminal) ?? creditSessionId(terminal, 1);
  }

  /** Loads a terminal; in a cluster, reads its new entries and its balances again. */
  async refresh(terminal: string): Promise<void> {
    const { cluster, store } = this.#dependencies;
    if (cluster === undefined) {
      await this.processors.processorOf(terminal);
      return;
    }
    await this.processors.readToEnd(terminal);
    const accounts = [
      terminalAccount(this.#owner, this.session(terminal) ?? terminal),
      terminalAccount(this.#owner, terminal, 'hand-pay'),
    ];
    for (const account of accounts) this.#balances.refresh(account, await store.balance(account));
  }

  /** Submits a command to a terminal. */
  async submit(
    terminal: string,
    id: string,
    request: TerminalRequest,
    context?: CommandContext,
  ): Promise<CommandResult> {
    const unseated = await this.seatFirst(terminal);
    if (unseated) return this.refuse(terminal, id, request, unseated);
    const processor = await this.processors.processorOf(terminal);
    // The payouts of disputed rounds are read before a cash-out; in a cluster the stale-read policy does this.
    const isReadByPolicy = this.#dependencies.cluster !== undefined || !cashOutCommands.has(request.type);
    const refreshing = isReadByPolicy ? undefined : this.#disputedPayouts.refresh(this.#tables());
    if (refreshing) await refreshing;
    return processor.submit(id, { actor: floorActor, ...request }, this.#dependencies.clock(), context);
  }

  /** Pays out the whole credit, which ends the credit session. [READING 60] */
  collect(terminal: string, id: string, method: CashOutMethod): Promise<CommandResult> {
    return this.submit(terminal, id, { type: 'CollectCredit', method });
  }

  /** Ends a credit session that has no credit. Repeated calls end the session only once. [READING 60] */
  async endSession(terminal: string): Promise<CommandResult> {
    const { sequence } = await this.processors.processorOf(terminal);
    return this.submit(terminal, `end/${terminal}/${sequence}`, { type: 'EndSession' });
  }

  /** Finds the first result of a stored command; undefined if the command is not stored. */
  async findResult(terminal: string, id: string, request: TerminalRequest): Promise<CommandResult | undefined> {
    return (await this.processors.processorOf(terminal)).findResult(id, { actor: floorActor, ...request });
  }

  /**
   * Answers a command that was refused before `submit`: with its stored result if the command is stored, else with the
   * refusal.
   */
  async refuse(
    terminal: string,
    id: string,
    request: TerminalRequest,
    refusal: UncheckedRefusal,
  ): Promise<CommandResult> {
    return (await this.processors.processorOf(terminal)).refuse(id, { actor: floorActor, ...request }, refusal);
  }

  /** Finds the entries of a stored command; an empty list if the command is not stored. */
  async findEntries(terminal: string, id: string): Promise<readonly StoredEntry[]> {
    return (await this.processors.processorOf(terminal)).findEntries(id);
  }

  /** Number, start, loads and limits of the open credit session; undefined if no session is open. */
  openSession(terminal: string): Pick<TerminalState, 'sessions' | 'since' | 'loaded' | 'limits'> | undefined {
    const state = this.#committed.get(terminal);
    return state?.open ? state : undefined;
  }

  /** The refusal that a collect would get now; undefined if it would be accepted. [ETG layout-1] */
  collectRefusal(terminal: string): CommandRefusal | undefined {
    return this.refusalOf(terminal, { type: 'IssueTicket', ticket: '0'.repeat(32) });
  }

  /**
   * Decides a command without storing anything. Returns the refusal that the command would get now; undefined if it
   * would be accepted.
   */
  refusalOf(terminal: string, request: TerminalRequest): CommandRefusal | undefined {
    const now = this.#dependencies.clock();
    const state = this.#committed.get(terminal) ?? newTerminalState({ ...this.#owner, terminal, at: now });
    const fullRequest = { actor: floorActor, ...request };
    const command = terminalDecider.parseCommand(
      commandFromRecord(
        { request: fullRequest, context: this.#contextOf(fullRequest, state) },
        Math.max(now, state.at),
      ),
    );
    if (isRefused(command)) return { ...command, by: null };
    const decision = terminalDecider.decide(command, state);
    return isRefused(decision) ? decision : undefined;
  }

  #contextOf(request: StoredPayload, state: TerminalState | undefined): CommandContext {
    const { handPayLimit } = this.#dependencies;
    return terminalCommandContext(
      request,
      state,
      this.#balances,
      this.#owner,
      this.#tables(),
      this.#disputedPayouts,
      handPayLimit,
    );
  }

  #publish(terminal: string, entries: readonly StoredEntry[]): void {
    const { evolve, parseEvent } = terminalDecider;
    const before = this.#committed.get(terminal);
    this.#committed.set(
      terminal,
      entries.reduce((state, { event }) => evolve(state, parseEvent(event)), before),
    );
    this.#dependencies.onTerminalChanged?.(terminal);
  }
}
