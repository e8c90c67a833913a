import { isFatalStoreError } from '../../store/failures.ts';

/** Signs the heads and balances of the store. */
export type CheckpointSource = {
  /** Writes a checkpoint into the store. */
  readonly checkpoint: (isClosed?: boolean) => Promise<void>;
  /** Writes the external anchor file. */
  readonly anchor: () => Promise<void>;
  /** Time and hash of the last checkpoint in the store. */
  readonly signed: { readonly at: number; readonly hash: string } | null;
};

type CheckpointOptions = {
  readonly source: CheckpointSource | undefined;
  readonly hasFailed: () => boolean;
  readonly onFatal: (error: unknown) => void;
  readonly onRetry: (who: string, error: unknown) => void;
  readonly onRecovery: (who: string) => void;
};

/** Writes checkpoints and anchors. A failed write is retried at the next interval and blocks no command. */
export function scheduleCheckpoints({ source, hasFailed, onFatal, onRetry, onRecovery }: CheckpointOptions) {
  let isAnchored = true;
  let hasFailedCheckpoint = false;
  const write = async (target: 'checkpoint' | 'anchor', isClosed = false): Promise<void> => {
    if (source === undefined || hasFailed()) return;
    try {
      await source[target](isClosed);
      onRecovery(`the ${target}`);
      if (target === 'anchor') isAnchored = true;
      // The outage ends only with a checkpoint, and the next one would be due in up to a minute.
      const isDue = target === 'anchor' && hasFailedCheckpoint;
      hasFailedCheckpoint = false;
      if (isDue) await write('checkpoint');
    } catch (error) {
      if (isFatalStoreError(error)) return onFatal(error);
      onRetry(`the ${target}`, error);
      if (target === 'checkpoint') hasFailedCheckpoint = true;
      if (target !== 'anchor' || !isAnchored) return;
      // From now on only a checkpoint in the store proves the heads, and that the anchor is behind.
      isAnchored = false;
      await write('checkpoint');
    }
  };
  return write;
}
