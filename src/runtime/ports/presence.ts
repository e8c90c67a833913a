/** The table that a terminal sits at, null where it sits at none, and false where it is not there any more. */
export type SeatLocation = string | null | false;
export type SeatLocations = { readonly [terminal: string]: SeatLocation };

/** The terminals that are at other nodes, as those tell. */
export class Presence {
  readonly #nodes = new Map<string, Map<string, string | null>>();
  /** How many sit at each table. */
  readonly #seated = new Map<string, number>();

  /** A node tells where terminals of it are; gives the tables at which another number sits by that. */
  heard(node: string, places: SeatLocations): ReadonlySet<string> {
    const there = this.#nodes.get(node) ?? new Map<string, string | null>();
    this.#nodes.set(node, there);
    const tables = new Set<string>();
    for (const [terminal, place] of Object.entries(places)) {
      this.#count(there.get(terminal), -1, tables);
      if (place === false) there.delete(terminal);
      else {
        there.set(terminal, place);
        this.#count(place, 1, tables);
      }
    }
    return tables;
  }

  /** Nothing is heard of a node any more: where its terminals were. */
  forget(node: string): SeatLocations {
    const there = Object.fromEntries(this.#nodes.get(node) ?? []);
    this.heard(node, Object.fromEntries(Object.keys(there).map((terminal) => [terminal, false])));
    this.#nodes.delete(node);
    return there;
  }

  isThere(terminal: string): boolean {
    return [...this.#nodes.values()].some((there) => there.has(terminal));
  }

  tableOf(terminal: string): string | null {
    for (const there of this.#nodes.values()) {
      const table = there.get(terminal);
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
