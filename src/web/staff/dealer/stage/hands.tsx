import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { Face, rankText } from '../../kit/components/card.tsx';
import { isMirrored } from '../../kit/input/displayPreferences.ts';
import { Timer } from '../../kit/components/countdownRing.tsx';
import { HandSign } from '../../kit/components/handSign.tsx';
import { language } from '../../../shared/text/language.ts';
import { now } from '../../app/state.ts';
import { typed } from '../state.ts';
import { dealerStrings } from '../strings.ts';

type Round = NonNullable<DealerView['round']>;

const slotsOf = { player: ['P3', 'P1', 'P2'], banker: ['B1', 'B2', 'B3'] } as const;

/** From left to right, or as they lie for whoever stands behind the layout. */
const laid = <T,>(all: readonly T[]): readonly T[] => (isMirrored.value ? all.toReversed() : all);

/** One place of a hand: its card, what is due there, or why nothing is. */
function Slot({ view, slot }: { readonly view: DealerView; readonly slot: string }) {
  const t = dealerStrings();
  const { round, phase, due, deck } = view;
  const cards = round?.cards ?? [];
  const dealt = cards.find((one) => one.slot === slot);
  if (dealt) {
    const isLast = cards.at(-1) === dealt && phase === 'dealing';
    return (
      <div class={`slot${isLast ? ' last' : ''}`}>
        <Face card={dealt.card} />
        <small>{slot}</small>
      </div>
    );
  }
  if (due === slot && phase === 'dealing') {
    const suit = deck === 'elements' ? '1' : '';
    return (
      <div class="slot due" data-due={slot}>
        <div class="hole">{typed.value === '' ? '' : rankText(typed.value, suit)}</div>
        <small>{t.due(slot)}</small>
      </div>
    );
  }
  const isThird = slot.endsWith('3');
  // A round that is void came to no end: nobody stood.
  const isEnded = phase !== 'dealing' && (round?.winner ?? null) !== null;
  const over = isThird && cards.length > 3 && (isEnded || (slot === 'P3' && due === 'B3'));
  const natural = cards.length === 4;
  return (
    <div class={`slot${over ? ' no' : ''}`}>
      <div class="hole">{over ? (natural ? t.noCard : t.stands) : slot}</div>
      <small>&nbsp;</small>
    </div>
  );
}

/** Both totals; the hand that has not won is darker once it is over. */
function Score({ view: { round, phase } }: { readonly view: DealerView }) {
  const t = dealerStrings();
  const cards = round?.cards.length ?? 0;
  const isOver = phase === 'result' || phase === 'idle' || phase === 'paying' || phase === 'closed';
  const won = isOver && round?.winner ? ` win-${round.winner[0]}` : '';
  const name = (sign: string, text: string): string => (language.value === 'zh' ? sign : `${sign} ${text}`);
  return (
    <div class={`score${won}`} role="group" aria-label={t.score}>
      {laid([
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

/** The time that bets are still open, or until the last slip may arrive. */
function BetTimer({ view, round }: { readonly view: DealerView; readonly round: Round }) {
  const t = dealerStrings();
  const isHeld = view.stopped !== null || view.referred.length > 0;
  if (isHeld) return <Timer left={1} total={1} text="–" unit={t.paused} how="held" />;
  const isClosing = view.phase === 'closing';
  const until = isClosing ? (round.deadline ?? round.closesAt) + view.grace : round.closesAt;
  const left = Math.max(0, until - now.value);
  const text = isClosing && left < 9_950 ? (left / 1000).toFixed(1) : String(Math.ceil(left / 1000));
  const total = isClosing ? Math.max(view.grace, 2_000) : view.bettingTime;
  return <Timer left={left} total={total} text={text} unit={t.seconds} how={isClosing || left < 5_000 ? 'soon' : ''} />;
}

/** Both hands with what stands between them. */
export function DealerHands({ view }: { readonly view: DealerView }) {
  const isBetting = view.phase === 'betting' || view.phase === 'closing';
  const showsTime = isBetting && view.round !== null && view.bets === 'terminals';
  const hand = (side: 'player' | 'banker') => (
    <div key={side} class={`hand ${side[0]}`}>
      <HandSign side={side} />
      <div class="slots">
        {laid(slotsOf[side]).map((slot) => (
          <Slot key={slot} view={isBetting ? { ...view, round: null } : view} slot={slot} />
        ))}
      </div>
    </div>
  );
  return (
    <div class="hands">
      {laid([
        hand('player'),
        showsTime ? (
          <BetTimer key="time" view={view} round={view.round} />
        ) : (
          <Score key="score" view={isBetting ? { ...view, round: null } : view} />
        ),
        hand('banker'),
      ])}
    </div>
  );
}
