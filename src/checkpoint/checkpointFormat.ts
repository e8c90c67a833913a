import { createHash, hash as digest } from 'node:crypto';
import * as s from '../base/schema.ts';
import { type Schema, type Infer } from '../base/schema.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import { hash } from '../base/commonSchemas.ts';
import { type Balance, DamagedRecord, type StreamHead } from '../store/store.ts';
import { type Signer, verifySignature } from './signingKey.ts';

// What is signed: at that time, in that epoch, the streams of a record stood there.

/** Where a stream stood. */
export type HeadPosition = Pick<StreamHead, 'sequence' | 'hash'>;
export type HeadPositions = ReadonlyMap<string, HeadPosition>;

const number = s.integer('a number from 1 on', 1);
const common = {
  v: s.literals([1]),
  at: s.nonNegativeInteger,
  epoch: number,
  signer: s.string,
  /** Whether all streams are named, or only those that have moved since the one before. */
  whole: s.boolean,
  heads: s.record(s.string, s.tuple('a sequence and a hash', number, hash), 'streams with where they stand'),
};

/** A signed standing in the record itself: chained, numbered, with what all balances came to. */
const checkpoint = s.object('a checkpoint', {
  ...common,
  number,
  previous: s.nullable(hash),
  balances: hash,
  /** Where the signer is another than before: the word of the one before it. */
  handover: s.optional(s.string),
  /** Whether no floor runs any more: nothing follows before the next checkpoint. */
  closed: s.optional(s.boolean),
});
export type Checkpoint = Infer<typeof checkpoint>;

/** What the operator went on in spite of. */
const doubt = s.object('a doubt', {
  why: s.literals(['behind-anchor', 'anchor-missing', 'unsigned-entries']),
  words: s.string,
  missing: s.array(
    s.object('a stream with its entries here and those known elsewhere', {
      stream: s.string,
      has: s.nonNegativeInteger,
      known: s.nonNegativeInteger,
    }),
    'a list of streams that end too early',
  ),
});
export type IntegrityIssue = Infer<typeof doubt>;

/** The word by which one signer has handed over to another, from that checkpoint on. */
const handover = s.object('a handover', { to: s.string, number, word: s.string });
export type Handover = Infer<typeof handover>;

/** A line of an anchor: where the record stood, and the last checkpoint in it. */
const line = s.object('a line of an anchor', {
  ...common,
  /** Stands here until the record tells it itself. */
  doubt: s.optional(doubt),
  checkpoint: s.optional(s.object('the number and hash of a checkpoint', { number, hash })),
  /** In a line that names all streams: how the signer came to be the one who signs, where others did before. */
  handovers: s.optional(s.array(handover, 'a list of handovers')),
});
export type AnchorLine = Infer<typeof line>;

export type Signed = { readonly text: string; readonly signature: string };

export const signValue = (value: Checkpoint | AnchorLine, signer: Signer): Signed =>
  signedText(canonicalJson(value), signer);

const signedText = (written: string, signer: Signer): Signed => ({ text: written, signature: signer.sign(written) });

/** The same of a line whose streams were written out before, part by part and in the order of their names: there may be very many. */
export const signedWith = (heads: readonly string[], value: Omit<AnchorLine, 'heads'>, signer: Signer): Signed =>
  signedText(
    canonicalJson({ ...value, heads: {} }).replace('"heads":{}', () => `"heads":{${heads.join(',')}}`),
    signer,
  );

/** Streams with where they stand, as they are written out in a line. */
export const headsText = (places: Iterable<readonly [string, HeadPosition]>): string =>
  canonicalJson(headsOf(places)).slice(1, -1);

/** What a signed text says, if its signature is that of the signer it names; undefined otherwise. */
const read =
  <T extends { readonly signer: string }>(kind: Schema<T>) =>
  ({ text: written, signature }: Signed): T | undefined => {
    let value: unknown;
    try {
      value = JSON.parse(written);
    } catch {
      return undefined;
    }
    return kind.fits(value) && verifySignature(written, signature, value.signer) ? value : undefined;
  };

export const checkpointIn = read<Checkpoint>(checkpoint);
export const lineIn = read<AnchorLine>(line);

export const hashOfText = (written: string): string => `sha256:${digest('sha256', written)}`;

const lineOf = ([account, { amount, version }]: readonly [string, Balance]): string =>
  `${account} ${amount} ${version}\n`;

/** What all balances together come to, as one hash of a line for each. They are told in the order of their accounts. */
export class BalancesHash {
  readonly #hash = createHash('sha256');
  #last = '';

  add(balances: readonly (readonly [string, Balance])[]): void {
    const lines = balances.map(lineOf);
    for (const [place, next] of lines.entries()) {
      // In any other order it would be another hash, by which no start would know the record.
      if (next <= this.#last) throw new DamagedRecord(`The account ${balances[place]![0]} is not one of a record.`);
      this.#last = next;
    }
    this.#hash.update(lines.join(''));
  }

  end(): string {
    return `sha256:${this.#hash.digest('hex')}`;
  }
}

/** The same of all of them at once, in whatever order. */
export const hashOfBalances = (balances: ReadonlyMap<string, Balance>): string =>
  hashOfText(Array.from(balances, lineOf).toSorted().join(''));

export const headsOf = (places: Iterable<readonly [string, HeadPosition]>): AnchorLine['heads'] =>
  Object.fromEntries(Array.from(places, ([stream, { sequence, hash: last }]) => [stream, [sequence, last] as const]));

/** Adds what a mark says to what was known before it. */
export function goOn(
  places: Map<string, HeadPosition>,
  { whole: all, heads }: Pick<AnchorLine, 'whole' | 'heads'>,
): void {
  if (all) places.clear();
  for (const [stream, [sequence, last]] of Object.entries(heads)) places.set(stream, { sequence, hash: last });
}

/** The word by which a signer hands over to another, from that checkpoint on. */
export const handoverOf = (to: string, from: number): string => `punto hands over to ${to} from checkpoint ${from} on`;
