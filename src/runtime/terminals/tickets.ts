import { type Account, ticketAccount, ticketOfAccount } from '../../ledger/accounts.ts';
import { assert } from '../../base/assert.ts';
import { type Balance, type StoredEntry } from '../../store/store.ts';
import { isFatal } from '../../store/failures.ts';
import { ticketRefusal } from '../../terminal/tickets.ts';
import { findValidationNumber, validationNumberFor, ticketKeyId, ticketId } from '../../terminal/ticketNumbers.ts';
import { type CommandResult, type Denied, reused, unknown } from '../stream/pendingCommand.ts';
import { broughtToTicket } from '../money/commandContext.ts';
import { type FloorStream, type TicketKeys, isTurnedBack } from '../floor/floorStream.ts';
import { Finding } from './secretBindings.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type Terminals } from './terminals.ts';
import { isAnyIssued, isMadeWith, mendedSeal, newTicketKey, sealTicketKey, ticketKeysIn } from './ticketKeys.ts';
import { type Owner, type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

/** What was collected: a ticket with its number, or what waits to be paid by hand; nothing, where nothing was left. */
export type Collected = {
  readonly amount: number;
  readonly at: number;
  readonly ticket: { readonly id: string; readonly number: string } | null;
};

/** A ticket that was issued, with the entry and the command that it stands in. */
export type Issued = Collected & {
  readonly ticket: NonNullable<Collected['ticket']>;
  readonly sequence: number;
  readonly command: string;
};

/** The terminal at the cage that a ticket passes through when it is paid in cash, so that nothing is paid twice. */
export const cageOf = (ticket: string): string => `cage-${ticket}`;

/** Whether a terminal is such a one: no patron sits there. */
export const isCage = (terminal: string): boolean => /^cage-[0-9a-f]{32}$/.test(terminal);

/** A ticket as it was found by its number; one from before the record was turned back is held. */
type Found = { readonly ticket: string; readonly held: boolean };

/**
 * Tickets: what COLLECT gives for a credit, and what is paid for one. A ticket is an account that the store guards, so that
 * nobody gets it twice; its number is worked out from a key that lies sealed in the record, and kept nowhere.
 */
export class TicketService {
  readonly #owner: Owner;
  readonly #world: RuntimeDependencies;
  readonly #purse: BalanceCache;
  readonly #terminals: Terminals;
  readonly #journal: FloorStream;
  /** All keys that tickets were ever issued with, the oldest first. */
  #keys: readonly string[] = [];
  /** The numbers of those whose seal was damaged, until they are sealed again. */
  #mended: readonly number[] = [];
  /** One at a time under an id, so that a ticket that is being written is not taken for another's. */
  readonly #issuing = new Map<string, Promise<Collected | Denied>>();

  constructor(
    owner: Owner,
    world: RuntimeDependencies,
    purse: BalanceCache,
    terminals: Terminals,
    journal: FloorStream,
  ) {
    this.#owner = owner;
    this.#world = world;
    this.#purse = purse;
    this.#terminals = terminals;
    this.#journal = journal;
  }

  /** Reads the keys; the journal has been read, and tells of them. */
  async load(balances: ReadonlyMap<Account, Balance>): Promise<void> {
    const { store, key } = this.#world;
    const noted = { names: this.#journal.ticketKeys, isIssued: isAnyIssued(balances) };
    const { keys, mended } = await ticketKeysIn(store, key, noted);
    this.#keys = keys;
    this.#mended = mended;
  }

  /**
   * Seals what was damaged again, and a new key where there is none for new tickets: since none was ever needed, the key of the
   * record is another, or the tickets so far are held. Gives what the journal is to tell.
   */
  async begin(): Promise<TicketKeys> {
    const { store, key, trouble, doubt } = this.#world;
    for (const number of this.#mended) {
      await sealTicketKey(store, number, this.#keys[number - 1]!, key);
      trouble('the tickets', mendedSeal(number));
    }
    const held = isTurnedBack(doubt) ? this.#keys.length : 0;
    const count = this.#keys.length;
    const isFit = count > Math.max(held, this.#journal.heldKeys) && isMadeWith(key, count, this.#keys.at(-1)!);
    if (!isFit) {
      const fresh = newTicketKey(key, count + 1);
      await sealTicketKey(store, count + 1, fresh, key);
      this.#keys = [...this.#keys, fresh];
    }
    return { names: this.#keys.map(ticketKeyId), held };
  }

  /** Tells the operator which tickets are held from now on, where the record was turned back. */
  tellHeld(balances: ReadonlyMap<Account, Balance>): void {
    if (!isTurnedBack(this.#world.doubt)) return;
    const held = [...balances].flatMap(([account, { amount }]) =>
      ticketOfAccount(account) !== undefined && amount > 0 ? [amount] : [],
    );
    if (held.length === 0) return;
    const sum = held.reduce((total, amount) => total + amount, 0);
    const message =
      `${held.length} issued before now and not paid as far as the record knows, for ${sum} in all, are held, and those ` +
      'that it does not know are lost; pay them by hand, after a look at each ticket and the anchor that was kept. (ticket-held)';
    this.#world.trouble('the tickets', new Finding(message));
  }

  /** The whole credit goes out as a ticket; asked again under the same id, the same ticket. [ETG layout-1, READING 60] */
  collect(terminal: string, id: string): Promise<Collected | Denied> {
    let issuing = this.#issuing.get(id);
    if (issuing === undefined) {
      issuing = this.#collect(terminal, id).finally(() => this.#issuing.delete(id));
      this.#issuing.set(id, issuing);
    }
    return issuing;
  }

  async #collect(terminal: string, id: string): Promise<Collected | Denied> {
    const known = await this.#known(terminal, id);
    if (known) return known;
    const fresh = await this.#fresh(terminal, id);
    const answered = await this.#terminals.submit(terminal, id, { type: 'IssueTicket', ...fresh });
    if (!('refused' in answered)) return this.#collected(answered.entries[0]!, terminal, id);
    // One that was asked before, and of which nobody knew whether it was written, has another salt.
    return (answered.refused === reused.refused && (await this.#known(terminal, id))) || answered;
  }

  /** What the record says of a command, if it is there. */
  async #known(terminal: string, id: string): Promise<Collected | Denied | undefined> {
    try {
      const [known] = await this.#terminals.recorded(terminal, id);
      return known && this.#collected(known, terminal, id);
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** The tickets that a terminal has issued after an entry of its own, and that are not paid. */
  async *issued(terminal: string, after: number): AsyncIterable<Issued> {
    for await (const entries of this.#world.store.read(`${this.#owner.property}/terminal/${terminal}`, after)) {
      for (const entry of entries) {
        if (entry.event.type !== 'CreditCollected') continue;
        const { sequence, command } = entry;
        const collected = this.#collected(entry, terminal, command.id);
        if (this.#world.shared && 'ticket' in collected && collected.ticket) await this.#look([collected.ticket.id]);
        const isOutstanding = (id: string): boolean => this.#purse.balance(ticketAccount(this.#owner, id)) > 0;
        if ('refused' in collected || collected.ticket === null || !isOutstanding(collected.ticket.id)) continue;
        yield { ...collected, ticket: collected.ticket, sequence, command: command.id };
      }
    }
  }

  /** Reads what there is of a number, where others issue tickets and pay them as well. */
  look(number: string): Promise<unknown> | undefined {
    return this.#world.shared && this.#look(this.#keys.map((key) => ticketId(key, number)));
  }

  #look(tickets: readonly string[]): Promise<unknown> {
    return Promise.all(
      tickets.map(async (ticket) => {
        const account = ticketAccount(this.#owner, ticket);
        const balance = await this.#world.store.balance(account);
        if (balance.version > 0) this.#purse.refresh(account, balance);
      }),
    );
  }

  /** What a ticket is worth comes to a terminal; undefined where there is no ticket of that number. */
  redeem(terminal: string, id: string, number: string): Promise<CommandResult> | undefined {
    const found = this.#found(number);
    if (found === undefined) return undefined;
    const { ticket, held } = found;
    return this.#terminals.submit(terminal, id, { type: 'RedeemTicket', ticket }, held ? { held } : undefined);
  }

  /** When and by whom a ticket was paid in cash at the cage; undefined where it was not. */
  async paidInCash(ticket: string): Promise<StoredEntry | undefined> {
    for await (const entries of this.#world.store.read(`${this.#owner.property}/terminal/${cageOf(ticket)}`)) {
      const paid = entries.find(({ event }) => event.type === 'CreditCollected');
      if (paid) return paid;
    }
    return undefined;
  }

  /** What a ticket is worth now. */
  worthOf(ticket: string): number {
    return this.#purse.balance(ticketAccount(this.#owner, ticket));
  }

  /** When a terminal issued a ticket, and for how much, and when it took it in. */
  async movesOf(
    ticket: string,
    terminal: string,
  ): Promise<{
    readonly issued: { readonly at: number; readonly amount: number } | null;
    readonly paid: { readonly at: number } | null;
  }> {
    let [issued, paid]: [{ at: number; amount: number } | null, { at: number } | null] = [null, null];
    for await (const entries of this.#world.store.read(`${this.#owner.property}/terminal/${terminal}`)) {
      for (const { event, at } of entries) {
        if (event['ticket'] !== ticket) continue;
        if (event.type === 'CreditCollected') issued = { at, amount: event['amount'] as number };
        else if (event.type === 'CreditLoaded') paid = { at };
      }
    }
    return { issued, paid };
  }

  /** Why the ticket of a number is paid at no terminal, if it is not. */
  unpayable(number: string): Denied | undefined {
    const { ticket, held } = this.#found(number)!;
    return ticketRefusal({ ...broughtToTicket(ticket, this.#purse, this.#owner), held });
  }

  /** Whether a number is that of a ticket. */
  isOf(ticket: unknown, number: string): boolean {
    return this.#keys.some((key) => ticketId(key, number) === ticket);
  }

  /** The ticket of a number, be it paid or not. */
  find(number: string): string | undefined {
    return this.#found(number)?.ticket;
  }

  /** Whether it is held, since the record was turned back after it was issued. */
  isHeld(number: string): boolean {
    return this.#found(number)?.held ?? false;
  }

  #found(number: string): Found | undefined {
    const { heldKeys } = this.#journal;
    return this.#keys
      .map((key, place) => ({ ticket: ticketId(key, number), held: place < heldKeys }))
      .find(({ ticket }) => this.#isIssued(ticket));
  }

  #isIssued(ticket: string): boolean {
    return this.#purse.has(ticketAccount(this.#owner, ticket));
  }

  /** A ticket that was never issued, and what its number is drawn with. */
  async #fresh(terminal: string, id: string): Promise<{ readonly ticket: string; readonly salt: string }> {
    const key = this.#keys.at(-1)!;
    for (;;) {
      const salt = this.#world.chance.salt().slice(0, 32);
      const ticket = ticketId(key, validationNumberFor(key, terminal, id, salt));
      if (this.#world.shared) await this.#look([ticket]);
      if (!this.#isIssued(ticket)) return { ticket, salt };
    }
  }

  /** What the record says of it. */
  #collected({ event, at }: StoredEntry, terminal: string, id: string): Collected | Denied {
    const { type, way, amount, ticket, salt } = event as StoredEntry['event'] & {
      amount: number;
      ticket?: string;
      salt?: string;
    };
    if (type === 'SessionEnded') return { amount: 0, at, ticket: null };
    if (type !== 'CreditCollected' || (ticket === undefined && way !== 'hand')) return reused;
    if (ticket === undefined) return { amount, at, ticket: null };
    const number = findValidationNumber(ticket, this.#keys.toReversed(), terminal, id, salt);
    assert(number !== undefined, 'a ticket that was issued has a number by one of the keys');
    return { amount, at, ticket: { id: ticket, number } };
  }

  #failed(error: unknown): Denied {
    const { failed, mended, lost } = this.#world;
    if (isFatal(error)) lost(error);
    failed('tickets', error);
    mended('tickets');
    return unknown;
  }
}
