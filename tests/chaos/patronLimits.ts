import { type StoredEntry } from '../../src/store/store.ts';

/** What a patron sets for a session: limits, or a break of so many minutes; its id is the one in the record. */
export type LimitRequest = { readonly id: string } & ({ readonly stake: number } | { readonly minutes: number });

/** What a slip that is asked for the first time must not do: stake more in a round, or anything more until then. */
export type EffectiveLimit = { readonly stake: number; readonly until: number };

type Known = { readonly wish: LimitRequest; isDone: boolean; open: number; isDoubtful: boolean };

/** What patrons have set by their own books, and were told that it holds. */
export class Care {
  readonly #known = new Map<string, Known>();
  readonly #held = new Map<string, EffectiveLimit>();
  /** What holds in each session, as far as the record was read. */
  readonly #read = new Map<string, EffectiveLimit>();

  request(wish: LimitRequest): void {
    const known = this.#known.get(wish.id);
    if (known) known.open += 1;
    else this.#known.set(wish.id, { wish, isDone: false, open: 1, isDoubtful: false });
  }

  /** It holds from now on, in that session and until that time; undefined for a refusal. */
  answered(id: string, held: { readonly session: string; readonly until: number } | undefined): void {
    const known = this.#known.get(id)!;
    known.open = Math.max(0, known.open - 1);
    known.isDoubtful = false;
    if (held === undefined) return;
    known.isDone = true;
    const { session, until } = held;
    this.#held.set(session, tightened(this.heldTo(session), known.wish, until));
  }

  /** The floor is gone: what it has not answered by now it never will. */
  gone(): void {
    for (const known of this.#known.values()) {
      if (known.open > 0) known.isDoubtful = true;
      known.open = 0;
    }
  }

  heldTo(session: string): EffectiveLimit {
    return this.#held.get(session) ?? nothingHeld;
  }

  /** A record is read from its beginning. */
  begin(): void {
    this.#read.clear();
  }

  /** What is wrong with an entry that sets something. */
  problem({ event, command, at }: StoredEntry, terminal: string): string | undefined {
    const wish = this.#known.get(command?.id ?? '')?.wish;
    if (wish === undefined) return `${event.type} ${command?.id} at ${terminal} was asked by nobody`;
    const session = `${terminal}.${String(event['session'])}`;
    const now = this.#read.get(session) ?? nothingHeld;
    const until = Number(event['until'] ?? 0);
    const next = tightened(now, wish, until);
    this.#read.set(session, next);
    const asks = 'stake' in wish ? `SessionLimited ${wish.stake}` : `SessionPaused ${at + wish.minutes * 60_000}`;
    const says = `${event.type} ${'stake' in wish ? String(event['stake']) : until}`;
    if (says !== asks) return `${wish.id} was asked as ${asks} and recorded as ${says}`;
    const isLooser = 'stake' in wish ? next.stake !== wish.stake : next.until !== until;
    return isLooser ? `${wish.id} loosens what ${session} had set` : undefined;
  }

  /** What was answered otherwise than it stands in the record, where each id is so many times. */
  *unlike(booked: ReadonlyMap<string, number>): Generator<string> {
    for (const [id, { isDone, open, isDoubtful }] of this.#known) {
      const often = booked.get(id) ?? 0;
      const isWell = isDone ? often === 1 : isDoubtful || open > 0 ? often <= 1 : often === 0;
      if (!isWell) yield `${id} ${isDone ? 'holds' : 'was refused'} and stands ${often} times in the record`;
    }
  }

  /** How much was set, and how much was refused since it was looser than what held. */
  count(): { readonly set: number; readonly refusedWishes: number } {
    const all = [...this.#known.values()];
    return {
      set: all.filter(({ isDone }) => isDone).length,
      refusedWishes: all.filter(({ isDone, open, isDoubtful }) => !isDone && open === 0 && !isDoubtful).length,
    };
  }
}

const nothingHeld: EffectiveLimit = { stake: Infinity, until: 0 };

const tightened = ({ stake, until }: EffectiveLimit, wish: LimitRequest, pausedUntil: number): EffectiveLimit => ({
  stake: 'stake' in wish ? Math.min(stake, wish.stake) : stake,
  until: 'stake' in wish ? until : Math.max(until, pausedUntil),
});
