import { type RandomSource } from '../../src/runtime/ports/random.ts';
import { type CommandResult } from '../../src/runtime/stream/pendingCommand.ts';
import { type FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { type Auditor } from './auditor.ts';
import { type LimitRequest } from './patronLimits.ts';
import { type MoneyRequest } from './patronMoney.ts';
import { type StoredEntry } from '../../src/store/store.ts';
import { type Lifetime } from './lifetime.ts';
import { type Network } from './network.ts';
import { type Paid } from './patron.ts';

/** Where patrons bring money to the floor and take it out, in whatever life it is. */
export class MoneyService {
  /** Tickets that lie about: whoever finds one may bring it, be it paid or not. */
  readonly tickets: string[] = [];
  readonly #network: Network;
  readonly #books: Pick<Auditor, 'cash' | 'care'>;
  readonly #chance: RandomSource;
  readonly #life: () => Lifetime | undefined;
  /** Told of what broke on the way. */
  readonly #failed: (error: unknown, what: string) => void;

  constructor(
    network: Network,
    books: Pick<Auditor, 'cash' | 'care'>,
    chance: RandomSource,
    life: () => Lifetime | undefined,
    failed: (error: unknown, what: string) => void,
  ) {
    this.#network = network;
    this.#books = books;
    this.#chance = chance;
    this.#life = life;
    this.#failed = failed;
  }

  /** Money that is brought to a terminal, or wanted out of it: it may get lost on the way, and come twice. */
  pay(wanted: MoneyRequest, terminal: string, hear: (paid: Paid) => void): void {
    this.#network.carry(() => this.#pay(wanted, terminal, hear));
  }

  /** What a patron sets for a session; it goes the same ways. */
  set(wish: LimitRequest, terminal: string, hear: () => void): void {
    this.#network.carry(() => this.#set(wish, terminal, hear));
  }

  #set(wish: LimitRequest, terminal: string, hear: () => void): void {
    const life = this.#life();
    if (life?.counter === undefined) return;
    const { care } = this.#books;
    care.request(wish);
    const { id, ...rest } = wish;
    const asked = { type: 'stake' in rest ? 'LimitSession' : 'PauseSession', ...rest };
    const answer = (answered: CommandResult): void => {
      if (!life.isAlive) return;
      const isDone = !('refused' in answered);
      if (!isDone && (answered.refused === 'result-unknown' || answered.refused === 'cannot-record')) return;
      care.answered(id, isDone ? heldBy(answered.entries[0]!, terminal) : undefined);
      this.#network.carry(() => {
        if (life.isAlive || this.#chance.below(2) === 0) hear();
      });
    };
    life.counter.terminals.submit(terminal, id, asked).then(answer, (error: unknown) => {
      if (life.isAlive) this.#failed(error, `${id} broke`);
    });
  }

  #pay(wanted: MoneyRequest, terminal: string, hear: (paid: Paid) => void): void {
    const life = this.#life();
    if (life?.counter === undefined) return;
    this.#books.cash.request(wanted);
    const answer = (paid: Paid): void => {
      if (!life.isAlive) return;
      // That is no answer: it is asked again.
      if ('why' in paid && (paid.why === 'result-unknown' || paid.why === 'cannot-record')) return;
      this.#books.cash.answered(wanted.id, 'got' in paid ? paid.got : null);
      this.#network.carry(() => {
        // What was under way when the plug was pulled is lost or not.
        if (life.isAlive || this.#chance.below(2) === 0) hear(paid);
      });
    };
    paying(life.counter, wanted, terminal).then(answer, (error: unknown) => {
      if (life.isAlive) this.#failed(error, `${wanted.id} broke`);
    });
  }
}

/** What the floor says to money that is brought or wanted. */
async function paying({ terminals, tickets }: FloorRuntime, wanted: MoneyRequest, terminal: string): Promise<Paid> {
  const { id, amount, number } = wanted;
  if (number === undefined && amount === null) {
    const collected = await tickets.collect(terminal, id);
    if ('refused' in collected) return { why: collected.refused };
    const { ticket } = collected;
    return { got: { amount: collected.amount, ...(ticket && { number: ticket.number }) } };
  }
  const answered = await (number === undefined
    ? terminals.submit(terminal, id, { type: 'LoadCredit', method: 'bill', amount, bill: amount })
    : tickets.redeem(terminal, id, number));
  if (answered === undefined) return { why: 'unknown-ticket' };
  if ('refused' in answered) return { why: answered.refused };
  return { got: { amount: Number(answered.entries[0]!.event['amount']) } };
}

/** The session that something holds in, and the end of a break. */
const heldBy = ({ event }: StoredEntry, terminal: string) => ({
  session: `${terminal}.${String(event['session'])}`,
  until: Number(event['until'] ?? 0),
});
