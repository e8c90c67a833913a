import { isDeepStrictEqual } from 'node:util';
import { type Account, sessionOfAccount } from '../ledger/accounts.ts';
import { isObject } from '../base/schema.ts';
import { type StoreReader, type StoredEntry } from '../store/store.ts';
import { type TerminalEvent } from '../terminal/events.ts';
import {
  type SessionLimits,
  type TerminalState,
  remainingSessionLimits,
  noSessionLimits,
  creditSessionId,
} from '../terminal/state.ts';
import { type AccountPosting, maxDecideToStoreMs, readAccountPostings, debitedAmountOf } from './accountPostings.ts';
import { assertOfEntry } from './verifyError.ts';

// Checks that slips respected session limits. The limits are events of the terminal's stream, and each slip has a copy
// of them in its context; both must agree. If the limits changed within a minute of the slip, the copy may be from
// before or after the change.

/** State of a credit session from the time `at` on: its limits, and the amount loaded so far. */
type LimitState = { readonly at: number; readonly limits: SessionLimits; readonly loaded: number };

/**
 * States of each credit session with limits, oldest first. The key is the property and the session id, for example
 * `sg1/T7.3`.
 */
export type LimitedSessions = ReadonlyMap<string, readonly LimitState[]>;

/** A slip that must be checked: its session has limits, or its context has a copy of limits (`remaining`). */
export type LimitedSlip = Pick<StoredEntry, 'stream' | 'sequence' | 'at'> & {
  readonly session: string;
  readonly credit: number;
  readonly remaining: unknown;
  /** Debit of the slip; undefined if the slip moved no money from the credit. */
  readonly taken: (Pick<AccountPosting, 'version' | 'before' | 'after'> & { readonly account: Account }) | undefined;
};

const unlimited: LimitState = { at: 0, limits: noSessionLimits(), loaded: 0 };

export class SessionLimitTracker {
  readonly #limited = new Map<string, readonly LimitState[]>();
  #session: LimitState[] = [];

  add({ type, at }: TerminalEvent, { property, terminal, sessions, open, limits, loaded }: TerminalState): void {
    if (type === 'CreditLoaded' && this.#session.length === 0) this.#session = [unlimited];
    const state = { at, limits: open ? { ...limits } : noSessionLimits(), loaded };
    if (this.#session.length > 0) this.#session.push(state);
    if (type === 'SessionLimited' || type === 'SessionPaused') {
      this.#limited.set(`${property}/${creditSessionId(terminal, sessions)}`, this.#session);
    }
    if (type === 'CreditCollected' || type === 'SessionEnded') this.#session = [];
  }

  get limited(): LimitedSessions {
    return this.#limited;
  }
}

export function findLimitedSlips(entry: StoredEntry, limited: ReadonlySet<string>): readonly LimitedSlip[] {
  const { stream, sequence, at, event, postings, command } = entry;
  const { type, terminal } = event;
  if (type !== 'SlipSet' || !('context' in command) || !isObject(command.context)) return [];
  const { sessionLimits, credit } = command.context;
  const session = `${stream.split('/', 1)[0]}/${String(terminal)}`;
  if (sessionLimits === undefined && !limited.has(session)) return [];
  const posting = postings.find(({ from }) => sessionOfAccount(from) === terminal);
  const taken = posting && {
    account: posting.from,
    version: posting.fromVersion,
    before: posting.fromBefore,
    after: posting.fromAfter,
  };
  return [{ stream, sequence, at, session, credit: Number(credit), remaining: sessionLimits, taken }];
}

/** Throws unless every slip was decided by the limits that its session had, and respected the loss limit. */
export async function verifySessionLimits(
  store: StoreReader,
  slips: readonly LimitedSlip[],
  limited: LimitedSessions,
): Promise<void> {
  const suspects: { readonly slip: LimitedSlip; readonly minCredit: number }[] = [];
  for (const slip of slips) {
    const limitState = findLimitState(slip, limited.get(slip.session) ?? []);
    assertOfEntry(
      slip,
      limitState !== undefined,
      () => `was decided by other session limits than ${slip.session} had at that time`,
    );
    const { limits, loaded } = limitState;
    const minCredit = limits.loss === null ? 0 : loaded - limits.loss;
    if (slip.taken && slip.taken.after < minCredit) suspects.push({ slip, minCredit });
  }
  if (suspects.length === 0) return;
  const postings = await readAccountPostings(
    store,
    suspects.map(({ slip }) => slip.taken!.account),
  );
  for (const { slip, minCredit } of suspects) {
    const { account, version, after } = slip.taken!;
    // Another debit at about that time, such as a corrected settlement, also lowers the credit. It is added again,
    // because it is no loss by a stake.
    const reclaimed = postings
      .get(account)!
      .filter(
        (posting) => posting.version < version && posting.entry.event.type !== 'SlipSet' && isNear(posting.entry, slip),
      )
      .reduce((sum, posting) => sum + debitedAmountOf(posting), 0);
    assertOfEntry(
      slip,
      after + reclaimed >= minCredit,
      () => `stakes more than the loss limit of ${slip.session} allows`,
    );
  }
}

/**
 * State of the session by whose limits the slip was decided; undefined if no state at about that time gives the
 * remaining limits in the slip's context.
 */
function findLimitState({ at, remaining, credit }: LimitedSlip, states: readonly LimitState[]): LimitState | undefined {
  const all = states.length === 0 ? [unlimited] : states;
  const first = all.findLastIndex((state) => state.at <= at - maxDecideToStoreMs);
  return all
    .slice(Math.max(0, first))
    .filter((state) => state.at <= at + maxDecideToStoreMs)
    .findLast(({ limits, loaded }) => isDeepStrictEqual(remainingSessionLimits(limits, loaded, credit), remaining));
}

const isNear = (a: { readonly at: number }, b: { readonly at: number }): boolean =>
  Math.abs(a.at - b.at) <= maxDecideToStoreMs;
