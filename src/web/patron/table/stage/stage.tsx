import { computed } from '@preact/signals';
import { type ComponentChildren } from 'preact';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { parseDeal } from '../../../../rules/deal.ts';
import { type Card } from '../../../../rules/card.ts';
import { type Side } from '../../../../rules/hand.ts';
import { nextSlot } from '../../../../rules/play.ts';
import { gameByVersionedId } from '../../../shared/text/oddsText.ts';
import { language } from '../../../shared/text/language.ts';
import { CountdownRing } from '../../../shared/widgets/countdownRing.tsx';
import { amountToMinimum } from '../../app/slipSignals.ts';
import { terminalViewSignal, tableView } from '../../app/state.ts';
import { badgesOfRound } from '../felt/badges.ts';
import { BilingualText } from '../../../shared/text/bilingualText.tsx';
import { Hand, LastRoundHand, HandTotal, visibleHands, totalOfTurnedCards } from './hands.tsx';
import { BelowMinimumNotice, TableNotice, isNoticeBetweenHands } from '../notices/tableNotice.tsx';
import {
  bettingTimeMsSignal,
  secondsToClose,
  dealtCards,
  isBettingOpenUntilDealerCall,
  lastRoundView,
  tableThemeSignal,
} from '../viewSignals.ts';
import {
  type StageMode,
  type RoundMoneySums,
  isLastRoundShown,
  roundMoneySums,
  stageMode,
  revealState,
  viewMode,
  sumStakeResults,
} from '../scene.ts';
import { screenShape } from '../screenShape.ts';
import { CommonResultCounters, GameWagerCounters } from './shoeCounters.tsx';
import { tableStringInBothLanguages, tableScreenStrings } from '../strings.ts';

// The stage: the two hands and, between the hands, the axis. The axis shows the countdown, the totals, the result or a
// notice.

/** The winner of the round; null until this screen has revealed the result. */
const victor = computed(() => (stageMode.value === 'result' ? tableView.value!.round!.winner! : null));

/** The net result of the patron. A net win is shown in brass, any other result in plain text. */
function Net({ sum }: { sum: RoundMoneySums }) {
  const t = tableScreenStrings();
  const { net, returned, staked } = sum;
  if (net > 0) {
    return (
      <p class="net is-up" data-testid="net">
        <small>{t.youWon}</small> <b>+{formatMoney(net)}</b>
      </p>
    );
  }
  return (
    <p class="net" data-testid="net">
      <small>{net === 0 ? t.even : t.returnedOf(formatMoney(returned), formatMoney(staked))}</small>{' '}
      <b>{net === 0 ? formatMoney(returned) : `−${formatMoney(-net)}`}</b>
    </p>
  );
}

function LastRound() {
  const t = tableScreenStrings();
  const round = lastRoundView.value;
  if (round === null) return null;
  const mine = terminalViewSignal.value?.last;
  const totals = { player: round.player.total, banker: round.banker.total };
  const [one, other] = round.winner === 'banker' ? [totals.banker, totals.player] : [totals.player, totals.banker];
  return (
    <p class="axis-last" data-testid="last">
      <small>{t.lastRound(round.number)}</small>
      {round.winner === null || round.voidBy !== null ? (
        <span>
          <BilingualText {...tableStringInBothLanguages('voided')} /> {round.voidBy}
        </span>
      ) : (
        <span>
          <BilingualText
            en={tableStringInBothLanguages('wins').en[round.winner]}
            zh={tableStringInBothLanguages('wins').zh[round.winner]}
          />{' '}
          <b>
            {one} : {other}
          </b>
        </span>
      )}
      {mine && mine.number === round.number && <LastNet sum={sumStakeResults(mine.paid)} />}
    </p>
  );
}

function LastNet({ sum: { net } }: { sum: RoundMoneySums }) {
  const text = net > 0 ? `+${formatMoney(net)}` : net < 0 ? `−${formatMoney(-net)}` : formatMoney(0);
  return <b class={net > 0 ? 'axis-net is-up' : 'axis-net'}>{text}</b>;
}

function Countdown() {
  if (secondsToClose.value === null) return null;
  if (isBettingOpenUntilDealerCall.value) {
    return (
      <p class="axis-call" data-testid="until-called">
        <BilingualText {...tableStringInBothLanguages('untilCalled')} />
      </p>
    );
  }
  const isInTopBar = screenShape.value === 'phone';
  return (
    <span {...(isInTopBar ? { 'aria-hidden': true } : { 'data-testid': 'count' })}>
      <CountdownRing left={secondsToClose.value * 1000} total={bettingTimeMsSignal.value} size="ring-big" />
    </span>
  );
}

/** Says which hand draws a third card, once the first four cards are turned. [ETG 3.8] */
function ThirdCall() {
  const { turned } = revealState.value;
  if (turned < 4) return <p class="axis-call" />;
  const slot = nextSlot(dealtCards.value.slice(0, turned).map(({ card }) => card as Card));
  const third = tableStringInBothLanguages('third');
  if (slot === 'P3') return <Call en={third.en.player} zh={third.zh.player} />;
  if (slot === 'B3') return <Call en={third.en.banker} zh={third.zh.banker} />;
  return turned === 4 ? <Call {...tableStringInBothLanguages('noThird')} /> : <p class="axis-call" />;
}

const Call = ({ en, zh }: { en: string; zh: string }) => (
  <p key={en} class="axis-call" data-testid="third">
    <BilingualText en={en} zh={zh} />
  </p>
);

