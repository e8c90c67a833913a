import { setImmediate } from 'node:timers/promises';
import { cageTerminalOfTicket, isCageTerminal } from '../../../runtime/terminals/ticketService.ts';
import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { approvalRules } from '../../../access/approvalRules.ts';
import { isValidationNumber } from '../../../base/validationNumber.ts';
import { type Role } from '../../../access/roles.ts';
import {
  type CageLimits,
  type UnclaimedCredit,
  type ListedTerminal,
  type ProposedHandPay,
  type SignedHandPay,
  type TicketStatus,
  type TerminalList,
} from '../../../wire/staff/cageTypes.ts';
import { type QueryHandlers } from './queryDispatcher.ts';
import { redeemCommandIdOf } from '../commands/cageCommandHandler.ts';
import { type ServerRefusal, misreadTicketRefusal, unknownTicketRefusal } from '../../refusals/serverRefusals.ts';

const readOnlyRoles: readonly Role[] = ['auditor', 'surveillance'];
const supervisingRoles: readonly Role[] = ['supervisor', 'pit-manager', 'gaming-shift-manager'];

const maxRows = 200;

type CageQueriesDependencies = {
  readonly isConnected: (terminal: string) => boolean;
  readonly tableOf: (terminal: string) => string | null;
  readonly limits: CageLimits;
};

export function createCageQueries(dependencies: CageQueriesDependencies, floor: FloorRuntime): QueryHandlers {
  const { limits } = dependencies;
  const lists = new CageLists(dependencies, floor);
  return {
    terminals: {
      roles: [...supervisingRoles, 'cage', 'technician', ...readOnlyRoles],
      answer: ({ text }) => lists.listTerminals(typeof text === 'string' ? text : ''),
    },
    handpays: {
      roles: [...supervisingRoles, 'cage', ...readOnlyRoles],
      answer: async () => ({ signed: await lists.signedHandPays(), limits }),
    },
    unclaimed: {
      roles: ['cage', ...readOnlyRoles],
      answer: async () => ({ unclaimed: await lists.unclaimedCredit() }),
    },
    ticket: { roles: ['cage', ...readOnlyRoles], answer: ({ ticket }) => lists.ticket(String(ticket)) },
  };
}

class CageLists {
  readonly #dependencies: CageQueriesDependencies;
  readonly #floor: FloorRuntime;

  constructor(dependencies: CageQueriesDependencies, floor: FloorRuntime) {
    this.#dependencies = dependencies;
    this.#floor = floor;
  }

  /**
   * Names of all terminals except cage terminals. A cage terminal is no machine: one exists for each ticket that the
   * cage pays.
   */
  get #terminalIds(): readonly string[] {
    return [...this.#floor.terminals.names].filter((name) => !isCageTerminal(name));
  }

  /**
   * Lists terminals whose name contains the text, or whose table does. Terminals that need staff come first, then
   * connected terminals, then the others.
   */
  async listTerminals(text: string): Promise<TerminalList> {
    const { terminals: all } = this.#floor;
    const { isConnected, tableOf, limits } = this.#dependencies;
    const names = this.#terminalIds;
    const needsStaff = (name: string): boolean => all.handPayOwed(name) > 0 || all.lockedBy(name) !== null;
    const rank = (name: string): number => (needsStaff(name) ? 0 : isConnected(name) ? 1 : 2);
    const search = text.toLowerCase();
    const matches = (name: string): boolean =>
      name.toLowerCase().includes(search) || (tableOf(name)?.toLowerCase().includes(search) ?? false);
    const shown = names
      .filter(matches)
      .toSorted((one, other) => rank(one) - rank(other) || byNumber(one, other))
      .slice(0, maxRows);
    for (const name of shown) await all.open(name);
    return {
      terminals: shown.map((name) => this.#row(name)),
      all: names.length,
      need: names.filter(needsStaff).length,
      offline: names.filter((name) => !isConnected(name) && all.creditOf(name) > 0).length,
      limits,
    };
  }

  #row(terminal: string): ListedTerminal {
    const { terminals: all } = this.#floor;
    const { isConnected, tableOf } = this.#dependencies;
    const session = all.openSession(terminal);
    return {
      terminal,
      online: isConnected(terminal),
      table: tableOf(terminal),
      session: session?.sessions ?? null,
      since: session?.since ?? null,
      ...all.moneyOf(terminal),
      locked: all.lockedBy(terminal),
      owed: all.handPayOwed(terminal),
      signed: this.#signedAt(terminal),
      proposal: this.#proposedAt(terminal),
      owedSince: all.handPayDueSince(terminal) ?? null,
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
    const { actor, what: _what, ...more } = proposal;
    const from = {
      person: actor.person,
      number: this.#numberOf(actor.person),
      role: actor.role,
      acting: actor.acting ?? null,
    };
    return {
      ...more,
      command: 'SignHandPay',
      reason: null,
      from,
      second: approvalRules['pay by hand above the limit'].second,
    };
  }

  #numberOf(person: string): string {
    return this.#floor.staff.state?.members[person]?.number ?? person;
  }

