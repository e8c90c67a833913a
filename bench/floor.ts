import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemChance } from '../src/floor/chance.ts';
import { demoOwner, demoPace, demoSettings } from '../src/floor/demo.ts';
import { Floor } from '../src/floor/floor.ts';
import { sqliteStore } from '../src/store/sqlite.ts';

const terminals = 500;
const rounds = 8;

/** Slips that are durable when they are acknowledged, many terminals at ten tables, against one commit for each slip. */
export async function* floorBench(): AsyncGenerator<string> {
  yield 'floor (durable slips on SQLite; ratio to one commit a slip)';
  const folder = mkdtempSync(join(tmpdir(), 'punto-bench-'));
  const store = await sqliteStore(folder);
  try {
    const waiting = new Set<() => void>();
    let ids = 0;
    const floor = await Floor.open(
      demoOwner,
      demoSettings.map((setting) => ({ ...setting, bettingTime: 600_000 })),
      { ...demoPace, betweenRounds: 0 },
      {
        store,
        clock: Date.now,
        chance: systemChance,
        key: randomBytes(32),
        after: (time, run) => {
          const timer = setTimeout(run, time);
          const cancel = (): void => clearTimeout(timer);
          waiting.add(cancel);
          return cancel;
        },
        id: () => `f${ids++}`,
        publish: () => {},
        trouble: (table, error) => {
          throw new Error(`${table}: ${String(error)}`);
        },
      },
    );
    const seats = await Promise.all(Array.from({ length: terminals }, (_, n) => floor.seat(`hash-${n}`, 10_000_000)));
    while ([...floor.tables.values()].some(({ table }) => table.phase !== 'betting'))
      await new Promise((resolve) => setTimeout(resolve, 10));

    const tables = [...floor.tables.values()];
    const times: number[] = [];
    const begun = performance.now();
    for (let turn = 0; turn < rounds; turn++) {
      await Promise.all(
        seats.map(async (terminal, n) => {
          const table = tables[n % tables.length]!;
          const sent = performance.now();
          const slip = { player: 100 * (1 + turn) };
          const answer = await table.submit(`s-${turn}-${n}`, {
            type: 'SetSlip',
            who: { terminal },
            round: table.table.round!.id,
            slip,
          });
          if ('refused' in answer) throw new Error(answer.message);
          times.push(performance.now() - sent);
        }),
      );
    }
    const together = (rounds * terminals) / ((performance.now() - begun) / 1000);
    times.sort((a, b) => a - b);

    const single = 300;
    const from = performance.now();
    for (let n = 0; n < single; n++) {
      await store.append({
        stream: 'bench',
        after: n,
        entries: [{ event: { type: 'Noted', v: 1, at: n }, postings: [] }],
      });
    }
    const apart = single / ((performance.now() - from) / 1000);
    for (const cancel of waiting) cancel();
    const at = (part: number): string => times[Math.floor(times.length * part)]!.toFixed(1);
    yield `  ${terminals} terminals at ${tables.length} tables: ${Math.round(together).toLocaleString('en')} slips a second, ${(together / apart).toFixed(1)} times one commit a slip`;
    yield `  from slip to acknowledged, all ${terminals} at once: median ${at(0.5)} ms, p99 ${at(0.99)} ms`;
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
