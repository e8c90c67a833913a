import { rulebooks } from '../games/rulebooks.ts';
import { type VersionedEvent } from '../base/upcast.ts';

/**
 * A change of what a decider leads to, for commands that were recorded before it. Verify decides by the code of today; where
 * that differs from a record, the difference stands only if an amendment declares it, and it is counted and told. Chains,
 * postings, balances and settlements know no exception.
 */
export type Amendment = {
  readonly number: number;
  /** The decider whose version brought the change: entries that name this version or a later one cannot plead it. */
  readonly decider: 'table' | 'terminal';
  readonly version: number;
  readonly says: string;
  /**
   * Narrowly: whether this is the very difference. `due` is a refusal's code where the command is refused today; one that
   * cannot even be read today comes as it was asked and brought.
   */
  readonly fits: (
    command: { readonly type: string; readonly [field: string]: unknown },
    recorded: readonly VersionedEvent[],
    due: readonly VersionedEvent[] | string,
  ) => boolean;
};

/** All amendments, in the order of their numbers. Only ever added to. */
export const amendments: readonly Amendment[] = [
  {
    number: 1,
    decider: 'table',
    version: 2,
    says: 'After an interruption at a live shoe what the cards command was carried out without a word on the felt.',
    fits: ({ type }, recorded, due) =>
      type === 'Approve'
        ? due === 'changed-proposal' && recorded.slice(1).some(isVoidOfSettled)
        : (type === 'ConfirmRuling' || type === 'DecideReferral') && due === 'felt-first',
  },
];

/** What clauses void an interrupted round by. */
const interruptedBy: ReadonlySet<unknown> = new Set(
  rulebooks.map(({ irregularities }) => irregularities.interruption.rulings.void!.by),
);

/** A decision that a round is void, or the void of one that was settled before it was interrupted. */
function isVoidOfSettled(event: VersionedEvent): boolean {
  const { type, outcome, decision, by } = event as VersionedEvent & { readonly [field: string]: unknown };
  if (type === 'ReferralDecided') return decision === 'void';
  return type === 'RoundResettled' && outcome === 'void' && interruptedBy.has(by);
}
