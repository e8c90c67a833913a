import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { type RecordedEvent } from '../../../src/store/store.ts';
import { creditSessionId, terminalOfSession } from '../../../src/terminal/state.ts';
import { type SentSlip } from '../audit/auditor.ts';
import { type LimitRequest } from './patronLimits.ts';
import { type MoneyReply, type MoneyRequest } from './patronMoney.ts';
import { type MoneyService } from '../moneyService.ts';
import { type TestClock } from '../time.ts';

/** Public state of a table: its round, the round before, and its phase. */
export type PublicTable = {
  readonly table: string;
  /** Whether the table is attended. */
  readonly isLive: boolean;
  round: string | undefined;
  before: string | undefined;
  phase: 'open' | 'dealing' | 'over';
};

/** Applies an event to the public state. */
export function updatePublicTable(table: PublicTable, event: RecordedEvent): void {
  if (event.type === 'BetsOpened') {
    table.before = table.round;
    table.round = String(event['round']);
    table.phase = 'open';
  }
  if (event.type === 'BetsClosed') table.phase = 'dealing';
  if (event.type === 'RoundSettled' || event.type === 'RoundVoided') table.phase = 'over';
}

/** Result of a slip; a refusal has its code. */
export type SlipResult = { readonly accepted: true } | { readonly accepted: false; readonly code: string };

/** Result of a money request. */
export type MoneyResult = { readonly reply: MoneyReply } | { readonly code: string };

/** Connection of a patron to the floor. A message or its reply may be lost. */
export type PatronPort = {
  readonly seat: (secret: string, credit: number, onReply: (terminal: string) => void) => void;
  readonly sendSlip: (sent: SentSlip, onReply: (result: SlipResult) => void) => void;
  readonly money: MoneyService;
  readonly tables: readonly PublicTable[];
  readonly wagersAt: (table: string) => readonly string[];
  /** Reports an impossible result. */
  readonly report: (problem: string) => void;
};

type PendingSlip = { readonly sent: SentSlip; attempts: number };

/** A patron at random: keeps every unanswered slip, resends it with the same id, and gives up after some attempts. */
export class Patron {
  readonly credit: number;
  /** A patron who has stopped sends nothing new, but still waits for replies. */
  isPlaying = true;
  readonly #secret: string;
  readonly #port: PatronPort;
  readonly #time: TestClock;
  readonly #random: RandomSource;
  readonly #pendingSlips = new Map<string, PendingSlip>();
  #terminal: string | undefined;
  #slips = 0;
  #creditRefusals = 0;
  /** Collects that ended a session, as far as this patron knows. */
  readonly #ended = new Set<string>();
  /** Unanswered money request. */
  #moneyRequest: MoneyRequest | undefined;
  #ticket: string | undefined;
  /** Unanswered limit request. */
  #limitRequest: LimitRequest | undefined;

  constructor(secret: string, credit: number, port: PatronPort, time: TestClock, random: RandomSource) {
    this.#secret = secret;
    this.credit = credit;
    this.#port = port;
    this.#time = time;
    this.#random = random;
    this.#takeSeat();
  }

  /** Number of unanswered requests. */
  get pendingCount(): number {
    return this.#pendingSlips.size + (this.#moneyRequest ? 1 : 0) + (this.#limitRequest ? 1 : 0);
  }

  /** True after repeated refusals for lack of credit. */
  get isBroke(): boolean {
    return this.#creditRefusals > 5;
  }

  #takeSeat(): void {
    if (this.#terminal !== undefined || !this.isPlaying) return;
    this.#port.seat(this.#secret, this.credit, (terminal) => {
      if (this.#terminal === undefined) this.#scheduleBet();
      else if (this.#ownTerminal !== terminalOfSession(terminal))
        this.#port.report(`${this.#terminal} came back as ${terminal}`);
      this.#terminal ??= terminal;
    });
    this.#time.after(4_000, () => this.#takeSeat());
  }

