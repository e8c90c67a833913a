import { type Denied, reused, revoked, unknown } from '../../runtime/stream/pendingCommand.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { isRefused, refuse } from '../../base/refusal.ts';
import { isValidationNumber } from '../../base/validationNumber.ts';
import { type StoredEntry } from '../../store/store.ts';
import { type ClientMessageOf, type ServerMessage } from '../../wire/messages.ts';
import { billDenominations } from '../../wire/billDenominations.ts';
import { type TerminalBalance } from '../../wire/terminalBalance.ts';
import { type CareSetting, sessionLimitsView } from './sessionLimits.ts';
import { type Scheduler } from '../operations/serverClock.ts';
import { AttemptReport } from '../limits/attemptReport.ts';
import { type Connection } from '../socket/patronConnection.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { closing } from '../tables/slipQueue.ts';
import { notSeated } from '../shared/refusals.ts';
import { AttemptLimiter } from '../limits/attemptLimiter.ts';

type Refused = { readonly refused: string; readonly message: string; readonly by?: string | null };
type Asks = ClientMessageOf<'load' | 'redeem' | 'collect'>;
type Answers = Extract<ServerMessage, { type: 'loaded' | 'collected' }>;

type Parts = {
  readonly clock: () => number;
  readonly after: Scheduler['after'];
  readonly limits: ServerLimits;
  /** What a new terminal of a demo begins with; null where money is real. */
  readonly credit: number | null;
  readonly isClosing: () => boolean;
  /** Whether one more may be written for an address. */
  readonly spend: (address: string) => boolean;
  readonly trouble: (what: string, error: unknown) => void;
  /** The stakes of a session that stand. */
  readonly standing: (session: string) => TerminalBalance['standing'];
  /** The least that any table takes. */
  readonly least: () => number;
  readonly care: CareSetting;
};

/** Credit that comes to terminals and leaves them, and what each is told of it. */
export class CreditTransferHandler {
  readonly #parts: Parts;
  readonly #floor: FloorRuntime;
  readonly #tries: AttemptLimiter;
  readonly #triesOfAddress: AttemptLimiter;
  readonly #tried: AttemptReport;

