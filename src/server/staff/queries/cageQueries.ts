import { setImmediate } from 'node:timers/promises';
import { cageOf, isCage } from '../../../runtime/terminals/tickets.ts';
import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { approvalRules } from '../../../access/approvalRules.ts';
import { isValidationNumber } from '../../../base/validationNumber.ts';
import { type Role } from '../../../access/roles.ts';
import {
  type DeskLimits,
  type UnclaimedCredit,
  type ListedTerminal,
  type ProposedHandPay,
  type SignedHandPay,
  type SoughtTicket,
  type TerminalList,
} from '../../../wire/staff/cageTypes.ts';
import { type QueryHandlers } from './handlers.ts';
import { misread, redeemingOf, unknownTicket } from '../commands/cageCommands.ts';
import { type Refused } from '../../shared/staffRefusals.ts';

const readers: readonly Role[] = ['auditor', 'surveillance'];
const pit: readonly Role[] = ['supervisor', 'pit-manager', 'gaming-shift-manager'];

/** At most so many are listed. */
const most = 200;

type Parts = {
  /** Whether somebody is at a terminal, and the table that it sits at. */
  readonly isThere: (terminal: string) => boolean;
  readonly tableOf: (terminal: string) => string | null;
  readonly limits: DeskLimits;
};

/** Terminals and their money: what waits for a person, and what the cage pays. */
export function terminals(parts: Parts, floor: FloorRuntime): QueryHandlers {
  const { limits } = parts;
  const desk = new Desk(parts, floor);
  return {
    terminals: {
      posts: [...pit, 'cage', 'technician', ...readers],
      answer: ({ text }) => desk.terminals(typeof text === 'string' ? text : ''),
    },
    handpays: {
      posts: [...pit, 'cage', ...readers],
      answer: async () => ({ signed: await desk.signed(), limits }),
    },
    held: { posts: ['cage', ...readers], answer: async () => ({ held: await desk.held() }) },
    ticket: { posts: ['cage', ...readers], answer: ({ ticket }) => desk.ticket(String(ticket)) },
  };
}

/** Looks at the money of terminals. */
class Desk {
  readonly #parts: Parts;
  readonly #floor: FloorRuntime;

  constructor(parts: Parts, floor: FloorRuntime) {
    this.#parts = parts;
    this.#floor = floor;
  }

  /** Those that patrons play at; a ticket that is paid passes through one of its own. */
  get #names(): readonly string[] {
    return [...this.#floor.terminals.names].filter((name) => !isCage(name));
  }

  /** Those that need a person first, then those that somebody is at. */
  async terminals(text: string): Promise<TerminalList> {
    const { terminals: all } = this.#floor;
    const { isThere, tableOf, limits } = this.#parts;
    const names = this.#names;
    const needs = (name: string): boolean => all.owedAt(name) > 0 || all.lockedBy(name) !== null;
    const rank = (name: string): number => (needs(name) ? 0 : isThere(name) ? 1 : 2);
    const sought = text.toLowerCase();
    const fits = (name: string): boolean =>
      name.toLowerCase().includes(sought) || (tableOf(name)?.toLowerCase().includes(sought) ?? false);
    const shown = names
      .filter(fits)
      .toSorted((one, other) => rank(one) - rank(other) || byNumber(one, other))
      .slice(0, most);
    for (const name of shown) await all.open(name);
    return {
      terminals: shown.map((name) => this.#row(name)),
      all: names.length,
      need: names.filter(needs).length,
      offline: names.filter((name) => !isThere(name) && all.creditOf(name) > 0).length,
      limits,
    };
  }

  #row(terminal: string): ListedTerminal {
    const { terminals: all } = this.#floor;
    const { isThere, tableOf } = this.#parts;
    const goesOn = all.goingOn(terminal);
    return {
      terminal,
      online: isThere(terminal),
      table: tableOf(terminal),
      session: goesOn?.sessions ?? null,
      since: goesOn?.since ?? null,
      ...all.moneyOf(terminal),
      locked: all.lockedBy(terminal),
      owed: all.owedAt(terminal),
      signed: this.#signedAt(terminal),
      proposal: this.#proposedAt(terminal),
      moved: all.movedAt(terminal) ?? null,
    };
  }

