import { type TerminalMoneyState } from '../../wire/terminalMoneyState.ts';
import { type Metrics } from '../../metrics/metrics.ts';
import { type DeviceConnection, sendToDeviceConnections } from '../socket/deviceConnection.ts';

type BalancePublisherDependencies = {
  /** The money state of a terminal; undefined until the state of the terminal is in memory. */
  readonly balanceOf: (terminal: string) => TerminalMoneyState | undefined;
  /** Receives each money state after it was sent. */
  readonly onPublished: (balance: TerminalMoneyState) => Promise<void>;
  readonly connectionsAt: (terminal: string) => Iterable<DeviceConnection>;
  readonly metrics: Metrics;
  readonly warn: (subject: string, error: unknown) => void;
};

/** Sends the balance of a terminal to its connections when the balance changes. */
export class BalancePublisher {
  readonly #dependencies: BalancePublisherDependencies;
  /** Terminals with open stakes at each table, as last published. */
  readonly #stakersAt = new Map<string, Set<string>>();

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
   * Call after payouts at a table: publishes the balances of all terminals with stakes there, also of terminals that
   * lost.
   */
  publishStakersAt(table: string): void {
    for (const terminal of this.#stakersAt.get(table) ?? []) this.publish(terminal);
  }

  async #publish(terminal: string, resendTo: DeviceConnection | undefined): Promise<void> {
    const { balanceOf, connectionsAt, metrics } = this.#dependencies;
    // Reservations are released just after the entries are published, so the balance is read one microtask later.
    await Promise.resolve();
    const balance = balanceOf(terminal);
    if (balance === undefined) return;
    this.#trackStakes(balance);
    const text = JSON.stringify(balance).slice(1);
    for (const connection of connectionsAt(terminal)) {
      if (connection.lastBalance === text && connection !== resendTo) continue;
      connection.lastBalance = text;
      connection.balanceVersion += 1;
      const message = `{"type":"balance","version":${connection.balanceVersion},${text}`;
      metrics.viewBuilt('balance', 'whole', sendToDeviceConnections([connection], message));
    }
    await this.#dependencies.onPublished(balance);
  }

  #trackStakes({ terminal, openStakes }: TerminalMoneyState): void {
    for (const terminals of this.#stakersAt.values()) terminals.delete(terminal);
    for (const { table } of openStakes) {
      const terminals = this.#stakersAt.get(table) ?? new Set();
      this.#stakersAt.set(table, terminals.add(terminal));
    }
  }
}
