import { terminalDecider } from '../../deciders/deciders.ts';
import { type Account } from '../../ledger/accounts.ts';
import { type StoredEntry } from '../../store/store.ts';
import { type TerminalCommand } from '../../terminal/commands.ts';
import { type TerminalEvent } from '../../terminal/events.ts';
import { type TerminalRefusal } from '../../terminal/decision.ts';
import { type TerminalState } from '../../terminal/state.ts';
import { type ProcessorOptions } from '../stream/processorOptions.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { StreamProcessor } from '../stream/streamProcessor.ts';
import { type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

type TerminalRunner = StreamProcessor<TerminalState | undefined, TerminalCommand, TerminalEvent, TerminalRefusal>;
type Deciding = Pick<
  ProcessorOptions<TerminalState | undefined, TerminalCommand, TerminalEvent, TerminalRefusal>,
  'brings' | 'guess'
>;

type Parts = Deciding & {
  readonly world: RuntimeDependencies;
  readonly purse: BalanceCache;
  readonly streamOf: (terminal: string) => string;
  /** What a terminal is told of its money by. */
  readonly accounts: (state: TerminalState) => readonly Account[];
  /** A terminal has come back from its record. */
  readonly loaded: (terminal: string, state: TerminalState | undefined) => void;
  readonly publish: (terminal: string, entries: readonly StoredEntry[]) => void;
};

/** The queues of the terminals that were asked for, each from its record. */
export class TerminalRunners {
  readonly #parts: Parts;
  readonly #runners = new Map<string, Promise<TerminalRunner>>();
  /** Those that have stopped; what they could not write for certain is looked up before the terminal goes on. */
  readonly #stopped = new Map<string, TerminalRunner>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The queue of a terminal; one that fails to come back is tried again by the next who asks. */
  of(terminal: string): Promise<TerminalRunner> {
    let runner = this.#runners.get(terminal);
    if (runner === undefined) {
      runner = this.#open(terminal);
      this.#runners.set(terminal, runner);
      runner.catch(() => this.#runners.delete(terminal));
    }
    return runner;
  }

  /** The same as the record has it at this moment, where others write there too. */
  async fresh(terminal: string): Promise<void> {
    const isKept = this.#runners.has(terminal);
    const runner = await this.of(terminal);
    if (isKept) await runner.readAll();
  }

  /** Something was written of a terminal elsewhere: resolves once it has been read up to there, or cannot be for now. */
  async heard(terminal: string, sequence: number): Promise<void> {
    try {
      await (await this.of(terminal)).reached(sequence);
    } catch (error) {
      this.#parts.world.trouble(`terminal ${terminal}`, error);
    }
  }

  /** How far a terminal has been read, by its stream; nothing where it was never asked for. */
  async seen(terminal: string): Promise<{ readonly [stream: string]: number }> {
    const runner = await this.#runners.get(terminal);
    return runner ? { [runner.stream]: runner.sequence } : {};
  }

  /** The streams of all that are at hand. */
  get streams(): readonly string[] {
    return [...this.#runners.keys()].map(this.#parts.streamOf);
  }

  /** Those that are at hand read and write nothing more; of one that does not come back, whoever asked for it hears. */
  async end(): Promise<void> {
    const opened = await Promise.allSettled(this.#runners.values());
    await Promise.all(opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value.end()] : [])));
  }

  async #open(terminal: string): Promise<TerminalRunner> {
    await this.#stopped.get(terminal)?.resolveDoubt();
    this.#stopped.delete(terminal);
    const runner = this.#made(terminal, () => {
      // Nobody waits for a terminal for long: the next who asks begins from the record.
      this.#runners.delete(terminal);
      this.#stopped.set(terminal, runner);
    });
    await runner.load();
    const { state } = runner;
    const { world, purse, accounts } = this.#parts;
    // What has come to it at other nodes before it was asked for here is in no entry that is read here.
    for (const account of world.shared && state ? accounts(state) : []) {
      purse.refresh(account, await world.store.balance(account));
    }
    this.#parts.loaded(terminal, runner.stand().state);
    return runner;
  }

  #made(terminal: string, forget: () => void): TerminalRunner {
    const { world, purse, brings, guess, streamOf, publish } = this.#parts;
    const { store, key, clock, pause, trouble, failed, mended, lost, shared } = world;
    const stream = streamOf(terminal);
    return new StreamProcessor({
      decider: terminalDecider,
      brings,
      store,
      stream,
      purse,
      key,
      clock,
      publish: (entries) => publish(terminal, entries),
      trouble: (error) => trouble(`terminal ${terminal}`, error),
      stopped: (error) => {
        forget();
        trouble(`terminal ${terminal}`, error);
      },
      failed: (error) => failed(terminal, error),
      mended: () => mended(terminal),
      gaveUp: forget,
      halted: () => {},
      lost,
      wait: pause,
      report: () => undefined,
      ...(shared && { guess, moved: (sequence) => shared.moved(stream, sequence) }),
    });
  }
}
