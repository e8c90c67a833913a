import { type StoreReader } from '../../store/store.ts';
import { isoTime } from '../ports/clock.ts';

/** Name of the floor's heartbeat in the store. The heartbeat of a table has the name of the table's stream. */
export const floorHeartbeatName = 'floor';

/** Callback with the name of a heartbeat that is not trusted, and the reason as a message. */
export type HeartbeatRejectionListener = (name: string, message: string) => void;

/**
 * Reads the times of the last heartbeats of the floor and its tables. Heartbeats are not signed, so two kinds are
 * rejected. A floor heartbeat after `latestAt` is rejected. A table heartbeat after the floor heartbeat is rejected
 * too, because each save of table heartbeats also saves a floor heartbeat.
 */
export async function readTrustedHeartbeats(
  store: Pick<StoreReader, 'heartbeats'>,
  latestAt = Infinity,
  onRejected: HeartbeatRejectionListener = () => {},
): Promise<ReadonlyMap<string, number>> {
  const trusted = new Map(await store.heartbeats());
  const reject = (name: string, message: string): void => {
    trusted.delete(name);
    onRejected(name, message);
  };
  const floorAt = trusted.get(floorHeartbeatName);
  if (floorAt !== undefined && floorAt > latestAt) {
    reject(
      floorHeartbeatName,
      `The heartbeat of the floor is dated ${isoTime(floorAt)}, but the anchor file shows that the floor ran until ${isoTime(latestAt)} at the latest; the heartbeat is ignored. Find out who wrote to the event store.`,
    );
  }
  for (const [name, at] of trusted) {
    if (at <= (trusted.get(floorHeartbeatName) ?? -1)) continue;
    reject(
      name,
      `The heartbeat of ${name} is dated ${isoTime(at)}, after the last heartbeat of the floor; it is ignored. Find out who wrote to the event store.`,
    );
  }
  return trusted;
}
