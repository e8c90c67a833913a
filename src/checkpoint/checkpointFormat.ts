import { createHash, hash as digest } from 'node:crypto';
import {
  type Kind,
  type ValueOf,
  flag,
  listOf,
  object,
  oneOf,
  optional,
  orNull,
  recordOf,
  text,
  tuple,
  whole,
  wholeFrom,
} from '../base/schema.ts';
import { canonicalOf } from '../base/canonicalJson.ts';
import { hash } from '../base/commonSchemas.ts';
import { type Balance, DamagedRecord, type Head } from '../store/store.ts';
import { type Signer, isSigned } from './signingKey.ts';

// What is signed: at that time, in that epoch, the streams of a record stood there.

/** Where a stream stood. */
export type Place = Pick<Head, 'sequence' | 'hash'>;
export type Places = ReadonlyMap<string, Place>;

const number = wholeFrom('a number from 1 on', 1);
const common = {
  v: oneOf([1]),
  at: whole,
  epoch: number,
  signer: text,
  /** Whether all streams are named, or only those that have moved since the one before. */
  whole: flag,
  heads: recordOf(text, tuple('a sequence and a hash', number, hash), 'streams with where they stand'),
};

/** A signed standing in the record itself: chained, numbered, with what all balances came to. */
const checkpoint = object('a checkpoint', {
  ...common,
  number,
  previous: orNull(hash),
  balances: hash,
  /** Where the signer is another than before: the word of the one before it. */
  handover: optional(text),
  /** Whether no floor runs any more: nothing follows before the next checkpoint. */
  closed: optional(flag),
});
export type Checkpoint = ValueOf<typeof checkpoint>;

/** What the operator went on in spite of. */
const doubt = object('a doubt', {
  why: oneOf(['behind-anchor', 'anchor-missing', 'unsigned-entries']),
  words: text,
  missing: listOf(
    object('a stream with its entries here and those known elsewhere', { stream: text, has: whole, known: whole }),
    'a list of streams that end too early',
  ),
});
export type Doubt = ValueOf<typeof doubt>;

/** The word by which one signer has handed over to another, from that checkpoint on. */
const handover = object('a handover', { to: text, number, word: text });
export type Handover = ValueOf<typeof handover>;

/** A line of an anchor: where the record stood, and the last checkpoint in it. */
const line = object('a line of an anchor', {
  ...common,
  /** Stands here until the record tells it itself. */
  doubt: optional(doubt),
  checkpoint: optional(object('the number and hash of a checkpoint', { number, hash })),
  /** In a line that names all streams: how the signer came to be the one who signs, where others did before. */
  handovers: optional(listOf(handover, 'a list of handovers')),
});
export type Line = ValueOf<typeof line>;

export type Signed = { readonly text: string; readonly signature: string };

export const signed = (value: Checkpoint | Line, signer: Signer): Signed => signedText(canonicalOf(value), signer);

const signedText = (written: string, signer: Signer): Signed => ({ text: written, signature: signer.sign(written) });

/** The same of a line whose streams were written out before, part by part and in the order of their names: there may be very many. */
export const signedWith = (heads: readonly string[], value: Omit<Line, 'heads'>, signer: Signer): Signed =>
  signedText(
    canonicalOf({ ...value, heads: {} }).replace('"heads":{}', () => `"heads":{${heads.join(',')}}`),
    signer,
  );

/** Streams with where they stand, as they are written out in a line. */
export const headsText = (places: Iterable<readonly [string, Place]>): string =>
  canonicalOf(headsOf(places)).slice(1, -1);

/** What a signed text says, if its signature is that of the signer it names; undefined otherwise. */
const read =
  <T extends { readonly signer: string }>(kind: Kind<T>) =>
  ({ text: written, signature }: Signed): T | undefined => {
    let value: unknown;
    try {
      value = JSON.parse(written);
    } catch {
      return undefined;
    }
    return kind.fits(value) && isSigned(written, signature, value.signer) ? value : undefined;
  };

export const checkpointIn = read<Checkpoint>(checkpoint);
export const lineIn = read<Line>(line);

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

export const headsOf = (places: Iterable<readonly [string, Place]>): Line['heads'] =>
  Object.fromEntries(Array.from(places, ([stream, { sequence, hash: last }]) => [stream, [sequence, last] as const]));

/** Adds what a mark says to what was known before it. */
export function goOn(places: Map<string, Place>, { whole: all, heads }: Pick<Line, 'whole' | 'heads'>): void {
  if (all) places.clear();
  for (const [stream, [sequence, last]] of Object.entries(heads)) places.set(stream, { sequence, hash: last });
}

/** The word by which a signer hands over to another, from that checkpoint on. */
export const handoverOf = (to: string, from: number): string => `punto hands over to ${to} from checkpoint ${from} on`;
