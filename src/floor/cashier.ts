import { createHmac } from 'node:crypto';
import { ticketAccount } from '../ledger/accounts.ts';
import { assert } from '../rules/assert.ts';
import { type StoredEntry } from '../store/store.ts';
import { isFinal } from '../store/trouble.ts';
import { numberBehind, numberFor, ticketOf, turns } from '../terminal/ticket.ts';
import { type Answered, type Denied, cannotRecord, reused, unknown } from './answers.ts';
import { type Purse } from './purse.ts';
import { sealTicketKey, unsealTicketKeys } from './seal.ts';
import { type Terminals } from './terminals.ts';
import { type Owner, type World } from './world.ts';

/** What was collected: a ticket with its number, or what waits to be paid by hand. */
export type Collected = {
  readonly amount: number;
  readonly at: number;
  readonly ticket: { readonly id: string; readonly number: string } | null;
};

/**
 * Tickets: what COLLECT gives for a credit, and what is paid for one. A ticket is an account that the store guards, so that
 * nobody gets it twice; its number is worked out from a key that lies sealed in the record, and kept nowhere.
 */
export class Cashier {
  readonly #owner: Owner;
  readonly #world: World;
  readonly #purse: Purse;
  readonly #terminals: Terminals;
  /** All keys that tickets were ever issued with. */
  readonly #keys: string[] = [];
  /** One at a time under an id, so that a ticket that is being written is not taken for another's. */
  readonly #issuing = new Map<string, Promise<Collected | Denied>>();

  constructor(owner: Owner, world: World, purse: Purse, terminals: Terminals) {
    this.#owner = owner;
    this.#world = world;
    this.#purse = purse;
    this.#terminals = terminals;
  }

  async load(): Promise<void> {
    const { store, key } = this.#world;
    this.#keys.push(...(await unsealTicketKeys(store, key)));
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
    let known: readonly StoredEntry[];
    try {
      known = await this.#terminals.recorded(terminal, id);
    } catch (error) {
      return this.#failed(error, unknown);
    }
    if (known.length > 0) return this.#collected(known[0]!, terminal, id);
    let key: string;
    try {
      key = await this.#key();
    } catch (error) {
      return this.#failed(error, cannotRecord);
    }
    const answered = await this.#terminals.submit(terminal, id, {
      type: 'IssueTicket',
      ticket: this.#fresh(key, terminal, id),
    });
    return 'refused' in answered ? answered : this.#collected(answered.entries[0]!, terminal, id);
  }

  /** What a ticket is worth comes to a terminal. */
  redeem(terminal: string, id: string, ticket: string): Promise<Answered> {
    return this.#terminals.submit(terminal, id, { type: 'RedeemTicket', ticket });
  }

  /** Whether a number is that of a ticket. */
  isOf(ticket: unknown, number: string): boolean {
    return this.#keys.some((key) => ticketOf(key, number) === ticket);
  }

  /** The ticket of a number, be it paid or not. */
  find(number: string): string | undefined {
    return this.#keys.map((key) => ticketOf(key, number)).find((ticket) => this.#isIssued(ticket));
  }

  #isIssued(ticket: string): boolean {
    return this.#purse.knows(ticketAccount(this.#owner, ticket));
  }

  /** The key of new tickets. It comes from the key of the record, and stays in the record when that is changed. */
  async #key(): Promise<string> {
    const { store, key } = this.#world;
    const own = createHmac('sha256', key).update('tickets').digest('hex');
    if (!this.#keys.includes(own)) {
      await sealTicketKey(store, this.#keys.length + 1, own, key);
      if (!this.#keys.includes(own)) this.#keys.push(own);
    }
    return own;
  }

  /** A ticket that was never issued. */
  #fresh(key: string, terminal: string, id: string): string {
    for (let turn = 0; turn < turns; turn++) {
      const ticket = ticketOf(key, numberFor(key, terminal, id, turn));
      if (!this.#isIssued(ticket)) return ticket;
    }
    throw new Error('Every number that could be given has been given.');
  }

  /** What the record says of it. */
  #collected({ event, at }: StoredEntry, terminal: string, id: string): Collected | Denied {
    const { type, way, amount, ticket } = event as StoredEntry['event'] & { amount: number; ticket?: string };
    if (type !== 'CreditCollected' || (ticket === undefined && way !== 'hand')) return reused;
    if (ticket === undefined) return { amount, at, ticket: null };
    const number = numberBehind(ticket, this.#keys.toReversed(), terminal, id);
    assert(number !== undefined, 'a ticket that was issued has a number by one of the keys');
    return { amount, at, ticket: { id: ticket, number } };
  }

  #failed(error: unknown, denied: Denied): Denied {
    const { failed, mended, lost } = this.#world;
    if (isFinal(error)) lost(error);
    failed('tickets', error);
    mended('tickets');
    return denied;
  }
}
