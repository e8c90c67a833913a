import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';

// Merkle tree (RFC 9162). A leaf is the hash of byte 0 and its data; a node is the hash of byte 1 and its two children.
// Because of this first byte, the hash of a leaf cannot be presented as the hash of a node. A node without a sibling
// moves up one level unchanged.

const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

const leafOf = (data: Uint8Array): Uint8Array => sha256(concatBytes(leafPrefix, data));

const nodeOf = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(concatBytes(nodePrefix, left, right));

/** The levels of a Merkle tree, from the leaves to the root. There must be at least one leaf. */
export type MerkleTree = readonly (readonly Uint8Array[])[];

export function merkleTree(data: readonly Uint8Array[]): MerkleTree {
  const levels = [data.map(leafOf)];
  for (let level = levels[0]!; level.length > 1; levels.push(level)) {
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, n) =>
      2 * n + 1 < level.length ? nodeOf(level[2 * n]!, level[2 * n + 1]!) : level[2 * n]!,
    );
  }
  return levels;
}

export const merkleRoot = (tree: MerkleTree): Uint8Array => tree.at(-1)![0]!;

/** Inclusion proof: the sibling hashes on the path from the leaf to the root. */
export function merkleProof(tree: MerkleTree, index: number): readonly Uint8Array[] {
  const proof: Uint8Array[] = [];
  let position = index;
  for (const level of tree.slice(0, -1)) {
    const sibling = level[position % 2 === 0 ? position + 1 : position - 1];
    if (sibling) proof.push(sibling);
    position = Math.floor(position / 2);
  }
  return proof;
}

/**
 * The root hash that an inclusion proof leads to; undefined when the index is out of range or the proof has the wrong
 * length.
 */
export function rootFromProof(
  data: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
): Uint8Array | undefined {
  if (index < 0 || index >= size) return undefined;
  let node = leafOf(data);
  let position = index;
  let used = 0;
  for (let width = size; width > 1; width = Math.ceil(width / 2)) {
    const left = position % 2 === 0;
    if (!left || position + 1 < width) {
      const sibling = proof[used++];
      if (sibling === undefined) return undefined;
      node = left ? nodeOf(node, sibling) : nodeOf(sibling, node);
    }
    position = Math.floor(position / 2);
  }
  return used === proof.length ? node : undefined;
}
