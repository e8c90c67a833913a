import { computed } from '@preact/signals';
import { formatMoney, formatShortMoney } from '../../../../base/formatMoney.ts';
import { type Wager } from '../../../../rules/wager.ts';
import { type StakeResultView, type Spot } from '../../../../wire/tableView.ts';
import { ChipFace, ChipStack } from '../../../shared/chips/chips.tsx';
import { Icon } from '../../../shared/widgets/icons.tsx';
import { language } from '../../../shared/text/language.ts';
import { bilingualWagerName } from '../../../shared/text/gameNames.ts';
import { chipsForStake } from '../../../shared/chips/chipStacks.ts';
import { type WagerTerm, wagerTerms, wagerTermsText } from '../../../shared/text/wagerTerms.ts';
import {
  acceptedSlip,
  addSelectedChip,
  enabledBettingActions,
  selectedChipIndex,
  bettingBlockReason,
  visibleStakes,
  spotStatusOf,
  isChipWithinSpotMaximum,
} from '../../app/slipSignals.ts';
import { terminalViewSignal, tableView } from '../../app/state.ts';
import { type SpotStatus } from '../../slip/slipView.ts';
import { BilingualText } from '../../../shared/text/bilingualText.tsx';
import { type SpotResult, spotResultOf } from './spotResult.ts';
import { stakesOfAllPatrons, chipTray, useStableRecord } from '../viewSignals.ts';
import { stageMode } from '../scene.ts';
import { tableScreenStrings } from '../strings.ts';

// Spot of one wager on the felt: name, odds with conditions, limits, stakes of this terminal and of all patrons, and
// the result. A stake is shown as accepted only once the server has accepted it.

const mains = ['player', 'tie', 'banker'];

type SpotView = {
  readonly spot: Spot;
  readonly names: { readonly en: string; readonly zh: string };
  readonly terms: readonly WagerTerm[];
  readonly stake: number;
  /** True when the stake on the felt differs from the stake that the server has accepted. */
  readonly isPending: boolean;
  readonly mark: SpotStatus;
  /** True when bets are open and the selected chip would raise the stake above the maximum of the spot. */
  readonly isFull: boolean;
  readonly fate: SpotResult;
  readonly paid: StakeResultView | undefined;
};

/** The finished round; null until this screen has revealed its result. */
const ended = computed(() =>
  stageMode.value === 'result' || stageMode.value === 'void' ? (tableView.value?.round ?? null) : null,
);

function useSpotView(spot: Spot, wager: Wager): SpotView {
  const { wager: id } = spot;
  const state = useStableRecord(() => {
    const stake = visibleStakes.value[id] ?? 0;
    const round = ended.value;
    const paid = round === null ? undefined : terminalViewSignal.value?.paid?.find((one) => one.wager === id);
    return {
      stake,
      isPending: stake !== (acceptedSlip.value[id] ?? 0),
      mark: spotStatusOf(id),
      isFull:
        enabledBettingActions.value.add && !isChipWithinSpotMaximum(id, chipTray.value[selectedChipIndex.value] ?? 0),
      fate: round === null ? ('open' as const) : spotResultOf(id, paid, round),
      paid,
    };
  });
  return { spot, names: bilingualWagerName(id, spot.name), terms: wagerTerms(wager, language.value), ...state };
}

function labelOf({ spot, names, terms, stake, isPending, mark, isFull, fate, paid }: SpotView): string {
  const t = tableScreenStrings();
  return [
    language.value === 'zh' ? names.zh : names.en,
    `${t.odds} ${wagerTermsText(terms)}`,
    `${t.minimum} ${formatMoney(spot.minimum)}`,
    `${t.maximum} ${formatMoney(spot.maximum)}`,
    ...(stake > 0 ? [`${t.yourStake} ${formatMoney(stake)}`] : []),
    ...(isPending ? [t.waiting] : []),
    ...(mark === 'short' ? [t.belowMinimum] : []),
    ...(mark === 'maybe' ? [t.mayBeIn] : []),
    ...(mark === 'refused' ? [t.refusedHere] : []),
    ...(isFull ? [t.atMaximum] : []),
    ...(paid
      ? [`${t.result[paid.result]}${paid.won > 0 ? ` ${formatMoney(paid.won)}` : ''} ${paid.by}`]
      : fate === 'hit'
        ? [t.hit]
        : []),
  ].join(', ');
}

