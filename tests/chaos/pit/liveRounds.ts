import { type StoredEntry } from '../../../src/store/store.ts';
import { type Round, add, ownerOf, totalOf } from '../audit/round.ts';

type LiveRoundsOptions = {
  /** What the rules return for a slip, given the end of its round. */
  readonly returned: (round: Round, terminal: string) => number;
  /** Expected balances of terminals and stakes. */
  readonly due: Map<string, number>;
  readonly check: (holds: boolean, what: () => string) => void;
};

/** Events of attended tables only: cards taken back or corrected, rounds settled again, slips voided. */
export class LiveRounds {
  readonly #options: LiveRoundsOptions;

  constructor(options: LiveRoundsOptions) {
    this.#options = options;
  }

  /** Adds an entry of a round; false for an event of another kind. */
  add(entry: StoredEntry, round: Round, table: string): boolean {
    const { event } = entry;
    const { check } = this.#options;
    switch (event.type) {
      case 'CardTakenBack': {
        const last = round.cards.pop();
        check(last === event['card'], () => `${String(event['card'])} was taken back at ${round.id}, not ${last}`);
        return true;
      }
      case 'RoundReconstructed':
        check(isSame(event['before'], round.cards), () => `${round.id} was reconstructed from other cards`);
        round.cards = [...(event['after'] as string[])];
        return true;
      case 'CardCorrected': {
        const index = Number(event['place']) - 1;
        check(round.cards[index] === event['was'], () => `${round.id} has no ${String(event['was'])} to be corrected`);
        round.cards = [...(event['after'] as string[])];
        return true;
      }
      case 'FeltConfirmed':
        check(
          isSame(event['cards'], round.cards),
          () => `The confirmed cards of ${round.id} differ from the recorded ones`,
        );
        return true;
      case 'RoundResettled':
        check(round.ended === 'settled', () => `${round.id} was settled again and is ${round.ended}`);
        check(isSame(event['cards'], round.cards), () => `${round.id} was settled again with other cards`);
        this.#endRound(round, event['outcome'] === 'void' ? 'void' : 'settled', String(event['settlement']));
        return true;
      case 'SlipVoided': {
        const terminal = String(event['terminal']);
        check(round.slips.has(terminal), () => `${terminal} has no slip in ${round.id} that could be void`);
        check(!round.voided.has(terminal), () => `The slip of ${terminal} in ${round.id} was voided twice`);
        round.voided.set(terminal, String(event['settlement']));
        return true;
      }
      case 'SettlementPosted':
        this.#postSettlement(entry, round, table);
        return true;
      default:
        return false;
    }
  }

  #endRound(round: Round, ended: 'settled' | 'void', settlement: string): void {
    round.ended = ended;
    round.settlement = settlement;
    round.posted = false;
  }

  #postSettlement({ event, postings }: StoredEntry, round: Round, table: string): void {
    const { due, check } = this.#options;
    const settlement = String(event['settlement']);
    const voidedTerminal = [...round.voided].find(([, one]) => one === settlement)?.[0];
    check(
      round.ended !== undefined || voidedTerminal !== undefined,
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
        check(round.slips.has(of), () => `${of} was paid for ${round.id} and had no slip there`);
      }
    }
    for (const [terminal, short] of Object.entries((event['shortfalls'] ?? {}) as { [terminal: string]: number }))
      add(round.short, terminal, short);
    if (event['last'] !== true) return;
    const paid =
      voidedTerminal !== undefined ? [voidedTerminal] : [...round.slips.keys()].filter((one) => !round.voided.has(one));
    for (const terminal of paid) {
      if (!round.released.has(terminal)) add(due, `stakes/${table}`, -totalOf(round.slips.get(terminal)!));
      round.released.add(terminal);
      // A settlement that was replaced meanwhile is completed by the later one.
      if (voidedTerminal === undefined && settlement !== round.settlement) continue;
      const expected = this.#returnedTo(round, terminal) + (round.short.get(terminal) ?? 0);
      const received = round.received.get(terminal) ?? 0;
      check(
        received === expected,
        () => `${terminal} got ${received} for ${round.id} by ${settlement}, not ${expected}`,
      );
    }
    if (settlement === round.settlement) round.posted = true;
  }

  #returnedTo(round: Round, terminal: string): number {
    return round.voided.has(terminal) ? totalOf(round.slips.get(terminal)!) : this.#options.returned(round, terminal);
  }
}

const isSame = (one: unknown, other: readonly string[]): boolean => JSON.stringify(one) === JSON.stringify(other);
