import { type Metrics } from '../../metrics/metrics.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type DeviceKind } from '../../runtime/terminals/secretBindings.ts';
import { type Store } from '../../store/store.ts';
import { type ClientMessageOf } from '../../wire/messages.ts';
import { type CareSetting } from './sessionLimits.ts';
import { type Connection } from '../socket/patronConnection.ts';
import { type TablePublisher } from '../tables/tablePublisher.ts';
import { type Scheduler } from '../operations/serverClock.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { CreditTransferHandler } from './creditTransferHandler.ts';
import { Printers } from './ticketPrinters.ts';
import { BalancePublisher } from './balancePublisher.ts';
import { type SlipQueue } from '../tables/slipQueue.ts';

type Parts = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly limits: ServerLimits;
  readonly store: Store;
  readonly care: CareSetting;
  /** What a new terminal of a demo begins with; null where money is real. */
  readonly credit: number | null;
  readonly isClosing: () => boolean;
  readonly gauges: Metrics;
  readonly trouble: (what: string, error: unknown) => void;
  readonly slips: SlipQueue;
  /** All that is told of tables. */
  readonly feeds: () => readonly TablePublisher[];
  /** Everyone at each terminal. */
  readonly at: ReadonlyMap<string, Iterable<Connection>>;
};

/** Where terminals and their devices bring money, take it away, and are told of it. */
export class TerminalMoney {
  readonly #parts: Parts;
  readonly #money: CreditTransferHandler;
  readonly #purses: BalancePublisher;
  readonly #printers: Printers;
  readonly #isShared: boolean;

  constructor(parts: Parts, floor: FloorRuntime) {
    const { slips, feeds, at, trouble } = parts;
    this.#parts = parts;
    this.#isShared = floor.isShared;
    this.#money = new CreditTransferHandler(
      {
        ...parts,
        spend: (address) => slips.spend(address),
        standing: (session) => feeds().flatMap((feed) => feed.standing(session)),
        least: () => Math.min(...feeds().map(({ least }) => least)),
      },
      floor,
    );
    this.#printers = new Printers(parts, floor);
    const { clock, after, limits, gauges } = parts;
    this.#purses = new BalancePublisher({
      money: this.#money,
      at: (terminal) => at.get(terminal) ?? [],
      gauges,
      trouble,
      clock,
      after,
      idle: limits.idle,
    });
  }

  /** Tells everyone at a terminal of its money, if anybody is there; one of them once more, if it missed something. */
  tell(terminal: string, again?: Connection): void {
    if (this.#parts.at.has(terminal)) this.#purses.tell(terminal, again);
  }

  /** Credit came to a terminal, or left it; its ticket may have been issued at another node. */
  credited(terminal: string): void {
    this.tell(terminal);
    if (this.#isShared) this.#printers.tell(terminal);
  }

  /** What is in question has changed, be it of anybody's. */
  tellAll(): void {
    for (const terminal of this.#parts.at.keys()) this.#purses.tell(terminal);
  }

  /** A round of a table was paid. */
  paid(table: string): void {
    this.#purses.paid(table);
  }

  /** Nothing more is asked. */
  close(): void {
    this.#money.close();
    this.#purses.close();
  }

  know(connection: Connection, { terminal, role }: { readonly terminal: string; readonly role: DeviceKind }): void {
    connection.role = role;
    connection.terminal = terminal;
    if (role === 'printer') this.#printers.come(terminal, connection);
  }

  /** A device has left. */
  left(device: Connection): void {
    this.#printers.left(device.terminal!, device);
  }

  /** Gives the one answer to what is asked of a terminal's money; its printer is told of a ticket as well. */
  async answer(connection: Connection, said: ClientMessageOf<'load' | 'redeem' | 'collect'>): Promise<void> {
    const answer = await this.#money.answer(connection, said);
    if ('refused' in answer) {
      connection.refuse(answer, said.id);
      return;
    }
    connection.tell(answer);
    if (answer.type === 'collected') this.#printers.tell(connection.terminal!);
  }
}
