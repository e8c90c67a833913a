import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { RemoteTerminalSeats } from '../../../src/runtime/terminals/remoteTerminalSeats.ts';
import { type ClusterPort, type ForwardResult, type ForwardedCommand } from '../../../src/runtime/ports/clusterPort.ts';
import { type FloorDependencies } from '../../../src/runtime/ports/runtimeDependencies.ts';
import { type Store } from '../../../src/store/store.ts';
import { TestClock } from '../../chaos/time.ts';
import { demoOwner, demoPace } from './demo.ts';
import { start, testDependencies } from './testDependencies.ts';

type AttachedFloor = Pick<FloorRuntime, 'valueChanged' | 'tables'>;

/**
 * Notifications and forwarded commands between floors on one event store, in one process. A test may drop the
 * notifications.
 */
export class HintBus {
  isDropping = false;
  readonly #floors: (AttachedFloor | undefined)[] = [];
  readonly #deliveries = new Set<Promise<unknown>>();

  /** Cluster port of the next node; the node receives notifications after `attach`. */
  addNode(store: Store): {
    readonly cluster: ClusterPort;
    readonly attach: (floor: AttachedFloor) => void;
  } {
    const index = this.#floors.push(undefined) - 1;
    const cluster: ClusterPort = {
      fencedStoreOf: () => store,
      forward: (stream, command) => this.#forward(stream, command),
      reportConnection: () => {},
      publishHead: () => {},
      publishValue: (kind, id) => {
        const others = this.isDropping ? [] : this.#floors.filter((_, other) => other !== index);
        for (const floor of others) {
          if (floor === undefined) continue;
          const delivery = floor.valueChanged(kind, id).finally(() => this.#deliveries.delete(delivery));
          this.#deliveries.add(delivery);
        }
      },
      publishSeat: () => {},
      remoteTerminals: new RemoteTerminalSeats(),
      publishRefusedScan: () => {},
    };
    return { cluster, attach: (floor) => void (this.#floors[index] = floor) };
  }

  async #forward(stream: string, command: ForwardedCommand): Promise<ForwardResult> {
    const tables = this.#floors.flatMap((floor) => [...(floor?.tables.values() ?? [])]);
    const leader = tables.find((table) => table.stream === stream && table.isLeader);
    const result = await leader?.execute(command);
    if (result === undefined || result === 'moved') throw new Error(`The stream ${stream} has no leader.`);
    return result;
  }

  /** Resolves when every notification has been processed. */
  async delivered(): Promise<void> {
    while (this.#deliveries.size > 0) await Promise.all(this.#deliveries);
  }
}

/** Two floors without tables on one event store, each notified of the other's changes in the key-value table. */
export async function openTwoFloors(store: Store, more: Partial<FloorDependencies> = {}, time = new TestClock(start)) {
  const hints = new HintBus();
  const open = async (opening: number, own: Partial<FloorDependencies> = more) => {
    const { cluster, attach } = hints.addNode(store);
    const changedSecrets: string[] = [];
    const test = testDependencies(store, `node-${opening}`, time);
    const floor = await openFloor(demoOwner, [], demoPace, {
      ...test.dependencies,
      terminalNamespace: opening,
      cluster,
      onSecretChanged: (secretHash) => changedSecrets.push(secretHash),
      ...own,
    });
    attach(floor);
    return { ...test, floor, changedSecrets, terminals: floor.terminals, staff: floor.staff, tickets: floor.tickets };
  };
  return { hints, time, one: await open(1), other: await open(2), open };
}

/** Advances the time and runs every timer that falls due. */
export async function advanceTime(time: TestClock, durationMs: number): Promise<void> {
  const end = time.now + durationMs;
  time.after(durationMs, () => {});
  while (time.now < end) await time.step();
}
