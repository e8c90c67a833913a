import { isFatalStoreError } from '../../store/failures.ts';

/** Port to the writer of checkpoints and anchors, which sign the heads and balances of the store. */
export type CheckpointPort = {
  /** Writes a checkpoint into the store; `isClosed` marks the last checkpoint of a closed floor. */
  readonly checkpoint: (isClosed?: boolean) => Promise<void>;
  /** Writes the anchor file, which is outside the store. */
  readonly anchor: () => Promise<void>;
  /** Time and hash of the last checkpoint in the store; null if the store has no checkpoint yet. */
  readonly signed: { readonly at: number; readonly hash: string } | null;
};

type CheckpointOptions = {
  readonly source: CheckpointPort | undefined;
  readonly hasFailed: () => boolean;
  readonly onFatal: (error: unknown) => void;
  readonly onRetry: (subject: string, error: unknown) => void;
  readonly onRecovery: (subject: string) => void;
};

/**
 * Makes a function that writes a checkpoint or an anchor. After a failure, an anchor is written again with the next
 * heartbeat, and a checkpoint after the next anchor.
 */
export function createRetryingCheckpointWrite({ source, hasFailed, onFatal, onRetry, onRecovery }: CheckpointOptions) {
  let isAnchored = true;
  let hasFailedCheckpoint = false;
  const write = async (target: 'checkpoint' | 'anchor', isClosed = false): Promise<void> => {
    if (source === undefined || hasFailed()) return;
    try {
      await source[target](isClosed);
      onRecovery(`the ${target}`);
      if (target === 'anchor') isAnchored = true;
      // The anchor could be written, so a checkpoint that failed is tried again now; the next regular one may be a
      // minute away. The reported outage ends only when a checkpoint succeeds.
      const isDue = target === 'anchor' && hasFailedCheckpoint;
      hasFailedCheckpoint = false;
      if (isDue) await write('checkpoint');
    } catch (error) {
      if (isFatalStoreError(error)) return onFatal(error);
      onRetry(`the ${target}`, error);
      if (target === 'checkpoint') hasFailedCheckpoint = true;
      if (target !== 'anchor' || !isAnchored) return;
      // The anchor file is out of date now. A checkpoint in the store shows this, and signs the heads that the anchor
      // lacks.
      isAnchored = false;
      await write('checkpoint');
    }
  };
  return write;
}
