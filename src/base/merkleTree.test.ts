import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { merkleProof, rootFromProof, merkleRoot, merkleTree } from './merkleTree.ts';

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const hexOf = (data: Uint8Array | undefined): string | undefined => data && Buffer.from(data).toString('hex');

/**
 * The leaves of the reference tests of certificate transparency, and the roots of the trees over the first 1 to 8
 * leaves.
 */
const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const treeOver = (count: number) => merkleTree(leaves.slice(0, count).map(bytes));

test.for(roots.map((root, n) => [n + 1, root] as const))(
  'the tree over the first %i leaves of the reference tests has the root %s',
  ([count, root]) => {
    expect(hexOf(merkleRoot(treeOver(count)))).toBe(root);
  },
);

/** Proofs of the reference tests: the index of the leaf, the size of the tree, and the sibling hashes. */
const proofs: readonly (readonly [index: number, size: number, proof: readonly string[]])[] = [
  [0, 1, []],
  [
    0,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    5,
    8,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
  [
    1,
    5,
    [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
];

test.for(proofs)('leaf %i of %i has the proof of the reference tests', ([index, size, proof]) => {
  expect(merkleProof(treeOver(size), index).map(hexOf)).toEqual(proof);
  expect(hexOf(rootFromProof(bytes(leaves[index]!), index, size, proof.map(bytes)))).toBe(roots[size - 1]);
});

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/**
 * The tree as RFC 9162 defines it, by halves: the left half has as many leaves as the largest power of two below the
 * number of all leaves.
 */
function headOf(data: readonly Uint8Array[]): Uint8Array {
  if (data.length === 1) return sha256(Uint8Array.of(0), data[0]!);
  const half = halfOf(data.length);
  return sha256(Uint8Array.of(1), headOf(data.slice(0, half)), headOf(data.slice(half)));
}

/** The inclusion proof as RFC 9162 defines it. */
function pathOf(index: number, data: readonly Uint8Array[]): readonly Uint8Array[] {
  if (data.length === 1) return [];
  const half = halfOf(data.length);
  const [left, right] = [data.slice(0, half), data.slice(half)];
  return index < half ? [...pathOf(index, left), headOf(right)] : [...pathOf(index - half, right), headOf(left)];
}

const halfOf = (size: number): number => 2 ** Math.floor(Math.log2(size - 1));

test('roots and proofs are those of the definition by halves, for every size to 66 and for whole shoes', () => {
  for (const size of [...Array.from({ length: 66 }, (_, n) => n + 1), 208, 416, 520, 650]) {
    const data = Array.from({ length: size }, (_, n) => bytes(n.toString(16).padStart(8, '0')));
    const tree = merkleTree(data);
    const root = headOf(data);
    expect(hexOf(merkleRoot(tree)), `${size}`).toBe(hexOf(root));
    for (let index = 0; index < size; index += size > 66 ? 17 : 1) {
      const proof = merkleProof(tree, index);
      if (size <= 66) expect(proof.map(hexOf), `${index} of ${size}`).toEqual(pathOf(index, data).map(hexOf));
      expect(hexOf(rootFromProof(data[index]!, index, size, proof))).toBe(hexOf(root));
    }
  }
});

test('another leaf, place, size or proof does not lead to the root', () => {
  const data = leaves.map(bytes);
  const tree = merkleTree(data);
  const root = roots[7];
  const proof = merkleProof(tree, 5);
  expect(hexOf(rootFromProof(data[4]!, 5, 8, proof))).not.toBe(root);
  for (const index of [0, 1, 2, 3, 4, 6, 7]) expect(hexOf(rootFromProof(data[5]!, index, 8, proof))).not.toBe(root);
  for (const index of [-1, 8, 13]) expect(rootFromProof(data[5]!, index, 8, proof)).toBeUndefined();
  expect(rootFromProof(data[5]!, 5, 8, proof.slice(1))).toBeUndefined();
  expect(rootFromProof(data[5]!, 5, 8, [...proof, proof[0]!])).toBeUndefined();
  expect(hexOf(rootFromProof(data[5]!, 5, 8, proof.toReversed()))).not.toBe(root);
  // A leaf whose data are the two children of a node does not have the hash of that node.
  const node = Buffer.concat([tree[2]![0]!, tree[2]![1]!]);
  expect(hexOf(rootFromProof(node, 0, 1, []))).not.toBe(root);
});
