import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { type AuditorFile } from '../audit/auditorFile.ts';
import { type TestClock } from '../time.ts';

/** Initial credit of every session, in cents. */
export const initialCredit = 20_000;

type PatronEnvironment = {
  readonly time: TestClock;
  readonly auditorFile: AuditorFile;
  /** The floor while it is open. */
  readonly floor: () => FloorRuntime | undefined;
};

/** A patron who bets for some rounds, collects, returns with money later, and so on. */
export class ReturningPatron {
  /** Number of collects. */
  collectCount = 0;
  readonly #environment: PatronEnvironment;
  readonly #secret: string;
  readonly #random: RandomSource;
  #terminal: string | undefined;
  #sessions = 1;
  #hasCredit = true;
  #isBroke = false;
  #number = 0;
  /** The floor at which this patron is seated. */
  #seatedAt: FloorRuntime | undefined;
  /** Money request that is sent again until there is a reply. */
  #pending: { readonly id: string; readonly isLoad: boolean } | undefined;

  constructor(environment: PatronEnvironment, secret: string, random: RandomSource) {
    this.#environment = environment;
    this.#secret = secret;
    this.#random = random;
    this.#scheduleNext();
  }

  #scheduleNext(): void {
    const delayMs = this.#hasCredit || this.#pending ? 2_000 + this.#random.below(12_000) : this.#random.below(300_000);
    this.#environment.time.after(delayMs, () => {
      const floor = this.#environment.floor();
      if (floor) this.#act(floor);
      this.#scheduleNext();
    });
  }

  #act(floor: FloorRuntime): void {
    if (this.#seatedAt !== floor || this.#terminal === undefined) this.#takeSeat(floor);
    else if (this.#pending) this.#sendMoney(floor, this.#terminal, this.#pending);
    else if (!this.#hasCredit) this.#startMoneyRequest('load');
    else if (this.#isBroke || this.#random.below(25) === 0) this.#startMoneyRequest('collect');
    else this.#bet(floor, this.#terminal);
  }

  #nextId(): string {
    this.#number += 1;
    return `${this.#secret}-${this.#number}`;
  }

  /** Replies of a floor that has stopped are lost. */
  async #handleReply<T>(floor: FloorRuntime, reply: Promise<T>, handle: (result: T) => void): Promise<void> {
    try {
      const result = await reply;
      if (this.#environment.floor() === floor) handle(result);
    } catch (error) {
      if (this.#environment.floor() === floor) throw error;
    }
  }

  #takeSeat(floor: FloorRuntime): void {
    void this.#handleReply(floor, floor.terminals.seat(this.#secret, initialCredit), (terminal) => {
      if (typeof terminal !== 'string') throw new Error(`${this.#secret} gets no seat: ${terminal.message}`);
      if ((this.#terminal ?? terminal) !== terminal) throw new Error(`${this.#terminal} came back as ${terminal}.`);
      this.#terminal = terminal;
      this.#seatedAt = floor;
    });
  }

  #startMoneyRequest(action: 'load' | 'collect'): void {
    const [id, isLoad] = [this.#nextId(), action === 'load'];
    const session = `${this.#terminal}.${isLoad ? this.#sessions + 1 : this.#sessions}`;
    this.#environment.auditorFile.write({ cash: { id, session, amount: isLoad ? initialCredit : null } });
    this.#pending = { id, isLoad };
  }

  #sendMoney(
    floor: FloorRuntime,
    terminal: string,
    { id, isLoad }: { readonly id: string; readonly isLoad: boolean },
  ): void {
    const payload = isLoad ? { type: 'LoadCredit', amount: initialCredit } : { type: 'CollectCredit' };
    void this.#handleReply(floor, floor.terminals.submit(terminal, id, { ...payload, method: 'ticket' }), (result) => {
      // Two sends get two replies.
      if (this.#pending?.id !== id) return;
      const isDone = !('refused' in result);
      if (!isDone && result.refused === 'result-unknown') return;
      this.#pending = undefined;
      this.#environment.auditorFile.write({ id, got: isDone ? Number(result.entries[0]!.event['amount']) : null });
      if (!isDone) return;
      this.#hasCredit = isLoad;
      this.#isBroke = false;
      if (isLoad) this.#sessions += 1;
      else this.collectCount += 1;
    });
  }

  #bet(floor: FloorRuntime, terminal: string): void {
    const open = [...floor.tables.values()].filter(({ table: { phase } }) => phase === 'betting');
    const table = open[this.#random.below(Math.max(1, open.length))];
    const round = table?.table.round?.id;
    if (table === undefined || round === undefined) return;
    const wagers = Object.keys(table.table.settings.limits);
    const slip: { [wager: string]: number } = {};
    for (let n = this.#random.below(4); n > 0; n--) {
      slip[wagers[this.#random.below(wagers.length)]!] = 100 * (1 + this.#random.below(20));
    }
    const session = `${terminal}.${this.#sessions}`;
    const id = `${this.#nextId()}/${terminal}`;
    this.#environment.auditorFile.write({ slip: { id, terminal: session, table: table.id, round, slip } });
    const payload = { type: 'SetSlip', actor: { terminal: session }, round, slip } as const;
    void this.#handleReply(floor, table.submit(id, payload), (result) => {
      const code = 'refused' in result ? result.refused : undefined;
      if (code !== 'result-unknown') this.#environment.auditorFile.write({ id, isAccepted: code === undefined });
      this.#isBroke = code === 'not-enough-credit';
    });
  }
}
