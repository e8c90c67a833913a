import { type StoreReader } from '../../store/store.ts';
import { isoTime } from '../ports/clock.ts';

/** Name of the floor's heartbeat in the store. The heartbeat of a table has the name of the table's stream. */
export const floorHeartbeatName = 'floor';

/** Callback with the name of a heartbeat that is not trusted, and the reason as a message. */
export type OnHeartbeatRejected = (name: string, message: string) => void;

/**
 * Reads the times of the last heartbeats of the floor and its tables. Heartbeats are not signed. So a floor heartbeat
 * after `latestAt` is rejected. A table heartbeat after the floor's is rejected too, because each save of table
 * heartbeats also saves the floor's.
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
