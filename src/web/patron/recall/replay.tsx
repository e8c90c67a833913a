import { useEffect, useState } from 'preact/hooks';
import { formatMoney } from '../../../base/formatMoney.ts';
import { type RecalledRound } from '../../../wire/roundRecall.ts';
import { type StakeResultView } from '../../../wire/tableView.ts';
import { PlayingCard } from '../../shared/cards/cards.tsx';
import { gameByVersionedId } from '../../shared/text/oddsText.ts';
import { Icon } from '../../shared/widgets/icons.tsx';
import { language } from '../../shared/text/language.ts';
import { gameName, voidReasonText, wagerName } from '../../shared/text/gameNames.ts';
import {
  handsAfterCards,
  netOfSettlement,
  paidOddsText,
  signedAmountText,
  cardSlotsOf,
  recalledTotalStake,
} from './recalledRound.ts';
import { recallStringsByLanguage, recallStrings } from './strings.ts';

/** Last step of a replay: it shows all cards, and either the result or that the round is still in play. */
const end = Infinity;
const cardMs = 900;

const clockOf = (at: number): string => new Date(at).toTimeString().slice(0, 8);

export function RoundReplay({ round }: { readonly round: RecalledRound }) {
  const t = recallStrings();
  const last = round.cards.length + 1;
  const [step, setStep] = useState(end);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => {
      setStep(step + 1 >= last ? end : step + 1);
      if (step + 1 >= last) setPlaying(false);
    }, cardMs);
    return () => clearTimeout(timer);
  }, [isPlaying, step]);
  const play = (): void => {
    if (!isPlaying && step >= last) setStep(0);
    setPlaying(!isPlaying);
  };
  const goTo = (to: number): void => {
    setPlaying(false);
    setStep(to >= last ? end : to);
  };
  const isOver = step >= last;
  return (
    <section class="replay" data-testid="replay" data-step={isOver ? 'result' : step}>
      <header>
        <b>
          {t.round} #{round.number}
        </b>
        <span>{clockOf(round.at)}</span>
        <span>
          {t.table} {round.table} · {gameName(round.game, gameByVersionedId(round.game)?.name ?? round.game)}
        </span>
        <Badge round={round} isOver={isOver} />
      </header>
      <div class="replay-table">
        <Hand round={round} count={step} side="player" isOver={isOver} />
        <Hand round={round} count={step} side="banker" isOver={isOver} />
      </div>
      <div class="scrub">
        <button type="button" class="key key-icon" aria-label={t.first} onClick={() => goTo(0)}>
          <Icon name="first" />
        </button>
        <button
          type="button"
          class="key key-icon key-gold"
          aria-label={isPlaying ? t.pause : t.play}
          data-testid="replay-play"
          onClick={play}
        >
          <Icon name={isPlaying ? 'pause' : 'play'} />
        </button>
        <button
          type="button"
          class="key key-icon"
          aria-label={t.next}
          data-testid="replay-next"
          disabled={isOver}
          onClick={() => goTo(step + 1)}
        >
          <Icon name="next" />
        </button>
        <ol class="scrub-line" aria-label={t.steps}>
          {cardSlotsOf(round).map((slot, place) => (
            <li
              key={slot}
              class={`is-${slot[0]}${place < step ? '' : ' is-upcoming'}${place === step - 1 ? ' is-now' : ''}`}
              {...(place === step - 1 && { 'aria-current': 'step' })}
            >
              <i />
              {t.slots[slot[0] as 'P' | 'B']}
              {slot[1]}
            </li>
          ))}
          <li class={isOver ? 'is-now' : 'is-upcoming'} {...(isOver && { 'aria-current': 'step' })}>
            <i />
            {round.winner === null && round.voidBy === null ? t.inPlay : t.result}
          </li>
        </ol>
      </div>
      <Stakes round={round} isOver={isOver} />
      {isOver && <Notes round={round} />}
    </section>
  );
}

function Badge({ round, isOver }: { readonly round: RecalledRound; readonly isOver: boolean }) {
  const t = recallStrings();
  if (!isOver) return null;
  const texts = [
    ...(round.voidBy !== null ? [t.void] : round.winner === null ? [t.inPlay] : [t.winners[round.winner]]),
    ...(round.corrected ? [t.corrected] : []),
  ];
  return (
    <span class="replay-badges">
      {texts.map((text) => (
        <span key={text} class="badge">
          {text}
        </span>
      ))}
    </span>
  );
}

