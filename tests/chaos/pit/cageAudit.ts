import { type StoredEntry } from '../../../src/store/store.ts';
import { type PatronMoney } from '../patrons/patronMoney.ts';
import { add, ownerOf } from '../audit/round.ts';
import { type StaffAudit } from './staffAuditor.ts';

const ticketTerminal = /^cage-([0-9a-f]{32})$/;

/** Audit of money that staff move at the cage and at terminals. */
export class CageAudit {
  readonly #staff: StaffAudit;
  readonly #money: PatronMoney;
  readonly #due: Map<string, number>;
  readonly #check: (holds: boolean, describe: () => string) => void;
  /** Signed hand-pays that are not paid yet. */
  readonly #signed = new Map<string, number>();
  /** Proposer of each hand-pay that was not withdrawn. */
  readonly #proposer = new Map<string, string>();

  constructor(
    staff: StaffAudit,
    money: PatronMoney,
    due: Map<string, number>,
    check: (holds: boolean, describe: () => string) => void,
  ) {
    this.#staff = staff;
    this.#money = money;
    this.#due = due;
    this.#check = check;
  }

  /** Adds an entry of a terminal; false for an action of its patron. */
  add(entry: StoredEntry, terminal: string): boolean {
    const { event, postings } = entry;
    const [, ticket] = ticketTerminal.exec(terminal) ?? [];
    const { person } = event['actor'] as { readonly person?: string };
    const isLock = event.type === 'TerminalLocked';
    if (ticket === undefined && person === undefined && !isLock) return false;
    const expected = isLock
      ? []
      : ticket === undefined
        ? this.#staffMoves(entry, terminal)
        : this.#ticketMoves(entry, terminal, ticket);
    const moved = postings.map(({ from, to, amount }) => [...ownerOf(from), ...ownerOf(to), amount].join(' '));
    const due = expected.map(([from, to, amount]) => [...from.split('/'), ...to.split('/'), amount].join(' '));
    this.#check(
      moved.join() === due.join(),
      () => `${event.type} at ${terminal} moves ${moved.join()}, not ${due.join()}`,
    );
    for (const [from, to, amount] of expected) {
      if (!from.startsWith('ticket/')) add(this.#due, from, -amount);
      add(this.#due, to, amount);
    }
    return true;
  }

  /** A ticket passes through its own terminal: redeemed there, and collected in cash. */
  #ticketMoves({ event, command }: StoredEntry, terminal: string, ticket: string): readonly Move[] {
    const amount = Number(event['amount']);
    switch (event.type) {
      case 'TerminalSeated':
        return [];
      case 'CreditLoaded':
        this.#money.recordRedeem(event, command.id);
        return [[`ticket/${ticket}`, `terminal/${terminal}.1`, amount]];
      case 'CreditCollected': {
        const request = this.#staff.requestOf(command.id);
        this.#check(request?.type === 'pay', () => `${command.id} has paid ${ticket} without a request`);
        if (request?.type === 'pay') this.#money.recordCashPayment(ticket, request.ticket);
        return [[`terminal/${terminal}.1`, `cage/${terminal}`, amount]];
      }
      default:
        this.#check(false, () => `${event.type} happened at ${terminal}`);
        return [];
    }
  }

  #staffMoves({ event }: StoredEntry, terminal: string): readonly Move[] {
    const amount = Number(event['amount']);
    const cage = `cage/${terminal}`;
    const session = `terminal/${terminal}.${String(event['session'])}`;
    const signature = `${terminal} ${String(event['signature'])}`;
    switch (event.type) {
      case 'TerminalUnlocked':
        return [];
      case 'CreditLoaded':
        return [[cage, session, amount]];
      case 'SessionPaid':
        return [[session, cage, amount]];
      case 'HandPayProposed':
        this.#proposer.set(`${terminal} ${String(event['proposal'])}`, personIn(event));
        return [];
      case 'HandPayApproved': {
        const first = this.#proposer.get(`${terminal} ${String(event['proposal'])}`);
        this.#check(first !== undefined && first !== personIn(event), () => `${first} alone signed at ${terminal}`);
        return [];
      }
      case 'HandPayProposalWithdrawn':
        this.#proposer.delete(`${terminal} ${String(event['proposal'])}`);
        return [];
      case 'HandPaySigned':
        this.#check(!this.#signed.has(signature), () => `${signature} was signed twice`);
        this.#signed.set(signature, amount);
        return [];
      case 'HandPaid':
        if (event['signature'] !== undefined) {
          const signed = this.#signed.get(signature);
          this.#check(signed === amount, () => `${signature} was paid with ${amount} and signed for ${signed}`);
          // A paid signature is no longer valid.
          this.#signed.set(signature, NaN);
        }
        return [[`hand-pay/${terminal}`, cage, amount]];
      default:
        this.#check(false, () => `${event.type} at ${terminal} is by staff`);
        return [];
    }
  }
}

type Move = readonly [from: string, to: string, amount: number];

const personIn = ({ actor }: StoredEntry['event']): string => String((actor as { readonly person?: unknown }).person);
