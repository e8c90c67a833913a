import { type Store } from '../../store/store.ts';
import { type TableSettings } from '../../table/schema/settings.ts';
import { type ClockJump } from './clock.ts';
import { type ClusterPort } from './clusterPort.ts';
import { type FloorConfig } from './floorConfig.ts';
import { type FloorListener } from './floorListener.ts';
import { type RandomSource } from './random.ts';
import { type Scheduler } from './scheduler.ts';

export type PropertyAndCurrency = Pick<TableSettings, 'property' | 'currency'>;

type FloorPorts = Pick<Scheduler, 'after'> & {
  readonly store: Store;
  readonly clock: () => number;
  readonly random: RandomSource;
  /** Port to the other nodes; absent without a cluster. */
  readonly cluster?: ClusterPort;
  /** Resolves after a delay in milliseconds; used between retries. */
  readonly sleep: (time: number) => Promise<void>;
  /** Makes a unique id, for a command of the system or for a shoe. */
  readonly newId: () => string;
  /** Subscribes to changes of the machine's time of day. Changes before the subscription are reported too. */
  readonly subscribeClockJumps?: (listener: (jump: ClockJump) => void) => void;
};

/** Everything that a floor needs from outside: ports, configuration and callbacks. */
export type FloorDependencies = FloorPorts & FloorConfig & FloorListener;
