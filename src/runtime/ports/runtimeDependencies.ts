import { type Store } from '../../store/store.ts';
import { type TableSettings } from '../../table/schema/settings.ts';
import { type ClockJump } from './clock.ts';
import { type ClusterPort } from './clusterPort.ts';
import { type FloorConfig } from './floorConfig.ts';
import { type FloorListener } from './floorListener.ts';
import { type RandomSource } from './random.ts';
import { type Scheduler } from './scheduler.ts';

export type PropertyAndCurrency = Pick<TableSettings, 'property' | 'currency'>;

/** Ports of a floor: event store, clock, timers, randomness and the other nodes. */
type FloorPorts = Pick<Scheduler, 'after'> & {
  readonly store: Store;
  readonly clock: () => number;
  readonly random: RandomSource;
  /** Port to the other nodes of the cluster; absent if this process is the only writer. */
  readonly cluster?: ClusterPort;
  /** Resolves after a delay in milliseconds; used between retries. */
  readonly sleep: (time: number) => Promise<void>;
  /** Makes a new id for a command of the system. */
  readonly newId: () => string;
  /** Subscribes to changes of the machine clock. A change before the subscription is reported too. */
  readonly subscribeClockJumps?: (listener: (jump: ClockJump) => void) => void;
};

/** Everything a floor needs from outside: ports, configuration and callbacks. */
export type FloorDependencies = FloorPorts & FloorConfig & FloorListener;
