import { type Actor } from '../../src/access/actor.ts';
import { isRefused } from '../../src/base/refusal.ts';
import { type DecidedEntry, applyEventsWithPostings, terminalDecider } from '../../src/deciders/deciders.ts';
import { type Account } from '../../src/ledger/accounts.ts';
import { type Posting } from '../../src/ledger/tablePostings.ts';
import { type RandomSource, createSeededRandom } from '../../src/runtime/ports/random.ts';
import { entryBodyOf } from '../../src/store/hashChain.ts';
import { createMemoryStore } from '../../src/store/memoryStore.ts';
import { type RecordedEvent, type Store, type StoredPayload } from '../../src/store/store.ts';
import { type TerminalEvent } from '../../src/terminal/events.ts';
import { creditSessionId, type TerminalState } from '../../src/terminal/state.ts';
import { cage, pitManager, supervisor } from '../terminal/terminalScenario.ts';
import { morning } from '../table/tableScenario.ts';
import { type UnwrittenEntry, commandRecord } from '../verify/forgedStore.ts';

/** The lines that `punto export` prints of a store. */
export async function exportOf(store: Store): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const stream of (await store.streams()).toSorted()) {
    for await (const entries of store.read(stream))
      for (const entry of entries) lines.push(`{"hash":${JSON.stringify(entry.hash)},"body":${entryBodyOf(entry)}}`);
  }
  return lines;
}

/** A floor on which terminals and tables share their money and one clock. All chance follows from the seed. */
export class StormFloor {
  readonly random: RandomSource;
  readonly #balances = new Map<Account, number>();
  /** What is to be appended, in order: runs of entries of one stream. */
  readonly #runs: { readonly stream: string; readonly entries: UnwrittenEntry[] }[] = [];
  #commands = 0;
  at = morning;

  constructor(seed: string) {
    this.random = createSeededRandom(seed);
  }

  /** Enters what one command led to. */
  enter(stream: string, request: object, decided: readonly DecidedEntry<{ readonly type: string }>[]): void {
    const id = `storm-${++this.#commands}`;
    const entries = decided.map(({ event, postings }, index) => ({
      event: structuredClone(event) as unknown as RecordedEvent,
      postings,
      command: index === 0 ? commandRecord(id, structuredClone(request) as StoredPayload) : { id },
    }));
    const last = this.#runs.at(-1);
    if (last?.stream === stream) last.entries.push(...entries);
    else this.#runs.push({ stream, entries });
    for (const { postings } of decided) this.#post(postings);
  }

  #post(postings: readonly Posting[]): void {
    for (const { from, to, amount } of postings) {
      this.#balances.set(from, this.balance(from) - amount);
      this.#balances.set(to, this.balance(to) + amount);
    }
  }

  balance(account: string): number {
    return this.#balances.get(account as Account) ?? 0;
  }

  /** The credit of every session. */
  get credits(): { readonly [session: string]: number } {
    const credits = [...this.#balances].filter(([account]) => account.split('/')[2] === 'terminal');
    return Object.fromEntries(credits.map(([account, balance]) => [account.split('/')[3]!, balance]));
  }

  pick<T>(list: readonly T[]): T {
    return list[this.random.below(list.length)]!;
  }

  async exportLines(): Promise<readonly string[]> {
    const store = createMemoryStore();
    const heads = new Map<string, number>();
    for (const { stream, entries } of this.#runs) {
      const after = heads.get(stream) ?? 0;
      const appended = await store.append({ stream, after, entries });
      if ('refused' in appended) throw new Error(JSON.stringify(appended));
      heads.set(stream, after + entries.length);
    }
    return exportOf(store);
  }
}

type TerminalRequest = { readonly type: string; readonly [field: string]: unknown };
const idle = { staked: 0, disputed: 0 };

/** A terminal of the floor, with every way in and out. */
export class StormTerminal {
  readonly name: string;
  readonly #floor: StormFloor;
  #state: TerminalState | undefined;
  #tickets = 0;

  constructor(floor: StormFloor, name: string) {
    this.#floor = floor;
    this.name = name;
    this.submit({ type: 'SeatTerminal', terminal: name, property: 'sg1', currency: 'SGD' });
  }

  submit(request: TerminalRequest, actor: Actor = { system: 'floor' }): readonly TerminalEvent[] {
    const command = terminalDecider.parseCommand({ ...request, actor, at: this.#floor.at });
    if ('refused' in command) throw new Error(command.message);
    const decision = terminalDecider.decide(command, this.#state);
    if (isRefused(decision)) throw new Error(`${request.type}: ${decision.message}`);
    const { entries, state } = applyEventsWithPostings(terminalDecider, decision, this.#state);
    this.#state = state;
    this.#floor.enter(`sg1/terminal/${this.name}`, { ...request, actor }, entries);
    return decision;
  }

  /** The session that plays now. */
  get session(): string {
    return creditSessionId(this.name, this.#state!.sessions);
  }
  get credit(): number {
    return this.#floor.balance(`sg1/SGD/terminal/${this.session}`);
  }

  load(method: 'cash' | 'bill' | 'transfer' | 'promotion', amount: number): void {
    this.submit({ type: 'LoadCredit', method, amount, ...(method === 'bill' && { bill: amount }) });
  }

  collect(method: 'cash' | 'transfer'): void {
    this.submit({ type: 'CollectCredit', method, credit: this.credit, ...idle });
  }

  /** Collects, and gives the id of the ticket; above the limit the credit becomes a hand-pay. */
  collectTicket(handPay?: number): string {
    const ticket = `${this.#floor.random.salt().slice(0, 28)}${String(this.#tickets++).padStart(4, '0')}`;
    this.submit({
      type: 'IssueTicket',
      ticket,
      credit: this.credit,
      ...idle,
      ...(handPay !== undefined && { handPay }),
    });
    return ticket;
  }
  redeem(ticket: string): void {
    const value = this.#floor.balance(`sg1/SGD/ticket/${ticket}`);
    this.submit({ type: 'RedeemTicket', ticket, value, leaving: 0 });
  }

  /** Two persons sign and the cage pays; the terminal is unlocked. */
  payByHand(): void {
    const amountDue = this.#floor.balance(`sg1/SGD/hand-pay/${this.name}`);
    const what = 'cancelled-credit';
    this.submit({ type: 'ProposeHandPay', what, amount: amountDue, amountDue }, supervisor);
    const { id: proposal, hash } = this.#state!.proposal!;
    this.submit({ type: 'ApproveHandPay', proposal, hash, amountDue }, pitManager);
    this.submit({ type: 'PaySigned', signature: this.#state!.signatures }, cage);
    this.submit({ type: 'UnlockTerminal', reason: 'It is paid.' }, supervisor);
  }

  /** The cage pays what came to a session after its end. */
  paySession(session: string): void {
    const credit = this.#floor.balance(`sg1/SGD/terminal/${session}`);
    this.submit({ type: 'PaySession', session: Number(session.split('.')[1]), credit, disputed: 0 }, cage);
  }
}
