import { rulebooks } from '../games/rulebooks.ts';
import { type VersionedEvent } from '../base/upcast.ts';

/**
 * A declared change of a decider, for commands stored before it. Verify decides with the present code; a difference to the
 * event log is accepted only if an amendment declares it, and it is counted and reported. Hash chains, postings, balances and
 * settlements have no exceptions.
 */
export type Amendment = {
  readonly number: number;
  /** The decider and the version that changed it; entries of this or a later version are not covered. */
  readonly decider: 'table' | 'terminal';
  readonly version: number;
  readonly says: string;
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

/** By number. Append only. */
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

/** Clauses by which an interrupted round is void. */
const interruptionClauses: ReadonlySet<unknown> = new Set(
  rulebooks.map(({ irregularities }) => irregularities.interruption.rulings.void!.by),
);

/** A decision that a round is void, or the void of a round that was settled before it was interrupted. */
function isVoidOfSettled(event: VersionedEvent): boolean {
  const { type, outcome, decision, by } = event as VersionedEvent & { readonly [field: string]: unknown };
  if (type === 'ReferralDecided') return decision === 'void';
  return type === 'RoundResettled' && outcome === 'void' && interruptionClauses.has(by);
}
