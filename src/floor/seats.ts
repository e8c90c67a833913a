import { creditPostings } from '../ledger/credit.ts';
import { object, oneOf, read, textLike, wholeFrom } from '../rules/fields.ts';
import { type StoredEntry } from '../store/store.ts';
import { id, time } from '../table/declare/kinds.ts';
import { claim } from './problem.ts';
import { arePosted } from './replay.ts';

/** Where each hash of a secret was found. */
export type Secrets = Map<string, string>;

const base = { v: oneOf([1]), at: time, terminal: id };
const seated = object('the event TerminalSeated', {
  type: oneOf(['TerminalSeated']),
  ...base,
  secretHash: textLike('the hash of a secret', /./),
});
// Demo credit is all that a terminal is given so far.
const loaded = object('the event CreditLoaded', {
  type: oneOf(['CreditLoaded']),
  ...base,
  by: oneOf(['promotion']),
  amount: wholeFrom('an amount above zero', 1),
});

/** One terminal from its first entry to its last: seated once, and given credit. */
export class TerminalCheck {
  readonly #terminal: string;
  readonly #property: string;
  readonly #currency: string | undefined;
  readonly #secrets: Secrets;

  /** The currency is that of the tables; undefined where there are none. */
  constructor(stream: string, currency: string | undefined, secrets: Secrets) {
    [this.#property, , this.#terminal] = stream.split('/') as [string, string, string];
    this.#currency = currency;
    this.#secrets = secrets;
  }

  take(entry: StoredEntry): void {
    const { event, sequence, postings } = entry;
    if (event.type !== 'TerminalSeated' && event.type !== 'CreditLoaded') {
      claim(entry, false, `is a ${event.type}, which is no event of a terminal`);
    }
    const first = event.type === 'TerminalSeated';
    claim(
      entry,
      first === (sequence === 1),
      first ? 'seats the terminal again' : 'comes before the terminal was seated',
    );
    claim(entry, event.v === 1, 'is of a form that is not known');
    const fields = first ? read(event, seated) : read(event, loaded);
    if ('refused' in fields) claim(entry, false, `is not an event as it must be: ${fields.message}`);
    claim(entry, fields.terminal === this.#terminal, `is of the terminal ${fields.terminal}`);
    if ('secretHash' in fields) {
      const other = this.#secrets.get(fields.secretHash);
      claim(entry, other === undefined, () => `has the secret of ${other!}`);
      this.#secrets.set(fields.secretHash, entry.stream);
      claim(entry, postings.length === 0, 'has postings, and its event moves no money');
      return;
    }
    const currency = this.#currency ?? postings[0]?.to.split('/')[1] ?? '';
    const owner = { property: this.#property, currency };
    const due = creditPostings({ ...fields, type: 'CreditLoaded' }, owner);
    claim(entry, arePosted(due, postings), 'has other postings than its event leads to');
  }

  finish(): void {}
}