function classesOf({ stake, isPending, mark, isFull, fate }: SpotView): string {
  return [
    fate === 'open' ? '' : `is-${fate}`,
    stake > 0 ? 'has-mine' : '',
    isPending ? 'is-pending' : '',
    mark === 'short' ? 'is-below' : '',
    mark === 'refused' ? 'is-refused' : '',
    isFull ? 'is-full' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

export const spotLimitsText = ({ minimum, maximum }: Pick<Spot, 'minimum' | 'maximum'>): string =>
  `${formatShortMoney(minimum)} – ${formatShortMoney(maximum)}`;

/** The odds of a wager. If all of them are "to one", a small spot shows ": 1" only once. */
function Odds({ terms }: { terms: readonly WagerTerm[] }) {
  const toOne = ' : 1';
  const odds = terms.map(({ pays }) => pays).filter((pays) => pays.includes(' : '));
  const isEven = odds.every((pays) => pays.endsWith(toOne));
  const last = odds.at(-1);
  const marks = `${terms.length > 1 ? ' is-many' : ''}${terms.length > 4 ? ' is-long' : ''}${isEven ? ' is-even' : ''}`;
  return (
    <span class={`spot-odds odds${marks}`}>
      {terms.map(({ when, pays }) => (
        <span key={when} class={pays === last ? 'term is-last' : 'term'}>
          {when !== '' && <small>{when}</small>}{' '}
          <b>
            {pays.endsWith(toOne) ? pays.slice(0, -toOne.length) : pays}
            {pays.endsWith(toOne) && <span class="per">{toOne}</span>}
          </b>
        </span>
      ))}
    </span>
  );
}

/** The result of a stake: amount and clause. A win also shows its commission, or which of several odds was paid. */
function Result({ paid, terms }: { paid: StakeResultView; terms: readonly WagerTerm[] }) {
  const t = tableScreenStrings();
  const { result, won, commission, stake, by } = paid;
  if (result === 'win') {
    return (
      <span class={`spot-result fate${commission > 0 ? ' has-gross' : ''}`} data-outcome={paid.wager} data-by={by}>
        <b>+{formatMoney(won)}</b>{' '}
        <small>
          {commission > 0 ? (
            <span class="spot-gross">
              {`+${formatMoney(won + commission)} − ${formatMoney(commission)} ${t.commission}`} ·{' '}
            </span>
          ) : (
            terms.length > 1 && <span class="spot-rate">{rateOf(won, stake)} · </span>
          )}
          <span class="spot-by">{by}</span>
        </small>
      </span>
    );
  }
  return (
    <span class="spot-result fate" data-outcome={paid.wager} data-by={by}>
      <b>{result === 'lose' ? `−${formatMoney(stake)}` : t.returned}</b>{' '}
      <small>
        {result === 'void' ? (
          ''
        ) : (
          <span class={result === 'push' ? 'spot-push' : 'spot-rate'}>{t.result[result]} · </span>
        )}
        <span class="spot-by">{by}</span>
      </small>
    </span>
  );
}

/**
 * The odds that were paid, as text, since the spot of a wager with several odds does not show which of them applied.
 */
function rateOf(won: number, stake: number): string {
  const whole = won % stake === 0;
  return whole ? `${won / stake} : 1` : stake % won === 0 ? `1 : ${stake / won}` : `${won / 100} : ${stake / 100}`;
}

/**
 * What all patrons have bet on a spot: total stake and number of patrons. For a main bet (Player, Banker, Tie) also its
 * share of all main bets.
 */
function Crowd({ wager, isMain }: { wager: string; isMain: boolean }) {
  const { stake, bettors } = stakesOfAllPatrons.value[wager] ?? { stake: 0, bettors: 0 };
  const all = mains.reduce((sum, id) => sum + (stakesOfAllPatrons.value[id]?.stake ?? 0), 0);
  const share = isMain && all > 0 ? stake / all : 0;
  return (
    <>
      {isMain && (
        <span class="crowd-bar">
          <i style={{ '--share': share }} />
        </span>
      )}
      <span class="crowd-text">
        <b>{formatShortMoney(stake)}</b>
        <span class="crowd-patrons">
          <Icon name="patrons" />
          {bettors}
        </span>
        {isMain && <em key={share}>{Math.round(share * 100)}%</em>}
      </span>
    </>
  );
}

/** The chips of this terminal on the spot, or the empty position for them. */
function ChipPosition({ view }: { view: SpotView }) {
  const t = tableScreenStrings();
  const { stake, isPending, mark, isFull, fate, spot } = view;
  const flags = {
    short: `< ${formatShortMoney(spot.minimum)}`,
    unsent: t.unsent,
    waiting: t.sending,
    maybe: t.mayBeIn,
    refused: t.refusedHere,
    accepted: isFull ? t.max : null,
  };
  const flag = mark === null || fate !== 'open' ? null : flags[mark];
  return (
    <span class="spot-place">
      {stake > 0 ? (
        <ChipStack
          amount={stake}
          tray={chipTray.value}
          pale={isPending}
          {...(fate === 'won' || fate === 'lost' || fate === 'back' ? { fate } : {})}
        />
      ) : isPending ? (
        <span class="stack is-pending is-gone" data-stake={0}>
          <span class="stack-amount">0</span>
        </span>
      ) : (
        <i class="spot-free" />
      )}
      {flag !== null && <span class="spot-flag">{flag}</span>}
    </span>
  );
}

/** True when a wager has more terms of odds than a spot of normal size can show. */
export const hasManyTerms = (terms: readonly WagerTerm[]): boolean => terms.length > 3;

export function SpotButton({ spot, wager }: { spot: Spot; wager: Wager }) {
  const view = useSpotView(spot, wager);
  const { names, terms, paid, stake } = view;
  const isMain = mains.includes(spot.wager);
  const side = /^(player|banker|tie)(-|$)/.exec(spot.wager)?.[1] ?? (spot.wager.endsWith('-tie') ? 'tie' : '');
  const many = `${terms.length > 1 ? ' has-some' : ''}${terms.length > 2 ? ' has-many' : ''}${hasManyTerms(terms) ? ' has-most' : ''}`;
  return (
    <button
      type="button"
      class={`spot spot-${isMain ? 'main' : 'side'}${side === '' ? '' : ` of-${side}`}${many} ${classesOf(view)}`}
      aria-label={labelOf(view)}
      data-wager={spot.wager}
      data-mark={view.mark}
      {...(bettingBlockReason.value === null ? {} : { 'aria-disabled': true })}
      {...(stake > 0 ? { 'data-staked': stake } : {})}
      onClick={() => addSelectedChip(spot.wager)}
    >
      {isMain && (
        <span class="spot-ghost" aria-hidden="true" lang="zh-Hans">
          {names.zh}
        </span>
      )}
      <span class="spot-body">
        <span class="spot-head">
          <span class={`spot-title name${names.en.length > 14 ? ' is-long' : ''}`}>
            <BilingualText {...names} />
          </span>
          <Odds terms={terms} />
          {isMain && <span class="spot-limit range">{spotLimitsText(spot)}</span>}
        </span>
        {paid && <Result paid={paid} terms={terms} />}
        <ChipPosition view={view} />
        <span class="spot-crowd">
          <Crowd wager={spot.wager} isMain={isMain} />
          {!isMain && <span class="spot-limit range">{spotLimitsText(spot)}</span>}
        </span>
      </span>
    </button>
  );
}

/** The result of a stake in a number strip. A cell has no space for the clause. */
function NumberResult({ paid: { wager, by, result, won, stake } }: { paid: StakeResultView }) {
  const isBack = result === 'push' || result === 'void';
  const amount =
    result === 'win' ? `+${formatShortMoney(won)}` : `${result === 'lose' ? '−' : ''}${formatShortMoney(stake)}`;
  return (
    <span class="num-result fate" data-outcome={wager} data-by={by}>
      {isBack && <span>{tableScreenStrings().returned}</span>} <span>{amount}</span>
    </span>
  );
}

export function NumberSpotButton({
  spot,
  wager,
  total,
  limits,
}: {
  spot: Spot;
  wager: Wager;
  total: number;
  limits: boolean;
}) {
  const view = useSpotView(spot, wager);
  const { stake, terms, paid, isPending, fate } = view;
  const side = /^[a-z]+/.exec(spot.wager)![0];
  const crowd = stakesOfAllPatrons.value[spot.wager]?.stake ?? 0;
  return (
    <button
      type="button"
      class={`num num-${side}${paid ? ' has-result' : ''} ${classesOf(view)}`}
      aria-label={labelOf(view)}
      data-wager={spot.wager}
      data-mark={view.mark}
      {...(bettingBlockReason.value === null ? {} : { 'aria-disabled': true })}
      {...(stake > 0 ? { 'data-staked': stake } : {})}
      onClick={() => addSelectedChip(spot.wager)}
    >
      {stake > 0 && (
        <span class={`num-chip${isPending ? ' is-pending' : ''}`} data-stake={stake} data-pale={isPending}>
          <ChipFace value={chipsForStake(stake, chipTray.value).at(-1)!} />
          <em>{formatShortMoney(stake)}</em>
        </span>
      )}
      {stake === 0 && isPending && (
        <span class="num-chip is-pending is-gone" data-pale="true">
          <em>0</em>
        </span>
      )}
      <span class="num-text">
        <b>{total}</b>
        <span class="num-odds odds">{terms[0]!.pays}</span>
        {limits && <span class="num-limit range">{spotLimitsText(spot)}</span>}
      </span>
      {paid && <NumberResult paid={paid} />}
      {crowd > 0 && fate === 'open' && <i class="num-crowd">{formatShortMoney(crowd)}</i>}
    </button>
  );
}
