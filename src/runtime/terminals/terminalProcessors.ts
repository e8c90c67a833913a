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
import { type FloorDependencies } from '../ports/runtimeDependencies.ts';

type TerminalProcessor = StreamProcessor<TerminalState | undefined, TerminalCommand, TerminalEvent, TerminalRefusal>;
type TerminalDecideOptions = Pick<
  ProcessorOptions<TerminalState | undefined, TerminalCommand, TerminalEvent, TerminalRefusal>,
  'contextOf' | 'staleReads'
>;

type TerminalProcessorsOptions = TerminalDecideOptions & {
  readonly dependencies: FloorDependencies;
  readonly balances: BalanceCache;
  readonly streamOf: (terminal: string) => string;
  /** Accounts whose balances the decisions of a terminal depend on. */
  readonly accounts: (state: TerminalState) => readonly Account[];
  readonly onLoaded: (terminal: string, state: TerminalState | undefined) => void;
  readonly publish: (terminal: string, entries: readonly StoredEntry[]) => void;
};

/** Stream processors of all terminals; each is loaded at its first use. */
export class TerminalProcessors {
  readonly #options: TerminalProcessorsOptions;
  readonly #processors = new Map<string, Promise<TerminalProcessor>>();
  /**
   * Processors that have stopped after failures. Before a terminal is loaded again, its stopped processor finds out
   * whether its last append was stored.
   */
  readonly #stopped = new Map<string, TerminalProcessor>();
  #isStopped = false;

  constructor(options: TerminalProcessorsOptions) {
    this.#options = options;
  }

  /** The processor of a terminal, loaded if necessary. After a failed load the next call tries again. */
  processorOf(terminal: string): Promise<TerminalProcessor> {
    let processor = this.#processors.get(terminal);
    if (processor === undefined) {
      processor = this.#open(terminal);
      this.#processors.set(terminal, processor);
      processor.catch(() => this.#processors.delete(terminal));
    }
    return processor;
  }

  async readToEnd(terminal: string): Promise<void> {
    const isKept = this.#processors.has(terminal);
    const processor = await this.processorOf(terminal);
    if (isKept) await processor.readToEnd();
  }

  /**
   * Waits until this node has read the stream of a terminal up to `sequence`. A failure is only reported as a warning.
   */
  async readUpTo(terminal: string, sequence: number): Promise<void> {
    try {
      await (await this.processorOf(terminal)).untilPublished(sequence);
    } catch (error) {
      this.#options.dependencies.onWarning(`terminal ${terminal}`, error);
    }
  }

  /**
   * Sequence up to which this node has read the stream of a terminal, by stream; empty if the terminal was not loaded.
   */
  async readPositions(terminal: string): Promise<{ readonly [stream: string]: number }> {
    const processor = await this.#processors.get(terminal);
    return processor ? { [processor.stream]: processor.sequence } : {};
  }

  get streams(): readonly string[] {
    return [...this.#processors.keys()].map(this.#options.streamOf);
  }

  /**
   * Stops all processors, also those that are loaded later for a look-up. A load that fails meanwhile is ignored here;
   * its caller gets the failure.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const opened = await Promise.allSettled(this.#processors.values());
    await Promise.all(opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value.stop()] : [])));
  }

  async #open(terminal: string): Promise<TerminalProcessor> {
    await this.#stopped.get(terminal)?.resolveInDoubt();
    this.#stopped.delete(terminal);
    const processor = this.#create(terminal, () => {
      // A terminal does not wait for the end of an outage. The next command creates a new processor, which loads the
      // state of the terminal again.
      this.#processors.delete(terminal);
      this.#stopped.set(terminal, processor);
    });
    await processor.load();
    const { state } = processor;
    const { dependencies, balances, accounts } = this.#options;
    // Other nodes may have changed these balances, by entries in streams that this node has not read.
    for (const account of dependencies.cluster && state ? accounts(state) : []) {
      balances.refresh(account, await dependencies.store.balance(account));
    }
    this.#options.onLoaded(terminal, processor.committed().state);
    if (this.#isStopped) await processor.stop();
    return processor;
  }

  #create(terminal: string, forget: () => void): TerminalProcessor {
    const { dependencies, balances, contextOf, staleReads, streamOf, publish } = this.#options;
    const { store, key, clock, sleep, onWarning, onRetrying, onRecovered, onFatal, cluster } = dependencies;
    const stream = streamOf(terminal);
    return new StreamProcessor({
      decider: terminalDecider,
      contextOf,
      store,
      stream,
      balances,
      key,
      clock,
      publish: (entries) => publish(terminal, entries),
      onWarning: (error) => onWarning(`terminal ${terminal}`, error),
      onCrashed: (error) => {
        forget();
        onWarning(`terminal ${terminal}`, error);
      },
      onRetrying: (error) => onRetrying(terminal, error),
      onRecovered: () => onRecovered(terminal),
      onAborted: forget,
      onPaused: () => {},
      onFatal,
      sleep,
      outageReport: () => undefined,
      ...(cluster && { staleReads, onAppended: (sequence) => cluster.publishHead(stream, sequence) }),
    });
  }
}
