import { type RandomSource, fairShuffle } from '../../runtime/ports/random.ts';
import { type Card, cardsOfDeck } from '../../rules/card.ts';
import { type ScanFormat } from '../../rules/scanFormat.ts';
import { formatScan } from '../../rules/cardScan.ts';
import { type ServerMessageOf } from '../../wire/messages.ts';

type DueCard = Omit<ServerMessageOf<'due'>, 'type'>;

/** Simulated card reader of a live table: gives scans of the cards of each shoe in a shuffled order. */
export class DemoCardSource {
  readonly #random: RandomSource;
  readonly #format: ScanFormat;
  #shoeId: string | undefined;
  /**
   * Cards by their index in the shoe. A card that had left the shoe before this program received the first message
   * about the shoe is undefined.
   */
  #order: readonly (Card | undefined)[] = [];

  constructor(random: RandomSource, format: ScanFormat) {
    this.#random = random;
    this.#format = format;
  }

  /** The scan of the next card or of the cutting card; undefined if the table waits for no card. */
  next({ slot, burn, shoe }: DueCard): string | undefined {
    if (shoe === null || (slot === null && !burn)) return undefined;
    if (this.#shoeId !== shoe.id) this.#prepare(shoe);
    const { size, out, behind, cuttingCardOut } = shoe;
    if (!burn && !cuttingCardOut && behind !== null && out >= size - behind) return this.#format.cut;
    const card = this.#order[out];
    return card && formatScan(card, this.#format);
  }

  /** Shuffles the unseen cards of the shoe. A card that was burned face down counts as unseen. */
  #prepare({ id, deck, decks, out, seen }: NonNullable<DueCard['shoe']>): void {
    const unseen = cardsOfDeck(deck).flatMap((card) => Array<Card>(Math.max(0, decks - (seen[card] ?? 0))).fill(card));
    this.#order = [...Array<undefined>(out).fill(undefined), ...fairShuffle(unseen, this.#random)];
    this.#shoeId = id;
  }
}
