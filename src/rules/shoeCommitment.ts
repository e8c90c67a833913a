import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Card } from './card.ts';
import { type MerkleTree, merkleProof, rootFromProof, merkleRoot, merkleTree } from '../base/merkleTree.ts';

// A virtual shoe is fixed before anyone bets: each card is a leaf of a hash tree, and the root of the tree is recorded.
// The data of a leaf is the text `shoe|index|salt|card`. Nobody can tell cards from the root, since every leaf has a
// random salt of 32 bytes, and nobody can change one afterwards.

/** How leaves and nodes are hashed, as the record names it. */
export const commitmentScheme = 'rfc9162-sha256';

/** What is known of a committed shoe before any card is dealt. */
export type Commitment = { readonly shoe: string; readonly size: number; readonly root: string };

const leafData = (shoe: string, index: number, salt: string, card: Card): Uint8Array =>
  utf8ToBytes(`${shoe}|${index}|${salt}|${card}`);

/** The hash tree of a shuffled shoe: a leaf a card, each with a salt of its own. */
export const shoeTree = (shoe: string, cards: readonly Card[], salts: readonly string[]): MerkleTree =>
  merkleTree(cards.map((card, index) => leafData(shoe, index, salts[index]!, card)));

/** What is published before the first bet, in hexadecimal digits. */
export const shoeRoot = (tree: MerkleTree): string => bytesToHex(merkleRoot(tree));

/** What shows that a card of the shoe is the committed one, beside its salt. */
export const cardProof = (tree: MerkleTree, index: number): readonly string[] =>
  merkleProof(tree, index).map(bytesToHex);

/** Whether a card is the one that was committed at that place. */
export function isCommitted(
  { shoe, size, root }: Commitment,
  index: number,
  card: Card,
  salt: string,
  proof: readonly string[],
): boolean {
  const found = rootFromProof(leafData(shoe, index, salt, card), index, size, proof.map(hexToBytes));
  return found !== undefined && bytesToHex(found) === root;
}

/** Whether these are all cards of the shoe in their order, as they were committed. */
export const isWholeShoe = (
  { shoe, size, root }: Commitment,
  cards: readonly Card[],
  salts: readonly string[],
): boolean => cards.length === size && salts.length === size && shoeRoot(shoeTree(shoe, cards, salts)) === root;

/** Where in the committed order the next card lies after so many: the turn is dealt first, and after the end comes the beginning. */
export const committedIndex = (size: number, turn: number, drawn: number): number => (turn + drawn) % size;
