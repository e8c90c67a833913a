/** Acts for each of several after a while, and once, however often it is wanted until then. */
export class KeyedThrottle<Key> {
  readonly #span: number;
  readonly #act: (key: Key) => void;
  readonly #waiting = new Map<Key, NodeJS.Timeout>();
  #isOver = false;

  constructor(span: number, act: (key: Key) => void) {
    this.#span = span;
    this.#act = act;
  }

  due(key: Key): void {
    if (this.#isOver || this.#waiting.has(key)) return;
    const timer = setTimeout(() => {
      this.#waiting.delete(key);
      this.#act(key);
    }, this.#span);
    this.#waiting.set(key, timer);
  }

  /** Nothing is done any more. */
  close(): void {
    this.#isOver = true;
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
  }
}
