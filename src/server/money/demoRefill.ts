import { type TerminalMoneyState } from '../../wire/terminalMoneyState.ts';
import { type DeviceConnection } from '../socket/deviceConnection.ts';

type DemoRefillDependencies = {
  /** Loads demo credit into a terminal that has less than the smallest stake. Returns the amount; undefined if none. */
  readonly refill: (state: TerminalMoneyState) => Promise<number | undefined>;
  readonly connectionsAt: (terminal: string) => Iterable<DeviceConnection>;
};

/** Refills demo terminals, one load at a time for each terminal, and sends the amount to its connections. */
export class DemoRefill {
  readonly #dependencies: DemoRefillDependencies;
  readonly #refilling = new Set<string>();

  constructor(dependencies: DemoRefillDependencies) {
    this.#dependencies = dependencies;
  }

  async refillIfDue(state: TerminalMoneyState): Promise<void> {
    const { terminal } = state;
    if (this.#refilling.has(terminal)) return;
    this.#refilling.add(terminal);
    try {
      const amount = await this.#dependencies.refill(state);
      if (amount === undefined) return;
      for (const connection of this.#dependencies.connectionsAt(terminal))
        connection.send({ type: 'refilled', amount });
    } finally {
      this.#refilling.delete(terminal);
    }
  }
}
