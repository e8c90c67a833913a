import { type Auditor, type SentSlip } from '../chaos/auditor.ts';
import { sessionId } from '../../src/terminal/state.ts';
import { type PatronState } from '../../src/client/patronClient.ts';
import { freshId } from '../../src/client/environment.ts';
import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { Visitor } from './visitor.ts';

const pause = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

/**
 * A terminal that stakes something new whenever it can, and lets an auditor know what it sends and what it is told. What a
 * server did not answer the client sends again to the next one, with its id.
 */
export class Bettor extends Visitor {
  /** So many slips were accepted in answer to a resend, in a later life of the server. */
  late = 0;
  /** How often a slip was refused, by the code of the refusal; what is not known yet counts each time that is said. */
  readonly refusals = new Map<string, number>();
  readonly #table: string;
  readonly #chance: RandomSource;
  readonly #auditor: Auditor;
  readonly #rest: number;
  readonly #unanswered = new Map<string, Pick<SentSlip, 'round' | 'slip'>>();
  #terminal: string | undefined;
  /** Something was accepted, so that the terminal is in the record. */
  #isWritten = false;
  #round: string | undefined;
  #stake = 0;

  /** Before each slip it waits for less than `rest` milliseconds. */
  constructor(table: string, chance: RandomSource, auditor: Auditor, rest = 40) {
    super(table);
    this.#rest = rest;
    this.#table = table;
    this.#chance = chance;
    this.#auditor = auditor;
    this.patron.watch((seen, tell) => {
      // The link is up again, and all that waits is about to be sent.
      if (tell === undefined && seen.connection === 'open') this.#saysAgain();
      if (tell?.type === 'own') this.#know(seen);
      if (tell?.type === 'own' || tell?.type === 'table' || tell?.type === 'change') this.#look(seen);
    });
  }

  /** Where it plays and what it sees there, and whether it waits for an answer. */
  get stand(): string {
    const { connection, view } = this.patron.state;
    const round = view?.round?.id === this.#round ? 'its round' : 'another round';
    return [this.#table, connection, view?.phase, view?.stopped?.kind, round, this.#unanswered.size].join(' ');
  }

  override connect(address: string): void {
    this.#round = undefined;
    super.connect(address);
  }

  /** Before the first bet nothing of a terminal is written, and a server that begins anew may give another. */
  #know({ terminal }: PatronState): void {
    if (this.#terminal === terminal) return;
    if (this.#isWritten) throw new Error(`${this.#terminal} came back as ${terminal}.`);
    this.#terminal = terminal!;
    this.#saysAgain();
  }

  #saysAgain(): void {
    for (const id of this.#unanswered.keys()) this.#auditor.request(this.#sent(id));
  }

  /** A slip that was not answered, as this terminal sends it. */
  #sent(id: string): SentSlip {
    const terminal = this.#terminal!;
    const { round, slip } = this.#unanswered.get(id)!;
    return { id: `${id}/${terminal}`, terminal: sessionId(terminal, 1), table: this.#table, round, slip };
  }

  #look({ view }: PatronState): void {
    // Whoever does not know yet which terminal this is waits until it is told.
    if (this.#terminal === undefined) return;
    if (view?.phase !== 'betting' || view.round === null || view.round.id === this.#round) return;
    this.#round = view.round.id;
    this.#stake = 0;
    void this.#bet();
  }

  /** One slip after another, each more than the last, so that each that is accepted stands in the record. */
  async #bet(): Promise<void> {
    const [round, life] = [this.#round, this.life];
    if (round === undefined) return;
    await pause(this.#chance.below(this.#rest));
    const wagers = this.patron.state.view!.layout;
    const { wager } = wagers[this.#chance.below(wagers.length)]!;
    this.#stake += 100;
    const slip = { [wager]: this.#stake };
    const id = freshId();
    this.#unanswered.set(id, { round, slip });
    if (this.patron.state.connection === 'open') this.#auditor.request(this.#sent(id));
    const answer = await this.#answerTo(id);
    if (answer.type === 'unanswered') return;
    this.#auditor.answered(this.#sent(id).id, answer.type === 'accepted');
    this.#unanswered.delete(id);
    if (answer.type === 'accepted') {
      this.#isWritten = true;
      if (life !== this.life) this.late += 1;
      await this.#bet();
    }
    // A table that cannot record may take the same a moment later.
    if (answer.type === 'refused' && answer.code === 'cannot-record' && round === this.#round) {
      this.#stake -= 100;
      await pause(100);
      await this.#bet();
    }
  }

  /** Nobody takes for an answer that it is not known yet: the same slip is asked again until it is. */
  async #answerTo(id: string) {
    const { round, slip } = this.#unanswered.get(id)!;
    for (;;) {
      const answer = await this.patron.slip(this.#table, round, slip, id);
      if (answer.type !== 'refused') return answer;
      this.refusals.set(answer.code, (this.refusals.get(answer.code) ?? 0) + 1);
      if (answer.code !== 'result-unknown') return answer;
      await pause(100);
    }
  }
}
