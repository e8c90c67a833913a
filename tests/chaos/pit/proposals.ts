import { type StoredEntry } from '../../../src/store/store.ts';

type Proposal = {
  readonly by: string;
  readonly hash: unknown;
  readonly expires: number;
  state: 'open' | 'replaced' | 'withdrawn' | 'done';
};

/** What no person does alone, by the list of the house [HOUSE 2], and what is decided after a settlement. */
const byTwo: ReadonlySet<string> = new Set([
  'TableClosed',
  'TableReopened',
  'SettingsChanged',
  'CutCorrected',
  'ShoeVerified',
  'ShoeEnded',
  'ShoeSealed',
  'SealedShoeCounted',
  'RoundReconstructed',
  'OrderRestored',
  'CardCorrected',
  'CardBurned',
  'ReportDismissed',
  'FeltConfirmed',
  'ShortfallCollected',
  'ShortfallWrittenOff',
]);

/** What is proposed at one table, and what becomes of it. */
export class Proposals {
  readonly wrong: string[] = [];
  carriedOut = 0;
  readonly #stream: string;
  readonly #all = new Map<string, Proposal>();
  #open: Proposal | undefined;
  /** Who has consented in the command that is being read. */
  #second: string | undefined;

  constructor(stream: string) {
    this.#stream = stream;
  }

  take({ event, at, sequence }: StoredEntry, isFirst: boolean): void {
    if (isFirst) this.#second = undefined;
    const who = (event['actor'] as { readonly person?: string }).person;
    const second = (event['second'] as { readonly person?: string } | undefined)?.person;
    const claim = (holds: boolean, what: string): unknown =>
      holds || this.wrong.push(`${event.type} at ${this.#stream} ${sequence}: ${what}`);
    const id = String(event['proposal']);
    if (event.type === 'Proposed') {
      claim(!this.#all.has(id), `${id} was proposed before`);
      if (this.#open?.state === 'open') this.#open.state = 'replaced';
      this.#open = { by: who!, hash: event['hash'], expires: Number(event['expires']), state: 'open' };
      this.#all.set(id, this.#open);
      return;
    }
    if (event.type === 'ProposalWithdrawn') {
      claim(this.#all.get(id)?.state === 'open', `${id} was not open`);
      this.#all.get(id)!.state = 'withdrawn';
      return;
    }
    if (event.type === 'Approved') {
      const { state, by, hash, expires } = this.#all.get(id) ?? {};
      claim(state === 'open', `${id} was ${state} when it was carried out`);
      claim(by !== who, `${who} has consented to a proposal of their own`);
      claim(hash === event['hash'], `${id} was not what was consented to`);
      claim(at <= expires!, `${id} had expired`);
      this.#all.get(id)!.state = 'done';
      this.#second = who;
      this.carriedOut += 1;
      return;
    }
    if (second !== undefined) {
      claim(second !== who, `it is by ${who} alone`);
      claim(second === this.#second, `${second} has not consented to it`);
    }
    claim(who === undefined || second !== undefined || !byTwo.has(event.type), `it takes two, and is by ${who} alone`);
  }
}
