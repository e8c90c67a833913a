import { type StaffSocketRequest } from '../../../src/server/staff/requestHandler.ts';

/** What somebody of the staff asked, as they remember it, and what became of it as far as anybody was told. */
type Order = {
  readonly said: StaffSocketRequest;
  /** So many times it was asked in this life of the floor without an answer yet. */
  open: number;
  accepted: boolean;
  /** It was asked, nobody answered, and nothing was heard of it since. */
  doubtful: boolean;
};

/** What says nothing of whether a command is in the record. */
export const noAnswer: ReadonlySet<string> = new Set([
  'result-unknown',
  'not-signed-in',
  'session-over',
  'session-locked',
  'command-reused',
]);

/** After these it is asked again under its id. */
export const again: ReadonlySet<string> = new Set([
  'result-unknown',
  'cannot-record',
  'server-closing',
  'not-signed-in',
  'session-over',
  'session-locked',
]);

export const nameOf = (said: StaffSocketRequest): string =>
  said.type === 'command' || said.type === 'staff' || said.type === 'terminal'
    ? String(said.request['type'])
    : said.type;

/** What the staff asked by their own books, and what they were told became of it. */
export class Orders {
  readonly #orders = new Map<string, Order>();
  /** By what was asked, and by the code of a refusal. */
  readonly accepted: { [type: string]: number } = {};
  readonly refused: { [code: string]: number } = {};

  request(said: StaffSocketRequest): void {
    const order = this.#orders.get(said.id);
    if (order) order.open += 1;
    else this.#orders.set(said.id, { said, open: 1, accepted: false, doubtful: false });
  }

  /** The floor answers, with the code of a refusal where it is one. */
  answered(id: string, code: string | undefined): void {
    const order = this.#orders.get(id)!;
    order.open -= 1;
    if (code !== undefined) this.refused[code] = (this.refused[code] ?? 0) + 1;
    if (code !== undefined && noAnswer.has(code)) {
      order.doubtful = true;
      return;
    }
    order.doubtful = order.open > 0 && order.doubtful;
    if (code !== undefined || order.accepted) return;
    order.accepted = true;
    const name = nameOf(order.said);
    this.accepted[name] = (this.accepted[name] ?? 0) + 1;
  }

  /** The floor is gone: what it has not answered by now it never will. */
  gone(): void {
    for (const order of this.#orders.values()) {
      if (order.open > 0) order.doubtful = true;
      order.open = 0;
    }
  }

  said(id: string): StaffSocketRequest | undefined {
    return this.#orders.get(id)?.said;
  }

  /** What was answered otherwise than it stands in the record, where each id is so many times. */
  *unlike(booked: ReadonlyMap<string, number>): Generator<string> {
    for (const [id, { said, accepted, open, doubtful }] of this.#orders) {
      const often = booked.get(id) ?? 0;
      const isWell = accepted ? often === 1 : doubtful || open > 0 ? often <= 1 : often === 0;
      if (!isWell)
        yield `${id} (${nameOf(said)}) was ${accepted ? 'accepted' : 'refused'} and stands ${often} times in the record`;
    }
  }
}