  /** Gives the hand-pays that two persons have signed and the cage has not paid yet, oldest first. */
  async signedHandPays(): Promise<readonly SignedHandPay[]> {
    const { terminals: all } = this.#floor;
    const owing = this.#terminalIds.filter((name) => all.handPayOwed(name) > 0);
    for (const name of owing) await all.open(name);
    return owing.flatMap((name) => this.#signedAt(name)).toSorted((one, other) => one.at - other.at);
  }

  /**
   * Gives credit of sessions that have ended. Money becomes such credit if it is posted after the end of its session.
   * [READING 60]
   */
  async unclaimedCredit(): Promise<readonly UnclaimedCredit[]> {
    const { terminals: all } = this.#floor;
    const actor = { person: 'cage', role: 'cage' };
    const unclaimedCredit: UnclaimedCredit[] = [];
    for (const { terminal, session, amount } of all.credits()) {
      if (unclaimedCredit.length === maxRows) break;
      await all.open(terminal);
      if (session >= Number(all.session(terminal)!.slice(terminal.length + 1))) continue;
      const refusal = all.refusalOf(terminal, { type: 'PaySession', session, actor });
      unclaimedCredit.push({ terminal, session, amount, not: refusal?.refused ?? null });
    }
    return unclaimedCredit;
  }

  async ticket(number: string): Promise<TicketStatus | ServerRefusal> {
    const { tickets, terminals: all } = this.#floor;
    if (!isValidationNumber(number)) return misreadTicketRefusal;
    await tickets.refreshNumber(number);
    const ticket = tickets.find(number);
    if (ticket === undefined) return unknownTicketRefusal;
    const { issued, paid } = await this.#trace(ticket);
    const not = tickets.paymentRefusal(number)?.refused ?? null;
    // A ticket that was redeemed at its cage terminal and not yet collected there can still be paid: the cage may
    // finish the payment.
    const hasPaymentBegun =
      not !== null &&
      paid === null &&
      (await all.findEntries(cageTerminalOfTicket(ticket), redeemCommandIdOf(ticket))).length > 0;
    return {
      ticket,
      amount: issued?.amount ?? 0,
      not: hasPaymentBegun ? null : not,
      issued: issued && { terminal: issued.terminal, at: issued.at },
      paid,
    };
  }

  /**
   * Finds the terminals at which a ticket was issued and paid. Entries are not indexed by ticket, so the streams of the
   * terminals are searched.
   */
  async #trace(ticket: string): Promise<TicketTrace> {
    const { tickets } = this.#floor;
    const inCash = await tickets.paidInCash(ticket);
    const by = inCash && (inCash.event['actor'] as { readonly person?: string }).person;
    let issued: TicketTrace['issued'] = null;
    let paid: TicketTrace['paid'] = inCash
      ? { at: inCash.at, number: by === undefined ? null : this.#numberOf(by), terminal: null }
      : null;
    const isOut = tickets.worthOf(ticket) > 0;
    for (const terminal of this.#terminalIds) {
      if (issued !== null && (isOut || paid !== null)) break;
      const moves = await tickets.movementsOf(ticket, terminal);
      if (moves.issued) issued = { terminal, ...moves.issued };
      if (moves.paid) paid = { ...moves.paid, number: null, terminal };
      await setImmediate();
    }
    return { issued, paid };
  }
}

type TicketTrace = {
  readonly issued: { readonly terminal: string; readonly at: number; readonly amount: number } | null;
  readonly paid: TicketStatus['paid'];
};

/** Compares terminal names by their numbers, so that T2 comes before T10. */
const byNumber = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true, sensitivity: 'base' });
