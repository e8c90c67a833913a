import { type StoreReader } from '../../store/store.ts';
import { isoTime } from './clock.ts';

/** Name under which the heartbeat of the whole floor is stored; that of a table has the name of its stream. */
export const floorHeartbeatName = 'floor';

/** Callback with the name of a heartbeat that is not trusted, and the reason as a message. */
export type OnHeartbeatRejected = (name: string, message: string) => void;

/**
 * Reads the times of the last heartbeats of the floor and its tables. Heartbeats are not signed, so two kinds are
 * rejected: that of the floor if it is after `latestAt`, and that of a table if it is after the floor's, because the
 * floor saves all of them at once.
 */
export async function trustedHeartbeats(
  store: Pick<StoreReader, 'heartbeats'>,
  latestAt = Infinity,
  onRejected: OnHeartbeatRejected = () => {},
): Promise<ReadonlyMap<string, number>> {
  const trusted = new Map(await store.heartbeats());
  const reject = (name: string, at: number, than: string): void => {
    trusted.delete(name);
    onRejected(
      name,
      `its heartbeat of ${isoTime(at)} is later than ${than} and is ignored; find out who wrote to the data folder.`,
    );
  };
  const floorAt = trusted.get(floorHeartbeatName);
  if (floorAt !== undefined && floorAt > latestAt) reject(floorHeartbeatName, floorAt, 'the anchor allows');
  for (const [name, at] of trusted) {
    if (at > (trusted.get(floorHeartbeatName) ?? -1)) reject(name, at, 'that of the floor');
  }
  return trusted;
}
