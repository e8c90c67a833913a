import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Card } from './card.ts';

// A virtual shoe is fixed before anyone bets: each card is a leaf of a hash tree, and the root of the tree is recorded.
// A leaf is the SHA-256 of the text `shoe|index|salt|card`; a node that of a byte 1 and its two children. A node without
// a neighbour moves up as it is. Nobody can tell cards from the root, since every leaf has a random salt of 32 bytes, and
// nobody can change one afterwards.

/** What is known of a committed shoe before any card is dealt. */
export type Commitment = { readonly shoe: string; readonly size: number; readonly root: string };

const nodeMark = Uint8Array.of(1);

const leafOf = (shoe: string, index: number, salt: string, card: Card): Uint8Array =>
  sha256(utf8ToBytes(`${shoe}|${index}|${salt}|${card}`));

const nodeOf = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(concatBytes(nodeMark, left, right));

/** The tree of a shoe, level by level from the leaves to the root. */
export type Tree = readonly (readonly Uint8Array[])[];

export function treeOf(shoe: string, cards: readonly Card[], salts: readonly string[]): Tree {
  const levels = [cards.map((card, index) => leafOf(shoe, index, salts[index]!, card))];
  for (let level = levels[0]!; level.length > 1; levels.push(level)) {
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, n) =>
      2 * n + 1 < level.length ? nodeOf(level[2 * n]!, level[2 * n + 1]!) : level[2 * n]!,
    );
  }
  return levels;
}

export const rootOf = (tree: Tree): string => bytesToHex(tree.at(-1)![0]!);

/** The neighbours on the way from a card up to the root. */
export function proofOf(tree: Tree, index: number): readonly string[] {
  const proof: string[] = [];
  let place = index;
  for (const level of tree.slice(0, -1)) {
    const neighbour = level[place % 2 === 0 ? place + 1 : place - 1];
    if (neighbour) proof.push(bytesToHex(neighbour));
    place = Math.floor(place / 2);
  }
  return proof;
}

/** Whether a card is the one that was committed at that place. */
export function isCommitted(
  { shoe, size, root }: Commitment,
  index: number,
  card: Card,
  salt: string,
  proof: readonly string[],
): boolean {
  let node = leafOf(shoe, index, salt, card);
  let place = index;
  let used = 0;
  for (let width = size; width > 1; width = Math.ceil(width / 2)) {
    const left = place % 2 === 0;
    if (!left || place + 1 < width) {
      const text = proof[used++];
      if (text === undefined) return false;
      const neighbour = hexToBytes(text);
      node = left ? nodeOf(node, neighbour) : nodeOf(neighbour, node);
    }
    place = Math.floor(place / 2);
  }
  return used === proof.length && bytesToHex(node) === root;
}

/** Whether these are all cards of the shoe in their order, as they were committed. */
export const isWholeShoe = (
  { shoe, size, root }: Commitment,
  cards: readonly Card[],
  salts: readonly string[],
): boolean => cards.length === size && salts.length === size && rootOf(treeOf(shoe, cards, salts)) === root;

/** Where in the committed order the next card lies after so many: the turn is dealt first, and after the end comes the beginning. */
export const indexOf = (size: number, turn: number, drawn: number): number => (turn + drawn) % size;
