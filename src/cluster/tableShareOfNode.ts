// Assignment of tables to nodes. Every node computes the assignment by the same rule from the replies of the database,
// so that only one node wants each free table. While no node joins or leaves, the assignment stays the same.

type AssignmentInput = {
  readonly self: string;
  readonly mayLead: boolean;
  /** Other live nodes that may lead tables. */
  readonly otherLeaders: readonly string[];
  readonly tables: readonly string[];
  /** Id of the node that holds the lease of each table. A table with a free lease is absent. */
  readonly holders: ReadonlyMap<string, string>;
};

type Assignment = {
  /** Tables whose leases this node should request: the tables that it holds, and its share of the free tables. */
  readonly wanted: readonly string[];
  /** Number of tables that this node should hand over. */
  readonly surplus: number;
};

/**
 * Assigns tables to nodes. A free table goes to the node with the fewest tables; among equals, to the node with the
 * lowest id. A node hands over the tables that exceed an even share. The share is rounded up, so that tables do not
 * move back and forth. A node that may not lead hands over all its tables.
 */
export function tableShareOfNode({ self, mayLead, otherLeaders, tables, holders }: AssignmentInput): Assignment {
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
