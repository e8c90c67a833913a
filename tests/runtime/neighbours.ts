import { FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { Presence } from '../../src/runtime/ports/presence.ts';
import { type ClusterPort } from '../../src/runtime/ports/clusterPort.ts';
import { type RuntimeDependencies } from '../../src/runtime/ports/runtimeDependencies.ts';
import { type Store } from '../../src/store/store.ts';
import { TestClock } from '../chaos/time.ts';
import { demoOwner, demoPace } from './demo.ts';
import { start, worldOf } from './made.ts';

/** What programs on one record tell each other, in one process; a test may have it lost. */
export class Hints {
  isLost = false;
  readonly #floors: (Pick<FloorRuntime, 'valueChanged'> | undefined)[] = [];
  readonly #hearing = new Set<Promise<unknown>>();

  /** For the next program on the record; it hears once it is there. */
  next(store: Store): {
    readonly shared: ClusterPort;
    readonly joins: (floor: Pick<FloorRuntime, 'valueChanged'>) => void;
  } {
    const place = this.#floors.push(undefined) - 1;
    const shared: ClusterPort = {
      fencedStoreOf: () => store,
      forward: () => Promise.reject(new Error('No table is driven here.')),
      reportConnection: () => {},
      publishHead: () => {},
      publishValue: (kind, id) => {
        const others = this.isLost ? [] : this.#floors.filter((_, other) => other !== place);
        for (const floor of others) {
          if (floor === undefined) continue;
          const hearing = floor.valueChanged(kind, id).finally(() => this.#hearing.delete(hearing));
          this.#hearing.add(hearing);
        }
      },
      publishSeat: () => {},
      presence: new Presence(),
      publishRefusedScan: () => {},
    };
    return { shared, joins: (floor) => void (this.#floors[place] = floor) };
  }

  /** Resolves once all that was told has been heard. */
  async heard(): Promise<void> {
    while (this.#hearing.size > 0) await Promise.all(this.#hearing);
  }
}

/** Two floors without a table on one record, each told what the other writes beside the chain. */
export async function neighbours(store: Store, more: Partial<RuntimeDependencies> = {}, time = new TestClock(start)) {
  const hints = new Hints();
  const open = async (opening: number, own: Partial<RuntimeDependencies> = more) => {
    const { shared, joins } = hints.next(store);
    const relinked: string[] = [];
    const made = worldOf(store, `node-${opening}`, time);
    const floor = await FloorRuntime.open(demoOwner, [], demoPace, {
      ...made.world,
      terminalNamespace: opening,
      cluster: shared,
      onSecretChanged: (secretHash) => relinked.push(secretHash),
      ...own,
    });
    joins(floor);
    return { ...made, floor, relinked, terminals: floor.terminals, people: floor.staff, cashier: floor.tickets };
  };
  return { hints, time, one: await open(1), other: await open(2), open };
}

/** So much time goes by, and whatever is due in it is done. */
export async function pass(time: TestClock, span: number): Promise<void> {
  const end = time.now + span;
  time.after(span, () => {});
  while (time.now < end) await time.step();
}
