import { money, shortMoney } from '../../rules/money.ts';
import { type Spot } from '../../wire/views.ts';
import { payRowsOf } from '../shared/paytable.ts';
import { stackOf } from './chips.ts';
import { type Odds, gameOf, oddsOf } from '../shared/figures.ts';
import { intoView } from './frame.tsx';
import { wagerName } from '../shared/names.ts';
import { accepted, add, onFelt } from './slip.ts';
import { isOpen, own, view } from './state.ts';
import { words } from './words.ts';

const main = ['player', 'tie', 'banker'];

/** Odds with more letters than this need a very wide spot. */
const longest = 22;

/** More chips than this make no higher stack. */
const highest = 4;

/** The stake as it lies on the spot; pale until the server has accepted it. */
function Stack({ stake, pale }: { stake: number; pale: boolean }) {
  const { place, chips } = stackOf(stake, view.value!.tray);
  return (
    <span
      class={`chip stake c${place % 5} s${Math.min(chips, highest)}${pale ? ' pale' : ''}`}
      data-stake={stake}
      data-chips={chips}
    >
      {shortMoney(stake)}
    </span>
  );
}

function SpotButton({ spot, odds }: { spot: Spot; odds: Odds }) {
  const t = words();
  const { wager, name, least, most } = spot;
  const stake = onFelt.value[wager] ?? 0;
  const stood = accepted.value[wager] ?? 0;
  const pale = stake !== stood;
  const title = wagerName(wager, name);
  const paid = own.value?.paid?.find((one) => one.wager === wager);
  const side = wager.startsWith('player') ? 'p' : wager.startsWith('banker') ? 'b' : wager.startsWith('tie') ? 't' : '';
  const fate = paid && `${t.result[paid.result]}${paid.result === 'win' ? ` ${shortMoney(paid.won)}` : ''}`;
  const parts = [
    title,
    `${t.odds} ${odds.all}`,
    `${t.minimum} ${money(least)}`,
    `${t.maximum} ${money(most)}`,
    ...(stake > 0 ? [`${t.yourStake} ${money(stake)}`] : []),
    ...(pale ? [t.waiting] : []),
    ...(fate === undefined ? [] : [fate]),
  ];
  const classes = [
    'spot',
    main.includes(wager) ? 'main' : '',
    side,
    isOpen.value ? '' : 'shut',
    stake > 0 ? 'staked' : '',
    paid?.result ?? '',
  ];
  return (
    <button
      type="button"
      class={classes.filter(Boolean).join(' ')}
      aria-label={parts.join(', ')}
      data-wager={wager}
      onClick={() => add(wager)}
    >
      <span class="name">{title}</span>
      <span class="odds">
        {odds.brief !== odds.all && <span class={odds.all.length > longest ? 'all long' : 'all'}>{odds.all}</span>}
        <span class="brief">{odds.brief}</span>
      </span>
      {paid ? (
        <span class={`fate ${paid.result}`}>{fate}</span>
      ) : (
        <span class="range">
          {shortMoney(least)}–{shortMoney(most)}
        </span>
      )}
      {stake > 0 && <Stack stake={stake} pale={pale} />}
      {stake === 0 && pale && <span class="chip stake pale gone">0</span>}
    </button>
  );
}

/** Every wager on offer, from the game's own data. */
export function Spots() {
  const t = words();
  const { layout, game } = view.value!;
  const data = gameOf(game.version);
  if (data === undefined) return <p class="alert">{t.reload}</p>;
  const button = (spot: Spot) => <SpotButton key={spot.wager} spot={spot} odds={oddsOf(data.wagers[spot.wager]!)} />;
  const spotOf = (wager: string): Spot[] => layout.filter((spot) => spot.wager === wager);
  const others = layout.filter(({ wager }) => !main.includes(wager));
  const rows = others.length > 12 ? 'many' : others.length === 4 ? 'pairs' : '';
  return (
    <>
      <div class="spots mains" role="group" aria-label={t.mainWagers}>
        {main.flatMap(spotOf).map(button)}
      </div>
      {others.length > 0 && (
        <div class={`spots sides ${rows}`} role="group" aria-label={t.sideWagers}>
          {others.map(button)}
        </div>
      )}
    </>
  );
}

/** Every line of every wager, with its clause, in words. */
export function PayTable() {
  const t = words();
  const { layout, game } = view.value!;
  const data = gameOf(game.version);
  if (data === undefined) return null;
  return (
    <details class="panel pays" onToggle={intoView}>
      <summary>{t.payTable}</summary>
      {layout.map(({ wager, name }) => (
        <table key={wager}>
          <caption>{wagerName(wager, name)}</caption>
          <tbody>
            {payRowsOf(data.wagers[wager]!).map(([when, pays, by]) => (
              <tr key={when}>
                <td>{when}</td>
                <td>{pays}</td>
                <td>{by}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </details>
  );
}
