import { setImmediate } from 'node:timers/promises';
import { type Store } from '../../store/store.ts';

type Operation = (...args: readonly unknown[]) => Promise<unknown> | AsyncIterable<unknown>;

/**
 * Tracks the operations of stores. Connections, timers and other nodes start tasks for which no code waits. The store
 * must not be closed while such a task uses it.
 */
export class StoreOperationTracker {
  readonly #inFlight = new Set<Promise<unknown>>();
  #begunCount = 0;

  /** Returns the store with tracked operations. */
  track(store: Store): Store {
    const members = Object.entries(store).map(([name, member]: [string, unknown]) => [
      name,
      typeof member === 'function' && name !== 'close' ? this.#tracked(store, member as Operation) : member,
    ]);
    return Object.fromEntries(members) as Store;
  }

  /**
   * Resolves when no operation is in flight and none follows: a task whose operation has just ended may begin another.
   */
  async untilIdle(): Promise<void> {
    for (let begunBefore = -1; begunBefore < this.#begunCount || this.#inFlight.size > 0;) {
      begunBefore = this.#begunCount;
      await Promise.all(this.#inFlight);
      // A task whose operation has ended begins its next operation in the same turn of the event loop or in the next
      // turn.
      await setImmediate();
      await setImmediate();
    }
  }

  #tracked(store: Store, operation: Operation): Operation {
    return (...args) => {
      const result = Reflect.apply(operation, store, args);
      return Symbol.asyncIterator in result ? this.#pages(result) : this.#add(result);
    };
  }

  #add<Result>(operation: Promise<Result>): Promise<Result> {
    this.#begunCount += 1;
    const remove = (): void => void this.#inFlight.delete(ended);
    const ended: Promise<void> = operation.then(remove, remove);
    this.#inFlight.add(ended);
    return operation;
  }

  /**
   * Each page counts as an operation of its own. Between two pages no operation is in flight, since the reader may take
   * long to process a page.
   */
  async *#pages(pages: AsyncIterable<unknown>): AsyncGenerator {
    const iterator = pages[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.#add(iterator.next());
        if (done) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }
}
