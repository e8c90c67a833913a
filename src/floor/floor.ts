import { tryKey } from './seal.ts';
import { type Pace } from './pace.ts';
import { Purse } from './purse.ts';
import { FloorTable, type TableSetting } from './table.ts';
import { Terminals } from './terminals.ts';
import { type Owner, type World } from './world.ts';

/** What the floor as a whole is known by when it says that it is alive. */
export const floorPulse = 'floor';

/** Many tables in one program, and the credit of its terminals. */
export class Floor {
  readonly tables = new Map<string, FloorTable>();
  readonly terminals: Terminals;
  readonly owner: Owner;
  readonly #world: World;

  private constructor(owner: Owner, world: World, purse: Purse) {
    this.owner = owner;
    this.#world = world;
    this.terminals = new Terminals(owner, world, purse, () => this.#states());
  }

  /** Every table from its record, or opened for the first time. */
  static async open(
    owner: Owner,
    settings: readonly TableSetting[],
    pace: Pace | ((table: string) => Pace),
    world: World,
  ): Promise<Floor> {
    await tryKey(world.store, world.key);
    const purse = new Purse(await world.store.balances());
    const floor = new Floor(owner, world, purse);
    await floor.terminals.load();
    for (const setting of settings) {
      const own = typeof pace === 'function' ? pace(setting.table) : pace;
      const table = new FloorTable({ setting, pace: own }, owner, purse, world);
      floor.tables.set(table.id, table);
      await table.load();
    }
    // Nothing is written before everything has been read.
    for (const table of floor.tables.values()) {
      const refusal = await table.start(await world.store.lastBeat(table.stream));
      if (refusal) throw new Error(`The table ${table.id} cannot open: ${refusal.message}`);
    }
    return floor;
  }

  *#states() {
    for (const { runner } of this.tables.values()) if (runner.state !== undefined) yield runner.state;
  }

  /** Opens no further round, deals to their end those that have begun, and leaves open bets in the record. */
  async park(): Promise<void> {
    await Promise.all([...this.tables.values()].map((table) => table.park()));
    await this.beat();
  }

  /** The floor is alive, and so is each table that can act. */
  beat(): Promise<void> {
    const alive = [...this.tables.values()].filter(({ runner }) => !runner.isStopped);
    return this.#world.store.beat([floorPulse, ...alive.map(({ stream }) => stream)], this.#world.clock());
  }
}
