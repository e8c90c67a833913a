import { createHash } from 'node:crypto';
import { type Chance, seededChance } from '../floor/chance.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../floor/demo.ts';
import { Floor, type FloorTable, type World } from '../floor/floor.ts';
import { type Asked } from '../floor/runner.ts';
import { verify } from '../floor/verify.ts';
import { memoryStore } from '../store/memory.ts';
import { type Store } from '../store/store.ts';
import { Auditor } from './auditor.ts';
import { type Faults, faultyStore } from './faults.ts';
import { MadeTime, rest } from './time.ts';

/** How bad a run is: faults of the store in a thousand, one crash in so many steps, messages dropped or doubled in a hundred. */
export type Weather = {
  readonly faults: Faults;
  readonly crash: number;
  readonly drop: number;
  readonly double: number;
};

export type Ran = {
  readonly rounds: number;
  readonly voids: number;
  readonly slips: number;
  readonly crashes: number;
  readonly wrong: readonly string[];
};

const start = 1_700_006_400_000;
const terminals = 8;

/** A whole floor under one seed: its clock, its store, its network and its patrons. The same seed gives the same run. */
export async function chaos(seed: string, rounds: number, weather: Weather): Promise<Ran> {
  const chance = seededChance(seed);
  const time = new MadeTime(start);
  const store = memoryStore();
  const auditor = new Auditor(demoCredit);
  const troubles: string[] = [];
  const key = createHash('sha256').update(seed).digest();
  const counted = { rounds: 0 };
  let slips = 0;
  let crashes = 0;
  let ids = 0;
  const id = (): string => `${seed}-${(ids++).toString(16).padStart(8, '0')}`;

  let life = await live();
  for (let step = 0; counted.rounds < rounds && step < rounds * 200; step++) {
    if (!(await time.step())) {
      troubles.push('Nothing is left to happen.');
      break;
    }
    if (chance.below(3) === 0) bet(life.floor);
    if (weather.crash > 0 && chance.below(weather.crash) === 0) {
      life.unplug();
      time.clear();
      await rest();
      time.now += chance.below(40_000);
      crashes += 1;
      life = await live();
    }
  }
  await rest();
  const { problem, voids } = await verify(store);
  const wrong = [...troubles, ...(await auditor.audit(store)), ...(problem === undefined ? [] : [problem])];
  return { rounds: counted.rounds, voids, slips, crashes, wrong };

  async function live(): Promise<{ floor: Floor; unplug: () => void }> {
    const disk = faultyStore(store, chance, weather.faults);
    const opening = Floor.open(demoOwner, demoSettings, demoPace, worldOf(disk));
    const floor = await opening;
    while (floor.terminals < terminals) {
      // A patron who is told of trouble asks again.
      await floor.seat(`hash-${floor.terminals}`, demoCredit).catch(() => {});
    }
    return { floor, unplug: disk.unplug };
  }

  function worldOf(disk: Store): World {
    return {
      store: disk,
      clock: time.clock,
      chance,
      key,
      after: time.after,
      id,
      publish: (_, entries) => {
        counted.rounds += entries.filter(({ event }) => event.type === 'RoundSettled').length;
      },
      trouble: () => {},
      stopped: (table, error) => troubles.push(`${table}: ${String(error)}`),
    };
  }

  async function send(table: FloorTable, command: string, asked: Asked): Promise<void> {
    const answered = await table.submit(command, asked);
    if ('refused' in answered || answered.entries.length === 0) return;
    slips += 1;
    auditor.acknowledge({ id: command });
  }

  /** A patron stakes something somewhere; the network loses, doubles and delays what it carries. */
  function bet(floor: Floor): void {
    const table = pick([...floor.tables.values()], chance);
    const { round, phase, setting } = table.table;
    if (round === null || (phase !== 'betting' && chance.below(10) > 0)) return;
    const terminal = `T${1 + chance.below(terminals)}`;
    const slip: { [wager: string]: number } = {};
    for (let n = chance.below(4); n > 0; n--) slip[pick(setting.offered, chance)] = 100 * (1 + chance.below(30));
    const asked = { type: 'SetSlip', who: { terminal }, round: round.id, slip } as const;
    const command = id();
    if (chance.below(100) < weather.drop) return;
    const times = chance.below(100) < weather.double ? 2 : 1;
    for (let n = 0; n < times; n++) {
      time.after(chance.below(2_000), () => void send(table, command, asked));
    }
  }
}

const pick = <T>(from: readonly T[], chance: Chance): T => from[chance.below(from.length)]!;
