import { type CommandResult } from '../../runtime/stream/pendingCommand.ts';
import {
  type CommandRefusal,
  type FinalRefusal,
  commandReusedRefusal,
  asFinalRefusal,
  resultUnknownRefusal,
  secretRevokedRefusal,
} from '../../runtime/stream/refusals.ts';
import { storedResultOrRefusal } from '../../runtime/stream/commandLookup.ts';
import { type CollectResult } from '../../runtime/terminals/ticketService.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { isRefused, refuse } from '../../base/refusal.ts';
import { isValidationNumber } from '../../base/validationNumber.ts';
import { type StoredEntry } from '../../store/store.ts';
import { type ClientMessageOf, type ServerMessage } from '../../wire/messages.ts';
import { demoBillDenominations } from '../../wire/billDenominations.ts';
import { type TerminalMoneyState } from '../../wire/terminalMoneyState.ts';
import { type ResponsibleGamingSettings, buildSessionLimitsView } from './sessionLimitsAndBreaksHandler.ts';
import { type Scheduler } from '../../runtime/ports/scheduler.ts';
import { FailedAttemptReporter } from '../limits/failedAttemptReporter.ts';
import { type DeviceConnection } from '../socket/deviceConnection.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { AttemptLimiter } from '../limits/attemptLimiter.ts';
import {
  type ServerRefusal,
  misreadTicketRefusal,
  notEnrolledRefusal,
  notSeatedRefusal,
  serverClosingRefusal,
  tooManyWritesRefusal,
  unknownTicketRefusal,
} from '../refusals/serverRefusals.ts';

type TransferRequest = ClientMessageOf<'load' | 'redeem' | 'collect'>;
type TransferReply = Extract<ServerMessage, { type: 'loaded' | 'collected' }> | FinalRefusal;

/** A transfer that one terminal has requested. `id` is the command id. */
type Transfer<Request extends TransferRequest = TransferRequest> = {
  readonly request: Request;
  readonly terminal: string;
  readonly id: string;
  readonly connection: DeviceConnection;
};

type CreditTransferDependencies = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly limits: ServerLimits;
  /** Credit of a new demo terminal, in minor units; null where money is real. */
  readonly demoCredit: number | null;
  readonly isClosing: () => boolean;
  /** Takes one token from the write limit of a client address; returns false if no token is left. */
  readonly takeWrite: (address: string) => boolean;
  readonly warn: (subject: string, error: unknown) => void;
  /** Gives the open stakes of a session at all tables: stakes in rounds that are in play or not paid yet. */
  readonly openStakes: (session: string) => TerminalMoneyState['openStakes'];
  /** Smallest total stake that any table accepts, in minor units. */
  readonly minStake: () => number;
  readonly responsibleGaming: ResponsibleGamingSettings;
};

/**
 * Handles requests of terminals to load a bill, redeem a ticket or collect credit, and builds the balance that a
 * terminal shows.
 */
export class CreditTransferHandler {
  readonly #dependencies: CreditTransferDependencies;
  readonly #floor: FloorRuntime;
  readonly #attemptsByPatron: AttemptLimiter;
  readonly #attemptsByAddress: AttemptLimiter;
  readonly #report: FailedAttemptReporter;

