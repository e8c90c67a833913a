import { type CommandResult } from '../stream/pendingCommand.ts';

/** How long a broken link is waited for before the table is told, in milliseconds, unless told otherwise. */
export const usualLinkTime = 3_000;

/** So many sessions are remembered with the node that they are at; who comes again is noted again. */
const mostNoted = 20_000;

type Parts = {
  readonly clock: () => number;
  readonly after: (time: number, run: () => void) => () => void;
  /** So long after the first of them broke, links are reported together. */
  readonly time: number;
  /** Whether the table has a session as lost. */
  readonly isLost: (session: string) => boolean;
  /** When bets close, or closed, on the round that is played; null where that is not known yet. */
  readonly deadline: () => number | null;
  readonly report: (sessions: readonly string[], lost: boolean, since: number) => Promise<CommandResult>;
};

/**
 * The sessions of a table whose link broke, and those that are back: told together, so that a switch that fails is one
 * report and not hundreds. Whoever is back before the time is over was never away. [ETG 5.10, HOUSE 11]
 */
export class DisconnectReports {
  readonly #parts: Parts;
  /** When each link broke that the table is not told of yet. */
  readonly #broken = new Map<string, number>();
  readonly #back = new Map<string, number>();
  /** At which node each session was last known to be there; a link that it has left behind at another is nobody's loss. */
  readonly #at = new Map<string, string>();
  #cancel: (() => void) | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The link of a session broke, at a node where there are several. */
  lost(session: string, node?: string): void {
    if (this.#at.has(session) && this.#at.get(session) !== node) return;
    this.#at.delete(session);
    if (this.#back.delete(session) || this.#parts.isLost(session)) return;
    if (!this.#broken.has(session)) this.#broken.set(session, this.#parts.clock());
    this.#begin();
  }

  /** A session is there again. */
  back(session: string, node?: string): void {
    if (node !== undefined) this.#note(session, node);
    if (this.#broken.delete(session) || !this.#parts.isLost(session)) return;
    if (!this.#back.has(session)) this.#back.set(session, this.#parts.clock());
    this.#begin();
  }

  #note(session: string, node: string): void {
    this.#at.delete(session);
    this.#at.set(session, node);
    if (this.#at.size > mostNoted) this.#at.delete(this.#at.keys().next().value!);
  }

  /** The program itself was away: nobody knows which links broke by themselves. */
  forget(): void {
    this.#broken.clear();
  }

  /** Nothing more is told. */
  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#broken.clear();
    this.#back.clear();
    this.#at.clear();
  }

  #begin(): void {
    this.#cancel ??= this.#parts.after(this.#parts.time, () => {
      this.#cancel = undefined;
      this.#tell();
    });
  }

  /** Those that broke before the close and those that broke after it are two reports: they had shown another thing. */
  #tell(): void {
    const deadline = this.#parts.deadline();
    const isAfter = (since: number): boolean => deadline !== null && since >= deadline;
    for (const after of [false, true]) {
      this.#report(
        [...this.#broken].filter(([, since]) => isAfter(since) === after),
        true,
      );
    }
    this.#report([...this.#back], false);
    this.#broken.clear();
    this.#back.clear();
  }

  #report(those: readonly (readonly [string, number])[], lost: boolean): void {
    if (those.length === 0) return;
    const since = Math.max(...those.map(([, at]) => at));
    void this.#parts.report(
      those.map(([session]) => session),
      lost,
      since,
    );
  }
}
