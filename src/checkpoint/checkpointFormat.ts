import { createHash, hash as digest } from 'node:crypto';
import * as s from '../base/schema.ts';
import { type Schema, type Infer } from '../base/schema.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import { hash as hashSchema } from '../base/commonSchemas.ts';
import { type Balance, DamagedStore, type StreamHead } from '../store/store.ts';
import { type Signer, verifySignature } from './signingKey.ts';

// Format of checkpoints and anchor lines: signed statements of the heads of all streams at a time, in an epoch.

export type HeadPosition = Pick<StreamHead, 'sequence' | 'hash'>;
export type HeadPositions = ReadonlyMap<string, HeadPosition>;

const number = s.integer('a number from 1 on', 1);
const common = {
  v: s.literals([1]),
  at: s.nonNegativeInteger,
  epoch: number,
  signer: s.string,
  /** All streams are listed, not only those that have moved since the one before. */
  whole: s.boolean,
  heads: s.record(s.string, s.tuple('a sequence and a hash', number, hashSchema), 'streams with their heads'),
};

/** A checkpoint in the store: numbered, hash-chained, with the hash of all balances. */
const checkpointSchema = s.object('a checkpoint', {
  ...common,
  number,
  previous: s.nullable(hashSchema),
  balances: hashSchema,
  /** When the signer changes: signature of the previous signer over `handoverText`. */
  handover: s.optional(s.string),
  /** The floor is closed: no entry follows before the next checkpoint. */
  closed: s.optional(s.boolean),
});
export type Checkpoint = Infer<typeof checkpointSchema>;

/** Integrity issue that the operator has confirmed. */
const issueSchema = s.object('an integrity issue', {
  reason: s.literals(['behind-anchor', 'anchor-missing', 'unsigned-entries']),
  confirmation: s.string,
  missing: s.array(
    s.object('a stream with its entries here and those expected by its anchor', {
      stream: s.string,
      has: s.nonNegativeInteger,
      expected: s.nonNegativeInteger,
    }),
    'a list of streams that end too early',
  ),
});
export type IntegrityIssue = Infer<typeof issueSchema>;

/** `word`: signature of the previous signer over `handoverText`. */
const handoverSchema = s.object('a handover', { to: s.string, number, word: s.string });
export type SignerHandover = Infer<typeof handoverSchema>;

/** A line of the anchor file: heads, and the last checkpoint. */
const anchorLineSchema = s.object('a line of an anchor', {
  ...common,
  /** Kept here until the store itself records it. */
  issue: s.optional(issueSchema),
  checkpoint: s.optional(s.object('the number and hash of a checkpoint', { number, hash: hashSchema })),
  /** With all heads: the handovers by which the signer came to sign. */
  handovers: s.optional(s.array(handoverSchema, 'a list of handovers')),
});
export type AnchorLine = Infer<typeof anchorLineSchema>;

export type SignedText = { readonly text: string; readonly signature: string };

export const signCheckpointOrLine = (value: Checkpoint | AnchorLine, signer: Signer): SignedText =>
  signText(canonicalJson(value), signer);

const signText = (text: string, signer: Signer): SignedText => ({ text, signature: signer.sign(text) });

/** Signs a line whose heads were serialised before, in chunks sorted by name: there may be very many. */
export const signLineOfAllHeads = (
  heads: readonly string[],
  value: Omit<AnchorLine, 'heads'>,
  signer: Signer,
): SignedText =>
  signText(
    canonicalJson({ ...value, heads: {} }).replace('"heads":{}', () => `"heads":{${heads.join(',')}}`),
    signer,
  );

/** Heads as members of a JSON object, without its braces. */
export const formatHeadMembers = (heads: Iterable<readonly [string, HeadPosition]>): string =>
  canonicalJson(headsToJson(heads)).slice(1, -1);

/** The value, if it fits the schema and its signature is that of the signer it names. */
const parseSigned =
  <T extends { readonly signer: string }>(schema: Schema<T>) =>
  ({ text, signature }: SignedText): T | undefined => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return undefined;
    }
    return schema.fits(value) && verifySignature(text, signature, value.signer) ? value : undefined;
  };

export const parseSignedCheckpoint = parseSigned<Checkpoint>(checkpointSchema);
export const parseSignedAnchorLine = parseSigned<AnchorLine>(anchorLineSchema);

export const hashOfText = (text: string): string => `sha256:${digest('sha256', text)}`;

const balanceLine = ([account, { amount, version }]: readonly [string, Balance]): string =>
  `${account} ${amount} ${version}\n`;

/** SHA-256 over one line per balance, sorted by account. */
export class BalancesHash {
  readonly #hash = createHash('sha256');
  #lastLine = '';

  add(balances: readonly (readonly [string, Balance])[]): void {
    const lines = balances.map(balanceLine);
    for (const [index, line] of lines.entries()) {
      // In another order the hash would never match again.
      if (line <= this.#lastLine) throw new DamagedStore(`The account ${balances[index]![0]} is not one of a record.`);
      this.#lastLine = line;
    }
    this.#hash.update(lines.join(''));
  }

  digest(): string {
    return `sha256:${this.#hash.digest('hex')}`;
  }
}

/** Balances in any order. */
export const hashOfBalances = (balances: ReadonlyMap<string, Balance>): string =>
  hashOfText(Array.from(balances, balanceLine).toSorted().join(''));

export const headsToJson = (heads: Iterable<readonly [string, HeadPosition]>): AnchorLine['heads'] =>
  Object.fromEntries(Array.from(heads, ([stream, { sequence, hash }]) => [stream, [sequence, hash] as const]));

/** Applies the heads of a checkpoint or line to the current ones. */
export function applyHeads(
  current: Map<string, HeadPosition>,
  { whole, heads }: Pick<AnchorLine, 'whole' | 'heads'>,
): void {
  if (whole) current.clear();
  for (const [stream, [sequence, hash]] of Object.entries(heads)) current.set(stream, { sequence, hash });
}

/** Text that a signer signs to hand over to another from a checkpoint on. */
export const handoverText = (to: string, checkpoint: number): string =>
  `punto hands over to ${to} from checkpoint ${checkpoint} on`;
