import { type StoredEntry } from '../../../src/store/store.ts';

/** A stake limit or a break in minutes for a session; the id is that of the stored command. */
export type LimitRequest = { readonly id: string } & ({ readonly stake: number } | { readonly minutes: number });

/** Maximum stake in a round, and the time until which stakes may not rise. */
export type EffectiveLimit = { readonly stake: number; readonly until: number };

type LimitState = { readonly request: LimitRequest; isDone: boolean; open: number; isInDoubt: boolean };

/** Session limits as patrons know them from replies. */
export class PatronLimits {
  readonly #states = new Map<string, LimitState>();
  readonly #effective = new Map<string, EffectiveLimit>();
  /** Limits of each session, as far as the event log was read. */
  readonly #recorded = new Map<string, EffectiveLimit>();

  recordRequest(request: LimitRequest): void {
    const state = this.#states.get(request.id);
    if (state) state.open += 1;
    else this.#states.set(request.id, { request, isDone: false, open: 1, isInDoubt: false });
  }

  /** The limit is in force in this session until this time; undefined for a refusal. */
  recordReply(id: string, effective: { readonly session: string; readonly until: number } | undefined): void {
    const state = this.#states.get(id)!;
    state.open = Math.max(0, state.open - 1);
    state.isInDoubt = false;
    if (effective === undefined) return;
    state.isDone = true;
    const { session, until } = effective;
    this.#effective.set(session, tighten(this.effectiveLimit(session), state.request, until));
  }

  /** The floor has stopped: replies that are missing now never arrive. */
  recordFloorStop(): void {
    for (const state of this.#states.values()) {
      if (state.open > 0) state.isInDoubt = true;
      state.open = 0;
    }
  }

  effectiveLimit(session: string): EffectiveLimit {
    return this.#effective.get(session) ?? noLimit;
  }

  /** Starts reading an event log. */
  beginAudit(): void {
    this.#recorded.clear();
  }

  /** Problem of an entry that sets a limit. */
  problem({ event, command, at }: StoredEntry, terminal: string): string | undefined {
    const request = this.#states.get(command?.id ?? '')?.request;
    if (request === undefined) return `${event.type} ${command?.id} at ${terminal} was never requested`;
    const session = `${terminal}.${String(event['session'])}`;
    const now = this.#recorded.get(session) ?? noLimit;
    const until = Number(event['until'] ?? 0);
    const next = tighten(now, request, until);
    this.#recorded.set(session, next);
    const requested =
      'stake' in request ? `SessionLimited ${request.stake}` : `SessionPaused ${at + request.minutes * 60_000}`;
    const recorded = `${event.type} ${'stake' in request ? String(event['stake']) : until}`;
    if (recorded !== requested) return `${request.id} was requested as ${requested} and recorded as ${recorded}`;
    const isLooser = 'stake' in request ? next.stake !== request.stake : next.until !== until;
    return isLooser ? `${request.id} loosens what ${session} had set` : undefined;
  }

  /** Replies that differ from the event log, given the number of entries by id. */
  *mismatches(storedCounts: ReadonlyMap<string, number>): Generator<string> {
    for (const [id, { isDone, open, isInDoubt }] of this.#states) {
      const count = storedCounts.get(id) ?? 0;
      const isValid = isDone ? count === 1 : isInDoubt || open > 0 ? count <= 1 : count === 0;
      if (!isValid) yield `${id} ${isDone ? 'holds' : 'was refused'} and has ${count} stored commands`;
    }
  }

  /** Limits in force, and those refused because they were looser. */
  count(): { readonly limits: number; readonly refusedLimits: number } {
    const all = [...this.#states.values()];
    return {
      limits: all.filter(({ isDone }) => isDone).length,
      refusedLimits: all.filter(({ isDone, open, isInDoubt }) => !isDone && open === 0 && !isInDoubt).length,
    };
  }
}

const noLimit: EffectiveLimit = { stake: Infinity, until: 0 };

const tighten = ({ stake, until }: EffectiveLimit, request: LimitRequest, pausedUntil: number): EffectiveLimit => ({
  stake: 'stake' in request ? Math.min(stake, request.stake) : stake,
  until: 'stake' in request ? until : Math.max(until, pausedUntil),
});
