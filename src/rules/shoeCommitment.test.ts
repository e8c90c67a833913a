import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { cardsOfDeck } from './card.ts';
import { cardProof, commitmentScheme, isCommittedCard, isCommittedShoe, shoeRoot, shoeTree } from './shoeCommitment.ts';

const saltOf = (index: number): string => index.toString(16).padStart(64, '0');

test('anyone can check a card and a shoe, whatever its size', () => {
  for (const size of [1, 2, 3, 7, 52, 416]) {
    const cards = Array.from({ length: size }, (_, n) => cardsOfDeck('french')[n % 52]!);
    const salts = cards.map((_, n) => saltOf(n));
    const tree = shoeTree('V1', cards, salts);
    const commitment = { shoe: 'V1', size, root: shoeRoot(tree) };
    for (let index = 0; index < size; index++) {
      const proof = cardProof(tree, index);
      expect(isCommittedCard(commitment, index, cards[index]!, salts[index]!, proof)).toBe(true);
      expect(isCommittedCard({ ...commitment, shoe: 'V2' }, index, cards[index]!, salts[index]!, proof)).toBe(false);
      expect(isCommittedCard(commitment, index, cards[(index + 1) % 52] ?? 'KD', salts[index]!, proof)).toBe(false);
      expect(isCommittedCard(commitment, index, cards[index]!, saltOf(index + 1), proof)).toBe(false);
    }
    expect(isCommittedShoe(commitment, cards, salts)).toBe(true);
    expect(isCommittedShoe(commitment, cards.toReversed(), salts)).toBe(size === 1);
    expect(isCommittedShoe(commitment, cards, salts.slice(1))).toBe(false);
    expect(isCommittedShoe({ ...commitment, size: size + 1 }, cards, salts)).toBe(false);
  }
});

test('a commitment is the same today and tomorrow, and its form is named', () => {
  const sha256 = (mark: number, ...parts: readonly (Buffer | string)[]): Buffer =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha256').update(Uint8Array.of(mark))).digest();
  const leaf = (index: number, card: string): Buffer => sha256(0, `V1|${index}|${saltOf(index + 1)}|${card}`);
  const root = sha256(1, sha256(1, leaf(0, 'KD'), leaf(1, '9S')), leaf(2, 'TH')).toString('hex');
  expect(shoeRoot(shoeTree('V1', ['KD', '9S', 'TH'], [saltOf(1), saltOf(2), saltOf(3)]))).toBe(root);
  expect([commitmentScheme, root]).toEqual([
    'rfc9162-sha256',
    '3c33734621ae7a5820cbbc301b930301a2461761cb9ce545383289dd01281d1e',
  ]);
});
