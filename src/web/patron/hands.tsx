import { handsOf } from '../../rules/play.ts';
import { type Card } from '../../rules/card.ts';
import { CardFace } from '../shared/cards.tsx';
import { checked } from './proof.ts';
import { view } from './state.ts';
import { words } from './words.ts';

/** Which place of the deal each card of a hand has. */
function placesOf(cards: readonly string[]): {
  readonly player: readonly number[];
  readonly banker: readonly number[];
} {
  const places: { player: number[]; banker: number[] } = { player: [], banker: [] };
  const seen = { player: 0, banker: 0 };
  cards.forEach((_, place) => {
    const hands = handsOf(cards.slice(0, place + 1) as Card[]);
    const side = hands.player.length > seen.player ? 'player' : 'banker';
    seen[side] += 1;
    places[side].push(place);
  });
  return places;
}

function Hand({ side }: { side: 'player' | 'banker' }) {
  const round = view.value?.round ?? null;
  const t = words();
  const hand = round?.[side] ?? { cards: [], total: 0 };
  const places = placesOf(view.value?.cards.map(({ card }) => card) ?? [])[side];
  const won = round?.winner === side;
  const natural = hand.cards.length === 2 && hand.total >= 8;
  return (
    <section class={`hand ${side}${won ? ' won' : ''}`} aria-label={t[side]}>
      <h2>
        {t[side]}
        <output class="total" aria-label={`${t[side]} ${t.total}`} aria-live="off" data-total={side}>
          {hand.cards.length === 0 ? '–' : hand.total}
        </output>
        {natural && <span class="tag">{t.natural}</span>}
      </h2>
      <div class="cards">
        {hand.cards.map((card, n) => (
          <CardFace key={`${round?.id ?? ''}${n}`} card={card} fits={checked.value[places[n]!]} turned={n === 2} />
        ))}
        {hand.cards.length === 0 && <span class="ghost" aria-hidden="true" />}
        {hand.cards.length < 2 && <span class="ghost" aria-hidden="true" />}
      </div>
    </section>
  );
}

/** The winner in words, once the deal is complete. */
export function winnerWords(): string | null {
  const t = words();
  const winner = view.value?.round?.winner ?? null;
  return winner === null ? null : { player: t.playerWins, banker: t.bankerWins, tie: t.tieGame }[winner];
}

export function Hands() {
  const { round, phase } = view.value ?? { round: null, phase: 'idle' };
  const over = phase === 'idle' || phase === 'result' || phase === 'paying';
  return (
    <div class="hands">
      <Hand side="player" />
      <p class={`verdict ${round?.winner ?? ''}`} data-testid="winner">
        {over && round ? winnerWords() : ''}
      </p>
      <Hand side="banker" />
    </div>
  );
}
