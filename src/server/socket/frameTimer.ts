/** Follows the frames of a socket by their heads alone, to know since when a message has been coming in. */
export class Frames {
  /** When the first of what has not come to its end was there; undefined while nothing is unfinished. */
  since: number | undefined;
  /** The head of a frame, as far as it is there. */
  #head: number[] = [];
  /** So many bytes of a frame are still to come. */
  #left = 0;
  /** A message has begun whose last frame has not. */
  #goesOn = false;
  /** The frame that is coming is the last of a message. */
  #isLast = false;

  take(bytes: Uint8Array, at: number): void {
    for (let place = 0; place < bytes.length;) {
      if (this.#left === 0) this.#takeHead(bytes[place++]!);
      const step = Math.min(this.#left, bytes.length - place);
      this.#left -= step;
      place += step;
      // A message is there: whatever is unfinished behind it has just begun.
      if (this.#left === 0 && this.#isLast) {
        this.#isLast = false;
        this.since = undefined;
      }
    }
    if (this.#head.length === 0 && this.#left === 0 && !this.#goesOn) this.since = undefined;
    else this.since ??= at;
  }

  #takeHead(byte: number): void {
    this.#head.push(byte);
    const [first = 0, second] = this.#head;
    if (second === undefined) return;
    const size = second & 0x7f;
    const more = size === 127 ? 8 : size === 126 ? 2 : 0;
    const mask = (second & 0x80) === 0 ? 0 : 4;
    if (this.#head.length < 2 + more + mask) return;
    const length = this.#head.slice(2, 2 + more).reduce((sum, part) => sum * 256 + part, 0);
    this.#left = more === 0 ? size : length;
    this.#head = [];
    const isControl = (first & 0x0f) > 7;
    if (isControl) return;
    this.#goesOn = (first & 0x80) === 0;
    this.#isLast = !this.#goesOn;
  }
}
