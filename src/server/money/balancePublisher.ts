import { type TerminalMoneyState } from '../../wire/terminalMoneyState.ts';
import { type Metrics } from '../../metrics/metrics.ts';
import { type DeviceConnection, sendToAll } from '../socket/deviceConnection.ts';
import { type CreditTransferHandler } from './creditTransferHandler.ts';
import { type Scheduler } from '../../runtime/ports/scheduler.ts';

type BalancePublisherDependencies = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly emptySessionMs: number;
  readonly transfers: CreditTransferHandler;
  readonly connectionsAt: (terminal: string) => Iterable<DeviceConnection>;
  readonly metrics: Metrics;
  readonly warn: (subject: string, error: unknown) => void;
};

/**
 * Sends the balance of a terminal to its connections when the balance changes. Also ends sessions without credit, and
 * refills the credit of demo terminals.
 */
export class BalancePublisher {
  readonly #dependencies: BalancePublisherDependencies;
  /** By table: the terminals that had open stakes there when their balance was last published. */
  readonly #stakersAt = new Map<string, Set<string>>();
  readonly #refilling = new Set<string>();
  /**
   * By terminal whose credit session is empty: `state` is session and limits as JSON, and `cancel` cancels the timer
   * that ends the session.
   */
  readonly #emptySessions = new Map<string, { readonly state: string; readonly cancel: () => void }>();

  constructor(dependencies: BalancePublisherDependencies) {
    this.#dependencies = dependencies;
  }

  /** Sends the balance of a terminal to its connections if the balance has changed, and to `resendTo` in any case. */
  publish(terminal: string, resendTo?: DeviceConnection): void {
    this.#publish(terminal, resendTo).catch((error: unknown) =>
      this.#dependencies.warn(`the money of ${terminal}`, error),
    );
  }

  /**
   * Call after payouts at a table. Publishes the balances of all terminals that had stakes there, whether they won or
   * lost.
   */
  publishStakersAt(table: string): void {
    for (const terminal of this.#stakersAt.get(table) ?? []) this.publish(terminal);
  }

  async #publish(terminal: string, resendTo: DeviceConnection | undefined): Promise<void> {
    const { transfers, connectionsAt, metrics } = this.#dependencies;
    // A reservation is released just after its entries are published. So the balance is read one microtask later.
    await Promise.resolve();
    const balance = transfers.balance(terminal);
    if (balance === undefined) return;
    this.#trackStakes(balance);
    const text = JSON.stringify(balance).slice(1);
    for (const connection of connectionsAt(terminal)) {
      if (connection.lastBalance === text && connection !== resendTo) continue;
      connection.lastBalance = text;
      connection.balanceVersion += 1;
      const message = `{"type":"balance","version":${connection.balanceVersion},${text}`;
      metrics.viewBuilt('balance', 'whole', sendToAll([connection], message));
    }
    this.#watchEmptySession(balance);
    await this.#refill(balance);
  }

  /**
   * Starts the timer that ends an empty session. If session or limits have changed, the timer starts again. It first
   * waits for the end of a break that the patron has taken.
   */
  #watchEmptySession({ terminal, session, credit, collect, limits }: TerminalMoneyState): void {
    const isEmpty = session !== null && credit === 0 && collect === null;
    const state = JSON.stringify([session, limits]);
    const watched = this.#emptySessions.get(terminal);
    if (isEmpty && watched?.state === state) return;
    watched?.cancel();
    this.#emptySessions.delete(terminal);
    if (!isEmpty) return;
    const { clock, after, emptySessionMs, transfers, warn } = this.#dependencies;
    const cancel = after(Math.max(0, (limits.pausedUntil ?? 0) - clock()) + emptySessionMs, () => {
      this.#emptySessions.delete(terminal);
      transfers.endEmptySession(terminal).catch((error: unknown) => warn(`the money of ${terminal}`, error));
    });
    this.#emptySessions.set(terminal, { state, cancel });
  }

  close(): void {
    for (const { cancel } of this.#emptySessions.values()) cancel();
    this.#emptySessions.clear();
  }

  #trackStakes({ terminal, openStakes }: TerminalMoneyState): void {
    for (const terminals of this.#stakersAt.values()) terminals.delete(terminal);
    for (const { table } of openStakes) {
      const terminals = this.#stakersAt.get(table) ?? new Set();
      this.#stakersAt.set(table, terminals.add(terminal));
    }
  }

  async #refill(balance: TerminalMoneyState): Promise<void> {
    const { terminal } = balance;
    if (this.#refilling.has(terminal)) return;
    this.#refilling.add(terminal);
    try {
      const amount = await this.#dependencies.transfers.refill(balance);
      if (amount === undefined) return;
      for (const connection of this.#dependencies.connectionsAt(terminal))
        connection.send({ type: 'refilled', amount });
    } finally {
      this.#refilling.delete(terminal);
    }
  }
}