  #scheduleBet(): void {
    this.#time.after(this.#random.below(30_000), () => {
      if (!this.isPlaying) return;
      const { table, round, before, phase } = this.#pick(this.#port.tables);
      const request = this.#random.below(20) === 0 ? before : round;
      // Several whole slips at once, which may arrive in any order; seldom while bets are closed.
      if (request !== undefined && (phase === 'open' || this.#random.below(10) === 0)) {
        for (let n = this.#pick([1, 1, 2, 2, 3]); n > 0; n--) this.#bet(table, request);
      }
      if (this.#moneyRequest === undefined && this.#random.below(8) === 0) this.#startMoneyRequest();
      if (this.#limitRequest === undefined && this.#random.below(25) === 0) this.#startLimitRequest();
      this.#scheduleBet();
    });
  }

  /** Sets a stake limit, perhaps a looser one, or takes a break, and keeps betting. */
  #startLimitRequest(): void {
    const id = `${this.#secret}-${this.#slips++}/${this.#ownTerminal}`;
    const isBreak = this.#random.below(3) === 0;
    this.#limitRequest = isBreak
      ? { id, minutes: 1 + this.#random.below(2) }
      : { id, stake: 1_000 * (2 + this.#random.below(20)) };
    this.#sendLimit(this.#limitRequest);
  }

  /** Sends until there is a reply. */
  #sendLimit(request: LimitRequest): void {
    if (this.#limitRequest?.id !== request.id) return;
    this.#port.money.setLimit(request, this.#ownTerminal, () => {
      if (this.#limitRequest?.id === request.id) this.#limitRequest = undefined;
    });
    this.#time.after(2_000 + this.#random.below(4_000), () => this.#sendLimit(request));
  }

  #bet(table: string, round: string): void {
    const slip: { [wager: string]: number } = {};
    const wagers = this.#port.wagersAt(table);
    const maxChips = this.credit > 100_000 ? 30 : 100;
    for (let n = this.#random.below(5); n > 0; n--) slip[this.#pick(wagers)] = 100 * (1 + this.#random.below(maxChips));
    // Slips that every table refuses.
    const choice = this.#random.below(100);
    if (choice === 0) slip['lucky-seven-hundred'] = 100;
    if (choice === 1) slip[this.#pick(wagers)] = 33;
    if (choice === 2) slip[this.#pick(wagers)] = 9_999_900;
    const sent = {
      id: `${this.#secret}-${this.#slips++}/${this.#terminal!}`,
      terminal: this.#session,
      table,
      round,
      slip,
    };
    this.#pendingSlips.set(sent.id, { sent, attempts: 1 + this.#random.below(6) });
    this.#send(sent.id);
  }

  /** Loads a bill, collects, or redeems the own ticket or a lost one. */
  #startMoneyRequest(): void {
    const id = `${this.#secret}-${this.#slips++}/${this.#ownTerminal}`;
    const { tickets } = this.#port.money;
    const found = tickets.length > 0 && this.#random.below(4) === 0 ? this.#pick(tickets) : undefined;
    const number = this.#ticket ?? found;
    if (number !== undefined) this.#moneyRequest = { id, amount: null, number };
    else this.#moneyRequest = { id, amount: this.#random.below(2) === 0 ? null : 1_000 * (1 + this.#random.below(10)) };
    this.#sendMoney(this.#moneyRequest);
  }

  /** Sends until there is a reply. */
  #sendMoney(request: MoneyRequest): void {
    if (this.#moneyRequest?.id !== request.id) return;
    this.#port.money.requestMoney(request, this.#ownTerminal, (result) => this.#handleMoneyResult(request, result));
    this.#time.after(2_000 + this.#random.below(4_000), () => this.#sendMoney(request));
  }

  /** Handles a reply, also a late one: of two sends one may succeed after the other was refused. */
  #handleMoneyResult({ id, amount, number }: MoneyRequest, result: MoneyResult): void {
    if (this.#moneyRequest?.id === id) this.#moneyRequest = undefined;
    const isCollect = amount === null && number === undefined;
    if ('code' in result) {
      if (number !== undefined && number === this.#ticket && result.code === 'ticket-paid') this.#ticket = undefined;
      return;
    }
    if (!isCollect) {
      if (number === this.#ticket) this.#ticket = undefined;
      return;
    }
    // Some tickets are lost, and other patrons redeem them, too.
    if (this.#ended.has(id)) return;
    this.#ended.add(id);
    this.#ticket = result.reply.number;
    if (this.#random.below(3) === 0 && result.reply.number !== undefined)
      this.#port.money.tickets.push(result.reply.number);
  }

  /** Terminal without the session. */
  get #ownTerminal(): string {
    return terminalOfSession(this.#terminal!);
  }

  get #session(): string {
    return creditSessionId(this.#ownTerminal, this.#ended.size + 1);
  }

  #send(id: string): void {
    const pending = this.#pendingSlips.get(id);
    if (pending === undefined) return;
    pending.attempts -= 1;
    if (pending.attempts < 0 && this.isPlaying) {
      this.#pendingSlips.delete(id);
      return;
    }
    this.#port.sendSlip(pending.sent, (result) => {
      this.#pendingSlips.delete(id);
      this.#creditRefusals = result.accepted
        ? 0
        : result.code === 'not-enough-credit'
          ? this.#creditRefusals + 1
          : this.#creditRefusals;
    });
    this.#time.after(2_000 + this.#random.below(4_000), () => this.#send(id));
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#random.below(from.length)]!;
  }
}
