import { type CommandRefusal } from '../../runtime/stream/refusals.ts';
import { commandReused, secretRevoked, resultUnknown } from '../../runtime/stream/refusals.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { isRefused, refuse } from '../../base/refusal.ts';
import { isValidationNumber } from '../../base/validationNumber.ts';
import { type StoredEntry } from '../../store/store.ts';
import { type ClientMessageOf, type ServerMessage } from '../../wire/messages.ts';
import { billDenominations } from '../../wire/billDenominations.ts';
import { type TerminalBalance } from '../../wire/terminalBalance.ts';
import { type ResponsibleGamingSettings, sessionLimitsView } from './sessionLimits.ts';
import { type Scheduler } from '../../runtime/ports/scheduler.ts';
import { AttemptReport } from '../limits/attemptReport.ts';
import { type PatronConnection } from '../socket/patronConnection.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { AttemptLimiter } from '../limits/attemptLimiter.ts';
import {
  type ServerRefusal,
  misreadTicket,
  notEnrolled,
  notSeated,
  serverClosing,
  tooManyWrites,
  unknownTicket,
} from '../shared/refusals.ts';

type TransferRequest = ClientMessageOf<'load' | 'redeem' | 'collect'>;
type TransferReply = Extract<ServerMessage, { type: 'loaded' | 'collected' }>;

type CreditTransferDependencies = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly limits: ServerLimits;
  /** Credit of a new demo terminal; null where money is real. */
  readonly demoCredit: number | null;
  readonly isClosing: () => boolean;
  /** Takes one token of the write limit of an address. */
  readonly takeWrite: (address: string) => boolean;
  readonly warn: (what: string, error: unknown) => void;
  /** Stakes of a session in rounds in play or not yet paid. */
  readonly openStakes: (session: string) => TerminalBalance['openStakes'];
  /** Smallest slip that any table accepts. */
  readonly minStake: () => number;
  readonly responsibleGaming: ResponsibleGamingSettings;
};

/** Loads, tickets and collects of terminals, and the balance view. */
export class CreditTransferHandler {
  readonly #dependencies: CreditTransferDependencies;
  readonly #floor: FloorRuntime;
  readonly #triesByPatron: AttemptLimiter;
  readonly #triesByAddress: AttemptLimiter;
  readonly #report: AttemptReport;

