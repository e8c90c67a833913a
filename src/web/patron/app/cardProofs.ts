import { computed } from '@preact/signals';
import { type Card } from '../../../rules/card.ts';
import { committedIndex, isCommittedCard } from '../../../rules/shoeCommitment.ts';
import { unpackProofs } from '../../../wire/cardProofCodec.ts';
import { type PublicTableView } from '../../../wire/tableView.ts';
import { tableView } from './state.ts';

// Checks of the dealt cards against the commitment (Merkle root) that this page first received for their shoe. If the
// server later sends another root for the same shoe, the checks fail.

const roots = new Map<string, string>();
const results = new Map<string, boolean>();

function check({ round, shoe, cards }: PublicTableView): readonly (boolean | undefined)[] {
  if (round === null) return [];
  if (shoe !== null && shoe.root !== null && !roots.has(shoe.id)) roots.set(shoe.id, shoe.root);
  return unpackProofs(cards).map(({ card, index, salt, proof }, n) => {
    const key = `${round.id} ${n} ${card}`;
    const earlier = results.get(key);
    if (earlier !== undefined) return earlier;
    // A view can lack the shoe while it still shows cards of that shoe. These cards were checked before: see `results`.
    if (shoe === null || shoe.cutPosition === null || !round.id.includes(`/${shoe.id}/`)) return undefined;
    const root = roots.get(shoe.id);
    if (root === undefined || index === undefined || salt === undefined || proof === undefined) return undefined;
    const expectedIndex = committedIndex(shoe.cards, shoe.cutPosition, shoe.out - cards.length + n);
    const fits =
      root === shoe.root &&
      index === expectedIndex &&
      isCommittedCard({ shoe: shoe.id, size: shoe.cards, root }, index, card as Card, salt, proof);
    results.set(key, fits);
    return fits;
  });
}

/**
 * For each card of the round: true if the card matches the commitment of the server, false if it does not match,
 * undefined if it cannot be checked.
 */
export const cardCommitmentChecks = computed<readonly (boolean | undefined)[]>(() =>
  tableView.value ? check(tableView.value) : [],
);
