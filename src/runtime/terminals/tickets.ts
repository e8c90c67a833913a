import { type Account, ticketAccount, ticketOfAccount } from '../../ledger/accounts.ts';
import { assert } from '../../base/assert.ts';
import { type Balance, type StoredEntry } from '../../store/store.ts';
import { isFatalStoreError } from '../../store/failures.ts';
import { ticketRefusal } from '../../terminal/tickets.ts';
import { findValidationNumber, validationNumberFor, ticketKeyId, ticketId } from '../../terminal/ticketNumbers.ts';
import { type CommandResult } from '../stream/pendingCommand.ts';
import { type CommandRefusal, commandReused, resultUnknown } from '../stream/refusals.ts';
import { ticketContext } from '../money/terminalContext.ts';
import { type FloorStream, type TicketKeys, isRolledBack } from '../floor/floorStream.ts';
import { Finding } from './secretBindings.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type Terminals } from './terminals.ts';
import {
  isAnyIssued,
  isDerivedFrom,
  rederivedKeyWarning,
  newTicketKey,
  putTicketKey,
  readTicketKeys,
} from './ticketKeys.ts';
import { type Owner, type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

/**
 * Result of COLLECT: a ticket with its number, or a hand-pay if `ticket` is null. The amount is 0 if nothing was left.
 */
export type CollectResult = {
  readonly amount: number;
  readonly at: number;
  readonly ticket: { readonly id: string; readonly number: string } | null;
};

/** An issued ticket with its entry and command. */
export type IssuedTicket = CollectResult & {
  readonly ticket: NonNullable<CollectResult['ticket']>;
  readonly sequence: number;
  readonly command: string;
};

/** A ticket paid in cash passes through a terminal of its own at the cage, so that it is paid once. */
export const cageTerminalOf = (ticket: string): string => `cage-${ticket}`;

export const isCageTerminal = (terminal: string): boolean => /^cage-[0-9a-f]{32}$/.test(terminal);

/** A ticket found by its number; `retired` if it was issued before a rollback. */
type FoundTicket = { readonly ticket: string; readonly retired: boolean };

/**
 * Tickets: issued by COLLECT, redeemed at terminals and the cage. Each ticket is an account with a balance guard, so
 * it is paid once. Its number is computed from an encrypted key and stored nowhere.
 */
export class TicketService {
  readonly #owner: Owner;
  readonly #dependencies: RuntimeDependencies;
  readonly #balances: BalanceCache;
  readonly #terminals: Terminals;
  readonly #floorStream: FloorStream;
  /** All ticket keys, oldest first. */
  #keys: readonly string[] = [];
  /** Numbers of damaged keys that were derived again and must be stored. */
  #rederived: readonly number[] = [];
  /** Running COLLECT by command id: a resend waits for the first instead of getting another ticket. */
  readonly #issuing = new Map<string, Promise<CollectResult | CommandRefusal>>();

  constructor(
    owner: Owner,
    dependencies: RuntimeDependencies,
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

  /** Loads the ticket keys; the floor stream must be loaded. */
  async load(balances: ReadonlyMap<Account, Balance>): Promise<void> {
    const { store, key } = this.#dependencies;
    const facts = { names: this.#floorStream.ticketKeys, isIssued: isAnyIssued(balances) };
    const { keys, rederived } = await readTicketKeys(store, key, facts);
    this.#keys = keys;
    this.#rederived = rederived;
  }

  /**
   * Stores keys that were derived again, and a new key if the last one cannot be used: there is none, the data key was
   * rotated, or a rollback has retired it. Returns what the floor stream records.
   */
  async begin(): Promise<TicketKeys> {
    const { store, key, onWarning, integrityIssue } = this.#dependencies;
    for (const number of this.#rederived) {
      await putTicketKey(store, number, this.#keys[number - 1]!, key);
      onWarning('the tickets', rederivedKeyWarning(number));
    }
    const retired = isRolledBack(integrityIssue) ? this.#keys.length : 0;
    const count = this.#keys.length;
    const isLastKeyUsable =
      count > Math.max(retired, this.#floorStream.retiredTicketKeys) && isDerivedFrom(key, count, this.#keys.at(-1)!);
    if (!isLastKeyUsable) {
      const fresh = newTicketKey(key, count + 1);
      await putTicketKey(store, count + 1, fresh, key);
      this.#keys = [...this.#keys, fresh];
    }
    return { names: this.#keys.map(ticketKeyId), retiredCount: retired };
  }

  /** After a rollback, warns the operator of the tickets that are retired from now on. */
  warnOfRetiredTickets(balances: ReadonlyMap<Account, Balance>): void {
    if (!isRolledBack(this.#dependencies.integrityIssue)) return;
    const retired = [...balances].flatMap(([account, { amount }]) =>
      ticketOfAccount(account) !== undefined && amount > 0 ? [amount] : [],
    );
    if (retired.length === 0) return;
    const sum = retired.reduce((total, amount) => total + amount, 0);
    const message =
      `${retired.length} issued before now and not paid as far as the record knows, for ${sum} in all, are held, and those ` +
      'that it does not know are lost; pay them by hand, after a look at each ticket and the anchor that was kept. (ticket-key-retired)';
    this.#dependencies.onWarning('the tickets', new Finding(message));
  }

  /** Pays out the whole credit as a ticket; a resend returns the same ticket. [ETG layout-1, READING 60] */
  collect(terminal: string, id: string): Promise<CollectResult | CommandRefusal> {
    let issuing = this.#issuing.get(id);
    if (issuing === undefined) {
      issuing = this.#collect(terminal, id).finally(() => this.#issuing.delete(id));
      this.#issuing.set(id, issuing);
    }
    return issuing;
  }

  async #collect(terminal: string, id: string): Promise<CollectResult | CommandRefusal> {
    const known = await this.#findResult(terminal, id);
    if (known) return known;
    const fresh = await this.#newTicket(terminal, id);
    const result = await this.#terminals.submit(terminal, id, { type: 'IssueTicket', ...fresh });
    if (!('refused' in result)) return this.#collectResult(result.entries[0]!, terminal, id);
    // An earlier try with unknown result has another salt, so the id counts as reused; its stored result is returned.
    return (result.refused === commandReused.refused && (await this.#findResult(terminal, id))) || result;
  }

  /** The stored result of a command id; undefined if there is none. */
  async #findResult(terminal: string, id: string): Promise<CollectResult | CommandRefusal | undefined> {
    try {
      const [known] = await this.#terminals.findEntries(terminal, id);
      return known && this.#collectResult(known, terminal, id);
    } catch (error) {
      return this.#storeFailed(error);
    }
  }

  /** Unpaid tickets that a terminal has issued after a sequence of its stream. */
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

  /** In a cluster, reads the balance behind a ticket number again. */
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

  /** Loads the value of a ticket into a terminal; undefined if the number is no ticket's. */
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

  /** The cash payment of a ticket at the cage; undefined if there was none. */
  async paidInCash(ticket: string): Promise<StoredEntry | undefined> {
    for await (const entries of this.#dependencies.store.read(
      `${this.#owner.property}/terminal/${cageTerminalOf(ticket)}`,
    )) {
      const paid = entries.find(({ event }) => event.type === 'CreditCollected');
      if (paid) return paid;
    }
    return undefined;
  }

  worthOf(ticket: string): number {
    return this.#balances.balance(ticketAccount(this.#owner, ticket));
  }

  /** When a terminal issued a ticket and for how much, and when it redeemed it. */
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

  /** Why a ticket cannot be redeemed at a terminal; undefined if it can. */
  paymentRefusal(number: string): CommandRefusal | undefined {
    const { ticket, retired } = this.#find(number)!;
    return ticketRefusal({ ...ticketContext(ticket, this.#balances, this.#owner), keyRetired: retired });
  }

  isNumberOf(ticket: unknown, number: string): boolean {
    return this.#keys.some((key) => ticketId(key, number) === ticket);
  }

  /** The ticket of a number, paid or not. */
  find(number: string): string | undefined {
    return this.#find(number)?.ticket;
  }

  /** True if a rollback of the event log came after the ticket was issued. */
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

  /** A ticket id that was never issued, and the salt of its number. */
  async #newTicket(terminal: string, id: string): Promise<{ readonly ticket: string; readonly salt: string }> {
    const key = this.#keys.at(-1)!;
    for (;;) {
      const salt = this.#dependencies.random.salt().slice(0, 32);
      const ticket = ticketId(key, validationNumberFor(key, terminal, id, salt));
      if (this.#dependencies.cluster) await this.#refresh([ticket]);
      if (!this.#isIssued(ticket)) return { ticket, salt };
    }
  }

  /** The result that an entry shows. */
  #collectResult({ event, at }: StoredEntry, terminal: string, id: string): CollectResult | CommandRefusal {
    const { type, method, amount, ticket, salt } = event as StoredEntry['event'] & {
      amount: number;
      ticket?: string;
      salt?: string;
    };
    if (type === 'SessionEnded') return { amount: 0, at, ticket: null };
    if (type !== 'CreditCollected' || (ticket === undefined && method !== 'hand')) return commandReused;
    if (ticket === undefined) return { amount, at, ticket: null };
    const number = findValidationNumber(ticket, this.#keys.toReversed(), terminal, id, salt);
    assert(number !== undefined, 'a ticket that was issued has a number by one of the keys');
    return { amount, at, ticket: { id: ticket, number } };
  }

  #storeFailed(error: unknown): CommandRefusal {
    const { onRetrying, onRecovered, onFatal } = this.#dependencies;
    if (isFatalStoreError(error)) onFatal(error);
    onRetrying('tickets', error);
    onRecovered('tickets');
    return resultUnknown;
  }
}
