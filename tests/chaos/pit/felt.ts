import { type RandomSource, fairShuffle } from '../../../src/runtime/ports/random.ts';
import { type Card, cardsOf } from '../../../src/rules/card.ts';
import { resolveSettings } from '../../../src/table/schema/settings.ts';
import { type Table } from '../../../src/table/state.ts';

/** What truly lies on a table: a shoe in an order of its own, and the cards that have left it, whatever anybody keys. */
export class Felt {
  readonly #chance: RandomSource;
  #shoe: string | undefined;
  #left: Card[] = [];
  #round: string | undefined;
  #out: Card[] = [];

  constructor(chance: RandomSource) {
    this.#chance = chance;
  }

  /** The cards that have left the shoe for the round that is played, or for the last one. */
  cardsOf(table: Table): readonly Card[] {
    this.#look(table);
    return this.#out;
  }

  /** The card at that place of the round; where none lies there yet it is drawn, and lies there from now on. */
  draw(table: Table, place: number): Card {
    this.#look(table);
    while (this.#out.length <= place) this.#out.push(this.#left.pop() ?? this.any(table));
    return this.#out[place]!;
  }

  /** Any card of the game. */
  any(table: Table): Card {
    const { game } = resolveSettings(table.settings);
    const seen: { readonly [card: string]: number } = table.shoe?.seen ?? {};
    const cards = cardsOf(game.deck).filter((card) => (seen[card] ?? 0) < table.settings.decks);
    return cards[this.#chance.below(cards.length)]!;
  }

  /** What somebody counts in the shoe that is on the table. */
  counted({ settings }: Table): { readonly [card: string]: number } {
    return Object.fromEntries(cardsOf(resolveSettings(settings).game.deck).map((card) => [card, settings.decks]));
  }

  #look(table: Table): void {
    const { shoe, round } = table;
    if (shoe !== null && shoe.id !== this.#shoe) {
      this.#shoe = shoe.id;
      const cards = cardsOf(resolveSettings(table.settings).game.deck);
      this.#left = [...fairShuffle(Array.from({ length: table.settings.decks }, () => cards).flat(), this.#chance)];
    }
    if (round?.id === this.#round) return;
    this.#round = round?.id;
    this.#out = [];
  }
}
