import { computed } from '@preact/signals';
import { bilingualWagerName } from '../../../shared/text/gameNames.ts';
import { winningTotalOfStripWager } from '../felt/bettingLayouts.ts';
import { tableView } from '../../app/state.ts';
import { language } from '../../../shared/text/language.ts';
import { shoeResultCountsSignal, offeredSpots, shoeResultsSignal, shoeSignal } from '../viewSignals.ts';
import { stageMode } from '../scene.ts';
import { tableStringInBothLanguages, tableScreenStrings } from '../strings.ts';

// Counters of results in this shoe. The four counters of every game are on the left, the counters of the game's own
// wagers on the right.

type Counter = {
  readonly name: { readonly en: string; readonly zh: string };
  readonly mark: string;
  readonly value: number;
  readonly moved: boolean;
  readonly side?: 'banker' | 'player' | 'tie';
  readonly id: string;
};

const mains = new Set(['player', 'tie', 'banker']);

/** Wagers that share one counter, such as a pair on either hand. */
const sharedCounters = [
  { id: 'red', key: 'red', mark: '红', wagers: ['player-red', 'banker-red'] },
  { id: 'black', key: 'black', mark: '黑', wagers: ['player-black', 'banker-black'] },
  { id: 'precious-pair', key: 'preciousPair', mark: '对', wagers: ['player-precious-pair', 'banker-precious-pair'] },
] as const;

/** The finished round that the counters already include; null if there is none. */
const countedRound = computed(() => {
  const round = stageMode.value === 'result' ? (tableView.value?.round ?? null) : null;
  return (round?.won ?? null) === null ? null : round;
});

function commonCounters(): readonly Counter[] {
  const won = countedRound.value?.winner;
  const isNatural = countedRound.value !== null && (shoeResultsSignal.value.at(-1)?.includes('n') ?? false);
  const names = { banker: ['Banker', '庄'], player: ['Player', '闲'], tie: ['Tie', '和'] } as const;
  return [
    ...(['banker', 'player', 'tie'] as const).map((side) => ({
      id: side,
      name: { en: names[side][0], zh: names[side][1] },
      mark: names[side][1],
      value: shoeResultCountsSignal.value[side],
      moved: won === side,
      side,
    })),
    {
      id: 'natural',
      name: tableStringInBothLanguages('natural'),
      mark: '8/9',
      value: shoeResultCountsSignal.value.naturals,
      moved: isNatural,
    },
  ];
}

function ownCounters(): readonly Counter[] {
  const won = new Set(countedRound.value?.won);
  const count = (wager: string): number => shoeResultCountsSignal.value.wagers[wager] ?? 0;
  const offered = offeredSpots.value.filter(
    ({ wager }) => !mains.has(wager) && winningTotalOfStripWager(wager) === undefined,
  );
  const isMany = offered.length > 5;
  const sums = isMany
    ? sharedCounters.filter(({ wagers }) => wagers.every((id) => offered.some(({ wager }) => wager === id)))
    : [];
  const summed = new Set<string>(sums.flatMap(({ wagers }) => wagers));
  return [
    // Where Small Tiger and Big Tiger have counters, Tiger needs none: it wins whenever either of them wins.
    ...offered
      .filter(({ wager }) => !summed.has(wager) && !(wager === 'tiger' && offered.length > 4))
      .map(({ wager, name }) => {
        const names = bilingualWagerName(wager, name);
        const counted = { id: wager, value: count(wager), moved: won.has(wager) };
        // "Player Pair" is shown as "Pair" beside the sign of Player.
        const [, hand, rest] = /^(Player|Banker) (.+)$/.exec(names.en) ?? [];
        if (hand === undefined || language.value === 'zh') return { ...counted, name: names, mark: names.zh };
        const side = hand === 'Player' ? ('player' as const) : ('banker' as const);
        return { ...counted, name: { en: rest!, zh: names.zh }, mark: names.zh[0]!, side };
      }),
    ...sums.map(({ id, key, mark, wagers }) => ({
      id,
      name: tableStringInBothLanguages(key),
      mark,
      value: wagers.reduce((sum, wager) => sum + count(wager), 0),
      moved: wagers.some((wager) => won.has(wager)),
    })),
  ];
}

function Counters({ of, mark }: { of: readonly Counter[]; mark: string }) {
  return (
    <ul class={`tally ${mark}`}>
      {of.map(({ id, name, mark: sign, value, moved, side }) => (
        <li key={id} class={`${side === undefined ? '' : `is-${side}`}${moved ? ' is-moved' : ''}`} data-counter={id}>
          <span class="tally-mark" lang="zh-Hans" aria-hidden={language.value === 'en'}>
            {language.value === 'zh' && id === 'natural' ? name.zh : sign}
          </span>
          <span class="tally-name">{language.value === 'en' ? name.en : ''}</span>
          <small class="tally-more">{moved ? '+1' : ''}</small>
          <b>{value}</b>
        </li>
      ))}
    </ul>
  );
}

export const CommonResultCounters = () => <Counters of={commonCounters()} mark="tally-common" />;
export const GameWagerCounters = () => <Counters of={ownCounters()} mark="tally-own" />;

/** Shows how many cards have left the shoe, and the position of its cutting card. [ETG 3.10] */
export function ShoeProgressBar() {
  const t = tableScreenStrings();
  if (shoeSignal.value === null) return null;
  const { out, cards, cut, cuttingCardOut } = shoeSignal.value;
  return (
    <div class={`shoe${cuttingCardOut ? ' is-ending' : ''}`} data-testid="shoe">
      <span class="shoe-label">{cuttingCardOut ? t.cutOut : t.shoe}</span>
      <span class="shoe-bar" style={{ '--out': out / cards, '--cut': (cut ?? cards) / cards }} aria-hidden="true">
        <i />
        {cut !== null && <u />}
      </span>
      <span class="shoe-count" title={t.shoeCards(out, cards)}>
        <b>{out}</b> / {cards}
      </span>
    </div>
  );
}
