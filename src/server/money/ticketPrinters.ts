import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type Store } from '../../store/store.ts';
import { type DeviceConnection } from '../socket/deviceConnection.ts';

/**
 * Kind of a value in the key-value table. The id is the terminal. The value is the sequence of the entry whose ticket
 * was last sent to the printers of this terminal.
 */
const printedKey = 'printed';

type TicketPrintersDependencies = { readonly store: Store; readonly warn: (subject: string, error: unknown) => void };

/**
 * Sends each ticket to the printers of its terminal, in order. A ticket is sent a second time only if the store could
 * not record that it was sent. Tickets that were issued while no printer was connected are sent later.
 */
export class TicketPrinters {
  readonly #dependencies: TicketPrintersDependencies;
  readonly #floor: FloorRuntime;
  readonly #byTerminal = new Map<string, Set<DeviceConnection>>();
  /** Keyed mutex: the send in progress for each terminal. */
  readonly #sending = new Map<string, Promise<void>>();

  constructor(dependencies: TicketPrintersDependencies, floor: FloorRuntime) {
    this.#dependencies = dependencies;
    this.#floor = floor;
  }

  add(terminal: string, printer: DeviceConnection): void {
    this.#byTerminal.set(terminal, (this.#byTerminal.get(terminal) ?? new Set()).add(printer));
    this.sendNewTickets(terminal);
  }

  remove(terminal: string, printer: DeviceConnection): void {
    const others = this.#byTerminal.get(terminal);
    others?.delete(printer);
    if (others?.size === 0) this.#byTerminal.delete(terminal);
  }

  sendNewTickets(terminal: string): void {
    if (!this.#byTerminal.has(terminal)) return;
    const sending = (this.#sending.get(terminal) ?? Promise.resolve())
      .then(() => this.#sendNewTickets(terminal))
      .catch((error: unknown) => this.#dependencies.warn(`the printer of ${terminal}`, error))
      .finally(() => {
        if (this.#sending.get(terminal) === sending) this.#sending.delete(terminal);
      });
    this.#sending.set(terminal, sending);
  }

  async #sendNewTickets(terminal: string): Promise<void> {
    const { store } = this.#dependencies;
    // Loads the stream of the terminal into memory. From then on this node also reads the entries that other nodes
    // append to the stream.
    if (this.#floor.isClustered) await this.#floor.terminals.refresh(terminal);
    const lastSequence = Number((await store.listValues(printedKey, [terminal])).get(terminal) ?? 0);
    for await (const { sequence, command, amount, at, ticket } of this.#floor.tickets.issued(terminal, lastSequence)) {
      const printers = this.#byTerminal.get(terminal);
      if (printers === undefined) return;
      const { number, id } = ticket;
      const requestId = command.slice(0, -`/${terminal}`.length);
      for (const printer of printers) {
        printer.send({ type: 'collected', id: requestId, amount, ticket: { number, at, id }, hand: false });
      }
      await store.putValue(printedKey, terminal, String(sequence));
    }
  }
}
