import { type Auditor } from '../chaos/auditor.ts';
import { type MoneyReply, type MoneyRequest } from '../chaos/patronMoney.ts';
import { type PatronState } from '../../src/client/patronClient.ts';
import { freshId } from '../../src/client/environment.ts';
import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { Visitor } from './visitor.ts';
import { billDenominations } from '../../src/wire/billDenominations.ts';

const pause = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

type Asks = Pick<MoneyRequest, 'amount' | 'number'>;

/**
 * A terminal that takes notes, gives tickets and takes them again, its own and those of others, and lets
 * an auditor know. What a server did not answer the client sends again to the next one, with its id.
 */
export class Casher extends Visitor {
  /** So many answers there were, and so many of them in a later life of the server. */
  done = 0;
  late = 0;
  readonly #chance: RandomSource;
  readonly #auditor: Auditor;
  /** Tickets that anybody may bring, also those that were paid. */
  readonly #tickets: string[];
  #terminal: string | null = null;
  #pending: { readonly id: string; readonly asks: Asks } | undefined;
  #hasBegun = false;

  constructor(table: string, chance: RandomSource, auditor: Auditor, tickets: string[]) {
    super(table);
    this.#chance = chance;
    this.#auditor = auditor;
    this.#tickets = tickets;
    this.patron.watch((seen, tell) => {
      if (tell === undefined && seen.connection === 'open') this.#saysAgain();
      if (tell?.type === 'balance') this.#know(seen);
    });
  }

  /** Before anything was written of a terminal a server that begins anew may give another. */
  #know({ terminal }: PatronState): void {
    if (this.#terminal === terminal) return;
    this.#terminal = terminal;
    this.#saysAgain();
    if (!this.#hasBegun) void this.#live();
    this.#hasBegun = true;
  }

  /** What is said again is asked anew. */
  #saysAgain(): void {
    if (this.#pending && this.#terminal !== null) this.#auditor.cash.request(this.#wanted(this.#pending));
  }

  #wanted({ id, asks }: { readonly id: string; readonly asks: Asks }): MoneyRequest {
    return { id: `${id}/${this.#terminal}`, ...asks };
  }

  async #live(): Promise<void> {
    while (await this.#act(this.#next())) await pause(100 + this.#chance.below(200));
  }

  #next(): Asks {
    const what = this.#chance.below(3);
    const number = this.#tickets[this.#chance.below(this.#tickets.length + 1)];
    if (what === 0 && number !== undefined) return { amount: null, number };
    return { amount: what === 1 ? null : billDenominations[this.#chance.below(billDenominations.length)]! };
  }

  /** Whether there was an answer; there is none once the patron has gone. */
  async #act(asks: Asks): Promise<boolean> {
    const pending = { id: freshId(), asks };
    const life = this.life;
    this.#pending = pending;
    if (this.patron.state.connection === 'open') this.#saysAgain();
    for (;;) {
      const answer = await this.#ask(pending);
      if (answer === undefined) return false;
      if (answer === 'again') {
        await pause(50);
        continue;
      }
      this.#pending = undefined;
      this.#auditor.cash.answered(this.#wanted(pending).id, answer);
      this.done += 1;
      if (answer !== null && life !== this.life) this.late += 1;
      if (answer?.number !== undefined) this.#tickets.push(answer.number);
      return true;
    }
  }

  /** Nobody takes for an answer that it is not known yet: the same is asked again until it is. */
  async #ask({
    id,
    asks: { amount, number },
  }: {
    readonly id: string;
    readonly asks: Asks;
  }): Promise<MoneyReply | null | 'again' | undefined> {
    const patron = this.patron;
    const answer = await (number !== undefined
      ? patron.redeem(number, id)
      : amount === null
        ? patron.collect(id)
        : patron.load(amount, id));
    if (answer.type === 'loaded') return { amount: answer.amount };
    if (answer.type === 'collected') return { amount: answer.amount, number: answer.ticket!.number };
    if (answer.type !== 'refused') return undefined;
    return answer.code === 'result-unknown' || answer.code === 'cannot-record' ? 'again' : null;
  }
}