  constructor(dependencies: CreditTransferDependencies, floor: FloorRuntime) {
    const { limits } = dependencies;
    this.#dependencies = dependencies;
    this.#floor = floor;
    this.#attemptsByPatron = new AttemptLimiter(limits.maxTicketAttempts, limits.ticketBlockMs);
    this.#attemptsByAddress = new AttemptLimiter(
      limits.maxTicketAttemptsPerAddress,
      limits.ticketBlockMs,
      limits.ticketProbeEveryMs,
    );
    this.#report = new FailedAttemptReporter(dependencies.after, (attempts, since) => {
      floor.floorStream
        .recordWrongTicketNumbers(attempts, since)
        .catch((error: unknown) => dependencies.warn('the floor stream', error));
    });
  }

  /** Carries out a transfer and gives the reply. A request that is sent again with the same id gets the first reply. */
  async answer(connection: DeviceConnection, request: TransferRequest): Promise<TransferReply> {
    try {
      return await this.#answer(connection, request);
    } catch (error) {
      this.#dependencies.warn('money', error);
      return resultUnknownRefusal;
    }
  }

  async #answer(connection: DeviceConnection, request: TransferRequest): Promise<TransferReply> {
    const { terminal, address, deviceKind } = connection;
    if (terminal === undefined) return notSeatedRefusal;
    const mayLoad = deviceKind === 'acceptor' || (deviceKind === 'terminal' && this.#dependencies.demoCredit !== null);
    if (request.type === 'load' ? !mayLoad : deviceKind !== 'terminal') return notEnrolledRefusal;
    if (request.type === 'redeem' && !isValidationNumber(request.number)) return misreadTicketRefusal;
    if (request.type === 'load' && deviceKind === 'terminal' && !demoBillDenominations.includes(request.amount))
      return unknownBill;
    if (!this.#dependencies.takeWrite(address)) return tooManyWritesRefusal;
    const transfer = { request, terminal, id: `${request.id}/${terminal}`, connection };
    return (await this.#storedReply(transfer)) ?? this.#execute(transfer);
  }

  #execute(transfer: Transfer): Promise<TransferReply> {
    const { request, terminal, connection } = transfer;
    if (this.#dependencies.isClosing()) return this.#refuse(transfer, serverClosingRefusal);
    const { secretHash, deviceKind } = connection;
    if (deviceKind === 'terminal' && this.#floor.terminals.terminalOf(secretHash!) !== terminal)
      return this.#refuse(transfer, secretRevokedRefusal);
    switch (request.type) {
      case 'load':
        return this.#load({ ...transfer, request });
      case 'redeem':
        return this.#redeem({ ...transfer, request });
      case 'collect':
        return this.#collect({ ...transfer, request });
    }
  }

  /** Builds the reply to a transfer from its stored entries; undefined if the transfer is not stored. */
  async #storedReply({ request, terminal, id }: Transfer): Promise<TransferReply | undefined> {
    const { terminals, tickets } = this.#floor;
    switch (request.type) {
      case 'load': {
        const result = await terminals.findResult(terminal, id, loadCommand(request));
        return result && loadReply(request.id, result);
      }
      case 'redeem': {
        const [recorded] = await terminals.findEntries(terminal, id);
        if (recorded === undefined) return undefined;
        // If another ticket was redeemed with this command id, the reply must not reveal whether the new number exists.
        return isPaymentOf(recorded, (ticket) => tickets.isNumberOf(ticket, request.number))
          ? loadReply(request.id, { entries: [recorded] })
          : commandReusedRefusal;
      }
      case 'collect': {
        const collected = await tickets.findResult(terminal, id);
        return collected && collectReply(request.id, collected);
      }
    }
  }

  /**
   * Gives the reply to a transfer that was refused now. If the transfer was carried out earlier, this is the reply of
   * that time, otherwise the refusal.
   */
  async #refuse(transfer: Transfer, refusal: ServerRefusal): Promise<TransferReply> {
    const reply = await storedResultOrRefusal(refusal, () => this.#storedReply(transfer));
    return (isRefused(reply) && (await this.#floor.terminals.unconfirmedRefusal(transfer.terminal))) || reply;
  }

  async #collect(transfer: Transfer<ClientMessageOf<'collect'>>): Promise<TransferReply> {
    const { request, terminal, id } = transfer;
    const refusal = await this.#beginTerminal(terminal, () => this.#collectRefusal(terminal));
    if (refusal) return this.#refuse(transfer, refusal);
    return collectReply(request.id, await this.#floor.tickets.collect(terminal, id));
  }

  async #load(transfer: Transfer<ClientMessageOf<'load'>>): Promise<TransferReply> {
    const { request, terminal, id } = transfer;
    const { terminals } = this.#floor;
    const command = loadCommand(request);
    const refusal = await this.#beginTerminal(terminal, () => terminals.refusalOf(terminal, command));
    if (refusal) return this.#refuse(transfer, refusal);
    return loadReply(request.id, await terminals.submit(terminal, id, command));
  }

  /**
   * Redeems a ticket by its validation number. The attempt limiter is checked before the search for the ticket, and a
   * wrong number is counted after it. On a single node there is no `await` in between, so simultaneous attempts cannot
   * exceed the limit.
   */
  async #redeem(transfer: Transfer<ClientMessageOf<'redeem'>>): Promise<TransferReply> {
    const { request, terminal, id, connection } = transfer;
    const { number } = request;
    const { address } = connection;
    const { terminals, tickets } = this.#floor;
    const now = this.#dependencies.clock();
    const isNew = terminals.isNew(terminal);
    // A terminal that has had credit is not blocked for wrong numbers that other terminals at its address have sent.
    if (
      this.#attemptsByPatron.isBlocked(this.#patronAt(terminal), now) ||
      (isNew && this.#attemptsByAddress.isBlocked(address, now))
    ) {
      return tooManyAttempts;
    }
    const read = tickets.refreshNumber(number);
    if (read) await read;
    if (tickets.find(number) === undefined) {
      await this.#countWrongNumber(terminal, address, now);
      return this.#refuse(transfer, unknownTicketRefusal);
    }
    const refusal = await this.#beginTerminal(terminal, () => tickets.paymentRefusal(number));
    if (refusal) return this.#refuse(transfer, refusal);
    return loadReply(request.id, (await tickets.redeem(terminal, id, number))!);
  }

  /**
   * Counts a wrong ticket number. If the number blocks the session, this is recorded in the stream of the terminal,
   * unless the terminal has no stream yet. The floor stream gets one report about all terminals.
   */
  async #countWrongNumber(terminal: string, address: string, now: number): Promise<void> {
    const { terminals } = this.#floor;
    const block = this.#attemptsByPatron.fail(this.#patronAt(terminal), now);
    const addressBlock = this.#attemptsByAddress.fail(address, now);
    this.#report.add(now);
    if (block ?? addressBlock) this.#report.request();
    if (block === undefined || terminals.isNew(terminal)) return;
    const report = { type: 'ReportTicketAttempts', of: 'terminal', ...block };
    await terminals.submit(terminal, `attempts/terminal/${terminal}/${block.since}`, report);
  }

  /**
   * Key of the attempt limiter. This is the credit session, so that the next patron at the terminal begins without
   * failures.
   */
  #patronAt(terminal: string): string {
    return this.#floor.terminals.session(terminal) ?? terminal;
  }

  close(): void {
    this.#report.close();
  }

  /**
   * Stores the first entries of a new terminal, before its first command. In a demo these entries give the terminal its
   * credit. If the command would be refused, stores nothing and returns the refusal.
   */
  async #beginTerminal(
    terminal: string,
    refusalOf: () => CommandRefusal | undefined,
  ): Promise<CommandRefusal | undefined> {
    const { terminals } = this.#floor;
    if (!terminals.isNew(terminal)) return undefined;
    if (refusalOf()) {
      // Another node may have stored entries of this terminal that this node has not read yet.
      await terminals.refresh(terminal);
      if (!terminals.isNew(terminal)) return undefined;
      const refusal = refusalOf();
      if (refusal) return refusal;
    }
    const begun = await terminals.begin(terminal, this.#dependencies.demoCredit ?? 0);
    return typeof begun === 'string' ? undefined : begun;
  }

  /**
   * The refusal that a collect would get now; undefined if a collect is possible. Demo credit can be collected even
   * before it is stored.
   */
  #collectRefusal(terminal: string): CommandRefusal | undefined {
    const { terminals } = this.#floor;
    const isDemoCreditDue = this.#dependencies.demoCredit !== null && terminals.isNew(terminal);
    return isDemoCreditDue ? undefined : terminals.collectRefusal(terminal);
  }

  /** Balance of a terminal as its screen shows it; undefined until the state of the terminal is in memory. */
  balance(terminal: string): TerminalMoneyState | undefined {
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
      limits: buildSessionLimitsView(session, responsibleGaming),
      demo: demoCredit !== null,
    };
  }

  /** Ends a session without credit. [READING 60] */
  async endEmptySession(terminal: string): Promise<void> {
    if (!this.#dependencies.isClosing()) await this.#floor.terminals.endSession(terminal);
  }

  /**
   * Loads more demo credit if the credit is below the smallest stake of any table; returns the loaded amount, or
   * undefined if nothing was loaded.
   */
  async refill({ terminal, credit, session, openStakes, locked }: TerminalMoneyState): Promise<number | undefined> {
    const demoCredit = this.#dependencies.demoCredit;
    const isUsedUp = session !== null && openStakes.length === 0 && credit < this.#dependencies.minStake();
    if (demoCredit === null || !isUsedUp || locked !== null || this.#dependencies.isClosing()) return undefined;
    const result = await this.#floor.terminals.refill(terminal, demoCredit);
    return 'refused' in result ? undefined : demoCredit;
  }
}

const isPaymentOf = ({ event }: StoredEntry, isIt: (ticket: unknown) => boolean): boolean =>
  event.type === 'CreditLoaded' && isIt(event['ticket']);

const loadCommand = ({ amount }: ClientMessageOf<'load'>) =>
  ({ type: 'LoadCredit', method: 'bill', amount, bill: amount }) as const;

function loadReply(id: string, result: CommandResult): TransferReply {
  return 'refused' in result ? result : { type: 'loaded', id, amount: Number(result.entries[0]!.event['amount']) };
}

function collectReply(id: string, collected: CollectResult | FinalRefusal): TransferReply {
  if (isRefused(collected)) return collected;
  const { amount, at, ticket } = collected;
  const hand = ticket === null && amount > 0;
  return { type: 'collected', id, amount, ticket: ticket && { number: ticket.number, at, id: ticket.id }, hand };
}

const unknownBill = asFinalRefusal(
  refuse<'unknown-bill'>(
    'unknown-bill',
    `There is no such bill. The acceptor takes ${demoBillDenominations.join(', ')} in minor units.`,
  ),
);

const tooManyAttempts = asFinalRefusal(
  refuse<'too-many-attempts'>(
    'too-many-attempts',
    'Too many wrong ticket numbers. Wait some minutes, or take the ticket to the cage.',
  ),
);