function Badges() {
  const { game, decks } = tableView.value!;
  const data = gameByVersionedId(game.version);
  const deal =
    data &&
    parseDeal(
      dealtCards.value.map(({ card }) => card),
      { deck: data.deck, decks },
    );
  if (data === undefined || deal === undefined || !('facts' in deal)) return null;
  const badges = badgesOfRound(data, deal.facts);
  return (
    <p class="badges">
      {badges.map(({ en, zh }) => (
        <span key={en} class="badge">
          {language.value === 'zh' ? zh : en}
        </span>
      ))}
    </p>
  );
}

const resultClass = (side: Side, winner: string, level: string, won: string, beaten: string): string =>
  winner === 'tie' ? level : winner === side ? won : beaten;

function Verdict() {
  const winner = victor.value!;
  const hands = visibleHands.value;
  const wins = tableStringInBothLanguages('wins');
  const scoreMark = (side: Side): string => resultClass(side, winner, 'is-level', 'is-won', 'is-beaten');
  return (
    <div class="axis axis-verdict">
      <p class={`winner winner-${winner}`} data-testid="winner">
        <BilingualText en={wins.en[winner]} zh={wins.zh[winner]} />
      </p>
      <div class="axis-scores">
        <HandTotal side="player" total={totalOfTurnedCards(hands.player)} mark={scoreMark('player')} />
        <span class="axis-v" aria-hidden="true" />
        <HandTotal side="banker" total={totalOfTurnedCards(hands.banker)} mark={scoreMark('banker')} />
      </div>
      <div class="axis-foot">
        <Badges />
        {roundMoneySums.value !== null && <Net sum={roundMoneySums.value} />}
      </div>
    </div>
  );
}

function Dealing() {
  const hands = visibleHands.value;
  return (
    <div class="axis axis-dealing">
      <div class="axis-scores">
        <HandTotal side="player" total={totalOfTurnedCards(hands.player)} />
        <span class="axis-v" aria-hidden="true" />
        <HandTotal side="banker" total={totalOfTurnedCards(hands.banker)} />
      </div>
      <ThirdCall />
    </div>
  );
}

/** Axis of a void round: the totals stay visible, with the clause of the void and the returned stakes. */
function Voided() {
  const hands = visibleHands.value;
  return (
    <div class="axis axis-verdict axis-void">
      <p class="winner" data-testid="voided">
        <BilingualText {...tableStringInBothLanguages('roundVoid')} />
      </p>
      <div class="axis-scores">
        <HandTotal side="player" total={totalOfTurnedCards(hands.player)} mark="is-beaten" />
        <span class="axis-v" aria-hidden="true" />
        <HandTotal side="banker" total={totalOfTurnedCards(hands.banker)} mark="is-beaten" />
      </div>
      <div class="axis-foot">
        <code class="clause">{tableView.value!.round!.voidBy}</code>
        {roundMoneySums.value !== null && <Net sum={roundMoneySums.value} />}
      </div>
    </div>
  );
}

function Waiting() {
  return (
    <div class={`axis axis-waiting${amountToMinimum.value === undefined ? '' : ' is-lacking'}`}>
      {viewMode.value === 'cards' && <Countdown />}
      <BelowMinimumNotice />
      <LastRound />
    </div>
  );
}

function SideOf({ side }: { side: Side }) {
  if (isLastRoundShown.value) {
    const lastHand = lastRoundView.value?.[side];
    return (
      <div key="last" class={`hand hand-${side} hand-last${(lastHand?.cards.length ?? 0) > 2 ? ' has-third' : ''}`}>
        {lastHand && <LastRoundHand side={side} cards={lastHand.cards} />}
        {lastHand && <HandTotal side={side} total={lastHand.total} />}
      </div>
    );
  }
  const winner = victor.value;
  const mark =
    stageMode.value === 'void'
      ? 'is-void'
      : winner === null
        ? ''
        : resultClass(side, winner, 'is-level', 'is-winner', 'is-loser');
  return <Hand side={side} hand={visibleHands.value[side]} mark={mark} />;
}

const middles: { readonly [S in StageMode]: () => ComponentChildren } = {
  betting: Waiting,
  waiting: Waiting,
  dealing: Dealing,
  result: Verdict,
  void: Voided,
};

export function Stage() {
  const { emblem } = tableThemeSignal.value;
  const winner = victor.value;
  const isUp = (roundMoneySums.value?.net ?? 0) > 0;
  const taken = isNoticeBetweenHands.value;
  const Axis = taken ? TableNotice : middles[stageMode.value];
  return (
    <section
      // On a phone the cards of the deal and of the last round have different positions, so a new `key` renders the
      // stage anew.
      key={screenShape.value === 'phone' && !isLastRoundShown.value ? 'deal' : 'stage'}
      class={`stage stage-${stageMode.value}${taken ? ' has-notice' : ''}${winner && isUp ? ` won-${winner}` : ''}`}
    >
      <Timeline />
      {emblem !== '' && (
        <span class="emblem" aria-hidden="true">
          {emblem}
        </span>
      )}
      <aside class="flank flank-left">
        <CommonResultCounters />
      </aside>
      <SideOf side="player" />
      <Axis />
      <SideOf side="banker" />
      <aside class="flank flank-right">
        <GameWagerCounters />
      </aside>
    </section>
  );
}

/** The time left until bets close, as a line that shrinks towards its middle. */
function Timeline() {
  if (secondsToClose.value === null || isBettingOpenUntilDealerCall.value) return null;
  const left = Math.min(1, (secondsToClose.value * 1000) / bettingTimeMsSignal.value);
  return <i class="timeline" style={{ '--left': left }} aria-hidden="true" />;
}
