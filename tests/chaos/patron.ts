import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { type RecordedEvent } from '../../src/store/store.ts';
import { sessionId, terminalOfSession } from '../../src/terminal/state.ts';
import { type SentSlip } from './auditor.ts';
import { type LimitRequest } from './patronLimits.ts';
import { type MoneyReply, type MoneyRequest } from './patronMoney.ts';
import { type MoneyService } from './moneyService.ts';
import { type TestClock } from './time.ts';

/** What everyone can see of a table: its round and the one before, and how far it is. */
export type Seen = {
  readonly table: string;
  /** Whether people deal there. */
  readonly isLive: boolean;
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

/** What a patron is told of money; null for a refusal. */
export type Paid = { readonly got: MoneyReply } | { readonly why: string };

/** How a patron reaches the floor. Nothing that is said need arrive, and nothing that arrives need be answered. */
export type Counter = {
  readonly sit: (secret: string, credit: number, hear: (terminal: string) => void) => void;
  readonly ask: (sent: SentSlip, hear: (heard: Heard) => void) => void;
  readonly till: MoneyService;
  readonly seen: readonly Seen[];
  readonly wagersAt: (table: string) => readonly string[];
  /** Told of what cannot be. */
  readonly protest: (what: string) => void;
};

type Waiting = { readonly sent: SentSlip; tries: number };

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
  readonly #time: TestClock;
  readonly #chance: RandomSource;
  readonly #waiting = new Map<string, Waiting>();
  #terminal: string | undefined;
  #slips = 0;
  #broke = 0;
  /** What has ended a session of the terminal, as far as this patron knows. */
  readonly #ended = new Set<string>();
  /** What was brought or wanted last, until it is answered. */
  #wanted: MoneyRequest | undefined;
  #ticket: string | undefined;
  /** What was to be set for the session last, until it is answered. */
  #wish: LimitRequest | undefined;

  constructor(secret: string, credit: number, counter: Counter, time: TestClock, chance: RandomSource) {
    this.#secret = secret;
    this.credit = credit;
    this.#counter = counter;
    this.#time = time;
    this.#chance = chance;
    this.#sit();
  }

  /** So much of what was asked is neither answered nor given up. */
  get waiting(): number {
    return this.#waiting.size + (this.#wanted ? 1 : 0) + (this.#wish ? 1 : 0);
  }

  /** Has heard again and again that there is not enough credit. */
  get isBroke(): boolean {
    return this.#broke > 5;
  }

  #sit(): void {
    if (this.#terminal !== undefined || !this.playing) return;
    this.#counter.sit(this.#secret, this.credit, (terminal) => {
      if (this.#terminal === undefined) this.#play();
      else if (this.#own !== terminalOfSession(terminal))
        this.#counter.protest(`${this.#terminal} came back as ${terminal}`);
      this.#terminal ??= terminal;
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
      if (this.#wanted === undefined && this.#chance.below(8) === 0) this.#want();
      if (this.#wish === undefined && this.#chance.below(25) === 0) this.#limit();
      this.#play();
    });
  }

  /** Sets a limit on stakes, be it a looser one than there is, or takes a break; and bets all the same. */
  #limit(): void {
    const id = `${this.#secret}-${this.#slips++}/${this.#own}`;
    const isBreak = this.#chance.below(3) === 0;
    this.#wish = isBreak
      ? { id, minutes: 1 + this.#chance.below(2) }
      : { id, stake: 1_000 * (2 + this.#chance.below(20)) };
    this.#wishFor(this.#wish);
  }

  /** Asks until there is an answer. */
  #wishFor(wish: LimitRequest): void {
    if (this.#wish?.id !== wish.id) return;
    this.#counter.till.set(wish, this.#own, () => {
      if (this.#wish?.id === wish.id) this.#wish = undefined;
    });
    this.#time.after(2_000 + this.#chance.below(4_000), () => this.#wishFor(wish));
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
      terminal: this.#session,
      table,
      round,
      slip,
    };
    this.#waiting.set(sent.id, { sent, tries: 1 + this.#chance.below(6) });
    this.#send(sent.id);
  }

  /** Puts a note in, takes all out, or brings a ticket: the own one, or one that lies about. */
  #want(): void {
    const id = `${this.#secret}-${this.#slips++}/${this.#own}`;
    const { tickets } = this.#counter.till;
    const found = tickets.length > 0 && this.#chance.below(4) === 0 ? this.#pick(tickets) : undefined;
    const number = this.#ticket ?? found;
    if (number !== undefined) this.#wanted = { id, amount: null, number };
    else this.#wanted = { id, amount: this.#chance.below(2) === 0 ? null : 1_000 * (1 + this.#chance.below(10)) };
    this.#pay(this.#wanted);
  }

  /** Asks until there is an answer: nobody leaves money behind. */
  #pay(wanted: MoneyRequest): void {
    if (this.#wanted?.id !== wanted.id) return;
    this.#counter.till.pay(wanted, this.#own, (paid) => this.#paid(wanted, paid));
    this.#time.after(2_000 + this.#chance.below(4_000), () => this.#pay(wanted));
  }

  /** An answer, be it late: what came twice may lead to something after it was refused. */
  #paid({ id, amount, number }: MoneyRequest, paid: Paid): void {
    if (this.#wanted?.id === id) this.#wanted = undefined;
    const isOut = amount === null && number === undefined;
    if ('why' in paid) {
      if (number !== undefined && number === this.#ticket && paid.why === 'ticket-paid') this.#ticket = undefined;
      return;
    }
    if (!isOut) {
      if (number === this.#ticket) this.#ticket = undefined;
      return;
    }
    // Some lose their ticket, and whoever finds it brings it too.
    if (this.#ended.has(id)) return;
    this.#ended.add(id);
    this.#ticket = paid.got.number;
    if (this.#chance.below(3) === 0 && paid.got.number !== undefined) this.#counter.till.tickets.push(paid.got.number);
  }

  /** The terminal, and the session that it plays in as far as this patron knows. */
  get #own(): string {
    return terminalOfSession(this.#terminal!);
  }

  get #session(): string {
    return sessionId(this.#own, this.#ended.size + 1);
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
