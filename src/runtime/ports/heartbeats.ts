import { type StoreReader } from '../../store/store.ts';
import { isoTime } from './clock.ts';

/** Name of the heartbeat of the floor as a whole. */
export const floorHeartbeat = 'floor';

/** Called with the name of a heartbeat that is not trusted, and why. */
export type HeartbeatRejected = (name: string, message: string) => void;

/**
 * Last heartbeats of the floor and its tables. Heartbeats are not signed, so a floor heartbeat after `latestAt` is
 * dropped, and a table heartbeat later than the floor's: the floor records all of them at once.
 */
export async function trustedHeartbeats(
  store: Pick<StoreReader, 'heartbeats'>,
  latestAt = Infinity,
  onRejected: HeartbeatRejected = () => {},
): Promise<ReadonlyMap<string, number>> {
  const trusted = new Map(await store.heartbeats());
  const reject = (name: string, at: number, than: string): void => {
    trusted.delete(name);
    onRejected(
      name,
      `its heartbeat of ${isoTime(at)} is later than ${than} and is not believed; find out who wrote to the folder.`,
    );
  };
  const floorAt = trusted.get(floorHeartbeat);
  if (floorAt !== undefined && floorAt > latestAt) reject(floorHeartbeat, floorAt, 'the anchor allows');
  for (const [name, at] of trusted) {
    if (at > (trusted.get(floorHeartbeat) ?? -1)) reject(name, at, 'that of the floor');
  }
  return trusted;
}
