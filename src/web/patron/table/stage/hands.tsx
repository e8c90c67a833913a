import { computed } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { handsOf } from '../../../../rules/play.ts';
import { type Card } from '../../../../rules/card.ts';
import { type Side, totalOf } from '../../../../rules/hand.ts';
import { PlayingCard } from '../../../shared/cards/cards.tsx';
import { cardCommitmentChecks } from '../../app/cardProofs.ts';
import { BilingualText } from '../../../shared/text/bilingualText.tsx';
import { dealtCards } from '../viewSignals.ts';
import { revealState } from '../scene.ts';

/** A card of the round. `place` is its index in the order of the deal. */
type DealtCard = { readonly card: string; readonly place: number };

/** The hands of the round, with only the cards that this screen has already put on the felt. */
export const visibleHands = computed((): { readonly [S in Side]: readonly DealtCard[] } => {
  const { player, banker } = handsOf((dealtCards.value ?? []).map(({ card }) => card as Card));
  const thirdToPlayer = player.length === 3;
  const places = { player: [0, 2, 4], banker: [1, 3, thirdToPlayer ? 5 : 4] };
  const visible = (hand: readonly Card[], side: Side): readonly DealtCard[] =>
    hand.map((card, n) => ({ card, place: places[side][n]! })).filter(({ place }) => place < revealState.value.out);
  return { player: visible(player, 'player'), banker: visible(banker, 'banker') };
});

/** The total of the cards of a hand that are turned face up; undefined while no card is turned. */
export function totalOfTurnedCards(hand: readonly DealtCard[]): number | undefined {
  const cards = hand.filter(({ place }) => place < revealState.value.turned).map(({ card }) => card as Card);
  return cards.length === 0 ? undefined : totalOf(cards);
}

function Slot({ card, place, third }: DealtCard & { third: boolean }) {
  const isTurned = place < revealState.value.turned;
  // A card that is dealt now flies in and is turned. A card that was already on the felt is not animated.
  const isDealt = useRef(!isTurned).current;
  // Memoised, so that a new card does not render the faces of other cards again.
  const fits = cardCommitmentChecks.value[place];
  const [front, back] = useMemo(() => [<PlayingCard card={card} fits={fits} />, <PlayingCard back />], [card, fits]);
  return (
    <span class={`slot${third ? ' slot-third' : ''}${isDealt ? ' is-dealt' : ''}`}>
      <span class={`flip${isTurned ? ' is-turned' : ''}`}>
        <span class="flip-front" aria-hidden={!isTurned}>
          {front}
        </span>
        <span class="flip-back" aria-hidden={isTurned}>
          {back}
        </span>
      </span>
    </span>
  );
}

/** The cards of a side, each in its own slot. The third card lies across, on the outer side. */
export function Hand({ side, hand, mark }: { side: Side; hand: readonly DealtCard[]; mark: string }) {
  const [first, second, third] = [0, 1, 2].map((n) => {
    const dealt = hand[n];
    if (dealt !== undefined)
      return <Slot key={`${revealState.value.round}${dealt.place}`} {...dealt} third={n === 2} />;
    return <span key={`free${n}`} class={n === 2 ? 'slot slot-third' : 'slot'} />;
  });
  return (
    <div key="dealt" class={`hand hand-${side} ${mark}`}>
      <div class="hand-cards">{side === 'player' ? [third, first, second] : [first, second, third]}</div>
    </div>
  );
}

export function LastRoundHand({ side, cards }: { side: Side; cards: readonly string[] }) {
  const slots = cards.map((card, n) => (
    <span key={`${n}${card}`} class={n === 2 ? 'slot slot-third' : 'slot'}>
      <PlayingCard card={card} />
    </span>
  ));
  return <div class="hand-cards">{side === 'player' ? [...slots.slice(2), ...slots.slice(0, 2)] : slots}</div>;
}

const names = { player: { en: 'Player', zh: '闲' }, banker: { en: 'Banker', zh: '庄' } } as const;

export function HandTotal({ side, total, mark = '' }: { side: Side; total: number | undefined; mark?: string }) {
  return (
    <div class={`score score-${side} ${mark}`}>
      <span class="score-name">
        <BilingualText {...names[side]} />
      </span>
      <span class="score-number" data-total={side}>
        {total ?? '–'}
      </span>
    </div>
  );
}
