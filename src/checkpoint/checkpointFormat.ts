import { createHash, hash as digest } from 'node:crypto';
import * as s from '../base/schemas.ts';
import { type Schema, type Infer } from '../base/schema.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import { hash as hashSchema } from '../base/commonSchemas.ts';
import { type Balance, DamagedStoreError, type StreamHead } from '../store/store.ts';
import { type Signer, verifySignature } from './signingKey.ts';

// Format of checkpoints and anchor lines. Both are signed. Both list heads of streams, the time of the signature, and
// the epoch of the store.

export type HeadPosition = Pick<StreamHead, 'sequence' | 'hash'>;
export type HeadPositions = ReadonlyMap<string, HeadPosition>;

const number = s.integer('a number from 1 on', 1);
const common = {
  v: s.literals([1]),
  at: s.nonNegativeInteger,
  epoch: number,
  signer: s.string,
  /**
   * True when `heads` lists all streams; false when it lists only the streams that have grown since the previous
   * checkpoint or anchor line.
   */
  whole: s.boolean,
  heads: s.record(s.string, s.tuple('a sequence and a hash', number, hashSchema), 'streams with their heads'),
};

/** A checkpoint in the store: numbered, hash-chained by `previous`, with the hash of all balances. */
const checkpointSchema = s.object('a checkpoint', {
  ...common,
  number,
  previous: s.nullable(hashSchema),
  balances: hashSchema,
  /** Signature of the previous signer over `handoverTextToSign`; only when the signer changes. */
  handover: s.optional(s.string),
  /** True when the floor was closed with this checkpoint: no entry may follow before the next checkpoint. */
  closed: s.optional(s.boolean),
});
export type Checkpoint = Infer<typeof checkpointSchema>;

/**
 * An integrity issue that the operator has confirmed by typing the names of two cards. `missing` lists the streams that
 * lack entries which the anchor lists.
 */
const issueSchema = s.object('an integrity issue', {
  reason: s.literals(['behind-anchor', 'anchor-missing', 'unsigned-entries']),
  confirmation: s.string,
  missing: s.array(
    s.object('a stream with the number of its entries and the number expected', {
      stream: s.string,
      has: s.nonNegativeInteger,
      expected: s.nonNegativeInteger,
    }),
    'a list of streams that end too early',
  ),
});
export type IntegrityIssue = Infer<typeof issueSchema>;

/**
 * Handover to the signer `to`, who signs from the checkpoint `number` on. `signature`: made by the previous signer over
 * `handoverTextToSign`.
 */
const handoverSchema = s.object('a handover', { to: s.string, number, signature: s.string });
export type SignerHandover = Infer<typeof handoverSchema>;

/** A line of the anchor file: heads of streams, and the number and hash of the last checkpoint. */
const anchorLineSchema = s.object('a line of an anchor', {
  ...common,
  /** Integrity issue that the operator has confirmed, but that the event log does not contain yet. */
  issue: s.optional(issueSchema),
  checkpoint: s.optional(s.object('the number and hash of a checkpoint', { number, hash: hashSchema })),
  /** Handovers from the first signer of the store to the present signer; only in a line with all heads. */
  handovers: s.optional(s.array(handoverSchema, 'a list of handovers')),
});
export type AnchorLine = Infer<typeof anchorLineSchema>;

export type SignedText = { readonly text: string; readonly signature: string };

export const signCheckpointOrLine = (value: Checkpoint | AnchorLine, signer: Signer): SignedText =>
  signText(canonicalJson(value), signer);

const signText = (text: string, signer: Signer): SignedText => ({ text, signature: signer.sign(text) });

/**
 * Signs an anchor line with all heads. Because there may be very many heads, the caller serialises them in chunks by
 * `formatHeadsAsJsonMembers`.
 */
export const signAnchorLineOfAllHeads = (
  heads: readonly string[],
  value: Omit<AnchorLine, 'heads'>,
  signer: Signer,
): SignedText =>
  signText(
    canonicalJson({ ...value, heads: {} }).replace('"heads":{}', () => `"heads":{${heads.join(',')}}`),
    signer,
  );

/** Formats heads as members of a canonical JSON object, without its braces. */
export const formatHeadsAsJsonMembers = (heads: Iterable<readonly [string, HeadPosition]>): string =>
  canonicalJson(headsToJson(heads)).slice(1, -1);

/**
 * Parses a signed text. Undefined when the text does not match the schema, or is not signed by the signer that it
 * names.
 */
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

/**
 * Hash of all balances: SHA-256 over one line per account. The lines are sorted as texts, so balances must be added in
 * the order of their lines, chunk by chunk.
 */
export class BalancesHash {
  readonly #hash = createHash('sha256');
  #lastLine = '';

  add(balances: readonly (readonly [string, Balance])[]): void {
    const lines = balances.map(balanceLine);
    for (const [index, line] of lines.entries()) {
      // With another order of the lines, the hash would be another.
      if (line <= this.#lastLine)
        throw new DamagedStoreError(`The account ${balances[index]![0]} is listed twice or out of order.`);
      this.#lastLine = line;
    }
    this.#hash.update(lines.join(''));
  }

  digest(): string {
    return `sha256:${this.#hash.digest('hex')}`;
  }
}

/** Hash of all balances. The map may have any order. */
export const hashOfBalances = (balances: ReadonlyMap<string, Balance>): string =>
  hashOfText(Array.from(balances, balanceLine).toSorted().join(''));

export const headsToJson = (heads: Iterable<readonly [string, HeadPosition]>): AnchorLine['heads'] =>
  Object.fromEntries(Array.from(heads, ([stream, { sequence, hash }]) => [stream, [sequence, hash] as const]));

/**
 * Adds the heads of a checkpoint or anchor line to `current`, in place. A list of all streams (`whole`) replaces the
 * contents of `current`.
 */
export function applyHeads(
  current: Map<string, HeadPosition>,
  { whole, heads }: Pick<AnchorLine, 'whole' | 'heads'>,
): void {
  if (whole) current.clear();
  for (const [stream, [sequence, hash]] of Object.entries(heads)) current.set(stream, { sequence, hash });
}

/** Text that the previous signer signs for a handover: from this checkpoint number on, `to` signs. */
export const handoverTextToSign = (to: string, checkpoint: number): string =>
  `punto hands over to ${to} from checkpoint ${checkpoint} on`;
