import { isDeepStrictEqual } from 'node:util';
import { type Account, holderOf } from '../ledger/accounts.ts';
import { isObject } from '../base/schema.ts';
import { type StoreReader, type StoredEntry } from '../store/store.ts';
import { type TerminalEvent } from '../terminal/events.ts';
import { type SessionLimits, type TerminalState, remainingLimits, noLimits, sessionId } from '../terminal/state.ts';
import { type Move, maxWaitMs, movesOf, takenBy } from './accountPostings.ts';
import { claim } from './verifyError.ts';

// What a patron has set for a session stands with the terminal, and is brought to each of its slips: the one is held against
// the other. A slip was decided by what was written at that moment, so that a limit shortly before or after it may count or not.

/** What was set for a session, and loaded in it, from an entry of its terminal on. */
type Moment = { readonly at: number; readonly limits: SessionLimits; readonly loaded: number };

/** The sessions that something was set for, by property and session: sg1/T7.3. */
export type Limited = ReadonlyMap<string, readonly Moment[]>;

/** A slip of such a session, or one that was brought what is set for one. */
export type LimitedSlip = Pick<StoredEntry, 'stream' | 'sequence' | 'at'> & {
  readonly session: string;
  readonly credit: number;
  readonly care: unknown;
  /** What it took from the credit, if it did. */
  readonly taken: (Pick<Move, 'version' | 'before' | 'after'> & { readonly account: Account }) | undefined;
};

const before: Moment = { at: 0, limits: noLimits(), loaded: 0 };

/** Takes down what a terminal's patrons set, event by event. */
export class LimitTracker {
  readonly #found = new Map<string, readonly Moment[]>();
  #session: Moment[] = [];

  take({ type, at }: TerminalEvent, { property, terminal, sessions, open, limits, loaded }: TerminalState): void {
    if (type === 'CreditLoaded' && this.#session.length === 0) this.#session = [before];
    const now = { at, limits: open ? { ...limits } : noLimits(), loaded };
    if (this.#session.length > 0) this.#session.push(now);
    if (type === 'SessionLimited' || type === 'SessionPaused') {
      this.#found.set(`${property}/${sessionId(terminal, sessions)}`, this.#session);
    }
    if (type === 'CreditCollected' || type === 'SessionEnded') this.#session = [];
  }

  get limited(): Limited {
    return this.#found;
  }
}

/** The slip in an entry, if it is of a limited session or was brought anything that is set. */
export function limitedSlipIn(entry: StoredEntry, limited: ReadonlySet<string>): readonly LimitedSlip[] {
  const { stream, sequence, at, event, postings, command } = entry;
  const { type, terminal } = event;
  if (type !== 'SlipSet' || !('brought' in command) || !isObject(command.brought)) return [];
  const { care, credit } = command.brought;
  const session = `${stream.split('/', 1)[0]}/${String(terminal)}`;
  if (care === undefined && !limited.has(session)) return [];
  const posting = postings.find(({ from }) => holderOf(from) === terminal);
  const taken = posting && {
    account: posting.from,
    version: posting.fromVersion,
    before: posting.fromBefore,
    after: posting.fromAfter,
  };
  return [{ stream, sequence, at, session, credit: Number(credit), care, taken }];
}

/** Every slip was held to what its patron had set, and to no less. */
export async function verifyLimits(store: StoreReader, slips: readonly LimitedSlip[], limited: Limited): Promise<void> {
  const deep: { readonly slip: LimitedSlip; readonly least: number }[] = [];
  for (const slip of slips) {
    const moment = heldAt(slip, limited.get(slip.session) ?? []);
    claim(slip, moment !== undefined, () => `was held to other limits than ${slip.session} has set by then`);
    const { limits, loaded } = moment;
    const least = limits.loss === null ? 0 : loaded - limits.loss;
    if (slip.taken && slip.taken.after < least) deep.push({ slip, least });
  }
  if (deep.length === 0) return;
  const moves = await movesOf(
    store,
    deep.map(({ slip }) => slip.taken!.account),
  );
  for (const { slip, least } of deep) {
    const { account, version, after } = slip.taken!;
    // What a settlement took back at that very moment was not lost by a stake.
    const back = moves
      .get(account)!
      .filter((move) => move.version < version && move.entry.event.type !== 'SlipSet' && isNear(move.entry, slip))
      .reduce((sum, move) => sum + takenBy(move), 0);
    claim(slip, after + back >= least, () => `stakes what the limit on losses of ${slip.session} does not leave`);
  }
}

/** The moment that a slip was decided by, if there was one at which just that was set. */
function heldAt({ at, care, credit }: LimitedSlip, moments: readonly Moment[]): Moment | undefined {
  const all = moments.length === 0 ? [before] : moments;
  const first = all.findLastIndex((moment) => moment.at <= at - maxWaitMs);
  return all
    .slice(Math.max(0, first))
    .filter((moment) => moment.at <= at + maxWaitMs)
    .findLast(({ limits, loaded }) => isDeepStrictEqual(remainingLimits(limits, loaded, credit), care));
}

const isNear = (one: { readonly at: number }, other: { readonly at: number }): boolean =>
  Math.abs(one.at - other.at) <= maxWaitMs;
