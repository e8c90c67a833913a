import { type RemoteTerminalsPort, type TerminalSeats } from '../ports/clusterPort.ts';

/** Terminals that are connected to other nodes, and the tables of their seats, as those nodes report them. */
export class RemoteTerminalSeats implements RemoteTerminalsPort {
  readonly #nodes = new Map<string, Map<string, string | null>>();
  /** Number of terminals of other nodes that are seated at each table. */
  readonly #seated = new Map<string, number>();

  /** Applies the seats that a node reported; returns the tables whose number of seated terminals may have changed. */
  update(node: string, seats: TerminalSeats): ReadonlySet<string> {
    const terminals = this.#nodes.get(node) ?? new Map<string, string | null>();
    this.#nodes.set(node, terminals);
    const tables = new Set<string>();
    for (const [terminal, seat] of Object.entries(seats)) {
      this.#count(terminals.get(terminal), -1, tables);
      if (seat === false) terminals.delete(terminal);
      else {
        terminals.set(terminal, seat);
        this.#count(seat, 1, tables);
      }
    }
    return tables;
  }

  /** Removes a node that has disconnected; returns where its terminals were. */
  removeNode(node: string): TerminalSeats {
    const terminals = Object.fromEntries(this.#nodes.get(node) ?? []);
    this.update(node, Object.fromEntries(Object.keys(terminals).map((terminal) => [terminal, false])));
    this.#nodes.delete(node);
    return terminals;
  }

  isPresent(terminal: string): boolean {
    return [...this.#nodes.values()].some((terminals) => terminals.has(terminal));
  }

  tableOf(terminal: string): string | null {
    for (const terminals of this.#nodes.values()) {
      const table = terminals.get(terminal);
      if (typeof table === 'string') return table;
    }
    return null;
  }

  seatedAt(table: string): number {
    return this.#seated.get(table) ?? 0;
  }

  #count(table: string | null | undefined, by: 1 | -1, tables: Set<string>): void {
    if (typeof table !== 'string') return;
    this.#seated.set(table, this.seatedAt(table) + by);
    tables.add(table);
  }
}
