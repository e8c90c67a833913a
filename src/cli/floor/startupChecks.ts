import { Turn } from '../../checkpoint/leaderCheckpointWriter.ts';
import { type Uncovered } from '../../checkpoint/checks.ts';
import { type Places, joined, looked } from '../../checkpoint/openStore.ts';
import { Watch } from '../../checkpoint/headTracker.ts';
import { type Jump } from '../../runtime/ports/clock.ts';
import { keyIn } from '../../runtime/encryption/encryptedBlobs.ts';
import { type Running } from '../../server/startServer.ts';
import { machineTime } from '../../server/operations/serverClock.ts';
import { type Store } from '../../store/store.ts';
import { type Together } from './clusterProcess.ts';

type Wants = {
  readonly places: Places;
  /** The file of the key that seals. */
  readonly key: string;
  /** The words by which the operator goes on in spite of something. */
  readonly said?: string | undefined;
  readonly timed?: { readonly isClockAccepted?: boolean; readonly jumped?: (jump: Jump) => void };
  /** Told once what nobody had signed is signed. */
  readonly uncovered?: (uncovered: Uncovered) => void;
};

/** What a server is given of a record. */
type Begun = Pick<Running, 'store' | 'key' | 'keeper' | 'time' | 'doubt' | 'latest' | 'begins' | 'shared' | 'joins'> &
  Pick<Running, 'uncovered' | 'opening' | 'offsetOf' | 'silent'>;

/** Looks at a record before a floor opens on it: as the first and only one, as the first of several, or beside others. */
export async function beginning(opened: Store, together: Together | undefined, wants: Wants): Promise<Begun> {
  const { places, said, timed = {}, uncovered: tell } = wants;
  if (together?.how === 'joins') return joining(opened, together, wants);
  const { doubt, uncovered, latest, keeping } = await looked(opened, places, said);
  const time = await machineTime(opened, { ...timed, ...(latest !== undefined && { latest }) });
  const key = keyIn(wants.key, (await opened.streams()).length === 0);
  const watch = new Watch(opened);
  const others = together && { watch, isHolder: together.isKeeper };
  const { keeper, sign } = keeping(time.now, others);
  return {
    ...(others
      ? {
          ...(await several(watch.store, together, key, time)),
          keeper: new Turn({ store: opened, places, clock: time.now, others }, keeper),
        }
      : { store: keeper.watched(), keeper }),
    key,
    time,
    ...(doubt && { doubt }),
    ...(uncovered && { uncovered: noted(uncovered) }),
    ...(latest !== undefined && { latest }),
    begins: async () => {
      await sign();
      if (uncovered) tell?.(uncovered);
    },
  };
}

async function joining(opened: Store, together: Together, { places, key: file, timed }: Wants): Promise<Begun> {
  const followed = await joined(opened, places);
  const time = await machineTime(opened, timed ?? {});
  const key = keyIn(file, false);
  const watch = new Watch(opened);
  const others = { watch, isHolder: together.isKeeper };
  return {
    ...(await several(watch.store, together, key, time)),
    keeper: new Turn({ store: opened, places, clock: time.now, others, followed }),
    key,
    time,
    joins: true,
  };
}

/** Listens for the others before the floor is open: what they have written by then is read. */
async function several(store: Store, together: Together, key: Buffer, { now }: NonNullable<Running['time']>) {
  await together.link(key, now);
  return {
    store,
    shared: together.shared(store),
    opening: store.held,
    offsetOf: together.offsetOf,
    silent: together.silent,
  };
}

/** What nobody had signed, as the journal keeps it. */
const noted = ({ stream, sequence, count }: Uncovered) => ({ stream, sequence, count });
