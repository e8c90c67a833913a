import { type Account, ticketAccount, ticketOfAccount } from '../../ledger/accounts.ts';
import { assert } from '../../base/assert.ts';
import { countText } from '../../base/countText.ts';
import { type Balance, type StoredEntry } from '../../store/store.ts';
import { isFatalStoreError } from '../../store/failures.ts';
import { ticketRedeemRefusal } from '../../terminal/tickets.ts';
import { findValidationNumber, validationNumberFor, idOfTicketKey, ticketId } from '../../terminal/ticketNumbers.ts';
import { type CommandResult } from '../stream/pendingCommand.ts';
import {
  type CommandRefusal,
  type FinalRefusal,
  commandReusedRefusal,
  resultUnknownRefusal,
} from '../stream/refusals.ts';
import { ticketValueContext } from '../money/terminalContext.ts';
import { type FloorStream, type TicketKeyNamesAtStart, isPossibleRollback } from '../floor/floorStream.ts';
import { OperatorWarning } from './secretBindings.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type Terminals } from './terminals.ts';
import {
  hasIssuedTickets,
  isTicketKeyDerivedFromDataKey,
  rederivedKeyWarning,
  deriveTicketKey,
  putTicketKey,
  readTicketKeys,
} from './ticketKeys.ts';
import { type PropertyAndCurrency, type FloorDependencies } from '../ports/runtimeDependencies.ts';

/**
 * Result of a collect. `ticket` is null for a hand-pay, and also if there was no credit: then `amount` is 0, and the
 * collect only ended the session.
 */
export type CollectResult = {
  readonly amount: number;
  readonly at: number;
  readonly ticket: { readonly id: string; readonly number: string } | null;
};

/** An issued ticket, with the sequence of its entry and the id of its command. */
export type IssuedTicket = CollectResult & {
  readonly ticket: NonNullable<CollectResult['ticket']>;
  readonly sequence: number;
  readonly command: string;
};

/**
 * Name of the terminal that stands for the cage when the cage pays a ticket. There is one such terminal for each
 * ticket, so that the cage pays a ticket only once.
 */
export const cageTerminalOfTicket = (ticket: string): string => `cage-${ticket}`;

export const isCageTerminal = (terminal: string): boolean => /^cage-[0-9a-f]{32}$/.test(terminal);

/**
 * A ticket found by its validation number. `retired` is true if the event log may have been rolled back since the
 * ticket was issued.
 */
type FoundTicket = { readonly ticket: string; readonly retired: boolean };

/**
 * Issues, redeems and finds tickets. Each ticket is an account with a balance guard, so it is paid once. Its validation
 * number is computed from a ticket key and never stored.
 */
export class TicketService {
  readonly #owner: PropertyAndCurrency;
  readonly #dependencies: FloorDependencies;
  readonly #balances: BalanceCache;
  readonly #terminals: Terminals;
  readonly #floorStream: FloorStream;
  /** All ticket keys, oldest first. */
  #keys: readonly string[] = [];
  /** Numbers of damaged ticket keys that were derived again. `begin` stores these keys. */
  #rederived: readonly number[] = [];
  /** Collects in progress, by command id. A resend waits for the first request instead of getting another ticket. */
  readonly #issuing = new Map<string, Promise<CollectResult | FinalRefusal>>();

  constructor(
    owner: PropertyAndCurrency,
    dependencies: FloorDependencies,
    balances: BalanceCache,
    terminals: Terminals,
    floorStream: FloorStream,
  ) {
    this.#owner = owner;
    this.#dependencies = dependencies;
    this.#balances = balances;
    this.#terminals = terminals;
    this.#floorStream = floorStream;
  }

