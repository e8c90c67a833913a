import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type Store } from '../../store/store.ts';
import { type PatronConnection } from '../socket/patronConnection.ts';

/** Key-value table, by terminal: sequence of the last ticket sent to its printer. */
const printedKey = 'printed';

type TicketPrintersDependencies = { readonly store: Store; readonly warn: (what: string, error: unknown) => void };

/**
 * Sends tickets to the printers of their terminal, once and in order, including those issued while a printer was away.
 */
export class TicketPrinters {
  readonly #dependencies: TicketPrintersDependencies;
  readonly #floor: FloorRuntime;
  readonly #byTerminal = new Map<string, Set<PatronConnection>>();
  /** Keyed mutex: the running send per terminal. */
  readonly #sending = new Map<string, Promise<void>>();

  constructor(dependencies: TicketPrintersDependencies, floor: FloorRuntime) {
    this.#dependencies = dependencies;
    this.#floor = floor;
  }

  add(terminal: string, printer: PatronConnection): void {
    this.#byTerminal.set(terminal, (this.#byTerminal.get(terminal) ?? new Set()).add(printer));
    this.sendNewTickets(terminal);
  }

  remove(terminal: string, printer: PatronConnection): void {
    const others = this.#byTerminal.get(terminal);
    others?.delete(printer);
    if (others?.size === 0) this.#byTerminal.delete(terminal);
  }

  /** Sends tickets that were not sent yet. */
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
    // From here on this node follows what other nodes append to the terminal.
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
