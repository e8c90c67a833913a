import { terminalDecider } from '../ledger/accounted.ts';
import { holderOf, terminalAccount } from '../ledger/accounts.ts';
import { isRefused, quoted } from '../rules/refusal.ts';
import { commandOf } from '../store/asked.ts';
import { type Asked, type StoredEntry } from '../store/store.ts';
import { isFinal } from '../store/trouble.ts';
import { type Table } from '../table/table.ts';
import { type WayOut } from '../terminal/declare.ts';
import { type Terminal, careOf, presentSession, seatedTerminal, sessionOf, terminalIn } from '../terminal/terminal.ts';
import { broughtToTerminal } from './brings.ts';
import { paysOut, terminalGuess } from './guesses.ts';
import { Finding, Links } from './links.ts';
import { floorPost } from './pace.ts';
import { PaidBehind } from './paid.ts';
import { type Purse } from './purse.ts';
import { type Answered, type Brought, type Denied, cannotRecord, revoked } from './answers.ts';
import { TerminalRunners } from './terminalRunners.ts';
import { type Owner, type World } from './world.ts';

/** The terminals of a floor: who is linked to which, and the credit of each as a stream of its own. */
export class Terminals {
  readonly #owner: Owner;
  readonly #world: World;
  readonly #purse: Purse;
  /** Every table as it stands, for what is at stake there. */
  readonly #tables: () => Iterable<Table>;
  readonly #paid: PaidBehind;
  readonly runners: TerminalRunners;
  /** Each terminal as the record has it. What decides runs ahead while it writes, and nobody may see that. */
  readonly #written = new Map<string, Terminal | undefined>();
  readonly links: Links;
  readonly #linking = new Map<string, Promise<string | Denied>>();
  /** Terminals of which nothing is written yet, by the hash of the secret that they are for, and the other way round. */
  readonly #reserved = new Map<string, string>();
  readonly #reservedFor = new Map<string, string>();
  /** The last secret that such a terminal was for before; it is dead, and that is not written either. */
  readonly #formerly = new Map<string, string>();
  readonly #dead = new Set<string>();
  /** The highest number that a terminal was ever given. */
  #numbers = 0;
  /** All that are linked, or of which something is written. */
  readonly #names = new Set<string>();

