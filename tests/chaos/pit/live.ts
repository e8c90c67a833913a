import { type StoredEntry } from '../../../src/store/store.ts';
import { type Round, add, ownerOf, totalOf } from '../round.ts';

type Books = {
  /** What a slip is worth by the rules alone, given how its round has ended. */
  readonly returned: (round: Round, terminal: string) => number;
  /** What terminals and stakes must hold. */
  readonly due: Map<string, number>;
  readonly claim: (holds: boolean, what: () => string) => void;
};

/** What people may make of a round at a live table, beside what happens at any: it is taken back, corrected, paid again. */
export class LiveRounds {
  readonly #books: Books;

  constructor(books: Books) {
    this.#books = books;
  }

  /** Takes an entry about a round; false where it is none of these. */
  take(entry: StoredEntry, round: Round, table: string): boolean {
    const { event } = entry;
    const { claim } = this.#books;
    switch (event.type) {
      case 'CardTakenBack': {
        const last = round.cards.pop();
        claim(last === event['card'], () => `${String(event['card'])} was taken back at ${round.id}, not ${last}`);
        return true;
      }
      case 'RoundReconstructed':
        claim(same(event['before'], round.cards), () => `${round.id} was reconstructed from other cards`);
        round.cards = [...(event['after'] as string[])];
        return true;
      case 'CardCorrected': {
        const place = Number(event['place']) - 1;
        claim(round.cards[place] === event['was'], () => `${round.id} has no ${String(event['was'])} to be corrected`);
        round.cards = [...(event['after'] as string[])];
        return true;
      }
      case 'FeltConfirmed':
        claim(same(event['cards'], round.cards), () => `Other cards lie on the felt of ${round.id} than are on record`);
        return true;
      case 'RoundResettled':
        claim(round.ended === 'settled', () => `${round.id} was settled again and is ${round.ended}`);
        claim(same(event['cards'], round.cards), () => `${round.id} was settled again with other cards`);
        this.#ends(round, event['outcome'] === 'void' ? 'void' : 'settled', String(event['settlement']));
        return true;
      case 'SlipVoided': {
        const terminal = String(event['terminal']);
        claim(round.slips.has(terminal), () => `${terminal} has no slip in ${round.id} that could be void`);
        claim(!round.voided.has(terminal), () => `The slip of ${terminal} in ${round.id} was voided twice`);
        round.voided.set(terminal, String(event['settlement']));
        return true;
      }
      case 'SettlementPosted':
        this.#post(entry, round, table);
        return true;
      default:
        return false;
    }
  }

  #ends(round: Round, ended: 'settled' | 'void', settlement: string): void {
    round.ended = ended;
    round.settlement = settlement;
    round.posted = false;
  }

  #post({ event, postings }: StoredEntry, round: Round, table: string): void {
    const { due, claim } = this.#books;
    const settlement = String(event['settlement']);
    const alone = [...round.voided].find(([, one]) => one === settlement)?.[0];
    claim(
      round.ended !== undefined || alone !== undefined,
      () => `${round.id} was paid by ${settlement} while it was open`,
    );
    for (const { from, to, amount } of postings) {
      for (const [account, by] of [
        [from, -amount],
        [to, amount],
      ] as const) {
        const [kind, of] = ownerOf(account);
        if (kind !== 'terminal') continue;
        add(round.received, of, by);
        add(due, `terminal/${of}`, by);
        claim(round.slips.has(of), () => `${of} was paid for ${round.id} and had no slip there`);
      }
    }
    for (const [terminal, short] of Object.entries((event['shortfalls'] ?? {}) as { [terminal: string]: number }))
      add(round.short, terminal, short);
    if (event['last'] !== true) return;
    const paid = alone !== undefined ? [alone] : [...round.slips.keys()].filter((one) => !round.voided.has(one));
    for (const terminal of paid) {
      if (!round.released.has(terminal)) add(due, `stakes/${table}`, -totalOf(round.slips.get(terminal)!));
      round.released.add(terminal);
      // What was ruled on again meanwhile is paid by what comes after it.
      if (alone === undefined && settlement !== round.settlement) continue;
      const wanted = this.#worth(round, terminal) + (round.short.get(terminal) ?? 0);
      const received = round.received.get(terminal) ?? 0;
      claim(received === wanted, () => `${terminal} got ${received} for ${round.id} by ${settlement}, not ${wanted}`);
    }
    if (settlement === round.settlement) round.posted = true;
  }

  #worth(round: Round, terminal: string): number {
    return round.voided.has(terminal) ? totalOf(round.slips.get(terminal)!) : this.#books.returned(round, terminal);
  }
}

const same = (one: unknown, other: readonly string[]): boolean => JSON.stringify(one) === JSON.stringify(other);
