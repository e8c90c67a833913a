import { expect, test } from 'vitest';
import { unpackProofs, packProofs } from './cardProofCodec.ts';

const proven = (card: string, proof: readonly string[]) => ({ card, index: 0, salt: 's', proof });

test('packProofs drops the hashes shared with the previous card and unpackProofs restores them', () => {
  const cards = [
    proven('KD', ['a', 'b', 'c', 'd']),
    proven('7S', ['x', 'b', 'c', 'd']),
    proven('3C', ['y', 'z', 'd']),
    proven('9H', ['y', 'z', 'd']),
    proven('2C', ['q']),
  ];
  const sent = packProofs(cards);
  expect(sent.map(({ proof, shared }) => [proof, shared])).toEqual([
    [['a', 'b', 'c', 'd'], 0],
    [['x'], 3],
    [['y', 'z'], 1],
    [[], 3],
    [['q'], 0],
  ]);
  expect(unpackProofs(sent)).toEqual(cards);
});

test('packProofs keeps cards of a live shoe without proof', () => {
  expect(packProofs([{ card: 'KD' }, { card: '7S' }])).toEqual([{ card: 'KD' }, { card: '7S' }]);
  expect(unpackProofs([{ card: 'KD' }, { card: '7S' }])).toEqual([{ card: 'KD' }, { card: '7S' }]);
});
