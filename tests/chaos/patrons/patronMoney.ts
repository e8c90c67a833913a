import { type StoredEntry } from '../../../src/store/store.ts';

/** Load, collect or redeem, as the patron knows it; the id is that of the stored command. */
export type MoneyRequest = {
  readonly id: string;
  /** Session of the request, if the patron knows it. */
  readonly session?: string;
  /** Amount to load; null for a collect, or when the ticket has the amount. */
  readonly amount: number | null;
  /** Validation number of the ticket to redeem. */
  readonly number?: string;
};

/** Amount that was moved, and the validation number of an issued ticket. */
export type MoneyReply = { readonly amount: number; readonly number?: string };

type MoneyState = {
  readonly request: MoneyRequest;
  reply: MoneyReply | undefined;
  /** Unanswered sends. */
  open: number;
  /** A send was never answered, so the request may or may not be stored. */
  isInDoubt: boolean;
};

/** A ticket by the event log: commands that issued and redeemed it, and its remaining value. */
type Ticket = { readonly issued: string[]; readonly paid: string[]; value: number };

/** Money of patrons as they know it from requests and replies. */
export class PatronMoney {
  readonly #states = new Map<string, MoneyState>();
  /** Command that issued each validation number. */
  readonly #numbers = new Map<string, string>();
  readonly #tickets = new Map<string, Ticket>();
  /** Tickets paid by cashiers, with the entered number. */
  readonly #cashPayments: (readonly [ticket: string, number: string])[] = [];

  recordRequest(request: MoneyRequest): void {
    const state = this.#states.get(request.id);
    if (state) state.open += 1;
    else this.#states.set(request.id, { request, reply: undefined, open: 1, isInDoubt: false });
  }

  /** Amount that was moved; null for a refusal. */
  recordReply(id: string, reply: MoneyReply | null): void {
    const state = this.#states.get(id)!;
    state.open = Math.max(0, state.open - 1);
    state.isInDoubt = false;
    if (reply === null) return;
    state.reply = reply;
    if (state.request.number === undefined && reply.number !== undefined) this.#numbers.set(reply.number, id);
  }

  /** The floor has stopped: replies that are missing now never arrive. */
  recordFloorStop(): void {
    for (const state of this.#states.values()) {
      if (state.open > 0) state.isInDoubt = true;
      state.open = 0;
    }
  }

  /** Starts reading an event log. */
  beginAudit(): void {
    this.#tickets.clear();
    this.#cashPayments.length = 0;
  }

  /** Problem of an entry that moves money. */
  problem({ event, command }: StoredEntry, terminal: string): string | undefined {
    const state = this.#states.get(command?.id ?? '');
    if (state === undefined) return `${event.type} ${command?.id} at ${terminal} was never requested`;
    const { request, reply } = state;
    this.#recordTicket(event, request.id);
    // A collect without credit ends the session and moves nothing.
    const isEnd = event.type === 'SessionEnded';
    const amount = isEnd ? 0 : event['amount'];
    const due = request.amount ?? reply?.amount ?? amount;
    const isCollect = request.amount === null && request.number === undefined;
    const type = !isCollect ? 'CreditLoaded' : isEnd ? 'SessionEnded' : 'CreditCollected';
    const session = `${terminal}.${String(event['session'])}`;
    const recorded = [event.type, session, amount].join(' ');
    const requested = [type, request.session ?? session, due].join(' ');
    return recorded === requested
      ? undefined
      : `${request.id} was requested and answered as ${requested} and recorded as ${recorded}`;
  }

  /** A ticket paid in cash is first redeemed at its own terminal. */
  recordRedeem(event: StoredEntry['event'], id: string): void {
    this.#recordTicket(event, id);
  }

  /** A cashier has paid a ticket by the entered number. */
  recordCashPayment(ticket: string, number: string): void {
    this.#cashPayments.push([ticket, number]);
  }

  #recordTicket(event: StoredEntry['event'], id: string): void {
    const name = event['ticket'];
    if (typeof name !== 'string') return;
    const ticket = this.#tickets.get(name) ?? { issued: [], paid: [], value: 0 };
    this.#tickets.set(name, ticket);
    const isIssued = event.type === 'CreditCollected';
    (isIssued ? ticket.issued : ticket.paid).push(id);
    ticket.value += isIssued ? Number(event['amount']) : -Number(event['amount']);
  }

  /** Remaining value of each ticket. */
  *ticketValues(): Generator<readonly [ticket: string, worth: number]> {
    for (const [name, { value }] of this.#tickets) yield [name, value];
  }

  /** Tickets that were issued or paid more than once, or paid for another ticket's number. */
  *ticketProblems(): Generator<string> {
    for (const [name, { issued, paid, value }] of this.#tickets) {
      if (issued.length !== 1 || paid.length > 1)
        yield `The ticket ${name} was issued by ${issued.join()} and paid by ${paid.join()}`;
      if (value !== 0 && paid.length > 0) yield `The ticket ${name} was not paid whole, ${value} is left`;
      for (const id of paid) {
        const state = this.#states.get(id);
        if (state === undefined && id === `redeem/${name}`) continue;
        const issuer = this.#numbers.get(state!.request.number!);
        if (issuer !== issued[0]) yield `${id} was paid for the ticket of ${issued[0]} and presented that of ${issuer}`;
      }
    }
    for (const [index, [ticket, number]] of this.#cashPayments.entries()) {
      if (this.#cashPayments.findIndex(([one]) => one === ticket) < index)
        yield `The ticket ${ticket} was paid in cash twice`;
      const { issued, paid } = this.#tickets.get(ticket) ?? { issued: [], paid: [] };
      if (paid.join() !== `redeem/${ticket}` || this.#numbers.get(number) !== issued[0])
        yield `The ticket ${ticket} of ${issued.join()}, paid by ${paid.join()}, was paid in cash for the number of another`;
    }
  }

  /** Replies that differ from the event log, given the number of entries by id. */
  *mismatches(storedCounts: ReadonlyMap<string, number>): Generator<string> {
    for (const [id, { reply, open, isInDoubt }] of this.#states) {
      const count = storedCounts.get(id) ?? 0;
      const isValid = reply ? count === 1 : isInDoubt || open > 0 ? count <= 1 : count === 0;
      if (!isValid) yield `${id} was answered with ${reply?.amount} and has ${count} stored commands`;
    }
  }

  /** Numbers of loads, issued tickets, and redeemed or refused tickets. */
  count(): { readonly loads: number; readonly issued: number; readonly paid: number; readonly refusedTickets: number } {
    const all = [...this.#states.values()];
    const done = all.filter(({ reply }) => reply !== undefined);
    const redeems = all.filter(({ request }) => request.number !== undefined);
    return {
      loads: done.filter(({ request }) => request.amount !== null).length,
      issued: this.#numbers.size,
      paid: redeems.filter(({ reply }) => reply !== undefined).length,
      refusedTickets: redeems.filter(({ reply, open, isInDoubt }) => !reply && open === 0 && !isInDoubt).length,
    };
  }
}
