import { type Chance } from '../../src/floor/chance.ts';
import { type RecordedEvent } from '../../src/store/store.ts';
import { type Sent } from './auditor.ts';
import { type MadeTime } from './time.ts';

/** What everyone can see of a table: its round and the one before, and how far it is. */
export type Seen = {
  readonly table: string;
  round: string | undefined;
  before: string | undefined;
  phase: 'open' | 'dealing' | 'over';
};

/** A table goes on before everyone's eyes. */
export function see(seen: Seen, event: RecordedEvent): void {
  if (event.type === 'BetsOpened') {
    seen.before = seen.round;
    seen.round = String(event['round']);
    seen.phase = 'open';
  }
  if (event.type === 'BetsClosed') seen.phase = 'dealing';
  if (event.type === 'RoundSettled' || event.type === 'RoundVoided') seen.phase = 'over';
}

/** What a patron is told of a slip; a refusal says why. */
export type Heard = { readonly accepted: true } | { readonly accepted: false; readonly why: string };

/** How a patron reaches the floor. Nothing that is said need arrive, and nothing that arrives need be answered. */
export type Counter = {
  readonly sit: (secret: string, credit: number, hear: (terminal: string) => void) => void;
  readonly ask: (sent: Sent, hear: (heard: Heard) => void) => void;
  readonly seen: readonly Seen[];
  readonly wagersAt: (table: string) => readonly string[];
  /** Told of what cannot be. */
  readonly protest: (what: string) => void;
};

type Waiting = { readonly sent: Sent; tries: number };

/**
 * Somebody who plays: remembers every slip that was sent and what was said to it, sends it again under its id when nothing
 * is heard, and at some time has had enough.
 */
export class Patron {
  readonly credit: number;
  /** A patron who stops sends nothing new, but still wants to know what became of what was sent. */
  playing = true;
  readonly #secret: string;
  readonly #counter: Counter;
  readonly #time: MadeTime;
  readonly #chance: Chance;
  readonly #waiting = new Map<string, Waiting>();
  #terminal: string | undefined;
  #slips = 0;
  #broke = 0;

  constructor(secret: string, credit: number, counter: Counter, time: MadeTime, chance: Chance) {
    this.#secret = secret;
    this.credit = credit;
    this.#counter = counter;
    this.#time = time;
    this.#chance = chance;
    this.#sit();
  }

  /** So many slips are neither answered nor given up. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Has heard again and again that there is not enough credit. */
  get isBroke(): boolean {
    return this.#broke > 5;
  }

  #sit(): void {
    if (this.#terminal !== undefined || !this.playing) return;
    this.#counter.sit(this.#secret, this.credit, (terminal) => {
      if (this.#terminal === undefined) this.#play();
      else if (this.#terminal !== terminal) this.#counter.protest(`${this.#terminal} came back as ${terminal}`);
      this.#terminal = terminal;
    });
    this.#time.after(4_000, () => this.#sit());
  }

  #play(): void {
    this.#time.after(this.#chance.below(30_000), () => {
      if (!this.playing) return;
      const { table, round, before, phase } = this.#pick(this.#counter.seen);
      const wanted = this.#chance.below(20) === 0 ? before : round;
      // Somebody who taps quickly: whole slips one after another, which may arrive in any order; seldom in vain.
      if (wanted !== undefined && (phase === 'open' || this.#chance.below(10) === 0)) {
        for (let n = this.#pick([1, 1, 2, 2, 3]); n > 0; n--) this.#bet(table, wanted);
      }
      this.#play();
    });
  }

  #bet(table: string, round: string): void {
    const slip: { [wager: string]: number } = {};
    const wagers = this.#counter.wagersAt(table);
    const most = this.credit > 100_000 ? 30 : 100;
    for (let n = this.#chance.below(5); n > 0; n--) slip[this.#pick(wagers)] = 100 * (1 + this.#chance.below(most));
    // What no table takes.
    const odd = this.#chance.below(100);
    if (odd === 0) slip['lucky-seven-hundred'] = 100;
    if (odd === 1) slip[this.#pick(wagers)] = 33;
    if (odd === 2) slip[this.#pick(wagers)] = 9_999_900;
    const sent = {
      id: `${this.#secret}-${this.#slips++}/${this.#terminal!}`,
      terminal: this.#terminal!,
      table,
      round,
      slip,
    };
    this.#waiting.set(sent.id, { sent, tries: 1 + this.#chance.below(6) });
    this.#send(sent.id);
  }

  #send(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    waiting.tries -= 1;
    if (waiting.tries < 0 && this.playing) {
      this.#waiting.delete(id);
      return;
    }
    this.#counter.ask(waiting.sent, (heard) => {
      this.#waiting.delete(id);
      this.#broke = heard.accepted ? 0 : heard.why === 'not-enough-credit' ? this.#broke + 1 : this.#broke;
    });
    this.#time.after(2_000 + this.#chance.below(4_000), () => this.#send(id));
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#chance.below(from.length)]!;
  }
}
