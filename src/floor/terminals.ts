import { terminalDecider } from '../ledger/accounted.ts';
import { terminalAccount } from '../ledger/accounts.ts';
import { type Table } from '../table/table.ts';
import { type TerminalCommand, type TerminalEvent, type TerminalRefusal, type WayOut } from '../terminal/declare.ts';
import { type Terminal, presentSession, sessionOf } from '../terminal/terminal.ts';
import { broughtToTerminal } from './brings.ts';
import { floorPost } from './pace.ts';
import { PaidBehind } from './paid.ts';
import { type Purse } from './purse.ts';
import { type Answered, type Brought, type Denied, Runner } from './runner.ts';
import { type Owner, type World } from './world.ts';

type TerminalRunner = Runner<Terminal | undefined, TerminalCommand, TerminalEvent, TerminalRefusal>;

/** What the link between a patron's secret and a terminal is kept as, beside the chain. */
const linkKind = 'patron';

/** What pays a session out, and so must not reach money in question. [READING 52] */
const paysOut: ReadonlySet<string> = new Set(['CollectCredit', 'PaySession']);

/** The terminals of a floor: who is linked to which, and the credit of each as a stream of its own. */
export class Terminals {
  readonly #owner: Owner;
  readonly #world: World;
  readonly #purse: Purse;
  /** Every table as it stands, for what is at stake there. */
  readonly #tables: () => Iterable<Table>;
  readonly #paid: PaidBehind;
  readonly #runners = new Map<string, Promise<TerminalRunner>>();
  /** Those that have stopped; what they could not write for certain is looked up before the terminal goes on. */
  readonly #stopped = new Map<string, TerminalRunner>();
  /** Each terminal as the record has it. What decides runs ahead while it writes, and nobody may see that. */
  readonly #written = new Map<string, Terminal | undefined>();
  readonly #links = new Map<string, string>();
  readonly #linking = new Map<string, Promise<string | Denied>>();
  /** The highest number that a terminal was ever given. */
  #numbers = 0;

  constructor(owner: Owner, world: World, purse: Purse, tables: () => Iterable<Table>) {
    this.#owner = owner;
    this.#world = world;
    this.#purse = purse;
    this.#tables = tables;
    this.#paid = new PaidBehind(world.store);
  }

  /** Who is linked to which terminal, from the store. */
  async load(): Promise<void> {
    for (const [secretHash, terminal] of await this.#world.store.aside(linkKind)) {
      this.#links.set(secretHash, terminal);
      this.#use(terminal);
    }
    // Nobody is given a terminal that somebody else has played at, whatever became of the links.
    const prefix = `${this.#owner.property}/terminal/`;
    for (const stream of await this.#world.store.streams()) {
      if (stream.startsWith(prefix)) this.#use(stream.slice(prefix.length));
    }
  }