type HandProps = {
  readonly round: RecalledRound;
  readonly count: number;
  readonly side: 'player' | 'banker';
  readonly isOver: boolean;
};

function Hand({ round, count, side, isOver }: HandProps) {
  const t = recallStrings();
  const { cards, total } = handsAfterCards(round, count)[side];
  const isWinner = isOver && round.voidBy === null && round.winner === side;
  return (
    <div class={`replay-hand is-${side}${isWinner ? ' is-winner' : ''}`}>
      <p>
        {t[side]} {language.value === 'en' && <span lang="zh-Hans">{recallStringsByLanguage.zh[side]}</span>}
        <b>{cards.length === 0 ? '–' : total}</b>
      </p>
      <div>
        {cards.length === 0 ? (
          <i class="replay-blank" />
        ) : (
          cards.map((card, place) => <PlayingCard key={place} card={card} />)
        )}
      </div>
    </div>
  );
}

function Stakes({ round, isOver }: { readonly round: RecalledRound; readonly isOver: boolean }) {
  const t = recallStrings();
  const settled = isOver ? round.settled.at(-1) : undefined;
  const { creditBefore, creditAfter } = round;
  return (
    <table class="stakes">
      <thead>
        <tr>
          <th>{t.wager}</th>
          <th>{t.stake}</th>
          <th>{t.pays}</th>
          <th>{t.result}</th>
          <th>{t.rule}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(round.slip).map(([wager, stake]) => (
          <Stake
            key={wager}
            wager={wager}
            stake={stake}
            round={round}
            paid={settled?.paid.find((one) => one.wager === wager)}
          />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td data-testid="recall-credit">
            {t.credit} {formatMoney(creditBefore)}
            {isOver && ` → ${formatMoney(creditAfter)}`}
          </td>
          <td>{formatMoney(recalledTotalStake(round))}</td>
          <td />
          <td data-testid="recall-net">{settled ? signedAmountText(netOfSettlement(settled)) : '–'}</td>
          <td />
        </tr>
      </tfoot>
    </table>
  );
}

type StakeProps = {
  readonly wager: string;
  readonly stake: number;
  readonly round: RecalledRound;
  readonly paid: StakeResultView | undefined;
};

/** The odds at which a stake was paid; for a push the word “push”, as on the spot. [ETG 1.1.10, FAB 4.1] */
function paysText(paid: StakeResultView): string {
  const t = recallStrings();
  const texts = { win: paidOddsText(paid), push: t.push, lose: '–', void: t.stakeBack };
  return texts[paid.result];
}

function Stake({ wager, stake, round, paid }: StakeProps) {
  const t = recallStrings();
  const name = wagerName(wager, gameByVersionedId(round.game)?.wagers[wager]?.name ?? wager);
  return (
    <tr class={paid?.result === 'win' ? 'is-up' : ''} data-wager={wager} data-result={paid?.result}>
      <td>
        {name} <small class="stakes-rule">{paid?.by}</small>
      </td>
      <td>{formatMoney(stake)}</td>
      <td>{paid === undefined ? '–' : paysText(paid)}</td>
      <td>
        {paid !== undefined && paid.commission > 0 && (
          <small class="stakes-gross">
            {signedAmountText(paid.won + paid.commission)} − {formatMoney(paid.commission)} {t.comm}
          </small>
        )}{' '}
        {paid === undefined ? '–' : signedAmountText(paid.returned - paid.stake)}
      </td>
      <td>{paid?.by ?? '–'}</td>
    </tr>
  );
}

/** Notes on a round: why it is void, and its result before and after a correction. */
function Notes({ round }: { readonly round: RecalledRound }) {
  const t = recallStrings();
  const { voidBy, reason, settled } = round;
  const [first, now] = [settled[0], settled.at(-1)];
  return (
    <>
      {voidBy !== null && (
        <p class="recall-note" data-testid="recall-void">
          {t.voided} {reason !== null && voidReasonText(reason)} <span class="recall-clause">{voidBy}</span>
        </p>
      )}
      {round.corrected && first !== undefined && now !== undefined && (
        <p class="recall-note" data-testid="recall-corrected">
          {t.settledAgain(signedAmountText(netOfSettlement(first)), signedAmountText(netOfSettlement(now)))}{' '}
          {now.short > 0 && t.short(formatMoney(now.short))}
        </p>
      )}
    </>
  );
}
