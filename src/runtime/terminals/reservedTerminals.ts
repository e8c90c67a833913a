/** Terminals of which nothing is written yet, by the hash of the secret that each is for. */
export class Reserved {
  readonly #terminals = new Map<string, string>();
  readonly #secrets = new Map<string, string>();
  /** The last secret that such a terminal was for before; it is dead, and that is not written either. */
  readonly #formerly = new Map<string, string>();
  readonly #dead = new Set<string>();

  hold(terminal: string, secretHash: string): void {
    this.#terminals.set(secretHash, terminal);
    this.#secrets.set(terminal, secretHash);
  }

  /** It is written of by now, or not kept any longer. */
  release(terminal: string): void {
    this.#terminals.delete(this.#secrets.get(terminal)!);
    this.#secrets.delete(terminal);
  }

  /** Another secret leads there, and the one before is dead. */
  pass(terminal: string, secretHash: string, next: string): void {
    this.release(terminal);
    this.hold(terminal, next);
    this.forget(terminal);
    this.#formerly.set(terminal, secretHash);
    this.#dead.add(secretHash);
  }

  /** The secret that a terminal was for before is nobody's matter any more. */
  forget(terminal: string): void {
    this.#dead.delete(this.#formerly.get(terminal) ?? '');
    this.#formerly.delete(terminal);
  }

  /** The terminal that is held for a secret. */
  of(secretHash: string): string | undefined {
    return this.#terminals.get(secretHash);
  }

  /** The secret that a terminal is held for. */
  secretOf(terminal: string): string | undefined {
    return this.#secrets.get(terminal);
  }

  isDead(secretHash: string): boolean {
    return this.#dead.has(secretHash);
  }
}
