import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Card } from './card.ts';
import { type MerkleTree, merkleProof, rootFromProof, merkleRoot, merkleTree } from '../base/merkleTree.ts';

// Commitment of a virtual shoe: the order of its cards is fixed before the first bet. Each card is a leaf
// `shoe|index|salt|card` of a Merkle tree. The root of this tree is stored in the event log. A random salt of 32 bytes
// per leaf hides the card. Any later change of a card would give another root.

/** Name of the hash scheme of the tree, stored with the commitment. */
export const commitmentScheme = 'rfc9162-sha256';

/**
 * What is published of a committed shoe before the first bet: its id, its number of cards, and the root of its Merkle
 * tree in hex.
 */
export type ShoeCommitment = { readonly shoe: string; readonly size: number; readonly root: string };

const leafData = (shoe: string, index: number, salt: string, card: Card): Uint8Array =>
  utf8ToBytes(`${shoe}|${index}|${salt}|${card}`);

/** The Merkle tree of a shuffled shoe: one leaf per card, each with its own salt. */
export const shoeTree = (shoe: string, cards: readonly Card[], salts: readonly string[]): MerkleTree =>
  merkleTree(cards.map((card, index) => leafData(shoe, index, salts[index]!, card)));

/** The root of the Merkle tree in hex, published before the first bet. */
export const shoeRoot = (tree: MerkleTree): string => bytesToHex(merkleRoot(tree));

/** Inclusion proof of one card. A check of the proof also needs the salt of the card. */
export const cardProof = (tree: MerkleTree, index: number): readonly string[] =>
  merkleProof(tree, index).map(bytesToHex);

export function isCommittedCard(
  { shoe, size, root }: ShoeCommitment,
  index: number,
  card: Card,
  salt: string,
  proof: readonly string[],
): boolean {
  const found = rootFromProof(leafData(shoe, index, salt, card), index, size, proof.map(hexToBytes));
  return found !== undefined && bytesToHex(found) === root;
}

/** True when these are all cards and salts of the committed shoe, in the committed order. */
export const isCommittedShoe = (
  { shoe, size, root }: ShoeCommitment,
  cards: readonly Card[],
  salts: readonly string[],
): boolean => cards.length === size && salts.length === size && shoeRoot(shoeTree(shoe, cards, salts)) === root;

/**
 * Index in the committed order of the card that is dealt after `drawn` cards. Dealing starts at the cut position; after
 * the last card of the order it continues with the first.
 */
export const committedIndex = (size: number, cutPosition: number, drawn: number): number =>
  (cutPosition + drawn) % size;
