import { hash as digest } from 'node:crypto';
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
} from '../rules/fields.ts';
import { canonicalOf } from '../rules/hash.ts';
import { hash } from '../rules/kinds.ts';
import { type Balance, type Head } from '../store/store.ts';
import { type Signer, isSigned } from './signer.ts';

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

export function signed(value: Checkpoint | Line, signer: Signer): Signed {
  const written = canonicalOf(value);
  return { text: written, signature: signer.sign(written) };
}

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

/** What all balances together come to, as one hash. */
export function hashOfBalances(balances: ReadonlyMap<string, Balance>): string {
  const lines = [...balances].map(([account, { amount, version }]) => `${account} ${amount} ${version}\n`);
  return hashOfText(lines.toSorted().join(''));
}

export const headsOf = (places: Iterable<readonly [string, Place]>): Line['heads'] =>
  Object.fromEntries(Array.from(places, ([stream, { sequence, hash: last }]) => [stream, [sequence, last] as const]));

/** Adds what a mark says to what was known before it. */
export function placesAfter(before: Places, { whole: all, heads }: Pick<Line, 'whole' | 'heads'>): Places {
  const places = new Map(all ? [] : before);
  for (const [stream, [sequence, last]] of Object.entries(heads)) places.set(stream, { sequence, hash: last });
  return places;
}

/** The word by which a signer hands over to another, from that checkpoint on. */
export const handoverOf = (to: string, from: number): string => `punto hands over to ${to} from checkpoint ${from} on`;
