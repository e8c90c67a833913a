import { type StoredEntry } from '../../../src/store/store.ts';
import { type SentSlip } from './auditor.ts';
import { type Slip, slipText } from './round.ts';

/** A sent slip, and the number of slips that its terminal had in the round by then. */
type SlipRequest = { readonly sent: SentSlip; readonly slipCount: number };

type Answer = { readonly entries: readonly StoredEntry[] } | { readonly refused: string };

/** Observes the store: compares each publication and reply with what is stored at that moment. */
export class SlipWitness {
  readonly problems: string[] = [];
  /** Hash of every entry, by stream. */
  readonly #hashes = new Map<string, string[]>();
  readonly #commands = new Set<string>();
  /** Successive slips of a terminal in a round, as text. */
  readonly #slips = new Map<string, string[]>();
  /** Entries of each stream that this floor has received, and those that it has published. */
  #received = new Map<string, number>();
  #publishedCounts = new Map<string, number>();

  /** These entries are stored from now on. */
  recordAppend(entries: readonly StoredEntry[]): void {
    for (const { stream, sequence, hash, event, command } of entries) {
      const hashes = this.#hashes.get(stream) ?? [];
      this.#hashes.set(stream, hashes);
      hashes[sequence - 1] = hash;
      if (command) this.#commands.add(command.id);
      if (event.type === 'SlipSet') {
        this.#slipsOf(String(event['round']), String(event['terminal'])).push(slipText(event['slip'] as Slip));
      }
      // A void slip counts as no slip.
      if (event.type === 'SlipVoided') this.#slipsOf(String(event['round']), String(event['terminal'])).push('');
    }
  }

  /** A floor starts: it does not publish earlier entries. */
  restart(): void {
    this.#received = new Map();
    this.#publishedCounts = new Map([...this.#hashes].map(([stream, hashes]) => [stream, hashes.length]));
  }

  recordReceived(entries: readonly StoredEntry[]): void {
    for (const { stream, sequence } of entries) {
      this.#received.set(stream, Math.max(sequence, this.#received.get(stream) ?? 0));
    }
  }

  checkPublished(stream: string, entries: readonly StoredEntry[]): void {
    for (const entry of entries) {
      const next = (this.#publishedCounts.get(stream) ?? 0) + 1;
      this.#publishedCounts.set(stream, next);
      if (entry.stream !== stream || entry.sequence !== next)
        this.problems.push(`${entry.stream} ${entry.sequence} was published instead of ${stream} ${next}`);
      if (entry.hash === undefined || this.#hashes.get(stream)?.[next - 1] !== entry.hash)
        this.problems.push(`${stream} ${next} was published and is not stored`);
      if (next > (this.#received.get(stream) ?? 0))
        this.problems.push(`${stream} ${next} was published before the append returned`);
    }
  }

  /** A parked floor has published all stored entries. */
  checkAllPublished(stream: string): void {
    const [stored, published] = [this.#hashes.get(stream)?.length ?? 0, this.#publishedCounts.get(stream) ?? 0];
    if (published !== stored) this.problems.push(`${stream} has ${stored} entries and ${published} were published`);
  }

  recordRequest(sent: SentSlip): SlipRequest {
    return { sent, slipCount: this.#slipsOf(sent.round, sent.terminal).length };
  }

  checkReply({ sent, slipCount }: SlipRequest, answer: Answer): void {
    const { id, round, terminal, slip } = sent;
    const isStored = this.#commands.has(id);
    if ('refused' in answer) {
      if (isStored) this.problems.push(`The slip ${id} was refused (${answer.refused}) and is stored`);
      return;
    }
    for (const { stream, sequence, hash, command } of answer.entries) {
      if (command?.id !== id || hash === undefined || this.#hashes.get(stream)?.[sequence - 1] !== hash)
        this.problems.push(`The slip ${id} was answered with an entry that is not stored`);
    }
    // Accepted without an entry: the terminal had that slip at some time since the request.
    const since = ['', ...this.#slipsOf(round, terminal)].slice(slipCount);
    if (!isStored && !since.includes(slipText(slip)))
      this.problems.push(`The slip ${id} was accepted and is not stored`);
  }

  #slipsOf(round: string, terminal: string): string[] {
    const name = `${round} ${terminal}`;
    const slips = this.#slips.get(name) ?? [];
    this.#slips.set(name, slips);
    return slips;
  }
}
