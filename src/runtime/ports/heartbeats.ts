import { type StoreReader } from '../../store/store.ts';
import { timeOf } from './clock.ts';

/** What the floor as a whole is known by when it says that it is alive. */
export const floorPulse = 'floor';

/** Told of a heartbeat that is not believed, by whose it is. */
export type Disbelief = (name: string, message: string) => void;

/**
 * When the floor and its tables were last alive. Heartbeats are not signed: one of the floor is not believed where it is
 * later than `latest`, nor one of a table where it is later than the floor's, which beats for all at once.
 */
export async function trustedHeartbeats(
  store: Pick<StoreReader, 'heartbeats'>,
  latest = Infinity,
  told: Disbelief = () => {},
): Promise<ReadonlyMap<string, number>> {
  const beats = new Map(await store.heartbeats());
  const disbelieve = (name: string, at: number, than: string): void => {
    beats.delete(name);
    told(
      name,
      `its heartbeat of ${timeOf(at)} is later than ${than} and is not believed; find out who wrote to the folder.`,
    );
  };
  const pulse = beats.get(floorPulse);
  if (pulse !== undefined && pulse > latest) disbelieve(floorPulse, pulse, 'the anchor allows');
  for (const [name, at] of beats) {
    if (at > (beats.get(floorPulse) ?? -1)) disbelieve(name, at, 'that of the floor');
  }
  return beats;
}
