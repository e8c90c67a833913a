import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { SmallCard, rankText } from '../../kit/components/card.tsx';
import { isMirrored } from '../../kit/input/displayPreferences.ts';
import { BettingCountdown } from '../../kit/components/countdowns.tsx';
import { HandOrTieSign } from '../../kit/components/handOrTieSign.tsx';
import { language } from '../../../shared/text/language.ts';
import { staffServerTimeMs } from '../../app/state.ts';
import { typedRank } from '../state.ts';
import { dealerStrings } from '../strings.ts';

type Round = NonNullable<DealerView['round']>;

const slotsOf = { player: ['P3', 'P1', 'P2'], banker: ['B1', 'B2', 'B3'] } as const;

/** Items from left to right. The order is reversed for a dealer who stands behind the layout. */
const inScreenOrder = <T,>(all: readonly T[]): readonly T[] => (isMirrored.value ? all.toReversed() : all);

/** One slot of a hand: its card, a gap for the card that is due, or a note that the hand gets no third card. */
function Slot({ view, slot }: { readonly view: DealerView; readonly slot: string }) {
  const t = dealerStrings();
  const { round, phase, due, deck } = view;
  const cards = round?.cards ?? [];
  const dealt = cards.find((one) => one.slot === slot);
  if (dealt) {
    const isLast = cards.at(-1) === dealt && phase === 'dealing';
    return (
      <div class={`slot${isLast ? ' last' : ''}`}>
        <SmallCard card={dealt.card} />
        <small>{slot}</small>
      </div>
    );
  }
  if (due === slot && phase === 'dealing') {
    const suit = deck === 'elements' ? '1' : '';
    return (
      <div class="slot due" data-due={slot}>
        <div class="hole">{typedRank.value === '' ? '' : rankText(typedRank.value, suit)}</div>
        <small>{t.due(slot)}</small>
      </div>
    );
  }
  const isThird = slot.endsWith('3');
  // A void round has no winner. Its empty slots then stay blank instead of saying that a hand stands.
  const isEnded = phase !== 'dealing' && (round?.winner ?? null) !== null;
  const hasNoCard = isThird && cards.length > 3 && (isEnded || (slot === 'P3' && due === 'B3'));
  const natural = cards.length === 4;
  return (
    <div class={`slot${hasNoCard ? ' no' : ''}`}>
      <div class="hole">{hasNoCard ? (natural ? t.noCard : t.stands) : slot}</div>
      <small>&nbsp;</small>
    </div>
  );
}

/** Totals of both hands. Once the round has ended, the losing hand is dimmed. */
function Score({ view: { round, phase } }: { readonly view: DealerView }) {
  const t = dealerStrings();
  const cards = round?.cards.length ?? 0;
  const isOver = phase === 'result' || phase === 'idle' || phase === 'paying' || phase === 'closed';
  const winnerClass = isOver && round?.winner ? ` win-${round.winner[0]}` : '';
  const name = (sign: string, text: string): string => (language.value === 'zh' ? sign : `${sign} ${text}`);
  return (
    <div class={`score${winnerClass}`} role="group" aria-label={t.score}>
      {inScreenOrder([
        <div key="p" class={`p${cards > 0 ? '' : ' none'}`}>
          <b>{cards > 0 ? round!.player.total : '–'}</b>
          <small>{name('闲', t.sides.player)}</small>
        </div>,
        <div key="b" class={`b${cards > 1 ? '' : ' none'}`}>
          <b>{cards > 1 ? round!.banker.total : '–'}</b>
          <small>{name('庄', t.sides.banker)}</small>
        </div>,
      ])}
    </div>
  );
}

/**
 * Countdown to the end of bets. After the call “No more bets” it runs through the grace period, in which slips may
 * still arrive.
 */
function BetTimer({ view, round }: { readonly view: DealerView; readonly round: Round }) {
  const t = dealerStrings();
  const isStopped = view.stopped !== null || view.referred.length > 0;
  if (isStopped) return <BettingCountdown leftMs={1} totalMs={1} text="–" unit={t.paused} tone="paused" />;
  const isClosing = view.phase === 'closing';
  const until = isClosing ? (round.deadline ?? round.closesAt) + view.grace : round.closesAt;
  const leftMs = Math.max(0, until - staffServerTimeMs.value);
  const text = isClosing && leftMs < 9_950 ? (leftMs / 1000).toFixed(1) : String(Math.ceil(leftMs / 1000));
  const totalMs = isClosing ? Math.max(view.grace, 2_000) : view.bettingTime;
  return (
    <BettingCountdown
      leftMs={leftMs}
      totalMs={totalMs}
      text={text}
      unit={t.seconds}
      tone={isClosing || leftMs < 5_000 ? 'soon' : ''}
    />
  );
}

export function DealerHands({ view }: { readonly view: DealerView }) {
  const isBetting = view.phase === 'betting' || view.phase === 'closing';
  const isTimed = isBetting && view.round !== null && view.bets === 'terminals';
  const hand = (side: 'player' | 'banker') => (
    <div key={side} class={`hand ${side[0]}`}>
      <HandOrTieSign side={side} />
      <div class="slots">
        {inScreenOrder(slotsOf[side]).map((slot) => (
          <Slot key={slot} view={isBetting ? { ...view, round: null } : view} slot={slot} />
        ))}
      </div>
    </div>
  );
  return (
    <div class="hands">
      {inScreenOrder([
        hand('player'),
        isTimed ? (
          <BetTimer key="time" view={view} round={view.round} />
        ) : (
          <Score key="score" view={isBetting ? { ...view, round: null } : view} />
        ),
        hand('banker'),
      ])}
    </div>
  );
}
