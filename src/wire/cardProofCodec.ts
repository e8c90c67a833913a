import { type Dealt } from './tableView.ts';

// Cards come out of a committed shoe one after another, so that the ends of their proofs, the way up from where they meet,
// are equal. A proof is sent without what the card before it has shown already.

type Proven = {
  readonly card: string;
  readonly index?: number;
  readonly salt?: string;
  readonly proof?: readonly string[];
};

/** Cards with their whole proofs as they are sent. */
export const packProofs = (cards: readonly Proven[]): readonly Dealt[] =>
  cards.map((dealt, place) => {
    const { proof } = dealt;
    if (proof === undefined) return { card: dealt.card };
    const shared = sharedBy(cards[place - 1]?.proof ?? [], proof);
    return { ...dealt, proof: proof.slice(0, proof.length - shared), shared };
  });

/** Cards as they are sent, with their whole proofs. */
export function unpackProofs(cards: readonly Dealt[]): readonly Proven[] {
  let before: readonly string[] = [];
  return cards.map(({ shared = 0, ...dealt }) => {
    if (dealt.proof === undefined) return dealt;
    const proof = [...dealt.proof, ...before.slice(before.length - shared)];
    before = proof;
    return { ...dealt, proof };
  });
}

/** How many hashes two proofs have in common, from their ends. */
function sharedBy(one: readonly string[], other: readonly string[]): number {
  let shared = 0;
  while (shared < Math.min(one.length, other.length) && one.at(-1 - shared) === other.at(-1 - shared)) shared++;
  return shared;
}
