import { type CommandResult } from '../stream/pendingCommand.ts';

/** Default delay between the first disconnect and the report, in milliseconds. */
export const defaultDisconnectReportDelayMs = 3_000;

/** Maximum number of sessions whose node is remembered; the oldest are forgotten first. */
const maxTracked = 20_000;

type DisconnectReportsOptions = {
  readonly clock: () => number;
  readonly after: (delayMs: number, run: () => void) => () => void;
  readonly delayMs: number;
  /** True if the table counts the session as disconnected. */
  readonly isDisconnected: (session: string) => boolean;
  /**
   * Time at which the bets of the current round close or closed; null before the close is called, and without a round.
   */
  readonly deadline: () => number | null;
  readonly report: (sessions: readonly string[], lost: boolean, since: number) => Promise<CommandResult>;
};

/**
 * Reports disconnects and reconnects of sessions at a table in batches, so that a failing network switch makes one
 * report, not hundreds. A session that reconnects within the delay is not reported. [ETG 5.10, HOUSE 11]
 */
export class BatchedConnectionReports {
  readonly #options: DisconnectReportsOptions;
  /** Time of each disconnect that was not reported yet, by session. */
  readonly #disconnected = new Map<string, number>();
  readonly #reconnected = new Map<string, number>();
  /** The node to which each session last connected; a disconnect from any other node is ignored. */
  readonly #nodes = new Map<string, string>();
  #cancel: (() => void) | undefined;

  constructor(options: DisconnectReportsOptions) {
    this.#options = options;
  }

  disconnected(session: string, node?: string): void {
    if (this.#nodes.has(session) && this.#nodes.get(session) !== node) return;
    this.#nodes.delete(session);
    if (this.#reconnected.delete(session) || this.#options.isDisconnected(session)) return;
    if (!this.#disconnected.has(session)) this.#disconnected.set(session, this.#options.clock());
    this.#schedule();
  }

  reconnected(session: string, node?: string): void {
    if (node !== undefined) this.#track(session, node);
    if (this.#disconnected.delete(session) || !this.#options.isDisconnected(session)) return;
    if (!this.#reconnected.has(session)) this.#reconnected.set(session, this.#options.clock());
    this.#schedule();
  }

  #track(session: string, node: string): void {
    this.#nodes.delete(session);
    this.#nodes.set(session, node);
    if (this.#nodes.size > maxTracked) this.#nodes.delete(this.#nodes.keys().next().value!);
  }

  /** Drops unreported disconnects after a stall of the process, because the stall may have caused them. */
  forget(): void {
    this.#disconnected.clear();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#disconnected.clear();
    this.#reconnected.clear();
    this.#nodes.clear();
  }

  #schedule(): void {
    this.#cancel ??= this.#options.after(this.#options.delayMs, () => {
      this.#cancel = undefined;
      this.#reportAll();
    });
  }

  /**
   * Terminals that disconnected before the close of bets get a report of their own, because their screens still show
   * open bets.
   */
  #reportAll(): void {
    const deadline = this.#options.deadline();
    const isAfter = (since: number): boolean => deadline !== null && since >= deadline;
    for (const after of [false, true]) {
      this.#report(
        [...this.#disconnected].filter(([, since]) => isAfter(since) === after),
        true,
      );
    }
    this.#report([...this.#reconnected], false);
    this.#disconnected.clear();
    this.#reconnected.clear();
  }

  #report(sessions: readonly (readonly [string, number])[], lost: boolean): void {
    if (sessions.length === 0) return;
    const since = Math.max(...sessions.map(([, at]) => at));
    void this.#options.report(
      sessions.map(([session]) => session),
      lost,
      since,
    );
  }
}
