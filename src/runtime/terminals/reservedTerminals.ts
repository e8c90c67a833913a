/** Names of terminals that have no entries yet, each reserved for one secret. Only the hash of the secret is kept. */
export class ReservedTerminals {
  readonly #terminals = new Map<string, string>();
  readonly #secrets = new Map<string, string>();
  /**
   * Hash of the former secret of each terminal. The former secret is revoked in memory only, because nothing is stored
   * for the terminal.
   */
  readonly #formerSecrets = new Map<string, string>();
  readonly #revoked = new Set<string>();

  reserve(terminal: string, secretHash: string): void {
    this.#terminals.set(secretHash, terminal);
    this.#secrets.set(terminal, secretHash);
  }

  /** Ends the reservation of a terminal that has entries now or is not used any more. */
  release(terminal: string): void {
    this.#terminals.delete(this.#secrets.get(terminal)!);
    this.#secrets.delete(terminal);
  }

  rebind(terminal: string, secretHash: string, next: string): void {
    this.release(terminal);
    this.reserve(terminal, next);
    this.forgetFormer(terminal);
    this.#formerSecrets.set(terminal, secretHash);
    this.#revoked.add(secretHash);
  }

  forgetFormer(terminal: string): void {
    this.#revoked.delete(this.#formerSecrets.get(terminal) ?? '');
    this.#formerSecrets.delete(terminal);
  }

  terminalOf(secretHash: string): string | undefined {
    return this.#terminals.get(secretHash);
  }

  secretOf(terminal: string): string | undefined {
    return this.#secrets.get(terminal);
  }

  isRevoked(secretHash: string): boolean {
    return this.#revoked.has(secretHash);
  }
}
