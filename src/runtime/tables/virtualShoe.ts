import { type Card } from '../../rules/card.ts';
import { type Shoe, cardsIn } from '../../rules/shoe.ts';
import { cardProof, shoeRoot, shoeTree } from '../../rules/shoeCommitment.ts';
import { type RandomSource, fairShuffle } from '../ports/random.ts';

/** What the shuffler knows of a virtual shoe, and the table does not until it is dealt or opened. */
export type VirtualShoe = {
  readonly id: string;
  readonly cards: readonly Card[];
  readonly salts: readonly string[];
  readonly root: string;
  /** The card at a place, with what proves that it was committed there. */
  readonly at: (index: number) => { readonly card: Card; readonly salt: string; readonly proof: readonly string[] };
};

export function hiddenShoe(id: string, shoe: Shoe, chance: RandomSource): VirtualShoe {
  const cards = fairShuffle(cardsIn(shoe), chance);
  return shoeFrom(
    id,
    cards,
    cards.map(() => chance.salt()),
  );
}

/** A shoe by its cards and salts. */
export function shoeFrom(id: string, cards: readonly Card[], salts: readonly string[]): VirtualShoe {
  const tree = shoeTree(id, cards, salts);
  return {
    id,
    cards,
    salts,
    root: shoeRoot(tree),
    at: (index) => ({ card: cards[index]!, salt: salts[index]!, proof: cardProof(tree, index) }),
  };
}
