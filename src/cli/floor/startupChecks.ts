import { LeaderCheckpointWriter } from '../../checkpoint/leaderCheckpointWriter.ts';
import { type UnsignedRange } from '../../checkpoint/checks.ts';
import { type KeyPaths, checkOnJoin, checkStore } from '../../checkpoint/openStore.ts';
import { HeadTracker } from '../../checkpoint/headTracker.ts';
import { type ClockJump } from '../../runtime/ports/clock.ts';
import { openDataKey } from '../../runtime/encryption/dataKey.ts';
import { type ServerOptions } from '../../server/serverOptions.ts';
import { systemScheduler } from '../../server/operations/serverClock.ts';
import { type Store } from '../../store/store.ts';
import { type ClusterHandle } from './clusterProcess.ts';

type Wants = {
  readonly places: KeyPaths;
  /** The file of the key that seals. */
  readonly key: string;
  /** The words by which the operator goes on in spite of something. */
  readonly said?: string | undefined;
  readonly timed?: { readonly acceptClock?: boolean; readonly onClockJump?: (jump: ClockJump) => void };
  /** Told once what nobody had signed is signed. */
  readonly uncovered?: (uncovered: UnsignedRange) => void;
};

/** What a server is given of a record. */
type Begun = Pick<
  ServerOptions,
  | 'store'
  | 'key'
  | 'checkpoints'
  | 'scheduler'
  | 'acceptedIssue'
  | 'lastAliveAt'
  | 'beforeFirstWrite'
  | 'cluster'
  | 'joinsFloor'
> &
  Pick<ServerOptions, 'unsignedEntries' | 'openingNumber' | 'leaderClockOffset' | 'silenceOf'>;

/** Looks at a record before a floor opens on it: as the first and only one, as the first of several, or beside others. */
export async function runStartupChecks(
  opened: Store,
  together: ClusterHandle | undefined,
  wants: Wants,
): Promise<Begun> {
  const { places, said, timed = {}, uncovered: tell } = wants;
  if (together?.how === 'joins') return joining(opened, together, wants);
  const {
    issue: acceptedIssue,
    unsigned: uncovered,
    latestTime: lastAliveAt,
    startSigning,
  } = await checkStore(opened, places, said);
  const scheduler = await systemScheduler(opened, { ...timed, ...(lastAliveAt !== undefined && { lastAliveAt }) });
  const key = openDataKey(wants.key, (await opened.streams()).length === 0);
  const watch = new HeadTracker(opened);
  const others = together && { headTracker: watch, isLeaseHolder: together.isKeeper };
  const { writer, sign } = startSigning(scheduler.now, others);
  return {
    ...(others
      ? {
          ...(await several(watch.store, together, key, scheduler)),
          checkpoints: new LeaderCheckpointWriter(
            { store: opened, paths: places, clock: scheduler.now, cluster: others },
            writer,
          ),
        }
      : { store: writer.trackedStore(), checkpoints: writer }),
    key,
    scheduler,
    ...(acceptedIssue && { acceptedIssue }),
    ...(uncovered && { unsignedEntries: noted(uncovered) }),
    ...(lastAliveAt !== undefined && { lastAliveAt }),
    beforeFirstWrite: async () => {
      await sign();
      if (uncovered) tell?.(uncovered);
    },
  };
}

async function joining(opened: Store, together: ClusterHandle, { places, key: file, timed }: Wants): Promise<Begun> {
  const followed = await checkOnJoin(opened, places);
  const scheduler = await systemScheduler(opened, timed ?? {});
  const key = openDataKey(file, false);
  const watch = new HeadTracker(opened);
  const others = { headTracker: watch, isLeaseHolder: together.isKeeper };
  return {
    ...(await several(watch.store, together, key, scheduler)),
    checkpoints: new LeaderCheckpointWriter({
      store: opened,
      paths: places,
      clock: scheduler.now,
      cluster: others,
      chain: followed,
    }),
    key,
    scheduler,
    joinsFloor: true,
  };
}

/** Listens for the others before the floor is open: what they have written by then is read. */
async function several(
  store: Store,
  together: ClusterHandle,
  key: Buffer,
  { now }: NonNullable<ServerOptions['scheduler']>,
) {
  await together.link(key, now);
  return {
    store,
    cluster: together.shared(store),
    openingNumber: store.writerEpoch,
    leaderClockOffset: together.offsetOf,
    silenceOf: together.silent,
  };
}

/** What nobody had signed, as the journal keeps it. */
const noted = ({ stream, sequence, count }: UnsignedRange) => ({ stream, sequence, count });
