import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { checkStoreBeforeStart } from '../../checkpoint/storeCheck.ts';
import { systemRandom } from '../../runtime/ports/random.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { openFloor } from '../../runtime/openFloor.ts';
import { loadOrCreateDataKey } from '../../runtime/encryption/dataKey.ts';
import { type PropertyAndCurrency } from '../../runtime/ports/runtimeDependencies.ts';
import { createSystemScheduler } from '../../server/operations/systemScheduler.ts';
import { type Store } from '../../store/store.ts';
import { withExclusiveStore } from './exclusiveStore.ts';
import { type CommandStreams, type OptionValues } from './commandLine.ts';
import { errorLogText } from './serverLogText.ts';

/** An action on an open floor. The result is the line to print. */
export type FloorAction = (floor: FloorRuntime, store: Store) => Promise<string>;

/**
 * Opens a floor without tables on the store of the options, and calls `act` with it. Then closes the floor and signs a
 * last checkpoint. Returns the line that `act` gave.
 */
export async function withFloorWithoutTables(
  values: OptionValues,
  errors: CommandStreams['errors'],
  ownerOf: (store: Store) => Promise<PropertyAndCurrency>,
  act: FloorAction,
): Promise<string> {
  const logError = (what: string, error: unknown): void => void errors.write(`punto: ${errorLogText(what, error)}\n`);
  return withExclusiveStore(values, async ({ store, key, keyPaths }) => {
    const owner = await ownerOf(store);
    const {
      issue: integrityIssue,
      unsigned: unsignedRange,
      latestTime: lastAliveAt,
      startSigning,
    } = await checkStoreBeforeStart(store, keyPaths, undefined);
    const scheduler = await createSystemScheduler(store, lastAliveAt === undefined ? {} : { lastAliveAt });
    const { writer: checkpointWriter, sign } = startSigning(scheduler.now);
    const floor = await openFloor(
      owner,
      [],
      { betweenRounds: 0, betweenCards: 0 },
      {
        store: checkpointWriter.trackedStore(),
        clock: scheduler.now,
        random: systemRandom,
        key: loadOrCreateDataKey(key, false),
        ...(integrityIssue && { integrityIssue }),
        ...(unsignedRange && {
          unsignedEntries: {
            stream: unsignedRange.stream,
            sequence: unsignedRange.sequence,
            count: unsignedRange.count,
          },
        }),
        ...(lastAliveAt !== undefined && { latestHeartbeatAt: lastAliveAt }),
        beforeFirstWrite: () => sign(),
        after: scheduler.after,
        sleep: (span) => pause(span),
        newId: randomUUID,
        publish: () => {},
        onWarning: logError,
        onTableCrashed: logError,
        onRetrying: logError,
        onRecovered: () => {},
        onFatal: (error) => logError('the event log', error),
      },
    );
    try {
      return await act(floor, store);
    } finally {
      await floor.drain();
      await checkpointWriter.checkpoint(true);
      await checkpointWriter.anchor();
    }
  });
}
