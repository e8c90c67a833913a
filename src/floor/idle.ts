import { type Session } from '../people/people.ts';
import { type World } from './world.ts';

/** So long after somebody was last there a session locks, and so long after that a locked one ends; in milliseconds. */
export const usualIdle = 300_000;
export const longestLocked = 12 * 3_600_000;

/** What is done about sessions that nobody uses. */
type Acts = { readonly lock: (session: string) => void; readonly end: (session: string) => void };

/** Knows when somebody was last there in each session, and waits for the next that nobody uses. */
export class Idle {
  readonly #world: Pick<World, 'clock' | 'after'>;
  readonly #span: number;
  readonly #sessions: () => Iterable<Session>;
  readonly #acts: Acts;
  readonly #seen = new Map<string, number>();
  #stop: (() => void) | undefined;
  #isOver = false;

  constructor(world: Pick<World, 'clock' | 'after'>, span: number, sessions: () => Iterable<Session>, acts: Acts) {
    this.#world = world;
    this.#span = span;
    this.#sessions = sessions;
    this.#acts = acts;
  }

  /** Somebody is there. */
  seen(session: string): void {
    this.#seen.set(session, this.#world.clock());
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
    for (const id of this.#seen.keys()) if (!present.has(id)) this.#seen.delete(id);
    if (due < Infinity) this.#stop = this.#world.after(Math.max(0, due - now), () => this.#look());
  }

  #dueAt({ id, locked }: Session): number {
    return this.#seen.get(id)! + (locked ? longestLocked : this.#span);
  }

  #look(): void {
    const now = this.#world.clock();
    const due = [...this.#sessions()].filter((session) => this.#dueAt(session) <= now);
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
