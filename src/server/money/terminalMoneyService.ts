import { type Metrics } from '../../metrics/metrics.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type DeviceKind } from '../../runtime/terminals/secretBindings.ts';
import { type Store } from '../../store/store.ts';
import { type ClientMessageOf } from '../../wire/messages.ts';
import { type ResponsibleGamingSettings } from './sessionLimitsAndBreaksHandler.ts';
import { type DeviceConnection } from '../socket/deviceConnection.ts';
import { type PublicViewBuilder } from '../tables/publicViewBuilder.ts';
import { type Scheduler } from '../../runtime/ports/scheduler.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { CreditTransferHandler } from './creditTransferHandler.ts';
import { TicketPrinters } from './ticketPrinters.ts';
import { BalancePublisher } from './balancePublisher.ts';
import { DemoRefill } from './demoRefill.ts';
import { EmptySessionTimers } from './emptySessionTimers.ts';
import { type SlipQueue } from '../tables/slipQueue.ts';

type TerminalMoneyDependencies = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly limits: ServerLimits;
  readonly store: Store;
  readonly responsibleGaming: ResponsibleGamingSettings;
  /** Credit of a new demo terminal, in minor units; null where money is real. */
  readonly demoCredit: number | null;
  readonly isClosing: () => boolean;
  readonly metrics: Metrics;
  readonly warn: (subject: string, error: unknown) => void;
  readonly slips: SlipQueue;
  readonly builders: () => readonly PublicViewBuilder[];
  readonly connectionsByTerminal: ReadonlyMap<string, Iterable<DeviceConnection>>;
};

export class TerminalMoneyService {
  readonly #dependencies: TerminalMoneyDependencies;
  readonly #transfers: CreditTransferHandler;
  readonly #balances: BalancePublisher;
  readonly #emptySessions: EmptySessionTimers;
  readonly #printers: TicketPrinters;
  readonly #isCluster: boolean;

  constructor(dependencies: TerminalMoneyDependencies, floor: FloorRuntime) {
    const { slips, builders, connectionsByTerminal, warn } = dependencies;
    this.#dependencies = dependencies;
    this.#isCluster = floor.isClustered;
    this.#transfers = new CreditTransferHandler(
      {
        ...dependencies,
        takeWrite: (address) => slips.takeWrite(address),
        openStakes: (session) => builders().flatMap((builder) => builder.openStakes(session)),
        minStake: () => Math.min(...builders().map(({ minSlip }) => minSlip)),
      },
      floor,
    );
    this.#printers = new TicketPrinters(dependencies, floor);
    const { clock, after, limits, metrics } = dependencies;
    const connectionsAt = (terminal: string) => connectionsByTerminal.get(terminal) ?? [];
    this.#emptySessions = new EmptySessionTimers({
      clock,
      after,
      emptySessionMs: limits.emptySessionMs,
      endSession: (terminal) => {
        this.#transfers.endEmptySession(terminal).catch((error: unknown) => warn(`the money of ${terminal}`, error));
      },
    });
    const demoRefill = new DemoRefill({ refill: (state) => this.#transfers.refill(state), connectionsAt });
    this.#balances = new BalancePublisher({
      balanceOf: (terminal) => this.#transfers.balance(terminal),
      onPublished: (balance) => {
        this.#emptySessions.update(balance);
        return demoRefill.refillIfDue(balance);
      },
      connectionsAt,
      metrics,
      warn,
    });
  }

  /**
   * Sends the balance of a terminal to its connections, if there are any. A connection that has this balance already is
   * skipped, except `resendTo`.
   */
  publishBalance(terminal: string, resendTo?: DeviceConnection): void {
    if (this.#dependencies.connectionsByTerminal.has(terminal)) this.#balances.publish(terminal, resendTo);
  }

  /**
   * Call when the credit of a terminal has changed. Sends the balance. In a cluster also prints the tickets of this
   * terminal that another node has issued.
   */
  onCreditChange(terminal: string): void {
    this.publishBalance(terminal);
    if (this.#isCluster) this.#printers.sendNewTickets(terminal);
  }

  publishAllBalances(): void {
    for (const terminal of this.#dependencies.connectionsByTerminal.keys()) this.#balances.publish(terminal);
  }

  onRoundPaid(table: string): void {
    this.#balances.publishStakersAt(table);
  }

  close(): void {
    this.#transfers.close();
    this.#emptySessions.close();
  }

  bindDevice(
    connection: DeviceConnection,
    { terminal, role }: { readonly terminal: string; readonly role: DeviceKind },
  ): void {
    connection.deviceKind = role;
    connection.terminal = terminal;
    if (role === 'printer') this.#printers.add(terminal, connection);
  }

  onDeviceClosed(device: DeviceConnection): void {
    this.#printers.remove(device.terminal!, device);
  }

  /** Carries out a transfer and sends the reply; a new ticket is also sent to the printer. */
  async answer(connection: DeviceConnection, message: ClientMessageOf<'load' | 'redeem' | 'collect'>): Promise<void> {
    const answer = await this.#transfers.answer(connection, message);
    if ('refused' in answer) {
      connection.refuse(answer, message.id);
      return;
    }
    connection.send(answer);
    if (answer.type === 'collected') this.#printers.sendNewTickets(connection.terminal!);
  }
}
