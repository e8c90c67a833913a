import { type StoredEntry } from '../../src/store/store.ts';
import { type SentSlip } from './auditor.ts';
import { type Slip, textOf } from './round.ts';

/** A slip that is being asked, and how many slips its terminal had had in the round by then. */
type Asking = { readonly sent: SentSlip; readonly had: number };

type Answer = { readonly entries: readonly StoredEntry[] } | { readonly refused: string };

/**
 * Looks over the shoulder of the disk: whatever is shown or answered is held against what is written at that very moment.
 */
export class SlipWitness {
  readonly wrong: string[] = [];
  /** The hash of every entry, by its stream. */
  readonly #written = new Map<string, string[]>();
  readonly #commands = new Set<string>();
  /** One after another the slips of a terminal in a round, as text. */
  readonly #slips = new Map<string, string[]>();
  /** How far this life of the floor has been told of each stream, and how far it has shown it. */
  #known = new Map<string, number>();
  #shown = new Map<string, number>();

  /** These entries are on the disk from now on. */
  wrote(entries: readonly StoredEntry[]): void {
    for (const { stream, sequence, hash, event, command } of entries) {
      const hashes = this.#written.get(stream) ?? [];
      this.#written.set(stream, hashes);
      hashes[sequence - 1] = hash;
      if (command) this.#commands.add(command.id);
      if (event.type === 'SlipSet') {
        this.#slipsOf(String(event['round']), String(event['terminal'])).push(textOf(event['slip'] as Slip));
      }
      // A slip that is void by itself is none any more.
      if (event.type === 'SlipVoided') this.#slipsOf(String(event['round']), String(event['terminal'])).push('');
    }
  }

  /** A floor begins: it shows nothing of what was there before. */
  began(): void {
    this.#known = new Map();
    this.#shown = new Map([...this.#written].map(([stream, hashes]) => [stream, hashes.length]));
  }

  told(entries: readonly StoredEntry[]): void {
    for (const { stream, sequence } of entries) {
      this.#known.set(stream, Math.max(sequence, this.#known.get(stream) ?? 0));
    }
  }

  published(stream: string, entries: readonly StoredEntry[]): void {
    for (const entry of entries) {
      const next = (this.#shown.get(stream) ?? 0) + 1;
      this.#shown.set(stream, next);
      if (entry.stream !== stream || entry.sequence !== next)
        this.wrong.push(`${entry.stream} ${entry.sequence} was shown where ${stream} ${next} comes next`);
      if (entry.hash === undefined || this.#written.get(stream)?.[next - 1] !== entry.hash)
        this.wrong.push(`${stream} ${next} was shown and is not in the record`);
      if (next > (this.#known.get(stream) ?? 0))
        this.wrong.push(`${stream} ${next} was shown before the store had answered`);
    }
  }

  /** What is written and was not shown by a floor that has nothing left to do. */
  rested(stream: string): void {
    const [written, shown] = [this.#written.get(stream)?.length ?? 0, this.#shown.get(stream) ?? 0];
    if (shown !== written) this.wrong.push(`${stream} has ${written} entries and ${shown} were shown`);
  }

  request(sent: SentSlip): Asking {
    return { sent, had: this.#slipsOf(sent.round, sent.terminal).length };
  }

  answered({ sent, had }: Asking, answer: Answer): void {
    const { id, round, terminal, slip } = sent;
    const isBooked = this.#commands.has(id);
    if ('refused' in answer) {
      if (isBooked) this.wrong.push(`The slip ${id} was refused (${answer.refused}) and stands in the record`);
      return;
    }
    for (const { stream, sequence, hash, command } of answer.entries) {
      if (command?.id !== id || hash === undefined || this.#written.get(stream)?.[sequence - 1] !== hash)
        this.wrong.push(`The slip ${id} was answered with what is not in the record`);
    }
    // Accepted without an entry: the terminal had that very slip at some moment since it asked.
    const since = ['', ...this.#slipsOf(round, terminal)].slice(had);
    if (!isBooked && !since.includes(textOf(slip)))
      this.wrong.push(`The slip ${id} was accepted and does not stand in the record`);
  }

  #slipsOf(round: string, terminal: string): string[] {
    const name = `${round} ${terminal}`;
    const slips = this.#slips.get(name) ?? [];
    this.#slips.set(name, slips);
    return slips;
  }
}
