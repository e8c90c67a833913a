import { type StoredEntry } from '../../src/store/store.ts';

/** Money that a patron brings to a session or wants out of it, as the patron remembers it; its id is the one in the record. */
export type Wanted = {
  readonly id: string;
  readonly session: string;
  /** What is brought; null where all there is is wanted out. */
  readonly amount: number | null;
};

type Known = { readonly wanted: Wanted; readonly got: number | null | undefined; readonly isDoubtful: boolean };

/** The cash of patrons by their own books: what they asked for, and what they were told they have got. */
export class Cash {
  readonly #known = new Map<string, Known>();

  asked(wanted: Wanted): void {
    this.#known.set(wanted.id, { wanted, got: undefined, isDoubtful: true });
  }

  /** What was paid in or out; null for a refusal. */
  answered(id: string, got: number | null): void {
    const { wanted } = this.#known.get(id)!;
    this.#known.set(id, { wanted, got, isDoubtful: false });
  }

  /** What is wrong with an entry that moves cash. */
  problem({ event, command }: StoredEntry, terminal: string): string | undefined {
    const known = this.#known.get(command?.id ?? '');
    if (known === undefined) return `${event.type} ${command?.id} at ${terminal} was asked by nobody`;
    const { wanted, got } = known;
    const due = wanted.amount ?? (typeof got === 'number' ? got : event['amount']);
    const type = wanted.amount === null ? 'CreditCollected' : 'CreditLoaded';
    const says = [event.type, `${terminal}.${String(event['session'])}`, event['amount']].join(' ');
    const asks = [type, wanted.session, due].join(' ');
    return says === asks ? undefined : `${wanted.id} was asked and answered as ${asks} and recorded as ${says}`;
  }

  /** What was answered otherwise than it stands in the record, where each id is so many times. */
  *unlike(booked: ReadonlyMap<string, number>): Generator<string> {
    for (const [id, { got, isDoubtful }] of this.#known) {
      const often = booked.get(id) ?? 0;
      const isWell = isDoubtful ? often <= 1 : often === (got === null ? 0 : 1);
      if (!isWell) yield `${id} was answered with ${got} and stands ${often} times in the record`;
    }
  }
}
