import { type VersionedEvent } from '../base/upcast.ts';

/**
 * A declared change of a decider, for commands that were stored before the change. `punto verify` decides every command
 * again with the present code. It accepts a difference from the event log only if an amendment declares that
 * difference, and reports the number of accepted differences. No amendment excuses a hash chain, posting, balance or
 * settlement.
 */
export type DeciderAmendment = {
  readonly number: number;
  readonly decider: 'table' | 'terminal';
  /** First version of the decider with the change. The amendment covers only commands of earlier versions. */
  readonly version: number;
  readonly description: string;
  /**
   * True only if the recorded and the expected events differ exactly as the amendment says. If the present decider refuses
   * the command, `expected` is the error code. If the decider cannot parse the command, `command` is the stored payload
   * with its context.
   */
  readonly fits: (
    command: { readonly type: string; readonly [field: string]: unknown },
    recorded: readonly VersionedEvent[],
    expected: readonly VersionedEvent[] | string,
  ) => boolean;
};

/**
 * All amendments, by number. Only append to this list. It is empty, because no decider has changed since schema 7.
 * tests/verify/amendments.test.ts has examples.
 */
export const deciderAmendments: readonly DeciderAmendment[] = [];
