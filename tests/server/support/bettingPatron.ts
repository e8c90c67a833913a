import { type Auditor, type SentSlip } from '../../chaos/audit/auditor.ts';
import { creditSessionId } from '../../../src/terminal/state.ts';
import { type PatronClientState } from '../../../src/client/patronClient.ts';
import { newUniqueId } from '../../../src/client/environment.ts';
import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { TestPatron } from './testPatron.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Patron terminal that raises its stake as often as it can, and reports requests and replies to an auditor. After a
 * crash the client sends unanswered slips to the next server, with the same id.
 */
export class BettingPatron extends TestPatron {
  /** Slips accepted by a later server than the one to which they were first sent. */
  lateReplies = 0;
  /** Number of refusals by code; each `result-unknown` counts. */
  readonly refusals = new Map<string, number>();
  readonly #table: string;
  readonly #random: RandomSource;
  readonly #auditor: Auditor;
  readonly #maxPauseMs: number;
  readonly #unanswered = new Map<string, Pick<SentSlip, 'round' | 'slip'>>();
  #terminal: string | undefined;
  /** True once a slip was accepted, so the terminal is in the event log. */
  #hasAcceptedSlip = false;
  #round: string | undefined;
  #stake = 0;
  /** Number of calls of `#bet` that have not ended. Each has one slip without a result at most. */
  #bettingCount = 0;
  /** Slips whose last reply was `result-unknown`. */
  readonly #inDoubt = new Set<string>();

  /** Waits less than `maxPauseMs` before each slip. */
  constructor(table: string, random: RandomSource, auditor: Auditor, maxPauseMs = 40) {
    super(table);
    this.#maxPauseMs = maxPauseMs;
    this.#table = table;
    this.#random = random;
    this.#auditor = auditor;
    this.patron.watch((state, message) => {
      // Connected again; the client is about to send all pending slips.
      if (message === undefined && state.connection === 'open') this.#reportPending();
      if (message?.type === 'own') this.#setTerminal(state);
      if (message?.type === 'own' || message?.type === 'table' || message?.type === 'change')
        this.#betInNewRound(state);
    });
  }

  /** Table, connection, phase and pending slips, for error messages. */
  get status(): string {
    const { connection, view } = this.patron.state;
    const round = view?.round?.id === this.#round ? 'its round' : 'another round';
    return [this.#table, connection, view?.phase, view?.stopped?.kind, round, this.#unanswered.size].join(' ');
  }

  /** True if bets are open at the table of this terminal, or a slip has no result. */
  get isBetting(): boolean {
    return this.patron.state.view?.phase === 'betting' || this.#bettingCount > 0;
  }

  /** True if the table cannot record, and this terminal gets no new reply until the table resumes. */
  get isBlocked(): boolean {
    const isPaused = this.patron.state.view?.stopped?.kind === 'cannot-record';
    return isPaused && this.#bettingCount === this.#inDoubt.size;
  }

  override connect(address: string): void {
    this.#round = undefined;
    super.connect(address);
  }

  /** Before the first bet nothing of a terminal is stored, so a restarted server may assign another. */
  #setTerminal({ terminal }: PatronClientState): void {
    if (this.#terminal === terminal) return;
    if (this.#hasAcceptedSlip) throw new Error(`${this.#terminal} came back as ${terminal}.`);
    this.#terminal = terminal!;
    this.#reportPending();
  }

  #reportPending(): void {
    for (const id of this.#unanswered.keys()) this.#auditor.recordRequest(this.#sentSlip(id));
  }

  /** An unanswered slip as this terminal sends it. */
  #sentSlip(id: string): SentSlip {
    const terminal = this.#terminal!;
    const { round, slip } = this.#unanswered.get(id)!;
    return { id: `${id}/${terminal}`, terminal: creditSessionId(terminal, 1), table: this.#table, round, slip };
  }

  #betInNewRound({ view }: PatronClientState): void {
    // The server has not assigned a terminal yet.
    if (this.#terminal === undefined) return;
    if (view?.phase !== 'betting' || view.round === null || view.round.id === this.#round) return;
    this.#round = view.round.id;
    this.#stake = 0;
    this.#bettingCount += 1;
    void this.#bet().finally(() => (this.#bettingCount -= 1));
  }

  /** Sends slips with rising stakes, so that each accepted slip is an entry of the event log. */
  async #bet(): Promise<void> {
    const [round, serverCount] = [this.#round, this.serverCount];
    if (round === undefined) return;
    await pause(this.#random.below(this.#maxPauseMs));
    const wagers = this.patron.state.view!.layout;
    const { wager } = wagers[this.#random.below(wagers.length)]!;
    this.#stake += 100;
    const slip = { [wager]: this.#stake };
    const id = newUniqueId();
    this.#unanswered.set(id, { round, slip });
    if (this.patron.state.connection === 'open') this.#auditor.recordRequest(this.#sentSlip(id));
    const answer = await this.#sendUntilKnown(id);
    if (answer.type === 'unanswered') return;
    this.#auditor.recordReply(this.#sentSlip(id).id, answer.type === 'accepted');
    this.#unanswered.delete(id);
    if (answer.type === 'accepted') {
      this.#hasAcceptedSlip = true;
      if (serverCount !== this.serverCount) this.lateReplies += 1;
      await this.#bet();
    }
    // A table that cannot record may accept the same slip a moment later.
    if (answer.type === 'refused' && answer.code === 'cannot-record' && round === this.#round) {
      this.#stake -= 100;
      await pause(100);
      await this.#bet();
    }
  }

  /** `result-unknown` is no result: sends the same slip again until the result is known. */
  async #sendUntilKnown(id: string) {
    const { round, slip } = this.#unanswered.get(id)!;
    for (;;) {
      const answer = await this.patron.slip(this.#table, round, slip, id);
      this.#inDoubt.delete(id);
      if (answer.type !== 'refused') return answer;
      this.refusals.set(answer.code, (this.refusals.get(answer.code) ?? 0) + 1);
      if (answer.code !== 'result-unknown') return answer;
      this.#inDoubt.add(id);
      await pause(100);
    }
  }
}
