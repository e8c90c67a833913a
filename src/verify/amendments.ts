import { type VersionedEvent } from '../base/upcast.ts';

/**
 * A declared change of a decider, for commands stored before it. Verify decides with the present code; a difference to the
 * event log is accepted only if an amendment declares it, and it is counted and reported. Hash chains, postings, balances and
 * settlements have no exceptions.
 */
export type DeciderAmendment = {
  readonly number: number;
  /** The decider and the version that changed it; entries of this or a later version are not covered. */
  readonly decider: 'table' | 'terminal';
  readonly version: number;
  readonly description: string;
  /**
   * True only for exactly this difference. `due` is the error code when the command is refused today. A command that cannot be
   * parsed today is passed as stored, payload and context.
   */
  readonly fits: (
    command: { readonly type: string; readonly [field: string]: unknown },
    recorded: readonly VersionedEvent[],
    due: readonly VersionedEvent[] | string,
  ) => boolean;
};

/** By number, append only. Empty: no decider has changed since schema 5. tests/verify/amendments.test.ts has examples. */
export const deciderAmendments: readonly DeciderAmendment[] = [];
