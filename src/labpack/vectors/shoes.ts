import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { type Card, type DeckId, cardsOf } from '../../rules/card.ts';
import { cardProof, isCommitted, shoeRoot, shoeTree } from '../../rules/shoeCommitment.ts';
import { cardsOfShoe, seed } from './random.ts';

/** A card with what is said to prove it, and whether it does. */
type Claim = {
  readonly index: number;
  readonly card: Card;
  readonly salt: string;
  readonly proof: readonly string[];
  readonly holds: boolean;
};

/** Salts are by chance in a record; here they follow from the seed, so that the vectors stay the same. */
const saltOf = (shoe: string, index: number): string => bytesToHex(sha256(utf8ToBytes(`${seed}|${shoe}|${index}`)));

/** Another digit in the place of the first. */
const altered = (hex: string): string => `${hex.startsWith('0') ? '1' : '0'}${hex.slice(1)}`;

function shoeVector(shoe: string, deck: DeckId, n: number, size: number, proven: readonly number[]): object {
  const cards = cardsOfShoe(deck, n, size);
  const salts = cards.map((_, index) => saltOf(shoe, index));
  const tree = shoeTree(shoe, cards, salts);
  const root = shoeRoot(tree);
  const commitment = { shoe, size, root };
  const claimed = (index: number, change: Partial<Claim>): Claim => {
    const claim = { index, card: cards[index]!, salt: salts[index]!, proof: cardProof(tree, index), ...change };
    return { ...claim, holds: isCommitted(commitment, claim.index, claim.card, claim.salt, claim.proof) };
  };
  const wrong = proven.slice(0, 3).flatMap((index) => {
    const { card, salt, proof } = claimed(index, {});
    const other = cardsOf(deck).find((one) => one !== card)!;
    return [
      claimed(index, { card: other }),
      claimed(index, { salt: altered(salt) }),
      claimed(index, { index: (index + 1) % (size + 1) }),
      claimed(index, { index: size }),
      claimed(index, { proof: [...proof, root] }),
      ...(proof.length > 0
        ? [
            claimed(index, { proof: proof.slice(0, -1) }),
            claimed(index, { proof: [altered(proof[0]!), ...proof.slice(1)] }),
          ]
        : []),
      ...(proof.length > 1 ? [claimed(index, { proof: proof.toReversed() })] : []),
    ];
  });
  return {
    ...commitment,
    cards,
    salts,
    leaves: tree[0]!.map(bytesToHex),
    claims: [...proven.map((index) => claimed(index, {})), ...wrong],
  };
}

/** Trees of every small size, since those that are no power of two are where programs differ, and whole shoes. */
export function* shoeVectors(): Generator<object> {
  for (let size = 1; size <= 13; size++) {
    yield shoeVector(
      `S${size}`,
      'french',
      500 + size,
      size,
      Array.from({ length: size }, (_, index) => index),
    );
  }
  yield shoeVector('V-416', 'french', 600, 416, [0, 1, 207, 255, 256, 383, 384, 414, 415]);
  yield shoeVector('V-520', 'elements', 601, 520, [0, 511, 512, 518, 519]);
}