  constructor(
    owner: Owner,
    world: World,
    purse: Purse,
    tables: () => Iterable<Table>,
    readTables: () => Promise<void>,
  ) {
    this.#owner = owner;
    this.#world = world;
    this.#purse = purse;
    this.#tables = tables;
    this.links = new Links(world.store, world.key);
    this.#paid = new PaidBehind(world.store);
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
        terminalAccount(owner, presentSession(state)),
        terminalAccount(owner, state.terminal, 'hand-pay'),
      ],
      loaded: (terminal, state) => this.#written.set(terminal, state),
      publish: (terminal, entries) => this.#publish(terminal, entries),
    });
  }

  /** Who is linked to which terminal, from the store. */
  async load(): Promise<void> {
    for (const terminal of await this.links.load()) {
      const message =
        'a link to it was not written with the key of the record and is not followed; find out who wrote to the folder.';
      this.#world.trouble(`terminal ${quoted(terminal)}`, new Finding(message));
    }
    for (const terminal of this.links.terminals()) this.#use(terminal);
    // Nobody is given a terminal that somebody else has played at, whatever became of the links.
    const prefix = this.#streamOf('');
    for (const stream of await this.#world.store.streams()) {
      if (stream.startsWith(prefix)) this.#use(stream.slice(prefix.length));
    }
  }

  #streamOf(terminal: string): string {
    return `${this.#owner.property}/terminal/${terminal}`;
  }

  /** Something was written of a terminal elsewhere: resolves once it has been read up to there. */
  heard(terminal: string, sequence: number): Promise<void> {
    this.#use(terminal);
    return this.runners.heard(terminal, sequence);
  }

  /** A number that is taken is not given again. */
  #use(terminal: string): void {
    this.#names.add(terminal);
    const [, number = 0] = /^T(\d+)$/.exec(terminal) ?? [];
    this.#numbers = Math.max(this.#numbers, Number(number));
  }

  /** A terminal for a secret that has none. Nothing of it is written before something is asked of it. */
  reserve(secretHash: string): string {
    // A number is used once.
    this.#numbers += 1;
    const { opening } = this.#world;
    const terminal = opening === undefined ? `T${this.#numbers}` : `T${opening}-${this.#numbers}`;
    this.#hold(terminal, secretHash);
    this.#written.set(terminal, undefined);
    return terminal;
  }

  #hold(terminal: string, secretHash: string): void {
    this.#reserved.set(secretHash, terminal);
    this.#reservedFor.set(terminal, secretHash);
  }

  #unhold(terminal: string): void {
    this.#reserved.delete(this.#reservedFor.get(terminal)!);
    this.#reservedFor.delete(terminal);
  }

  /** Whether a secret leads to a terminal, or something of it is written. */
  isKnown(terminal: string): boolean {
    return this.#names.has(terminal);
  }

  /** All terminals that patrons play at, in no order. */
  get names(): Iterable<string> {
    return this.#names;
  }

  /** Whether nothing of a terminal is written yet. */
  isReserved(terminal: string): boolean {
    return this.#reservedFor.has(terminal);
  }

  /** A terminal of which nothing was written is not kept any longer. */
  release(terminal: string): void {
    const secretHash = this.#reservedFor.get(terminal);
    if (secretHash === undefined || this.#linking.has(secretHash)) return;
    this.#unhold(terminal);
    this.#bury(terminal, undefined);
    this.#written.delete(terminal);
  }

  /** The secret that a terminal was for is dead; the one before it is forgotten. */
  #bury(terminal: string, secretHash: string | undefined): void {
    this.#dead.delete(this.#formerly.get(terminal) ?? '');
    this.#formerly.delete(terminal);
    if (secretHash === undefined) return;
    this.#formerly.set(terminal, secretHash);
    this.#dead.add(secretHash);
  }

  /** Whether a secret led to a terminal and does no more. */
  isDead(secretHash: string): boolean {
    return this.#dead.has(secretHash) || this.links.isRevoked(secretHash);
  }

  /** The terminal that a secret leads to, be something of it written or not. */
  of(secretHash: string): string | undefined {
    return this.links.of(secretHash) ?? this.#reserved.get(secretHash);
  }

  /**
   * Another secret for the terminal of this one, which leads there no more; or why not. Asked again after a failure it goes
   * on where it stood. Where nothing is written of the terminal, nothing is written of its secrets.
   */
  async renew(secretHash: string, next: string): Promise<Denied | undefined> {
    while (this.#linking.has(secretHash)) await this.#linking.get(secretHash);
    const terminal = this.of(secretHash);
    if (terminal === undefined) return revoked;
    const isReserved = this.isReserved(terminal);
    if (!isReserved || this.links.isInDoubt(secretHash)) {
      const { links } = this;
      const writing = (isReserved ? links.kill(secretHash, terminal) : links.renew(secretHash, next))
        .catch((error: unknown) => this.#unwritten(error))
        .then(() => (links.isRevoked(secretHash) ? revoked : cannotRecord))
        .finally(() => this.#linking.delete(secretHash));
      // Whoever wants a seat by the old one meanwhile gets none.
      this.#linking.set(secretHash, writing);
      if ((await writing) === cannotRecord) return cannotRecord;
    }
    if (isReserved) {
      this.#unhold(terminal);
      this.#hold(terminal, next);
      this.#bury(terminal, secretHash);
    }
    return undefined;
  }

  /** Whether credit has never come to a terminal. */
  isNew(terminal: string): boolean {
    return (this.#written.get(terminal)?.sessions ?? 0) === 0;
  }

  /** The session that a terminal plays in; undefined before it was ever asked for. */
  session(terminal: string): string | undefined {
    if (!this.#written.has(terminal)) return undefined;
    const state = this.#written.get(terminal);
    return state === undefined ? sessionOf(terminal, 1) : presentSession(state);
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
    const state = this.#written.get(terminalIn(session));
    const isPresent = state !== undefined && state.open && presentSession(state) === session;
    return isPresent ? careOf(state.limits, state.loaded, credit) : undefined;
  }

  /** What waits to be paid by hand at a terminal. */
  owedAt(terminal: string): number {
    return this.#purse.balance(terminalAccount(this.#owner, terminal, 'hand-pay'));
  }

  /** What two persons have signed at a terminal, and the cage has still to pay. */
  signedAt(terminal: string): Terminal['signed'] {
    return this.#written.get(terminal)?.signed ?? {};
  }

  /** What one person has proposed to be paid by hand at a terminal, while a second may sign it. */
  proposedAt(terminal: string): Terminal['proposal'] {
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
      const holder = amount > 0 ? holderOf(account) : undefined;
      if (holder === undefined) continue;
      const terminal = terminalIn(holder);
      yield { terminal, session: Number(holder.slice(terminal.length + 1)), amount };
    }
  }

  /** Resolves once it is known what the patron of a session has set; undefined where it is already. */
  reading(session: string): Promise<unknown> | undefined {
    const terminal = terminalIn(session);
    return this.#written.has(terminal) ? undefined : this.runners.of(terminal);
  }

  creditOf(terminal: string): number {
    const session = this.session(terminal);
    return session === undefined ? 0 : this.#purse.balance(terminalAccount(this.#owner, session));
  }

  /** What a session that has played still has, and whether it goes on. [READING 60] */
  creditIn(session: string): { readonly credit: number; readonly open: boolean } {
    const state = this.#written.get(terminalIn(session));
    const credit = Math.max(0, this.#purse.available(terminalAccount(this.#owner, session)));
    return { credit, open: state !== undefined && state.open && presentSession(state) === session };
  }

  /**
   * The terminal of a secret, known by the secret's hash: the one it is linked to, or a new one. Nobody gets two, however
   * often and in whatever trouble they ask: the link is durable before the terminal begins, and seating it again is
   * harmless.
   */
  seat(secretHash: string, credit: number): Promise<string | Denied> {
    let linking = this.#linking.get(secretHash);
    if (linking === undefined) {
      linking = this.#seat(secretHash, credit)
        .catch((error: unknown) => this.#unwritten(error))
        .finally(() => this.#linking.delete(secretHash));
      this.#linking.set(secretHash, linking);
    }
    return linking;
  }

  async #seat(secretHash: string, credit: number): Promise<string | Denied> {
    if (this.isDead(secretHash)) return revoked;
    let terminal = this.links.of(secretHash);
    if (terminal === undefined) {
      terminal = this.#reserved.get(secretHash) ?? this.reserve(secretHash);
      await this.links.link(secretHash, terminal);
      this.#unhold(terminal);
    }
    return this.#begin(terminal, credit);
  }

  /** A terminal that is reserved or linked begins, with credit where it is given any. */
  async begin(terminal: string, credit: number): Promise<string | Denied> {
    const secretHash = this.#reservedFor.get(terminal);
    return secretHash === undefined ? this.#begin(terminal, credit) : this.seat(secretHash, credit);
  }

  /** Credit is given again: once, however often that is asked before anything else has happened to the terminal. */
  async refill(terminal: string, amount: number): Promise<Answered> {
    const { sequence } = await this.runners.of(terminal);
    return this.submit(terminal, `refill/${terminal}/${sequence}`, { type: 'LoadCredit', way: 'promotion', amount });
  }

  async #begin(terminal: string, credit: number): Promise<string | Denied> {
    const { property, currency } = this.#owner;
    this.#names.add(terminal);
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

  /** The record failed: who asks again later is seated, or given another secret, as if for the first time. */
  #unwritten(error: unknown): Denied {
    const { failed, mended, lost } = this.#world;
    if (isFinal(error)) lost(error);
    failed('seats', error);
    mended('seats');
    return cannotRecord;
  }

  /** Comes back from its record; gives the session that it plays in. */
  async open(terminal: string): Promise<string> {
    await this.runners.of(terminal);
    return this.session(terminal) ?? sessionOf(terminal, 1);
  }

  /** Asks something of a terminal's credit: in the name of the floor, unless somebody else is named. */
  async submit(
    terminal: string,
    id: string,
    asked: { readonly type: string; readonly [field: string]: unknown },
    brought?: Brought,
  ): Promise<Answered> {
    const secretHash = this.#reservedFor.get(terminal);
    const seated = secretHash === undefined ? terminal : await this.seat(secretHash, 0);
    if (typeof seated !== 'string') return seated;
    const runner = await this.runners.of(terminal);
    // What comes in order is asked in order, unless the record is to be looked at first.
    const isRead = this.#world.shared !== undefined || !paysOut.has(asked.type);
    const looking = isRead ? undefined : this.#paid.look(this.#tables());
    if (looking) await looking;
    return runner.submit(id, { who: floorPost, ...asked }, this.#world.clock(), brought);
  }

  /** The whole credit goes out, and the session ends. [READING 60] */
  collect(terminal: string, id: string, way: WayOut): Promise<Answered> {
    return this.submit(terminal, id, { type: 'CollectCredit', way });
  }

  /** A session that has nothing left ends, once; what would be left in it is not touched. [READING 60] */
  async end(terminal: string): Promise<Answered> {
    const { sequence } = await this.runners.of(terminal);
    return this.submit(terminal, `end/${terminal}/${sequence}`, { type: 'EndSession' });
  }

  /** The first answer to a command that is in the record; undefined for any other. */
  async known(terminal: string, id: string, asked: Asked): Promise<Answered | undefined> {
    return (await this.runners.of(terminal)).known(id, asked);
  }

  /** What the record holds of a command; nothing where it is not there. */
  async recorded(terminal: string, id: string): Promise<readonly StoredEntry[]> {
    return (await this.runners.of(terminal)).recorded(id);
  }

  /** When a terminal's session began, what was loaded in it and what limits it; undefined while none goes on. */
  goingOn(terminal: string): Pick<Terminal, 'sessions' | 'since' | 'loaded' | 'limits'> | undefined {
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
      commandOf({ asked: whole, brought: this.#broughtTo(whole, state) }, Math.max(now, state.at)),
    );
    if (isRefused(command)) return { ...command, by: null };
    const decision = terminalDecider.decide(command, state);
    return isRefused(decision) ? decision : undefined;
  }

  #broughtTo(asked: Asked, state: Terminal | undefined): Brought {
    const { handPay } = this.#world;
    return broughtToTerminal(asked, state, this.#purse, this.#owner, this.#tables(), this.#paid, handPay);
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