  constructor(parts: Parts, floor: FloorRuntime) {
    const { limits } = parts;
    this.#parts = parts;
    this.#floor = floor;
    this.#tries = new AttemptLimiter(limits.tries, limits.triesPause);
    this.#triesOfAddress = new AttemptLimiter(limits.triesPerAddress, limits.triesPause, limits.triesEvery);
    this.#tried = new AttemptReport(parts.after, (tries, since) => {
      floor.journal.tried(tries, since).catch((error: unknown) => parts.trouble('the journal', error));
    });
  }

  /** Takes what is asked of a terminal's money, and gives the one answer to it; asked again, the same. */
  async answer(connection: Connection, asks: Asks): Promise<Answers | Refused> {
    try {
      return await this.#answer(connection, asks);
    } catch (error) {
      this.#parts.trouble('money', error);
      return unknown;
    }
  }

  async #answer(connection: Connection, asks: Asks): Promise<Answers | Refused> {
    const { terminal, secretHash, address, role } = connection;
    if (terminal === undefined) return notSeated;
    const mayLoad = role === 'acceptor' || (role === 'terminal' && this.#parts.credit !== null);
    if (asks.type === 'load' ? !mayLoad : role !== 'terminal') return notEnrolled;
    const id = `${asks.id}/${terminal}`;
    const { terminals, cashier } = this.#floor;
    const [known] = await terminals.recorded(terminal, id);
    if (known === undefined) {
      const { isClosing, spend } = this.#parts;
      if (isClosing()) return closing;
      if (!spend(address)) return tooMuch;
      if (role === 'terminal' && terminals.of(secretHash!) !== terminal) return revoked;
    }
    switch (asks.type) {
      case 'load':
        return this.#load(terminal, id, asks, known, role === 'acceptor');
      case 'redeem':
        return this.#redeem(connection, terminal, id, asks, known);
      case 'collect': {
        const denied = known ? undefined : await this.#begin(terminal, () => this.#uncollectable(terminal));
        const collected = denied ?? (await cashier.collect(terminal, id));
        if (isRefused(collected)) return collected;
        const { amount, at, ticket } = collected;
        return {
          type: 'collected',
          id: asks.id,
          amount,
          ticket: ticket && { number: ticket.number, at, id: ticket.id },
          hand: ticket === null && amount > 0,
        };
      }
    }
  }

  /** A note comes in: of a demo, one of those that there are. */
  async #load(
    terminal: string,
    id: string,
    { id: asked, amount }: ClientMessageOf<'load'>,
    known: StoredEntry | undefined,
    isReal: boolean,
  ): Promise<Answers | Refused> {
    if (!isReal && !billDenominations.includes(amount)) return noNote;
    const { terminals } = this.#floor;
    const note = { type: 'LoadCredit', way: 'bill', amount, bill: amount } as const;
    const denied = known ? undefined : await this.#begin(terminal, () => terminals.refusalOf(terminal, note));
    return denied ?? loaded(asked, await terminals.submit(terminal, id, note));
  }

  /** A ticket comes in. Whether its number may be looked at is known, and counted, before anything is waited for. */
  async #redeem(
    { address }: Connection,
    terminal: string,
    id: string,
    { id: asked, number }: ClientMessageOf<'redeem'>,
    known: StoredEntry | undefined,
  ): Promise<Answers | Refused> {
    if (!isValidationNumber(number)) return misread;
    const { terminals, cashier } = this.#floor;
    // Under an id that was used no other number is looked at, be there a ticket of it or not.
    if (known)
      return paidFor(known, (ticket) => cashier.isOf(ticket, number)) ? loaded(asked, { entries: [known] }) : reused;
    const now = this.#parts.clock();
    const isNew = terminals.isNew(terminal);
    // Whoever has had credit here does not wait for what others of the same address have tried.
    if (this.#tries.isBarred(this.#patronAt(terminal), now) || (isNew && this.#triesOfAddress.isBarred(address, now))) {
      return tooManyTries;
    }
    const looking = cashier.look(number);
    if (looking) await looking;
    if (cashier.find(number) === undefined) {
      await this.#wrong(terminal, address, now);
      return unknownTicket;
    }
    const denied = await this.#begin(terminal, () => cashier.unpayable(number));
    return denied ?? loaded(asked, (await cashier.redeem(terminal, id, number))!);
  }

  /** One more number was of no ticket. A pause is one entry of a terminal that is in the record; all are summed up in the journal. */
  async #wrong(terminal: string, address: string, now: number): Promise<void> {
    const { terminals } = this.#floor;
    const told = this.#tries.wrong(this.#patronAt(terminal), now);
    const ofAddress = this.#triesOfAddress.wrong(address, now);
    this.#tried.add(now);
    if (told ?? ofAddress) this.#tried.due();
    if (told === undefined || terminals.isNew(terminal)) return;
    const report = { type: 'ReportTries', of: 'terminal', ...told };
    await terminals.submit(terminal, `tries/terminal/${terminal}/${told.since}`, report);
  }

  /** Whoever plays there now; the next one begins with another session, and has tried nothing. */
  #patronAt(terminal: string): string {
    return this.#floor.terminals.session(terminal) ?? terminal;
  }

  /** What was tried last is told at once. */
  close(): void {
    this.#tried.close();
  }

  /** With what is taken of a terminal first, it begins with what a demo gives it; what would be refused begins nothing. */
  async #begin(terminal: string, refusal: () => Denied | undefined): Promise<Denied | undefined> {
    const { terminals } = this.#floor;
    if (!terminals.isNew(terminal)) return undefined;
    const denied = refusal();
    if (denied) return denied;
    const begun = await terminals.begin(terminal, this.#parts.credit ?? 0);
    return typeof begun === 'string' ? undefined : begun;
  }

  /** Why nothing can be collected; what a demo gives can be at once. */
  #uncollectable(terminal: string): Denied | undefined {
    const { terminals } = this.#floor;
    const isPromised = this.#parts.credit !== null && terminals.isNew(terminal);
    return isPromised ? undefined : terminals.uncollectable(terminal);
  }

  /** All that a terminal is told of its money; undefined before it is known. */
  purse(terminal: string): TerminalBalance | undefined {
    const { credit: gift, standing, care } = this.#parts;
    const { terminals } = this.#floor;
    const session = terminals.session(terminal);
    if (session === undefined) return undefined;
    const going = terminals.goingOn(terminal);
    const isPromised = gift !== null && terminals.isNew(terminal);
    return {
      terminal,
      credit: isPromised ? gift : terminals.creditOf(terminal),
      session: going ? { number: going.sessions, since: going.since, in: going.loaded } : null,
      standing: [...standing(session)],
      collect: this.#uncollectable(terminal)?.refused ?? null,
      locked: terminals.lockedBy(terminal),
      owed: terminals.owedAt(terminal),
      limits: sessionLimitsView(going, care),
      demo: gift !== null,
    };
  }

  /** Nobody goes on with a session that has nothing left: it ends. [READING 60] */
  async leave(terminal: string): Promise<void> {
    if (!this.#parts.isClosing()) await this.#floor.terminals.end(terminal);
  }

  /** In a demo credit comes again where a session has none left to stake; how much, if it did. */
  async refill({ terminal, credit, session, standing, locked }: TerminalBalance): Promise<number | undefined> {
    const gift = this.#parts.credit;
    const isUsedUp = session !== null && standing.length === 0 && credit < this.#parts.least();
    if (gift === null || !isUsedUp || locked !== null || this.#parts.isClosing()) return undefined;
    const answered = await this.#floor.terminals.refill(terminal, gift);
    return 'refused' in answered ? undefined : gift;
  }
}

/** Whether an entry paid a ticket, and just that one. */
const paidFor = ({ event }: StoredEntry, isIt: (ticket: unknown) => boolean): boolean =>
  event.type === 'CreditLoaded' && isIt(event['ticket']);

function loaded(id: string, answered: { readonly entries: readonly StoredEntry[] } | Denied): Answers | Refused {
  return 'refused' in answered
    ? answered
    : { type: 'loaded', id, amount: Number(answered.entries[0]!.event['amount']) };
}

export const notEnrolled = refuse<'not-enrolled'>(
  'not-enrolled',
  'This is not the key of a device that may do so; the operator enrols devices with `punto enrol`.',
);

const tooMuch = refuse<'too-many-messages'>(
  'too-many-messages',
  'Too much is written for your address; try again soon.',
);

const noNote = refuse<'unknown-note'>(
  'unknown-note',
  `There is no such note; the acceptor takes ${billDenominations.join(', ')} in minor units.`,
);

const misread = refuse<'misread-ticket'>(
  'misread-ticket',
  'The number was not read as it is printed: its last digit does not fit the others; read it again.',
);

const unknownTicket = refuse<'unknown-ticket'>('unknown-ticket', 'There is no ticket of that number; read it again.');

const tooManyTries = refuse<'too-many-tries'>(
  'too-many-tries',
  'Too many wrong numbers came from here; wait some minutes, or take the ticket to the cage.',
);
