// One life of a floor under load, in a process of its own: ten tables, a hundred terminals, until somebody kills it. Every
// acknowledged slip is told on standard output, one line each.
import { systemChance } from '../../src/floor/chance.ts';
import { demoCredit, demoOwner, demoSettings } from '../../src/floor/demo.ts';
import { Floor } from '../../src/floor/floor.ts';
import { keyIn } from '../../src/floor/seal.ts';
import { sqliteStore } from '../../src/store/sqlite.ts';

const [folder, life] = process.argv.slice(2) as [string, string];
const terminals = 100;
let ids = 0;

const store = await sqliteStore(folder);
const settings = demoSettings.map((setting) => ({
  ...setting,
  bettingTime: 250,
  grace: 20,
  pause: 20,
  interruption: 100,
}));
const floor = await Floor.open(
  demoOwner,
  settings,
  { betweenRounds: 20, betweenCards: 15 },
  {
    store,
    clock: Date.now,
    chance: systemChance,
    key: keyIn(`${folder}.key`, true),
    after: (time, run) => {
      const timer = setTimeout(run, time);
      return () => clearTimeout(timer);
    },
    id: () => `${life}-f${ids++}`,
    publish: () => {},
    trouble: (table, error) => {
      process.stderr.write(`${table}: ${String(error)}\n`);
      process.exit(3);
    },
  },
);
while (floor.terminals < terminals) await floor.seat(`hash-${floor.terminals}`, demoCredit);
setInterval(() => void floor.beat(), 100);
process.stdout.write('ready\n');

const tables = [...floor.tables.values()];
for (let n = 0; ; n++) {
  const turn = Array.from({ length: 20 }, async (_, k) => {
    const terminal = `T${1 + systemChance.below(terminals)}`;
    const table = tables[(n + k) % tables.length]!;
    const { round, phase, setting } = table.table;
    if (round === null || phase !== 'betting') return;
    const wager = setting.offered[systemChance.below(setting.offered.length)]!;
    const id = `${life}-s${ids++}`;
    const asked = {
      type: 'SetSlip',
      who: { terminal },
      round: round.id,
      slip: { [wager]: 100 * (1 + systemChance.below(5)) },
    } as const;
    const answer = await table.submit(id, asked);
    if ('entries' in answer && answer.entries.length > 0) process.stdout.write(`${id}\n`);
  });
  await Promise.all([...turn, new Promise((resolve) => setTimeout(resolve, 5))]);
}
