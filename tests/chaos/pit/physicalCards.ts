import { type RandomSource, fairShuffle } from '../../../src/runtime/ports/random.ts';
import { type Card, cardsOfDeck } from '../../../src/rules/card.ts';
import { gameAndRulebookOf } from '../../../src/table/schema/settings.ts';
import { type Table } from '../../../src/table/state.ts';

/** Physical cards of a table: a shuffled shoe and the dealt cards, independent of what staff key. */
export class PhysicalCards {
  readonly #random: RandomSource;
  #shoe: string | undefined;
  #shoeCards: Card[] = [];
  #round: string | undefined;
  #dealt: Card[] = [];

  constructor(random: RandomSource) {
    this.#random = random;
  }

  /** Cards dealt in the present round, or in the last one. */
  cardsOf(table: Table): readonly Card[] {
    this.#update(table);
    return this.#dealt;
  }

  /** Card at an index of the round; drawn from the shoe if it is not dealt yet. */
  draw(table: Table, index: number): Card {
    this.#update(table);
    while (this.#dealt.length <= index) this.#dealt.push(this.#shoeCards.pop() ?? this.anyCard(table));
    return this.#dealt[index]!;
  }

  /** Any card of the game that the shoe may still contain. */
  anyCard(table: Table): Card {
    const { game } = gameAndRulebookOf(table.settings);
    const seen: { readonly [card: string]: number } = table.shoe?.seen ?? {};
    const cards = cardsOfDeck(game.deck).filter((card) => (seen[card] ?? 0) < table.settings.decks);
    return cards[this.#random.below(cards.length)]!;
  }

  /** A correct count of a full shoe. */
  fullCount({ settings }: Table): { readonly [card: string]: number } {
    return Object.fromEntries(cardsOfDeck(gameAndRulebookOf(settings).game.deck).map((card) => [card, settings.decks]));
  }

  #update(table: Table): void {
    const { shoe, round } = table;
    if (shoe !== null && shoe.id !== this.#shoe) {
      this.#shoe = shoe.id;
      const cards = cardsOfDeck(gameAndRulebookOf(table.settings).game.deck);
      this.#shoeCards = [
        ...fairShuffle(Array.from({ length: table.settings.decks }, () => cards).flat(), this.#random),
      ];
    }
    if (round?.id === this.#round) return;
    this.#round = round?.id;
    this.#dealt = [];
  }
}
