import { type VersionedEvent } from '../base/upcast.ts';

/**
 * A declared change of a decider, for commands that were stored before it. `punto verify` decides every command again
 * with the present code. It accepts a difference from the event log only if an amendment declares it, and reports how
 * often. Hash chains, postings, balances and settlements have no exceptions.
 */
export type DeciderAmendment = {
  readonly number: number;
  /** Name of the decider that changed. */
  readonly decider: 'table' | 'terminal';
  /** First version of the decider with the change. Commands of earlier versions only are covered. */
  readonly version: number;
  readonly description: string;
  /**
   * True only for exactly this difference between the recorded events and the expected ones. `expected` is the error
   * code if the present decider refuses the command. A command that it cannot parse is passed as stored: payload and
   * context.
   */
  readonly fits: (
    command: { readonly type: string; readonly [field: string]: unknown },
    recorded: readonly VersionedEvent[],
    expected: readonly VersionedEvent[] | string,
  ) => boolean;
};

/**
 * All amendments, by number. Only append to this list. It is empty, because no decider has changed since schema 5.
 * tests/verify/amendments.test.ts has examples.
 */
export const deciderAmendments: readonly DeciderAmendment[] = [];
