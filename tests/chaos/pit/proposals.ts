import { type StoredEntry } from '../../../src/store/store.ts';

type Proposal = {
  readonly by: string;
  readonly hash: unknown;
  readonly expires: number;
  state: 'open' | 'replaced' | 'withdrawn' | 'done';
};

/** Events that need two persons by [HOUSE 2], and decisions after a settlement. */
const needsTwo: ReadonlySet<string> = new Set([
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

/** Proposals of one table and their results. */
export class Proposals {
  readonly problems: string[] = [];
  carriedOut = 0;
  readonly #stream: string;
  readonly #all = new Map<string, Proposal>();
  #open: Proposal | undefined;
  /** Person who approved in the command being read. */
  #second: string | undefined;

  constructor(stream: string) {
    this.#stream = stream;
  }

  add({ event, at, sequence }: StoredEntry, isFirst: boolean): void {
    if (isFirst) this.#second = undefined;
    const person = (event['actor'] as { readonly person?: string }).person;
    const second = (event['second'] as { readonly person?: string } | undefined)?.person;
    const check = (holds: boolean, problem: string): unknown =>
      holds || this.problems.push(`${event.type} at ${this.#stream} ${sequence}: ${problem}`);
    const id = String(event['proposal']);
    if (event.type === 'Proposed') {
      check(!this.#all.has(id), `${id} was proposed before`);
      if (this.#open?.state === 'open') this.#open.state = 'replaced';
      this.#open = { by: person!, hash: event['hash'], expires: Number(event['expires']), state: 'open' };
      this.#all.set(id, this.#open);
      return;
    }
    if (event.type === 'ProposalWithdrawn') {
      check(this.#all.get(id)?.state === 'open', `${id} was not open`);
      this.#all.get(id)!.state = 'withdrawn';
      return;
    }
    if (event.type === 'Approved') {
      const { state, by, hash, expires } = this.#all.get(id) ?? {};
      check(state === 'open', `${id} was ${state} when it was carried out`);
      check(by !== person, `${person} has consented to a proposal of their own`);
      check(hash === event['hash'], `${id} was not what was consented to`);
      check(at <= expires!, `${id} had expired`);
      this.#all.get(id)!.state = 'done';
      this.#second = person;
      this.carriedOut += 1;
      return;
    }
    if (second !== undefined) {
      check(second !== person, `it is by ${person} alone`);
      check(second === this.#second, `${second} has not consented to it`);
    }
    check(
      person === undefined || second !== undefined || !needsTwo.has(event.type),
      `it takes two, and is by ${person} alone`,
    );
  }
}
