// Terminals in a process of their own: each sends its next slip when the last one is acknowledged. Reports the time of each.
import { seatedPatron } from '../support/patrons.ts';
import { endWithBench } from '../support/child.ts';

const [address, count, slips, ...tables] = process.argv.slice(2) as [string, string, string, ...string[]];
const times: number[] = [];

async function bettor(table: string): Promise<() => Promise<void>> {
  const { patron, view } = await seatedPatron(address, table);
  const round = view.round!.id;
  return async () => {
    for (let n = 0; n < Number(slips); n++) {
      const sent = performance.now();
      const answer = await patron.slip(table, round, { player: 100 * (1 + (n % 5)) });
      if (answer.type !== 'accepted') throw new Error(`A slip was ${answer.type}.`);
      times.push(performance.now() - sent);
    }
  };
}

endWithBench();

const ready: (() => Promise<void>)[] = [];
for (let n = 0; n < Number(count); n++) ready.push(await bettor(tables[n % tables.length]!));
const startedAt = performance.now();
await Promise.all(ready.map((play) => play()));
process.send!({ times, time: performance.now() - startedAt });
