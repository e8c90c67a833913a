/** Terminals without any entries yet, by the hash of the secret that each is reserved for. */
export class ReservedTerminals {
  readonly #terminals = new Map<string, string>();
  readonly #secrets = new Map<string, string>();
  /** The secret before the last renewal. It is revoked in memory only, as nothing is stored of the terminal. */
  readonly #formerSecrets = new Map<string, string>();
  readonly #revoked = new Set<string>();

  reserve(terminal: string, secretHash: string): void {
    this.#terminals.set(secretHash, terminal);
    this.#secrets.set(terminal, secretHash);
  }

  /** Ends a reservation: the terminal has entries now, or was given up. */
  release(terminal: string): void {
    this.#terminals.delete(this.#secrets.get(terminal)!);
    this.#secrets.delete(terminal);
  }

  /** Gives the terminal a new secret and revokes the old one. */
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
