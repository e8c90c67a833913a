// Assignment of tables to nodes. Every node computes it by the same rule from the same reply of the database. So each
// free table is wanted by exactly one node, and the assignment settles when no node comes or goes.

type AssignmentInput = {
  /** Id of this node. */
  readonly self: string;
  /** Whether this node may lead tables. */
  readonly mayLead: boolean;
  /** Other live nodes that may lead tables. */
  readonly otherLeaders: readonly string[];
  readonly tables: readonly string[];
  /** Node that holds the lease, by table. */
  readonly holders: ReadonlyMap<string, string>;
};

type Assignment = {
  /** Leases to request: all that the node holds, and free tables that are its turn. */
  readonly wanted: readonly string[];
  /** How many of its tables it should hand over. */
  readonly surplus: number;
};

/**
 * A free table goes to the node with the fewest, by name among equals. A node with more than an even share, rounded
 * up, hands over the rest; rounding up keeps tables from moving back and forth.
 */
export function assignTables({ self, mayLead, otherLeaders, tables, holders }: AssignmentInput): Assignment {
  const leaders = [...new Set([...otherLeaders, ...(mayLead ? [self] : [])])].toSorted();
  const mine = tables.filter((table) => holders.get(table) === self);
  if (!mayLead) return { wanted: mine, surplus: mine.length };
  const counts = new Map(leaders.map((node) => [node, 0]));
  for (const table of tables) {
    const holder = holders.get(table);
    if (holder !== undefined && counts.has(holder)) counts.set(holder, counts.get(holder)! + 1);
  }
  const wants = [...mine];
  for (const table of tables.filter((one) => !holders.has(one)).toSorted()) {
    const next = leaders.reduce((least, node) => (counts.get(node)! < counts.get(least)! ? node : least));
    counts.set(next, counts.get(next)! + 1);
    if (next === self) wants.push(table);
  }
  return { wanted: wants, surplus: Math.max(0, mine.length - Math.ceil(tables.length / leaders.length)) };
}