  #signedAt(terminal: string): readonly SignedHandPay[] {
    return Object.entries(this.#floor.terminals.signedAt(terminal)).map(([signature, one]) => ({
      terminal,
      signature: Number(signature),
      ...one,
      first: this.#numberOf(one.first),
      second: this.#numberOf(one.second),
    }));
  }

  #proposedAt(terminal: string): ProposedHandPay | null {
    const proposal = this.#floor.terminals.proposedAt(terminal);
    if (proposal === null) return null;
    const { who, what: _what, ...more } = proposal;
    const from = { person: who.person, number: this.#numberOf(who.person), post: who.post, acting: who.acting ?? null };
    return {
      ...more,
      act: 'SignHandPay',
      reason: null,
      from,
      second: approvalRules['pay by hand above the limit'].second,
    };
  }

  #numberOf(person: string): string {
    return this.#floor.people.state?.members[person]?.number ?? person;
  }

  /** What waits for the cage, the oldest first. */
  async signed(): Promise<readonly SignedHandPay[]> {
    const { terminals: all } = this.#floor;
    const owing = this.#names.filter((name) => all.owedAt(name) > 0);
    for (const name of owing) await all.open(name);
    return owing.flatMap((name) => this.#signedAt(name)).toSorted((one, other) => one.at - other.at);
  }

  /** What came to sessions after their end. [READING 60] */
  async held(): Promise<readonly UnclaimedCredit[]> {
    const { terminals: all } = this.#floor;
    const who = { person: 'cage', post: 'cage' };
    const held: UnclaimedCredit[] = [];
    for (const { terminal, session, amount } of all.credits()) {
      if (held.length === most) break;
      await all.open(terminal);
      if (session >= Number(all.session(terminal)!.slice(terminal.length + 1))) continue;
      const refusal = all.refusalOf(terminal, { type: 'PaySession', session, who });
      held.push({ terminal, session, amount, not: refusal?.refused ?? null });
    }
    return held;
  }

  /** A ticket by its number; where it was paid, by whom and when. */
  async ticket(number: string): Promise<SoughtTicket | Refused> {
    const { cashier, terminals: all } = this.#floor;
    if (!isValidationNumber(number)) return misread;
    await cashier.look(number);
    const ticket = cashier.find(number);
    if (ticket === undefined) return unknownTicket;
    const { issued, paid } = await this.#traced(ticket);
    const not = cashier.unpayable(number)?.refused ?? null;
    // What the cage has begun to pay it may pay to the end.
    const isBegun =
      not !== null && paid === null && (await all.recorded(cageOf(ticket), redeemingOf(ticket))).length > 0;
    return {
      ticket,
      amount: issued?.amount ?? 0,
      not: isBegun ? null : not,
      issued: issued && { terminal: issued.terminal, at: issued.at },
      paid,
    };
  }

  /** Where a ticket came from and went to. No entry is found by its ticket, so that those of terminals are looked through. */
  async #traced(ticket: string): Promise<Traced> {
    const { cashier } = this.#floor;
    const inCash = await cashier.paidInCash(ticket);
    const by = inCash && (inCash.event['who'] as { readonly person?: string }).person;
    let issued: Traced['issued'] = null;
    let paid: Traced['paid'] = inCash
      ? { at: inCash.at, number: by === undefined ? null : this.#numberOf(by), terminal: null }
      : null;
    const isOut = cashier.worthOf(ticket) > 0;
    for (const terminal of this.#names) {
      if (issued !== null && (isOut || paid !== null)) break;
      const moves = await cashier.movesOf(ticket, terminal);
      if (moves.issued) issued = { terminal, ...moves.issued };
      if (moves.paid) paid = { ...moves.paid, number: null, terminal };
      await setImmediate();
    }
    return { issued, paid };
  }
}

type Traced = {
  readonly issued: { readonly terminal: string; readonly at: number; readonly amount: number } | null;
  readonly paid: SoughtTicket['paid'];
};

/** T2 before T10. */
const byNumber = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true, sensitivity: 'base' });
