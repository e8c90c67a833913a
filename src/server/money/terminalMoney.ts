import { type Metrics } from '../../metrics/metrics.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type DeviceKind } from '../../runtime/terminals/secretBindings.ts';
import { type Store } from '../../store/store.ts';
import { type ClientMessageOf } from '../../wire/messages.ts';
import { type ResponsibleGamingSettings } from './sessionLimits.ts';
import { type PatronConnection } from '../socket/patronConnection.ts';
import { type TablePublisher } from '../tables/tablePublisher.ts';
import { type Scheduler } from '../../runtime/ports/scheduler.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { CreditTransferHandler } from './creditTransferHandler.ts';
import { TicketPrinters } from './ticketPrinters.ts';
import { BalancePublisher } from './balancePublisher.ts';
import { type SlipQueue } from '../tables/slipQueue.ts';

type TerminalMoneyDependencies = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly limits: ServerLimits;
  readonly store: Store;
  readonly responsibleGaming: ResponsibleGamingSettings;
  /** Credit of a new demo terminal; null where money is real. */
  readonly demoCredit: number | null;
  readonly isClosing: () => boolean;
  readonly metrics: Metrics;
  readonly warn: (what: string, error: unknown) => void;
  readonly slips: SlipQueue;
  readonly publishers: () => readonly TablePublisher[];
  readonly connectionsByTerminal: ReadonlyMap<string, Iterable<PatronConnection>>;
};

/** Money of terminals and their devices: transfers, balances, ticket printers. */
export class TerminalMoney {
  readonly #dependencies: TerminalMoneyDependencies;
  readonly #transfers: CreditTransferHandler;
  readonly #balances: BalancePublisher;
  readonly #printers: TicketPrinters;
  readonly #isCluster: boolean;

  constructor(dependencies: TerminalMoneyDependencies, floor: FloorRuntime) {
    const { slips, publishers, connectionsByTerminal, warn } = dependencies;
    this.#dependencies = dependencies;
    this.#isCluster = floor.isClustered;
    this.#transfers = new CreditTransferHandler(
      {
        ...dependencies,
        takeWrite: (address) => slips.takeWrite(address),
        openStakes: (session) => publishers().flatMap((publisher) => publisher.openStakes(session)),
        minStake: () => Math.min(...publishers().map(({ minSlip }) => minSlip)),
      },
      floor,
    );
    this.#printers = new TicketPrinters(dependencies, floor);
    const { clock, after, limits, metrics } = dependencies;
    this.#balances = new BalancePublisher({
      transfers: this.#transfers,
      connectionsAt: (terminal) => connectionsByTerminal.get(terminal) ?? [],
      metrics,
      warn,
      clock,
      after,
      emptySessionMs: limits.emptySessionMs,
    });
  }

  /** Publishes the balance if the terminal is connected; to `resendTo` even if it did not change. */
  publishBalance(terminal: string, resendTo?: PatronConnection): void {
    if (this.#dependencies.connectionsByTerminal.has(terminal)) this.#balances.publish(terminal, resendTo);
  }

  /** In a cluster another node may have issued a ticket. */
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
    this.#balances.close();
  }

  bindDevice(
    connection: PatronConnection,
    { terminal, role }: { readonly terminal: string; readonly role: DeviceKind },
  ): void {
    connection.deviceKind = role;
    connection.terminal = terminal;
    if (role === 'printer') this.#printers.add(terminal, connection);
  }

  onDeviceClosed(device: PatronConnection): void {
    this.#printers.remove(device.terminal!, device);
  }

  /** Replies to a transfer; a new ticket also goes to the printer. */
  async answer(connection: PatronConnection, message: ClientMessageOf<'load' | 'redeem' | 'collect'>): Promise<void> {
    const answer = await this.#transfers.answer(connection, message);
    if ('refused' in answer) {
      connection.refuse(answer, message.id);
      return;
    }
    connection.send(answer);
    if (answer.type === 'collected') this.#printers.sendNewTickets(connection.terminal!);
  }
}
