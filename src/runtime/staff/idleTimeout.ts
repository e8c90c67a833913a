import { type SignInSession } from '../../staff/state.ts';
import { type Store } from '../../store/store.ts';
import { type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

/** So long after somebody was last there a session locks, and so long after that a locked one ends; in milliseconds. */
export const usualIdle = 300_000;
export const longestLocked = 12 * 3_600_000;

/** What is done about sessions that nobody uses. */
type Acts = { readonly lock: (session: string) => void; readonly end: (session: string) => void };

/** What other nodes have seen of sessions, and are told. */
type Elsewhere = {
  /** Somebody was there at that time, or the session is over. */
  readonly tell: (session: string, at: number | undefined) => void;
  /** When somebody was last there, as far as was told; undefined where that cannot be asked. */
  readonly seen: (sessions: readonly string[]) => Promise<ReadonlyMap<string, number> | undefined>;
};

/** Beside the chain, by session: when somebody was last there. It leads nowhere, and needs no key. */
const seenKind = 'seen';

/** What nodes tell each other by the record. */
export const seenBeside = (
  store: Pick<Store, 'listValues' | 'putValue'>,
  trouble: (error: unknown) => void,
): Elsewhere => ({
  tell: (session, at) =>
    void store.putValue(seenKind, session, at === undefined ? undefined : String(at)).catch(trouble),
  seen: async (sessions) => {
    try {
      return new Map(Array.from(await store.listValues(seenKind, sessions), ([id, at]) => [id, Number(at)]));
    } catch (error) {
      trouble(error);
      return undefined;
    }
  },
});

/** Others are told after such a part of the span, and wait for so much longer where they have not seen somebody themselves. */
const told = 1 / 5;

/** Knows when somebody was last there in each session, and waits for the next that nobody uses. */
export class IdleTimeout {
  readonly #world: Pick<RuntimeDependencies, 'clock' | 'after'>;
  readonly #span: number;
  readonly #sessions: () => Iterable<SignInSession>;
  readonly #acts: Acts;
  readonly #seen = new Map<string, number>();
  readonly #elsewhere: Elsewhere | undefined;
  /** Those that somebody was last seen in here, with when others were told. */
  readonly #here = new Map<string, number>();
  #stop: (() => void) | undefined;
  #isOver = false;

  constructor(
    world: Pick<RuntimeDependencies, 'clock' | 'after'>,
    span: number,
    sessions: () => Iterable<SignInSession>,
    acts: Acts,
    elsewhere?: Elsewhere,
  ) {
    this.#elsewhere = elsewhere;
    this.#world = world;
    this.#span = span;
    this.#sessions = sessions;
    this.#acts = acts;
  }

  /** Somebody is there. */
  seen(session: string): void {
    const now = this.#world.clock();
    this.#seen.set(session, now);
    if (this.#elsewhere === undefined || now < (this.#here.get(session) ?? -Infinity) + this.#span * told) return;
    this.#here.set(session, now);
    this.#elsewhere.tell(session, now);
  }

  /** Waits for whoever is due next; sessions that have just come into view are taken for used now. */
  watch(): void {
    this.#stop?.();
    if (this.#isOver) return;
    const now = this.#world.clock();
    let due = Infinity;
    const present = new Set<string>();
    for (const session of this.#sessions()) {
      present.add(session.id);
      if (!this.#seen.has(session.id)) this.#seen.set(session.id, now);
      due = Math.min(due, this.#dueAt(session));
    }
    for (const id of this.#seen.keys()) if (!present.has(id)) this.#forget(id);
    if (due < Infinity) this.#stop = this.#world.after(Math.max(0, due - now), () => this.#look());
  }

  #forget(session: string): void {
    this.#seen.delete(session);
    if (this.#here.delete(session)) this.#elsewhere?.tell(session, undefined);
  }

  #dueAt({ id, locked }: SignInSession): number {
    const grace = this.#elsewhere && !this.#here.has(id) ? this.#span * told : 0;
    return this.#seen.get(id)! + (locked ? longestLocked : this.#span) + grace;
  }

  #due(now: number): readonly SignInSession[] {
    return [...this.#sessions()].filter((session) => this.#dueAt(session) <= now);
  }

  #look(): void {
    const now = this.#world.clock();
    const due = this.#due(now);
    if (this.#elsewhere === undefined) this.#act(due, now);
    else void this.#ask(this.#elsewhere, due);
  }

  /** Whoever was seen at another node since is not due. */
  async #ask(elsewhere: Elsewhere, due: readonly SignInSession[]): Promise<void> {
    const seen = await elsewhere.seen(due.map(({ id }) => id));
    if (this.#isOver) return;
    const now = this.#world.clock();
    for (const [id, at] of seen ?? []) {
      if (at <= (this.#seen.get(id) ?? Infinity)) continue;
      this.#seen.set(id, Math.min(at, now));
      this.#here.delete(id);
    }
    if (seen)
      this.#act(
        this.#due(now).filter(({ id }) => due.some((one) => one.id === id)),
        now,
      );
    else this.#stop = this.#world.after(this.#span * told, () => this.#look());
  }

  #act(due: readonly SignInSession[], now: number): void {
    // What they lead to is written, and watched again then; where it cannot be written it is tried once more later.
    for (const { id, locked } of due) {
      this.#seen.set(id, now);
      if (locked) this.#acts.end(id);
      else this.#acts.lock(id);
    }
    this.watch();
  }

  /** Nobody is waited for any more. */
  stop(): void {
    this.#isOver = true;
    this.#stop?.();
  }
}