  constructor(dependencies: CreditTransferDependencies, floor: FloorRuntime) {
    const { limits } = dependencies;
    this.#dependencies = dependencies;
    this.#floor = floor;
    this.#triesByPatron = new AttemptLimiter(limits.maxTicketTries, limits.ticketBlockMs);
    this.#triesByAddress = new AttemptLimiter(
      limits.maxTicketTriesPerAddress,
      limits.ticketBlockMs,
      limits.ticketProbeEveryMs,
    );
    this.#report = new AttemptReport(dependencies.after, (tries, since) => {
      floor.floorStream
        .recordWrongTicketNumbers(tries, since)
        .catch((error: unknown) => dependencies.warn('the journal', error));
    });
  }

  /** Idempotent: a resend with the same id gets the first reply. */
  async answer(connection: PatronConnection, request: TransferRequest): Promise<TransferReply | ServerRefusal> {
    try {
      return await this.#answer(connection, request);
    } catch (error) {
      this.#dependencies.warn('money', error);
      return resultUnknown;
    }
  }

  async #answer(connection: PatronConnection, request: TransferRequest): Promise<TransferReply | ServerRefusal> {
    const { terminal, secretHash, address, deviceKind } = connection;
    if (terminal === undefined) return notSeated;
    const mayLoad = deviceKind === 'acceptor' || (deviceKind === 'terminal' && this.#dependencies.demoCredit !== null);
    if (request.type === 'load' ? !mayLoad : deviceKind !== 'terminal') return notEnrolled;
    const id = `${request.id}/${terminal}`;
    const { terminals, tickets } = this.#floor;
    const [recorded] = await terminals.findEntries(terminal, id);
    if (recorded === undefined) {
      const { isClosing, takeWrite } = this.#dependencies;
      if (isClosing()) return serverClosing;
      if (!takeWrite(address)) return tooManyWrites;
      if (deviceKind === 'terminal' && terminals.terminalOf(secretHash!) !== terminal) return secretRevoked;
    }
    switch (request.type) {
      case 'load':
        return this.#load(terminal, id, request, recorded, deviceKind === 'acceptor');
      case 'redeem':
        return this.#redeem(connection, terminal, id, request, recorded);
      case 'collect': {
        const refusal = recorded
          ? undefined
          : await this.#beginTerminal(terminal, () => this.#collectRefusal(terminal));
        const collected = refusal ?? (await tickets.collect(terminal, id));
        if (isRefused(collected)) return collected;
        const { amount, at, ticket } = collected;
        return {
          type: 'collected',
          id: request.id,
          amount,
          ticket: ticket && { number: ticket.number, at, id: ticket.id },
          hand: ticket === null && amount > 0,
        };
      }
    }
  }

  /** A bill is inserted. The simulated acceptor of a demo takes fixed denominations only. */
  async #load(
    terminal: string,
    id: string,
    { id: requestId, amount }: ClientMessageOf<'load'>,
    recorded: StoredEntry | undefined,
    isAcceptor: boolean,
  ): Promise<TransferReply | ServerRefusal> {
    if (!isAcceptor && !billDenominations.includes(amount)) return unknownBill;
    const { terminals } = this.#floor;
    const command = { type: 'LoadCredit', method: 'bill', amount, bill: amount } as const;
    const refusal = recorded
      ? undefined
      : await this.#beginTerminal(terminal, () => terminals.refusalOf(terminal, command));
    return refusal ?? loadReply(requestId, await terminals.submit(terminal, id, command));
  }

  /**
   * A ticket is inserted. The attempt limiter is checked before the first await, so that concurrent tries cannot pass
   * it.
   */
  async #redeem(
    { address }: PatronConnection,
    terminal: string,
    id: string,
    { id: requestId, number }: ClientMessageOf<'redeem'>,
    recorded: StoredEntry | undefined,
  ): Promise<TransferReply | ServerRefusal> {
    if (!isValidationNumber(number)) return misreadTicket;
    const { terminals, tickets } = this.#floor;
    // A reused command id reveals nothing about other ticket numbers.
    if (recorded)
      return isPaymentOf(recorded, (ticket) => tickets.isNumberOf(ticket, number))
        ? loadReply(requestId, { entries: [recorded] })
        : commandReused;
    const now = this.#dependencies.clock();
    const isNew = terminals.isNew(terminal);
    // A terminal with credit history is not blocked by other terminals of its address.
    if (
      this.#triesByPatron.isBlocked(this.#patronAt(terminal), now) ||
      (isNew && this.#triesByAddress.isBlocked(address, now))
    ) {
      return tooManyTries;
    }
    const read = tickets.refreshNumber(number);
    if (read) await read;
    if (tickets.find(number) === undefined) {
      await this.#countWrongNumber(terminal, address, now);
      return unknownTicket;
    }
    const refusal = await this.#beginTerminal(terminal, () => tickets.paymentRefusal(number));
    return refusal ?? loadReply(requestId, (await tickets.redeem(terminal, id, number))!);
  }

  /**
   * Counts a wrong ticket number. A block is one entry in the stream of a stored terminal; the floor stream gets a
   * summary of all.
   */
  async #countWrongNumber(terminal: string, address: string, now: number): Promise<void> {
    const { terminals } = this.#floor;
    const block = this.#triesByPatron.fail(this.#patronAt(terminal), now);
    const addressBlock = this.#triesByAddress.fail(address, now);
    this.#report.add(now);
    if (block ?? addressBlock) this.#report.request();
    if (block === undefined || terminals.isNew(terminal)) return;
    const report = { type: 'ReportTicketAttempts', of: 'terminal', ...block };
    await terminals.submit(terminal, `tries/terminal/${terminal}/${block.since}`, report);
  }

  /** Key of the current patron: the session. The next patron starts without failures. */
  #patronAt(terminal: string): string {
    return this.#floor.terminals.session(terminal) ?? terminal;
  }

  /** Sends the pending report of failed attempts. */
  close(): void {
    this.#report.close();
  }

  /**
   * Creates a new terminal, with demo credit, at its first accepted command. A command that would be refused creates
   * nothing.
   */
  async #beginTerminal(
    terminal: string,
    refusalOf: () => CommandRefusal | undefined,
  ): Promise<CommandRefusal | undefined> {
    const { terminals } = this.#floor;
    if (!terminals.isNew(terminal)) return undefined;
    const refusal = refusalOf();
    if (refusal) return refusal;
    const begun = await terminals.begin(terminal, this.#dependencies.demoCredit ?? 0);
    return typeof begun === 'string' ? undefined : begun;
  }

  /** Demo credit that is not stored yet can be collected. */
  #collectRefusal(terminal: string): CommandRefusal | undefined {
    const { terminals } = this.#floor;
    const isDemoCreditDue = this.#dependencies.demoCredit !== null && terminals.isNew(terminal);
    return isDemoCreditDue ? undefined : terminals.collectRefusal(terminal);
  }

  /** Undefined before the terminal is loaded. */
  balance(terminal: string): TerminalBalance | undefined {
    const { demoCredit, openStakes, responsibleGaming } = this.#dependencies;
    const { terminals } = this.#floor;
    const sessionId = terminals.session(terminal);
    if (sessionId === undefined) return undefined;
    const session = terminals.openSession(terminal);
    const isDemoCreditDue = demoCredit !== null && terminals.isNew(terminal);
    return {
      terminal,
      credit: isDemoCreditDue ? demoCredit : terminals.creditOf(terminal),
      session: session ? { number: session.sessions, since: session.since, loaded: session.loaded } : null,
      openStakes: [...openStakes(sessionId)],
      collect: this.#collectRefusal(terminal)?.refused ?? null,
      locked: terminals.lockedBy(terminal),
      owed: terminals.handPayOwed(terminal),
      limits: sessionLimitsView(session, responsibleGaming),
      demo: demoCredit !== null,
    };
  }

  /** [READING 60] An empty session ends. */
  async endEmptySession(terminal: string): Promise<void> {
    if (!this.#dependencies.isClosing()) await this.#floor.terminals.endSession(terminal);
  }

  /** Refills a demo session whose credit is below every minimum; returns the amount. */
  async refill({ terminal, credit, session, openStakes, locked }: TerminalBalance): Promise<number | undefined> {
    const demoCredit = this.#dependencies.demoCredit;
    const isUsedUp = session !== null && openStakes.length === 0 && credit < this.#dependencies.minStake();
    if (demoCredit === null || !isUsedUp || locked !== null || this.#dependencies.isClosing()) return undefined;
    const result = await this.#floor.terminals.refill(terminal, demoCredit);
    return 'refused' in result ? undefined : demoCredit;
  }
}

/** True if the entry is the payment of this ticket. */
const isPaymentOf = ({ event }: StoredEntry, isIt: (ticket: unknown) => boolean): boolean =>
  event.type === 'CreditLoaded' && isIt(event['ticket']);

function loadReply(
  id: string,
  result: { readonly entries: readonly StoredEntry[] } | CommandRefusal,
): TransferReply | ServerRefusal {
  return 'refused' in result ? result : { type: 'loaded', id, amount: Number(result.entries[0]!.event['amount']) };
}

const unknownBill = refuse<'unknown-bill'>(
  'unknown-bill',
  `There is no such bill; the acceptor takes ${billDenominations.join(', ')} in minor units.`,
);

const tooManyTries = refuse<'too-many-attempts'>(
  'too-many-attempts',
  'Too many wrong numbers came from here; wait some minutes, or take the ticket to the cage.',
);
