import { type SignInSession } from '../../staff/state.ts';
import { type Store } from '../../store/store.ts';
import { type FloorDependencies } from '../ports/runtimeDependencies.ts';

/** Default time without activity after which a sign-in session is locked, in milliseconds. */
export const defaultIdleTimeoutMs = 300_000;
/** Time after which a locked sign-in session ends, in milliseconds. */
export const maxLockedSessionMs = 12 * 3_600_000;

type IdleActions = { readonly lock: (session: string) => void; readonly end: (session: string) => void };

/** Times of the last activity of sign-in sessions, shared by the nodes of a cluster. */
type SharedActivity = {
  /** Saves the time of the last activity of a session; `undefined` deletes the time, because the session has ended. */
  readonly save: (session: string, at: number | undefined) => void;
  /** Reads the time of the last activity, by session. Resolves to undefined if the store fails. */
  readonly read: (sessions: readonly string[]) => Promise<ReadonlyMap<string, number> | undefined>;
};

/**
 * Kind of the values in the key-value table that contain the last activity of sessions. These values are not
 * authenticated, because they grant nothing.
 */
const activityKind = 'activity';

export const createSharedSessionActivity = (
  store: Pick<Store, 'listValues' | 'putValue'>,
  onWarning: (error: unknown) => void,
): SharedActivity => ({
  save: (session, at) =>
    void store.putValue(activityKind, session, at === undefined ? undefined : String(at)).catch(onWarning),
  read: async (sessions) => {
    try {
      return new Map(Array.from(await store.listValues(activityKind, sessions), ([id, at]) => [id, Number(at)]));
    } catch (error) {
      onWarning(error);
      return undefined;
    }
  },
});

/**
 * A node shares the activity of a session at most once in this fraction of the timeout. So the other nodes wait this
 * fraction longer before they lock the session.
 */
const shareFraction = 1 / 5;

/** Idle timeout: tracks the last activity of each sign-in session, and locks or ends idle sessions. */
export class IdleTimeout {
  readonly #dependencies: Pick<FloorDependencies, 'clock' | 'after'>;
  readonly #idleMs: number;
  readonly #sessions: () => Iterable<SignInSession>;
  readonly #actions: IdleActions;
  readonly #lastActive = new Map<string, number>();
  readonly #shared: SharedActivity | undefined;
  /** Time at which activity at this node was last shared, by session. */
  readonly #sharedAt = new Map<string, number>();
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(
    dependencies: Pick<FloorDependencies, 'clock' | 'after'>,
    idleMs: number,
    sessions: () => Iterable<SignInSession>,
    actions: IdleActions,
    shared?: SharedActivity,
  ) {
    this.#shared = shared;
    this.#dependencies = dependencies;
    this.#idleMs = idleMs;
    this.#sessions = sessions;
    this.#actions = actions;
  }

  touch(session: string): void {
    const now = this.#dependencies.clock();
    this.#lastActive.set(session, now);
    if (this.#shared === undefined || now < (this.#sharedAt.get(session) ?? -Infinity) + this.#idleMs * shareFraction)
      return;
    this.#sharedAt.set(session, now);
    this.#shared.save(session, now);
  }

  /** Schedules the next check. A session that this node sees for the first time counts as active now. */
  schedule(): void {
    this.#cancel?.();
    if (this.#isStopped) return;
    const now = this.#dependencies.clock();
    let due = Infinity;
    const present = new Set<string>();
    for (const session of this.#sessions()) {
      present.add(session.id);
      if (!this.#lastActive.has(session.id)) this.#lastActive.set(session.id, now);
      due = Math.min(due, this.#dueAt(session));
    }
    for (const id of this.#lastActive.keys()) if (!present.has(id)) this.#forget(id);
    if (due < Infinity) this.#cancel = this.#dependencies.after(Math.max(0, due - now), () => this.#check());
  }

  #forget(session: string): void {
    this.#lastActive.delete(session);
    if (this.#sharedAt.delete(session)) this.#shared?.save(session, undefined);
  }

  #dueAt({ id, locked }: SignInSession): number {
    const grace = this.#shared && !this.#sharedAt.has(id) ? this.#idleMs * shareFraction : 0;
    return this.#lastActive.get(id)! + (locked ? maxLockedSessionMs : this.#idleMs) + grace;
  }

  #due(now: number): readonly SignInSession[] {
    return [...this.#sessions()].filter((session) => this.#dueAt(session) <= now);
  }

  #check(): void {
    const now = this.#dependencies.clock();
    const due = this.#due(now);
    if (this.#shared === undefined) this.#act(due, now);
    else void this.#checkShared(this.#shared, due);
  }

  /** Checks due sessions against the shared activity: a session that was active at another node is not idle. */
  async #checkShared(shared: SharedActivity, due: readonly SignInSession[]): Promise<void> {
    const lastActivity = await shared.read(due.map(({ id }) => id));
    if (this.#isStopped) return;
    const now = this.#dependencies.clock();
    for (const [id, at] of lastActivity ?? []) {
      if (at <= (this.#lastActive.get(id) ?? Infinity)) continue;
      this.#lastActive.set(id, Math.min(at, now));
      this.#sharedAt.delete(id);
    }
    if (lastActivity)
      this.#act(
        this.#due(now).filter(({ id }) => due.some((one) => one.id === id)),
        now,
      );
    else this.#cancel = this.#dependencies.after(this.#idleMs * shareFraction, () => this.#check());
  }

  #act(due: readonly SignInSession[], now: number): void {
    // Each due session counts as active now, so that a lock or an end that fails is tried again one timeout later.
    for (const { id, locked } of due) {
      this.#lastActive.set(id, now);
      if (locked) this.#actions.end(id);
      else this.#actions.lock(id);
    }
    this.schedule();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }
}