  /** Loads the ticket keys. Precondition: the floor stream is loaded. */
  async load(balances: ReadonlyMap<Account, Balance>): Promise<void> {
    const { store, key } = this.#dependencies;
    const facts = { names: this.#floorStream.ticketKeys, isIssued: hasIssuedTickets(balances) };
    const { keys, rederived } = await readTicketKeys(store, key, facts);
    this.#keys = keys;
    this.#rederived = rederived;
  }

  /**
   * Stores the ticket keys that were derived again. Adds a new ticket key if the last key cannot be used: there is
   * none, the data key was rotated, or a rollback has retired it. Returns the names of the ticket keys, which the floor
   * stream records.
   */
  async begin(): Promise<TicketKeyNamesAtStart> {
    const { store, key, onWarning, integrityIssue } = this.#dependencies;
    for (const number of this.#rederived) {
      await putTicketKey(store, number, this.#keys[number - 1]!, key);
      onWarning('the tickets', rederivedKeyWarning(number));
    }
    const retired = isPossibleRollback(integrityIssue) ? this.#keys.length : 0;
    const count = this.#keys.length;
    const isLastKeyUsable =
      count > Math.max(retired, this.#floorStream.retiredTicketKeys) &&
      isTicketKeyDerivedFromDataKey(key, count, this.#keys.at(-1)!);
    if (!isLastKeyUsable) {
      const fresh = deriveTicketKey(key, count + 1);
      await putTicketKey(store, count + 1, fresh, key);
      this.#keys = [...this.#keys, fresh];
    }
    return { names: this.#keys.map(idOfTicketKey), retiredCount: retired };
  }

  warnOfRetiredTickets(balances: ReadonlyMap<Account, Balance>): void {
    if (!isPossibleRollback(this.#dependencies.integrityIssue)) return;
    const retired = [...balances].flatMap(([account, { amount }]) =>
      ticketOfAccount(account) !== undefined && amount > 0 ? [amount] : [],
    );
    if (retired.length === 0) return;
    const sum = retired.reduce((total, amount) => total + amount, 0);
    const message =
      'After a rollback, the event log may lack payments of tickets, so terminals refuse all tickets from before the rollback. ' +
      `The event log has ${countText(retired.length, 'unpaid ticket')}, worth ${sum} minor units, and may lack others. ` +
      'Staff must check that such a ticket was not paid already, and then pay it by hand. ' +
      'The saved anchor file shows which streams lack entries. (ticket-key-retired)';
    this.#dependencies.onWarning('the tickets', new OperatorWarning(message));
  }

  /** Pays out the whole credit as a ticket. A resend returns the same ticket. [ETG layout-1, READING 60] */
  collect(terminal: string, id: string): Promise<CollectResult | FinalRefusal> {
    let issuing = this.#issuing.get(id);
    if (issuing === undefined) {
      issuing = this.#collect(terminal, id).finally(() => this.#issuing.delete(id));
      this.#issuing.set(id, issuing);
    }
    return issuing;
  }

  async #collect(terminal: string, id: string): Promise<CollectResult | FinalRefusal> {
    const known = await this.findResult(terminal, id);
    if (known) return known;
    const fresh = await this.#newTicket(terminal, id);
    const result = await this.#terminals.submit(terminal, id, { type: 'IssueTicket', ...fresh });
    if (!('refused' in result)) return this.#collectResult(result.entries[0]!, terminal, id);
    // An earlier command with the same id has another salt, so the store reports the id as reused. The stored result of
    // that command is returned.
    return (result.refused === commandReusedRefusal.refused && (await this.findResult(terminal, id))) || result;
  }

  /** Finds the result of a stored collect; undefined if it is not stored. */
  async findResult(terminal: string, id: string): Promise<CollectResult | FinalRefusal | undefined> {
    try {
      const [known] = await this.#terminals.findEntries(terminal, id);
      return known && this.#collectResult(known, terminal, id);
    } catch (error) {
      return this.#storeFailed(error);
    }
  }

  /** Unpaid tickets that a terminal has issued after the entry with the sequence `after`. */
  async *issued(terminal: string, after: number): AsyncIterable<IssuedTicket> {
    for await (const entries of this.#dependencies.store.read(`${this.#owner.property}/terminal/${terminal}`, after)) {
      for (const entry of entries) {
        if (entry.event.type !== 'CreditCollected') continue;
        const { sequence, command } = entry;
        const collected = this.#collectResult(entry, terminal, command.id);
        if (this.#dependencies.cluster && 'ticket' in collected && collected.ticket)
          await this.#refresh([collected.ticket.id]);
        const isOutstanding = (id: string): boolean => this.#balances.balance(ticketAccount(this.#owner, id)) > 0;
        if ('refused' in collected || collected.ticket === null || !isOutstanding(collected.ticket.id)) continue;
        yield { ...collected, ticket: collected.ticket, sequence, command: command.id };
      }
    }
  }

  /**
   * Reads the balance of the ticket with this number again, because another node may have paid the ticket. Returns
   * undefined without a cluster.
   */
  refreshNumber(number: string): Promise<unknown> | undefined {
    return this.#dependencies.cluster && this.#refresh(this.#keys.map((key) => ticketId(key, number)));
  }

  #refresh(tickets: readonly string[]): Promise<unknown> {
    return Promise.all(
      tickets.map(async (ticket) => {
        const account = ticketAccount(this.#owner, ticket);
        const balance = await this.#dependencies.store.balance(account);
        if (balance.version > 0) this.#balances.refresh(account, balance);
      }),
    );
  }

  /** Loads the value of a ticket into a terminal; returns undefined if no ticket has this number. */
  redeem(terminal: string, id: string, number: string): Promise<CommandResult> | undefined {
    const found = this.#find(number);
    if (found === undefined) return undefined;
    const { ticket, retired } = found;
    return this.#terminals.submit(
      terminal,
      id,
      { type: 'RedeemTicket', ticket },
      retired ? { keyRetired: retired } : undefined,
    );
  }

  /** Reads the entry of the cash payment of a ticket at the cage; undefined if the cage has not paid it. */
  async paidInCash(ticket: string): Promise<StoredEntry | undefined> {
    for await (const entries of this.#dependencies.store.read(
      `${this.#owner.property}/terminal/${cageTerminalOfTicket(ticket)}`,
    )) {
      const paid = entries.find(({ event }) => event.type === 'CreditCollected');
      if (paid) return paid;
    }
    return undefined;
  }

  worthOf(ticket: string): number {
    return this.#balances.balance(ticketAccount(this.#owner, ticket));
  }

  /**
   * When a terminal issued a ticket (`issued`), and when it redeemed the ticket (`paid`). Null means that the terminal
   * never did. Both are read from the stream of the terminal.
   */
  async movementsOf(
    ticket: string,
    terminal: string,
  ): Promise<{
    readonly issued: { readonly at: number; readonly amount: number } | null;
    readonly paid: { readonly at: number } | null;
  }> {
    let [issued, paid]: [{ at: number; amount: number } | null, { at: number } | null] = [null, null];
    for await (const entries of this.#dependencies.store.read(`${this.#owner.property}/terminal/${terminal}`)) {
      for (const { event, at } of entries) {
        if (event['ticket'] !== ticket) continue;
        if (event.type === 'CreditCollected') issued = { at, amount: event['amount'] as number };
        else if (event.type === 'CreditLoaded') paid = { at };
      }
    }
    return { issued, paid };
  }

  /**
   * The refusal that the ticket with this number would get at a terminal; undefined if it can be redeemed.
   * Precondition: there is such a ticket.
   */
  paymentRefusal(number: string): CommandRefusal | undefined {
    const { ticket, retired } = this.#find(number)!;
    return ticketRedeemRefusal({ ...ticketValueContext(ticket, this.#balances, this.#owner), keyRetired: retired });
  }

  isNumberOf(ticket: unknown, number: string): boolean {
    return this.#keys.some((key) => ticketId(key, number) === ticket);
  }

  /** Id of the ticket with a validation number, paid or not; undefined if there is none. */
  find(number: string): string | undefined {
    return this.#find(number)?.ticket;
  }

  /** True if the event log may have been rolled back since the ticket with this number was issued. */
  isRetired(number: string): boolean {
    return this.#find(number)?.retired ?? false;
  }

  #find(number: string): FoundTicket | undefined {
    const { retiredTicketKeys } = this.#floorStream;
    return this.#keys
      .map((key, index) => ({ ticket: ticketId(key, number), retired: index < retiredTicketKeys }))
      .find(({ ticket }) => this.#isIssued(ticket));
  }

  #isIssued(ticket: string): boolean {
    return this.#balances.has(ticketAccount(this.#owner, ticket));
  }

  /** Makes the id of a new ticket, and the salt from which the validation number of the ticket is computed. */
  async #newTicket(terminal: string, id: string): Promise<{ readonly ticket: string; readonly salt: string }> {
    const key = this.#keys.at(-1)!;
    for (;;) {
      const salt = this.#dependencies.random.salt().slice(0, 32);
      const ticket = ticketId(key, validationNumberFor(key, terminal, id, salt));
      if (this.#dependencies.cluster) await this.#refresh([ticket]);
      if (!this.#isIssued(ticket)) return { ticket, salt };
    }
  }

  #collectResult({ event, at }: StoredEntry, terminal: string, id: string): CollectResult | FinalRefusal {
    const { type, method, amount, ticket, salt } = event as StoredEntry['event'] & {
      amount: number;
      ticket?: string;
      salt?: string;
    };
    if (type === 'SessionEnded') return { amount: 0, at, ticket: null };
    if (type !== 'CreditCollected' || (ticket === undefined && method !== 'hand')) return commandReusedRefusal;
    if (ticket === undefined) return { amount, at, ticket: null };
    const number = findValidationNumber(ticket, this.#keys.toReversed(), terminal, id, salt);
    assert(number !== undefined, 'one of the ticket keys gives the number of an issued ticket');
    return { amount, at, ticket: { id: ticket, number } };
  }

  #storeFailed(error: unknown): FinalRefusal {
    const { onRetrying, onRecovered, onFatal } = this.#dependencies;
    if (isFatalStoreError(error)) onFatal(error);
    onRetrying('tickets', error);
    onRecovered('tickets');
    return resultUnknownRefusal;
  }
}
