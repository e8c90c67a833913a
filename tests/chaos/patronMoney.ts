import { type StoredEntry } from '../../src/store/store.ts';

/** Money that a patron brings to a terminal or wants out of it, as the patron remembers it; its id is the one in the record. */
export type MoneyRequest = {
  readonly id: string;
  /** The session that it is for, where the patron knows. */
  readonly session?: string;
  /** What is brought; null where all there is is wanted out, or where a ticket says how much it is. */
  readonly amount: number | null;
  /** The number of a ticket that is brought. */
  readonly number?: string;
};

/** What a patron was told: how much went in or out, and the number on the ticket where there is one. */
export type MoneyReply = { readonly amount: number; readonly number?: string };

type Known = {
  readonly wanted: MoneyRequest;
  got: MoneyReply | undefined;
  /** So many times it was asked without an answer yet. */
  open: number;
  /** It was asked, nobody answered, and nothing was heard of it since. */
  isDoubtful: boolean;
};

/** A ticket by the record: what it was issued and paid for, and the commands that did so. */
type Ticket = { readonly issued: string[]; readonly paid: string[]; worth: number };

/** The cash of patrons by their own books: what they asked for, and what they were told they have got. */
export class Cash {
  readonly #known = new Map<string, Known>();
  /** The command that gave each number. */
  readonly #numbers = new Map<string, string>();
  readonly #tickets = new Map<string, Ticket>();
  /** Tickets that cashiers have paid, with the number that was read. */
  readonly #inCash: (readonly [ticket: string, number: string])[] = [];

  request(wanted: MoneyRequest): void {
    const known = this.#known.get(wanted.id);
    if (known) known.open += 1;
    else this.#known.set(wanted.id, { wanted, got: undefined, open: 1, isDoubtful: false });
  }

  /** What was paid in or out; null for a refusal. */
  answered(id: string, got: MoneyReply | null): void {
    const known = this.#known.get(id)!;
    known.open = Math.max(0, known.open - 1);
    known.isDoubtful = false;
    if (got === null) return;
    known.got = got;
    if (known.wanted.number === undefined && got.number !== undefined) this.#numbers.set(got.number, id);
  }

  /** The floor is gone: what it has not answered by now it never will. */
  gone(): void {
    for (const known of this.#known.values()) {
      if (known.open > 0) known.isDoubtful = true;
      known.open = 0;
    }
  }

  /** A record is read from its beginning. */
  begin(): void {
    this.#tickets.clear();
    this.#inCash.length = 0;
  }

  /** What is wrong with an entry that moves cash. */
  problem({ event, command }: StoredEntry, terminal: string): string | undefined {
    const known = this.#known.get(command?.id ?? '');
    if (known === undefined) return `${event.type} ${command?.id} at ${terminal} was asked by nobody`;
    const { wanted, got } = known;
    this.#keep(event, wanted.id);
    // Where nothing is left the session ends, and nothing moves.
    const isEnd = event.type === 'SessionEnded';
    const amount = isEnd ? 0 : event['amount'];
    const due = wanted.amount ?? got?.amount ?? amount;
    const isOut = wanted.amount === null && wanted.number === undefined;
    const type = !isOut ? 'CreditLoaded' : isEnd ? 'SessionEnded' : 'CreditCollected';
    const session = `${terminal}.${String(event['session'])}`;
    const says = [event.type, session, amount].join(' ');
    const asks = [type, wanted.session ?? session, due].join(' ');
    return says === asks ? undefined : `${wanted.id} was asked and answered as ${asks} and recorded as ${says}`;
  }

  /** A ticket that is paid in cash comes to a terminal of its own first. */
  passed(event: StoredEntry['event'], id: string): void {
    this.#keep(event, id);
  }

  /** A cashier has paid a ticket, having read that number. */
  paidInCash(ticket: string, number: string): void {
    this.#inCash.push([ticket, number]);
  }

  #keep(event: StoredEntry['event'], id: string): void {
    const name = event['ticket'];
    if (typeof name !== 'string') return;
    const ticket = this.#tickets.get(name) ?? { issued: [], paid: [], worth: 0 };
    this.#tickets.set(name, ticket);
    const isIssued = event.type === 'CreditCollected';
    (isIssued ? ticket.issued : ticket.paid).push(id);
    ticket.worth += isIssued ? Number(event['amount']) : -Number(event['amount']);
  }

  /** What each ticket is worth by now. */
  *worths(): Generator<readonly [ticket: string, worth: number]> {
    for (const [name, { worth }] of this.#tickets) yield [name, worth];
  }

  /** Tickets that were issued or paid more than once, or paid for another number than the one they were given with. */
  *badTickets(): Generator<string> {
    for (const [name, { issued, paid, worth }] of this.#tickets) {
      if (issued.length !== 1 || paid.length > 1)
        yield `The ticket ${name} was issued by ${issued.join()} and paid by ${paid.join()}`;
      if (worth !== 0 && paid.length > 0) yield `The ticket ${name} was not paid whole, ${worth} is left`;
      for (const id of paid) {
        const known = this.#known.get(id);
        if (known === undefined && id === `redeem/${name}`) continue;
        const given = this.#numbers.get(known!.wanted.number!);
        if (given !== issued[0]) yield `${id} was paid for the ticket of ${issued[0]} and brought that of ${given}`;
      }
    }
    for (const [place, [ticket, number]] of this.#inCash.entries()) {
      if (this.#inCash.findIndex(([one]) => one === ticket) < place)
        yield `The ticket ${ticket} was paid in cash twice`;
      const { issued, paid } = this.#tickets.get(ticket) ?? { issued: [], paid: [] };
      if (paid.join() !== `redeem/${ticket}` || this.#numbers.get(number) !== issued[0])
        yield `The ticket ${ticket} of ${issued.join()}, paid by ${paid.join()}, was paid in cash for the number of another`;
    }
  }

  /** What was answered otherwise than it stands in the record, where each id is so many times. */
  *unlike(booked: ReadonlyMap<string, number>): Generator<string> {
    for (const [id, { got, open, isDoubtful }] of this.#known) {
      const often = booked.get(id) ?? 0;
      const isWell = got ? often === 1 : isDoubtful || open > 0 ? often <= 1 : often === 0;
      if (!isWell) yield `${id} was answered with ${got?.amount} and stands ${often} times in the record`;
    }
  }

  /** How often money was put in, taken out as a ticket, and brought back as one. */
  count(): { readonly loads: number; readonly issued: number; readonly paid: number; readonly refusedTickets: number } {
    const all = [...this.#known.values()];
    const done = all.filter(({ got }) => got !== undefined);
    const redeems = all.filter(({ wanted }) => wanted.number !== undefined);
    return {
      loads: done.filter(({ wanted }) => wanted.amount !== null).length,
      issued: this.#numbers.size,
      paid: redeems.filter(({ got }) => got !== undefined).length,
      refusedTickets: redeems.filter(({ got, open, isDoubtful }) => !got && open === 0 && !isDoubtful).length,
    };
  }
}