  /** A number that is taken is not given again. */
  #use(terminal: string): void {
    const [, number = 0] = /^T(\d+)$/.exec(terminal) ?? [];
    this.#numbers = Math.max(this.#numbers, Number(number));
  }

  get count(): number {
    return this.#links.size;
  }

  /** The terminal that a secret is linked to; the secret itself is kept by its browser alone. */
  linkedTo(secretHash: string): string | undefined {
    return this.#links.get(secretHash);
  }

  /** The session that a terminal plays in; undefined before it was ever asked for. */
  session(terminal: string): string | undefined {
    const state = this.#written.get(terminal);
    return state && presentSession(state);
  }

  /** Why a terminal is out of use, if it is. */
  lockedBy(terminal: string): string | null {
    return this.#written.get(terminal)?.locked ?? null;
  }

  creditOf(terminal: string): number {
    const session = this.session(terminal);
    return session === undefined ? 0 : this.#purse.balance(terminalAccount(this.#owner, session));
  }

  /**
   * The terminal of a secret, known by the secret's hash: the one it is linked to, or a new one. Nobody gets two, however
   * often and in whatever trouble they ask: the link is durable before the terminal begins, and seating it again is
   * harmless.
   */
  seat(secretHash: string, credit: number): Promise<string | Denied> {
    let linking = this.#linking.get(secretHash);
    if (linking === undefined) {
      linking = this.#seat(secretHash, credit).finally(() => this.#linking.delete(secretHash));
      this.#linking.set(secretHash, linking);
    }
    return linking;
  }

  async #seat(secretHash: string, credit: number): Promise<string | Denied> {
    let terminal = this.#links.get(secretHash);
    if (terminal === undefined) {
      // A number is used once.
      this.#numbers += 1;
      const fresh = `T${this.#numbers}`;
      await this.#world.store.putAside(linkKind, secretHash, fresh);
      this.#links.set(secretHash, fresh);
      terminal = fresh;
    }
    const { property, currency } = this.#owner;
    const steps = [
      ['seat', { type: 'SeatTerminal', terminal, property, currency }],
      ['first', { type: 'LoadCredit', way: 'promotion', amount: credit }],
    ] as const;
    const { state } = await this.#runner(terminal);
    const done = state === undefined ? 0 : state.sessions === 0 ? 1 : 2;
    for (const [step, asked] of steps.slice(done, credit === 0 ? 1 : 2)) {
      // Under an id that makes it happen once.
      const answered = await this.submit(terminal, `${step}/${terminal}`, asked);
      if ('refused' in answered) return answered;
    }
    return terminal;
  }

  /** Comes back from its record; gives the session that it plays in. */
  async open(terminal: string): Promise<string> {
    await this.#runner(terminal);
    return this.session(terminal) ?? sessionOf(terminal, 1);
  }

  /** Asks something of a terminal's credit: in the name of the floor, unless somebody else is named. */
  async submit(
    terminal: string,
    id: string,
    asked: { readonly type: string; readonly [field: string]: unknown },
    brought?: Brought,
  ): Promise<Answered> {
    const runner = await this.#runner(terminal);
    // What comes in order is asked in order, unless the record is to be looked at first.
    const looking = paysOut.has(asked.type) ? this.#paid.look(this.#tables()) : undefined;
    if (looking) await looking;
    return runner.submit(id, { who: floorPost, ...asked }, this.#world.clock(), brought);
  }

  /** The whole credit goes out, and the session ends. [READING 60] */
  collect(terminal: string, id: string, way: WayOut): Promise<Answered> {
    return this.submit(terminal, id, { type: 'CollectCredit', way });
  }

  /** The queue of a terminal, from its record; one that fails to come back is tried again by the next who asks. */
  #runner(terminal: string): Promise<TerminalRunner> {
    let runner = this.#runners.get(terminal);
    if (runner === undefined) {
      runner = this.#open(terminal);
      this.#runners.set(terminal, runner);
      runner.catch(() => this.#runners.delete(terminal));
    }
    return runner;
  }

  async #open(terminal: string): Promise<TerminalRunner> {
    const { store, clock, pause, trouble, credited } = this.#world;
    await this.#stopped.get(terminal)?.resolveDoubt();
    this.#stopped.delete(terminal);
    const runner: TerminalRunner = new Runner({
      decider: terminalDecider,
      brings: (asked, state) => broughtToTerminal(asked, state, this.#purse, this.#owner, this.#tables(), this.#paid),
      store,
      stream: `${this.#owner.property}/terminal/${terminal}`,
      purse: this.#purse,
      clock,
      publish: (entries) => {
        const { evolve, eventFrom } = terminalDecider;
        const after = entries.reduce(
          (state, { event }) => evolve(state, eventFrom(event)),
          this.#written.get(terminal),
        );
        this.#written.set(terminal, after);
        credited?.(terminal);
      },
      trouble: (error) => trouble(terminal, error),
      stopped: (error) => {
        // The next who asks begins from the record.
        this.#runners.delete(terminal);
        this.#stopped.set(terminal, runner);
        trouble(terminal, error);
      },
      wait: pause ?? (async () => {}),
    });
    await runner.load();
    // Nobody has asked anything of it yet: its state is that of the record.
    this.#written.set(terminal, structuredClone(runner.state));
    return runner;
  }
}
