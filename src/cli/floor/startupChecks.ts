import { LeaderCheckpointWriter } from '../../checkpoint/leaderCheckpointWriter.ts';
import { type UnsignedRange } from '../../checkpoint/checks.ts';
import { type KeyPaths, checkOnJoin, checkStore } from '../../checkpoint/openStore.ts';
import { HeadTracker } from '../../checkpoint/headTracker.ts';
import { type Jump } from '../../runtime/ports/clock.ts';
import { openDataKey } from '../../runtime/encryption/encryptedBlobs.ts';
import { type ServerOptions } from '../../server/serverOptions.ts';
import { machineTime } from '../../server/operations/serverClock.ts';
import { type Store } from '../../store/store.ts';
import { type Together } from './clusterProcess.ts';

type Wants = {
  readonly places: KeyPaths;
  /** The file of the key that seals. */
  readonly key: string;
  /** The words by which the operator goes on in spite of something. */
  readonly said?: string | undefined;
  readonly timed?: { readonly isClockAccepted?: boolean; readonly jumped?: (jump: Jump) => void };
  /** Told once what nobody had signed is signed. */
  readonly uncovered?: (uncovered: UnsignedRange) => void;
};

/** What a server is given of a record. */
type Begun = Pick<
  ServerOptions,
  'store' | 'key' | 'keeper' | 'time' | 'doubt' | 'latest' | 'begins' | 'shared' | 'joins'
> &
  Pick<ServerOptions, 'uncovered' | 'opening' | 'offsetOf' | 'silent'>;

/** Looks at a record before a floor opens on it: as the first and only one, as the first of several, or beside others. */
export async function runStartupChecks(opened: Store, together: Together | undefined, wants: Wants): Promise<Begun> {
  const { places, said, timed = {}, uncovered: tell } = wants;
  if (together?.how === 'joins') return joining(opened, together, wants);
  const {
    issue: doubt,
    unsigned: uncovered,
    latestTime: latest,
    startSigning: keeping,
  } = await checkStore(opened, places, said);
  const time = await machineTime(opened, { ...timed, ...(latest !== undefined && { latest }) });
  const key = openDataKey(wants.key, (await opened.streams()).length === 0);
  const watch = new HeadTracker(opened);
  const others = together && { headTracker: watch, isLeaseHolder: together.isKeeper };
  const { writer: keeper, sign } = keeping(time.now, others);
  return {
    ...(others
      ? {
          ...(await several(watch.store, together, key, time)),
          keeper: new LeaderCheckpointWriter(
            { store: opened, paths: places, clock: time.now, cluster: others },
            keeper,
          ),
        }
      : { store: keeper.trackedStore(), keeper }),
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
  const followed = await checkOnJoin(opened, places);
  const time = await machineTime(opened, timed ?? {});
  const key = openDataKey(file, false);
  const watch = new HeadTracker(opened);
  const others = { headTracker: watch, isLeaseHolder: together.isKeeper };
  return {
    ...(await several(watch.store, together, key, time)),
    keeper: new LeaderCheckpointWriter({
      store: opened,
      paths: places,
      clock: time.now,
      cluster: others,
      chain: followed,
    }),
    key,
    time,
    joins: true,
  };
}

/** Listens for the others before the floor is open: what they have written by then is read. */
async function several(store: Store, together: Together, key: Buffer, { now }: NonNullable<ServerOptions['time']>) {
  await together.link(key, now);
  return {
    store,
    shared: together.shared(store),
    opening: store.writerEpoch,
    offsetOf: together.offsetOf,
    silent: together.silent,
  };
}

/** What nobody had signed, as the journal keeps it. */
const noted = ({ stream, sequence, count }: UnsignedRange) => ({ stream, sequence, count });
