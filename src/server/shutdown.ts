import { type FastifyInstance } from 'fastify';
import { type FloorRuntime } from '../runtime/floorRuntime.ts';
import { type ServerHubs, type ServerDependencies } from './serverFloor.ts';
import { type OpenSocketRegistry } from './openSocketRegistry.ts';
import { type SignInFailureReporter } from './staff/signInFailureReporter.ts';
import { type ServerTimers } from './timers.ts';

type ShutdownOptions = Pick<ServerDependencies, 'options' | 'store' | 'activity' | 'failures' | 'pending'> & {
  readonly app: FastifyInstance;
  readonly hubs: ServerHubs;
  readonly floor: FloorRuntime;
  readonly sockets: OpenSocketRegistry;
  readonly timers: ServerTimers;
  readonly signInFailures: SignInFailureReporter;
};

/**
 * Stops the parts of a server in this order: hubs, floor, connections, timers, store. If the close of the floor could
 * not be recorded, resolves to the error.
 */
export async function shutDownServer(
  { options, store, activity, failures, pending, app, hubs, floor, sockets, timers, signInFailures }: ShutdownOptions,
  isLast: boolean,
): Promise<unknown> {
  hubs.patrons.close();
  hubs.staff.close();
  // An entry that cannot be written does not prevent the shutdown: the next start continues from the stored entries.
  const unrecorded = failures.hasFailed ? undefined : await floor.drain(isLast).catch((error: unknown) => error);
  const isClosed = isLast && !failures.hasFailed && unrecorded === undefined;
  if (unrecorded !== undefined) options.warn('closing', unrecorded);
  for (const connection of sockets.all) connection.close(1001, 'server-closing');
  // A disconnect, a timer or another node may still submit a command, so all streams stop before the store is closed.
  if (!failures.hasFailed) await floor.stop();
  timers.stop();
  pending.stop();
  signInFailures.close();
  await app.close();
  // Connections, timers and messages of other nodes have started tasks. These tasks may still read and write the store.
  if (!failures.hasFailed) {
    await sockets.untilHandled();
    await activity.untilIdle();
  }
  await timers.writeCheckpoint('checkpoint', isClosed);
  await timers.writeCheckpoint('anchor');
  await store.close();
  return unrecorded;
}
