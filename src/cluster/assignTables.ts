// Which tables a node takes and how many it hands over. All nodes work it out by the same rule from what the database told
// them: with the same answer each free table is wanted by just one of them, and once nobody comes or goes it comes to rest.

type Seen = {
  /** The node itself. */
  readonly me: string;
  /** Whether it takes tables at all. */
  readonly drives: boolean;
  /** The others who take tables, and are alive. */
  readonly drivers: readonly string[];
  /** The tables of the property. */
  readonly tables: readonly string[];
  /** Who holds which of them. */
  readonly holders: ReadonlyMap<string, string>;
};

type Share = {
  /** What it asks for: all that it holds, and what is free and its turn to take. */
  readonly wants: readonly string[];
  /** So many of those that it holds are for others. */
  readonly spare: number;
};

/**
 * A free table goes to whoever holds the fewest, the first by name among those. Whoever holds more than an even share
 * hands over what is beyond it; a share that is not whole is rounded up, so that nobody gives what would come back.
 */
export function assignTables({ me, drives, drivers, tables, holders }: Seen): Share {
  const all = [...new Set([...drivers, ...(drives ? [me] : [])])].toSorted();
  const mine = tables.filter((table) => holders.get(table) === me);
  if (!drives) return { wants: mine, spare: mine.length };
  const counts = new Map(all.map((node) => [node, 0]));
  for (const table of tables) {
    const holder = holders.get(table);
    if (holder !== undefined && counts.has(holder)) counts.set(holder, counts.get(holder)! + 1);
  }
  const wants = [...mine];
  for (const table of tables.filter((one) => !holders.has(one)).toSorted()) {
    const next = all.reduce((least, node) => (counts.get(node)! < counts.get(least)! ? node : least));
    counts.set(next, counts.get(next)! + 1);
    if (next === me) wants.push(table);
  }
  return { wants, spare: Math.max(0, mine.length - Math.ceil(tables.length / all.length)) };
}
