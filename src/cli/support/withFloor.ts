import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { checkStore } from '../../checkpoint/openStore.ts';
import { systemRandom } from '../../runtime/ports/random.ts';
import { FloorRuntime } from '../../runtime/floorRuntime.ts';
import { openDataKey } from '../../runtime/encryption/dataKey.ts';
import { type Owner } from '../../runtime/ports/runtimeDependencies.ts';
import { systemScheduler } from '../../server/operations/serverClock.ts';
import { type Store } from '../../store/store.ts';
import { withExclusiveStore } from './exclusiveStore.ts';
import { type Pipes, type Values } from './command.ts';
import { errorText } from './outageText.ts';

/** What is done on a floor, and the line that tells of it. */
export type FloorAction = (floor: FloorRuntime, store: Store) => Promise<string>;

/**
 * A floor without tables on the record that was named, for as long as something is done there; its journal tells of it, and
 * it is signed. Gives the line that tells of it.
 */
export async function withFloor(
  values: Values,
  errors: Pipes['errors'],
  ownerOf: (store: Store) => Promise<Owner>,
  act: FloorAction,
): Promise<string> {
  const trouble = (what: string, error: unknown): void => void errors.write(`punto: ${errorText(what, error)}\n`);
  return withExclusiveStore(values, async ({ store, key, places }) => {
    const owner = await ownerOf(store);
    const {
      issue: doubt,
      unsigned: uncovered,
      latestTime: lastAliveAt,
      startSigning: keeping,
    } = await checkStore(store, places, undefined);
    const time = await systemScheduler(store, lastAliveAt === undefined ? {} : { lastAliveAt });
    const { writer: keeper, sign } = keeping(time.now);
    const floor = await FloorRuntime.open(
      owner,
      [],
      { betweenRounds: 0, betweenCards: 0 },
      {
        store: keeper.trackedStore(),
        clock: time.now,
        random: systemRandom,
        key: openDataKey(key, false),
        ...(doubt && { integrityIssue: doubt }),
        ...(uncovered && {
          unsignedEntries: { stream: uncovered.stream, sequence: uncovered.sequence, count: uncovered.count },
        }),
        ...(lastAliveAt !== undefined && { latestHeartbeatAt: lastAliveAt }),
        beforeFirstWrite: () => sign(),
        after: time.after,
        sleep: (span) => pause(span),
        newId: randomUUID,
        publish: () => {},
        onWarning: trouble,
        onTableCrashed: trouble,
        onRetrying: trouble,
        onRecovered: () => {},
        onFatal: (error) => trouble('the record', error),
      },
    );
    try {
      return await act(floor, store);
    } finally {
      await floor.drain();
      await keeper.checkpoint(true);
      await keeper.anchor();
    }
  });
}
