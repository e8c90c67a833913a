import { type Auditor } from '../../chaos/audit/auditor.ts';
import { type MoneyReply, type MoneyRequest } from '../../chaos/patrons/patronMoney.ts';
import { type PatronClientState } from '../../../src/client/patronClient.ts';
import { newUniqueId } from '../../../src/client/environment.ts';
import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { TestPatron } from './testPatron.ts';
import { demoBillDenominations } from '../../../src/wire/billDenominations.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type MoneyAction = Pick<MoneyRequest, 'amount' | 'number'>;

/**
 * Patron terminal that loads bills, collects tickets and redeems its own and others', and reports to an auditor. After
 * a crash the client sends unanswered requests to the next server, with the same id.
 */
export class CashingPatron extends TestPatron {
  /** Replies in all, and those from a later server than the one to which the request was first sent. */
  replyCount = 0;
  lateReplies = 0;
  readonly #random: RandomSource;
  readonly #auditor: Auditor;
  /** Tickets that any terminal may redeem, paid ones included. */
  readonly #tickets: string[];
  #terminal: string | null = null;
  #pending: { readonly id: string; readonly action: MoneyAction } | undefined;
  #isStarted = false;

  constructor(table: string, random: RandomSource, auditor: Auditor, tickets: string[]) {
    super(table);
    this.#random = random;
    this.#auditor = auditor;
    this.#tickets = tickets;
    this.patron.watch((state, message) => {
      if (message === undefined && state.connection === 'open') this.#reportPending();
      if (message?.type === 'balance') this.#setTerminal(state);
    });
  }

  /** Until something of a terminal is stored, a restarted server may assign another. */
  #setTerminal({ terminal }: PatronClientState): void {
    if (this.#terminal === terminal) return;
    this.#terminal = terminal;
    this.#reportPending();
    if (!this.#isStarted) void this.#repeat();
    this.#isStarted = true;
  }

  /** A resend counts as a new request for the auditor. */
  #reportPending(): void {
    if (this.#pending && this.#terminal !== null) this.#auditor.money.recordRequest(this.#moneyRequest(this.#pending));
  }

  #moneyRequest({ id, action }: { readonly id: string; readonly action: MoneyAction }): MoneyRequest {
    return { id: `${id}/${this.#terminal}`, ...action };
  }

  async #repeat(): Promise<void> {
    while (await this.#act(this.#next())) await pause(100 + this.#random.below(200));
  }

  #next(): MoneyAction {
    const choice = this.#random.below(3);
    const number = this.#tickets[this.#random.below(this.#tickets.length + 1)];
    if (choice === 0 && number !== undefined) return { amount: null, number };
    return { amount: choice === 1 ? null : demoBillDenominations[this.#random.below(demoBillDenominations.length)]! };
  }

  /** False if there was no reply because the patron disconnected. */
  async #act(action: MoneyAction): Promise<boolean> {
    const pending = { id: newUniqueId(), action };
    const serverCount = this.serverCount;
    this.#pending = pending;
    if (this.patron.state.connection === 'open') this.#reportPending();
    for (;;) {
      const answer = await this.#send(pending);
      if (answer === undefined) return false;
      if (answer === 'again') {
        await pause(50);
        continue;
      }
      this.#pending = undefined;
      this.#auditor.money.recordReply(this.#moneyRequest(pending).id, answer);
      this.replyCount += 1;
      if (answer !== null && serverCount !== this.serverCount) this.lateReplies += 1;
      if (answer?.number !== undefined) this.#tickets.push(answer.number);
      return true;
    }
  }

  /** `result-unknown` is no result: gives "again" until the result is known. */
  async #send({
    id,
    action: { amount, number },
  }: {
    readonly id: string;
    readonly action: MoneyAction;
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
