import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { type Card, type DeckId, cardsOfDeck } from '../../rules/card.ts';
import { cardProof, isCommittedCard, shoeRoot, shoeTree } from '../../rules/shoeCommitment.ts';
import { firstCardsOfSeededShoe, vectorSeed } from './seededShoes.ts';

/**
 * A card with its proof of commitment. `holds` is true when the proof shows that the shoe has this card at this index.
 */
type Claim = {
  readonly index: number;
  readonly card: Card;
  readonly salt: string;
  readonly proof: readonly string[];
  readonly holds: boolean;
};

/**
 * The salt of a card. In production salts are random. Here they depend on the seed, so that the vectors can be
 * reproduced.
 */
const saltOf = (shoe: string, index: number): string =>
  bytesToHex(sha256(utf8ToBytes(`${vectorSeed}|${shoe}|${index}`)));

const flipFirstDigit = (hex: string): string => `${hex.startsWith('0') ? '1' : '0'}${hex.slice(1)}`;

function shoeVector(shoe: string, deck: DeckId, n: number, size: number, provenIndexes: readonly number[]): object {
  const cards = firstCardsOfSeededShoe(deck, n, size);
  const salts = cards.map((_, index) => saltOf(shoe, index));
  const tree = shoeTree(shoe, cards, salts);
  const root = shoeRoot(tree);
  const commitment = { shoe, size, root };
  const makeClaim = (index: number, change: Partial<Claim>): Claim => {
    const claim = { index, card: cards[index]!, salt: salts[index]!, proof: cardProof(tree, index), ...change };
    return { ...claim, holds: isCommittedCard(commitment, claim.index, claim.card, claim.salt, claim.proof) };
  };
  const wrongClaims = provenIndexes.slice(0, 3).flatMap((index) => {
    const { card, salt, proof } = makeClaim(index, {});
    const otherCard = cardsOfDeck(deck).find((candidate) => candidate !== card)!;
    return [
      makeClaim(index, { card: otherCard }),
      makeClaim(index, { salt: flipFirstDigit(salt) }),
      makeClaim(index, { index: (index + 1) % (size + 1) }),
      makeClaim(index, { index: size }),
      makeClaim(index, { proof: [...proof, root] }),
      ...(proof.length > 0
        ? [
            makeClaim(index, { proof: proof.slice(0, -1) }),
            makeClaim(index, { proof: [flipFirstDigit(proof[0]!), ...proof.slice(1)] }),
          ]
        : []),
      ...(proof.length > 1 ? [makeClaim(index, { proof: proof.toReversed() })] : []),
    ];
  });
  return {
    ...commitment,
    cards,
    salts,
    leaves: tree[0]!.map(bytesToHex),
    claims: [...provenIndexes.map((index) => makeClaim(index, {})), ...wrongClaims],
  };
}

/**
 * Vectors of committed shoes. There is one hash tree of each size from 1 to 13, because implementations differ for
 * sizes that are no power of two. Two whole shoes follow.
 */
export function* committedShoeVectors(): Generator<object> {
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
