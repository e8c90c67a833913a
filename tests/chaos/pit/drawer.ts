import { type StoredEntry } from '../../../src/store/store.ts';
import { type Cash } from '../patronMoney.ts';
import { add, ownerOf } from '../round.ts';
import { type StaffAudit } from './books.ts';

const pass = /^cage-([0-9a-f]{32})$/;

/** What the cage and the floor do with the money of terminals, by the drawer: every coin that goes in or out, and why. */
export class Drawer {
  readonly #staff: StaffAudit;
  readonly #cash: Cash;
  readonly #due: Map<string, number>;
  readonly #claim: (holds: boolean, what: () => string) => void;
  /** What two persons have signed, until the cage has paid it. */
  readonly #signed = new Map<string, number>();
  /** Who proposed each hand-pay that nobody has dropped. */
  readonly #proposer = new Map<string, string>();

  constructor(
    staff: StaffAudit,
    cash: Cash,
    due: Map<string, number>,
    claim: (holds: boolean, what: () => string) => void,
  ) {
    this.#staff = staff;
    this.#cash = cash;
    this.#due = due;
    this.#claim = claim;
  }

  /** Takes an entry of a terminal; false where it is a patron's own matter. */
  take(entry: StoredEntry, terminal: string): boolean {
    const { event, postings } = entry;
    const [, ticket] = pass.exec(terminal) ?? [];
    const { person } = event['actor'] as { readonly person?: string };
    const isLock = event.type === 'TerminalLocked';
    if (ticket === undefined && person === undefined && !isLock) return false;
    const wanted = isLock
      ? []
      : ticket === undefined
        ? this.#staffed(entry, terminal)
        : this.#passed(entry, terminal, ticket);
    const moved = postings.map(({ from, to, amount }) => [...ownerOf(from), ...ownerOf(to), amount].join(' '));
    const due = wanted.map(([from, to, amount]) => [...from.split('/'), ...to.split('/'), amount].join(' '));
    this.#claim(
      moved.join() === due.join(),
      () => `${event.type} at ${terminal} moves ${moved.join()}, not ${due.join()}`,
    );
    for (const [from, to, amount] of wanted) {
      if (!from.startsWith('ticket/')) add(this.#due, from, -amount);
      add(this.#due, to, amount);
    }
    return true;
  }

  /** A ticket goes through a terminal of its own: in by itself, and out in cash. */
  #passed({ event, command }: StoredEntry, terminal: string, ticket: string): readonly Move[] {
    const amount = Number(event['amount']);
    switch (event.type) {
      case 'TerminalSeated':
        return [];
      case 'CreditLoaded':
        this.#cash.passed(event, command.id);
        return [[`ticket/${ticket}`, `terminal/${terminal}.1`, amount]];
      case 'CreditCollected': {
        const said = this.#staff.said(command.id);
        this.#claim(said?.type === 'pay', () => `${command.id} has paid ${ticket} and was not asked to`);
        if (said?.type === 'pay') this.#cash.paidInCash(ticket, said.ticket);
        return [[`terminal/${terminal}.1`, `cage/${terminal}`, amount]];
      }
      default:
        this.#claim(false, () => `${event.type} happened at ${terminal}`);
        return [];
    }
  }

  #staffed({ event }: StoredEntry, terminal: string): readonly Move[] {
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
        this.#claim(first !== undefined && first !== personIn(event), () => `${first} alone signed at ${terminal}`);
        return [];
      }
      case 'HandPayProposalWithdrawn':
        this.#proposer.delete(`${terminal} ${String(event['proposal'])}`);
        return [];
      case 'HandPaySigned':
        this.#claim(!this.#signed.has(signature), () => `${signature} was signed twice`);
        this.#signed.set(signature, amount);
        return [];
      case 'HandPaid':
        if (event['signature'] !== undefined) {
          const signed = this.#signed.get(signature);
          this.#claim(signed === amount, () => `${signature} was paid with ${amount} and signed for ${signed}`);
          // What is paid once is signed no more.
          this.#signed.set(signature, NaN);
        }
        return [[`hand-pay/${terminal}`, cage, amount]];
      default:
        this.#claim(false, () => `${event.type} at ${terminal} is by staff`);
        return [];
    }
  }
}

type Move = readonly [from: string, to: string, amount: number];

const personIn = ({ actor }: StoredEntry['event']): string => String((actor as { readonly person?: unknown }).person);
