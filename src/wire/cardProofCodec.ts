import { type DealtCardView } from './tableView.ts';

// The Merkle proofs of two consecutive cards often end with the same hashes. A proof is sent without these last hashes
// of the previous proof; `shared` is their number.

type Proven = {
  readonly card: string;
  readonly index?: number;
  readonly salt?: string;
  readonly proof?: readonly string[];
};

/** Shortens each proof by its last hashes that also end the proof of the previous card. */
export const packProofs = (cards: readonly Proven[]): readonly DealtCardView[] =>
  cards.map((dealt, position) => {
    const { proof } = dealt;
    if (proof === undefined) return { card: dealt.card };
    const shared = sharedLength(cards[position - 1]?.proof ?? [], proof);
    return { ...dealt, proof: proof.slice(0, proof.length - shared), shared };
  });

export function unpackProofs(cards: readonly DealtCardView[]): readonly Proven[] {
  let before: readonly string[] = [];
  return cards.map(({ shared = 0, ...dealt }) => {
    if (dealt.proof === undefined) return dealt;
    const proof = [...dealt.proof, ...before.slice(before.length - shared)];
    before = proof;
    return { ...dealt, proof };
  });
}

function sharedLength(one: readonly string[], other: readonly string[]): number {
  let shared = 0;
  while (shared < Math.min(one.length, other.length) && one.at(-1 - shared) === other.at(-1 - shared)) shared++;
  return shared;
}
