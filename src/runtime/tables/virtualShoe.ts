import { type Card } from '../../rules/card.ts';
import { type ShoeDecks, allCardsOfShoe } from '../../rules/shoe.ts';
import { cardProof, shoeRoot, shoeTree } from '../../rules/shoeCommitment.ts';
import { type RandomSource, fairShuffle } from '../ports/random.ts';

/**
 * A shuffled virtual shoe. The table knows only the Merkle root of the shoe, and learns each card when that card is
 * dealt.
 */
export type VirtualShoe = {
  readonly id: string;
  readonly cards: readonly Card[];
  readonly salts: readonly string[];
  readonly root: string;
  /** Returns the card at a position, with the Merkle proof that the root commits to the card. */
  readonly at: (index: number) => { readonly card: Card; readonly salt: string; readonly proof: readonly string[] };
};

export function shuffleVirtualShoe(id: string, shoe: ShoeDecks, random: RandomSource): VirtualShoe {
  const cards = fairShuffle(allCardsOfShoe(shoe), random);
  return virtualShoeOfCards(
    id,
    cards,
    cards.map(() => random.salt()),
  );
}

export function virtualShoeOfCards(id: string, cards: readonly Card[], salts: readonly string[]): VirtualShoe {
  const tree = shoeTree(id, cards, salts);
  return {
    id,
    cards,
    salts,
    root: shoeRoot(tree),
    at: (index) => ({ card: cards[index]!, salt: salts[index]!, proof: cardProof(tree, index) }),
  };
}
