/**
 * Reads the frame headers of a WebSocket to find out whether a message is incomplete, and when its first byte arrived.
 */
export class UnfinishedMessageTracker {
  /** Time at which the first byte of an incomplete message arrived; undefined if no message is incomplete. */
  unfinishedSince: number | undefined;
  /** Bytes of the current frame header that have arrived so far. */
  #head: number[] = [];
  /** Number of payload bytes of the current frame that are still missing. */
  #bytesLeft = 0;
  #isFragmented = false;
  #isFinalFrame = false;

  track(bytes: Uint8Array, at: number): void {
    for (let offset = 0; offset < bytes.length;) {
      if (this.#bytesLeft === 0) this.#readHeadByte(bytes[offset++]!);
      const step = Math.min(this.#bytesLeft, bytes.length - offset);
      this.#bytesLeft -= step;
      offset += step;
      // The message is complete. Bytes after this one belong to the next message.
      if (this.#bytesLeft === 0 && this.#isFinalFrame) {
        this.#isFinalFrame = false;
        this.unfinishedSince = undefined;
      }
    }
    if (this.#head.length === 0 && this.#bytesLeft === 0 && !this.#isFragmented) this.unfinishedSince = undefined;
    else this.unfinishedSince ??= at;
  }

  #readHeadByte(byte: number): void {
    this.#head.push(byte);
    const [first = 0, second] = this.#head;
    if (second === undefined) return;
    const size = second & 0x7f;
    const extendedLength = size === 127 ? 8 : size === 126 ? 2 : 0;
    const maskLength = (second & 0x80) === 0 ? 0 : 4;
    if (this.#head.length < 2 + extendedLength + maskLength) return;
    const length = this.#head.slice(2, 2 + extendedLength).reduce((sum, part) => sum * 256 + part, 0);
    this.#bytesLeft = extendedLength === 0 ? size : length;
    this.#head = [];
    const isControl = (first & 0x0f) > 7;
    if (isControl) return;
    this.#isFragmented = (first & 0x80) === 0;
    this.#isFinalFrame = !this.#isFragmented;
  }
}
