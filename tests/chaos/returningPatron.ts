import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { type FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { type AuditorFile } from './auditorFile.ts';
import { type TestClock } from './time.ts';

/** What every session begins with: 200.00. */
export const initialCredit = 20_000;

type House = {
  readonly time: TestClock;
  readonly books: AuditorFile;
  /** The floor, where it is open. */
  readonly floor: () => FloorRuntime | undefined;
};

/** A patron who bets for some rounds, collects, comes back with money a while later, and so on all day. */
export class ReturningPatron {
  /** So many times money was taken out. */
  collected = 0;
  readonly #house: House;
  readonly #secret: string;
  readonly #chance: RandomSource;
  #terminal: string | undefined;
  #sessions = 1;
  #isIn = true;
  #isBroke = false;
  #number = 0;
  /** The floor that knows this patron already. */
  #known: FloorRuntime | undefined;
  /** Cash that was asked for, and is asked for again until there is an answer. */
  #waiting: { readonly id: string; readonly isLoad: boolean } | undefined;

  constructor(house: House, secret: string, chance: RandomSource) {
    this.#house = house;
    this.#secret = secret;
    this.#chance = chance;
    this.#live();
  }

  #live(): void {
    const span = this.#isIn || this.#waiting ? 2_000 + this.#chance.below(12_000) : this.#chance.below(300_000);
    this.#house.time.after(span, () => {
      const floor = this.#house.floor();
      if (floor) this.#act(floor);
      this.#live();
    });
  }

  #act(floor: FloorRuntime): void {
    if (this.#known !== floor || this.#terminal === undefined) this.#sit(floor);
    else if (this.#waiting) this.#pay(floor, this.#terminal, this.#waiting);
    else if (!this.#isIn) this.#want('load');
    else if (this.#isBroke || this.#chance.below(25) === 0) this.#want('collect');
    else this.#bet(floor, this.#terminal);
  }

  #next(): string {
    this.#number += 1;
    return `${this.#secret}-${this.#number}`;
  }

  /** Whatever the floor says after it is gone, nobody hears. */
  async #hear<T>(floor: FloorRuntime, answer: Promise<T>, take: (answered: T) => void): Promise<void> {
    try {
      const answered = await answer;
      if (this.#house.floor() === floor) take(answered);
    } catch (error) {
      if (this.#house.floor() === floor) throw error;
    }
  }

  #sit(floor: FloorRuntime): void {
    void this.#hear(floor, floor.terminals.seat(this.#secret, initialCredit), (terminal) => {
      if (typeof terminal !== 'string') throw new Error(`${this.#secret} gets no seat: ${terminal.message}`);
      if ((this.#terminal ?? terminal) !== terminal) throw new Error(`${this.#terminal} came back as ${terminal}.`);
      this.#terminal = terminal;
      this.#known = floor;
    });
  }

  #want(what: 'load' | 'collect'): void {
    const [id, isLoad] = [this.#next(), what === 'load'];
    const session = `${this.#terminal}.${isLoad ? this.#sessions + 1 : this.#sessions}`;
    this.#house.books.write({ cash: { id, session, amount: isLoad ? initialCredit : null } });
    this.#waiting = { id, isLoad };
  }

  #pay(floor: FloorRuntime, terminal: string, { id, isLoad }: { readonly id: string; readonly isLoad: boolean }): void {
    const asked = isLoad ? { type: 'LoadCredit', amount: initialCredit } : { type: 'CollectCredit' };
    void this.#hear(floor, floor.terminals.submit(terminal, id, { ...asked, method: 'ticket' }), (answered) => {
      // Asked twice before it was answered, it is answered twice.
      if (this.#waiting?.id !== id) return;
      const isDone = !('refused' in answered);
      if (!isDone && answered.refused === 'result-unknown') return;
      this.#waiting = undefined;
      this.#house.books.write({ id, got: isDone ? Number(answered.entries[0]!.event['amount']) : null });
      if (!isDone) return;
      this.#isIn = isLoad;
      this.#isBroke = false;
      if (isLoad) this.#sessions += 1;
      else this.collected += 1;
    });
  }

  #bet(floor: FloorRuntime, terminal: string): void {
    const open = [...floor.tables.values()].filter(({ table: { phase } }) => phase === 'betting');
    const table = open[this.#chance.below(Math.max(1, open.length))];
    const round = table?.table.round?.id;
    if (table === undefined || round === undefined) return;
    const wagers = Object.keys(table.table.settings.limits);
    const slip: { [wager: string]: number } = {};
    for (let n = this.#chance.below(4); n > 0; n--) {
      slip[wagers[this.#chance.below(wagers.length)]!] = 100 * (1 + this.#chance.below(20));
    }
    const session = `${terminal}.${this.#sessions}`;
    const id = `${this.#next()}/${terminal}`;
    this.#house.books.write({ slip: { id, terminal: session, table: table.id, round, slip } });
    const asked = { type: 'SetSlip', actor: { terminal: session }, round, slip } as const;
    void this.#hear(floor, table.submit(id, asked), (answered) => {
      const why = 'refused' in answered ? answered.refused : undefined;
      if (why !== 'result-unknown') this.#house.books.write({ id, isAccepted: why === undefined });
      this.#isBroke = why === 'not-enough-credit';
    });
  }
}
