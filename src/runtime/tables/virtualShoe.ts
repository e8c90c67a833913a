import { type Card } from '../../rules/card.ts';
import { type Shoe, cardsIn } from '../../rules/shoe.ts';
import { cardProof, shoeRoot, shoeTree } from '../../rules/shoeCommitment.ts';
import { type RandomSource, fairShuffle } from '../ports/random.ts';

/** A shuffled virtual shoe. The table knows only its root until cards are dealt. */
export type VirtualShoe = {
  readonly id: string;
  readonly cards: readonly Card[];
  readonly salts: readonly string[];
  readonly root: string;
  /** The card at a position, with the proof that it was committed there. */
  readonly at: (index: number) => { readonly card: Card; readonly salt: string; readonly proof: readonly string[] };
};

export function shuffledShoe(id: string, shoe: Shoe, random: RandomSource): VirtualShoe {
  const cards = fairShuffle(cardsIn(shoe), random);
  return virtualShoe(
    id,
    cards,
    cards.map(() => random.salt()),
  );
}

export function virtualShoe(id: string, cards: readonly Card[], salts: readonly string[]): VirtualShoe {
  const tree = shoeTree(id, cards, salts);
  return {
    id,
    cards,
    salts,
    root: shoeRoot(tree),
    at: (index) => ({ card: cards[index]!, salt: salts[index]!, proof: cardProof(tree, index) }),
  };
}
