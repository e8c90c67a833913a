import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type Store } from '../../store/store.ts';
import { type Connection } from '../socket/patronConnection.ts';

/** Beside the chain, by terminal: the entry of the last ticket that its printer was told of. */
const printedKind = 'printed';

type Parts = { readonly store: Store; readonly trouble: (what: string, error: unknown) => void };

/** Tells printers of the tickets of their terminal, each once and in order, also of those that were issued while they were away. */
export class Printers {
  readonly #parts: Parts;
  readonly #floor: FloorRuntime;
  readonly #of = new Map<string, Set<Connection>>();
  /** What is being told at each terminal, one after the other. */
  readonly #telling = new Map<string, Promise<void>>();

  constructor(parts: Parts, floor: FloorRuntime) {
    this.#parts = parts;
    this.#floor = floor;
  }

  /** A printer is there, or there again. */
  come(terminal: string, printer: Connection): void {
    this.#of.set(terminal, (this.#of.get(terminal) ?? new Set()).add(printer));
    this.tell(terminal);
  }

  left(terminal: string, printer: Connection): void {
    const others = this.#of.get(terminal);
    others?.delete(printer);
    if (others?.size === 0) this.#of.delete(terminal);
  }

  /** A terminal may have issued a ticket. */
  tell(terminal: string): void {
    if (!this.#of.has(terminal)) return;
    const telling = (this.#telling.get(terminal) ?? Promise.resolve())
      .then(() => this.#tell(terminal))
      .catch((error: unknown) => this.#parts.trouble(`the printer of ${terminal}`, error))
      .finally(() => {
        if (this.#telling.get(terminal) === telling) this.#telling.delete(terminal);
      });
    this.#telling.set(terminal, telling);
  }

  async #tell(terminal: string): Promise<void> {
    const { store } = this.#parts;
    // What another node writes there is followed from then on.
    if (this.#floor.isShared) await this.#floor.terminals.fresh(terminal);
    const told = Number((await store.listValues(printedKind, [terminal])).get(terminal) ?? 0);
    for await (const { sequence, command, amount, at, ticket } of this.#floor.cashier.issued(terminal, told)) {
      const printers = this.#of.get(terminal);
      if (printers === undefined) return;
      const { number, id } = ticket;
      const asked = command.slice(0, -`/${terminal}`.length);
      for (const printer of printers) {
        printer.tell({ type: 'collected', id: asked, amount, ticket: { number, at, id }, hand: false });
      }
      await store.putValue(printedKind, terminal, String(sequence));
    }
  }
}
