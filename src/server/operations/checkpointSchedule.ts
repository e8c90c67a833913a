import { isFatal } from '../../store/failures.ts';

/** Whoever signs how far the record has got. */
export type CheckpointSource = {
  /** In the record itself. */
  readonly checkpoint: (isClosed?: boolean) => Promise<void>;
  /** In a file elsewhere. */
  readonly anchor: () => Promise<void>;
  /** When it last did the former, and the hash of what was signed. */
  readonly signed: { readonly at: number; readonly hash: string } | null;
};

type Parts = {
  readonly keeper: CheckpointSource | undefined;
  readonly isLost: () => boolean;
  readonly lost: (error: unknown) => void;
  readonly failed: (who: string, error: unknown) => void;
  readonly mended: (who: string) => void;
};

/** Has it signed how far the record has got. What cannot be signed now is signed the next time; nobody waits for it. */
export function keeping({ keeper, isLost, lost, failed, mended }: Parts) {
  let isAnchored = true;
  let isUnsigned = false;
  const keep = async (what: 'checkpoint' | 'anchor', isClosed = false): Promise<void> => {
    if (keeper === undefined || isLost()) return;
    try {
      await keeper[what](isClosed);
      mended(`the ${what}`);
      if (what === 'anchor') isAnchored = true;
      // The next checkpoint would not be due for a minute, and whoever was told that writing fails waits for the end of that.
      const isDue = what === 'anchor' && isUnsigned;
      isUnsigned = false;
      if (isDue) await keep('checkpoint');
    } catch (error) {
      if (isFatal(error)) return lost(error);
      failed(`the ${what}`, error);
      if (what === 'checkpoint') isUnsigned = true;
      if (what !== 'anchor' || !isAnchored) return;
      // From now on the record alone tells how far it got, and that its anchor did not.
      isAnchored = false;
      await keep('checkpoint');
    }
  };
  return keep;
}
