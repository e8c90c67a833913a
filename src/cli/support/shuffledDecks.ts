import { type RandomSource, fairShuffle } from '../../runtime/ports/random.ts';
import { type Card, cardsOf } from '../../rules/card.ts';
import { type ScanFormat } from '../../rules/scanFormat.ts';
import { formatScan } from '../../rules/cardScan.ts';
import { type ServerMessageOf } from '../../wire/messages.ts';

type Due = Omit<ServerMessageOf<'due'>, 'type'>;

/** Shuffled decks for whoever has no cards: one order for each shoe that the table has. */
export class ShuffledDecks {
  readonly #chance: RandomSource;
  readonly #format: ScanFormat;
  #shoe: string | undefined;
  /** By the number of cards that are out before it; nothing for those that were out when the shoe was first heard of. */
  #order: readonly (Card | undefined)[] = [];

  constructor(chance: RandomSource, format: ScanFormat) {
    this.#chance = chance;
    this.#format = format;
  }

  /** The scan of what comes out of the shoe next, if the table waits for a card. */
  next({ slot, burn, shoe }: Due): string | undefined {
    if (shoe === null || (slot === null && !burn)) return undefined;
    if (this.#shoe !== shoe.id) this.#prepare(shoe);
    const { size, out, behind, cuttingCardOut } = shoe;
    if (!burn && !cuttingCardOut && behind !== null && out >= size - behind) return this.#format.cut;
    const card = this.#order[out];
    return card && formatScan(card, this.#format);
  }

  /** All cards that nobody has seen yet, shuffled; those that were laid aside unseen are among the ones that stay. */
  #prepare({ id, deck, decks, out, seen }: NonNullable<Due['shoe']>): void {
    const left = cardsOf(deck).flatMap((card) => Array<Card>(Math.max(0, decks - (seen[card] ?? 0))).fill(card));
    this.#order = [...Array<undefined>(out).fill(undefined), ...fairShuffle(left, this.#chance)];
    this.#shoe = id;
  }
}
