import { payRows } from '../rules/words.ts';
import { type Spot } from '../wire/views.ts';
import { gameOf, money, oddsOf, short } from './figures.ts';
import { wagerName } from './names.ts';
import { accepted, add, shown } from './slip.ts';
import { isOpen, own, view } from './state.ts';
import { words } from './words.ts';

const main = ['player', 'tie', 'banker'];

/** What became of the stake on this spot, once the round is settled. */
function fateOf(wager: string) {
  const paid = own.value?.paid?.find((one) => one.wager === wager);
  if (!paid) return undefined;
  const t = words();
  return (
    <span class={`fate ${paid.result}`}>
      {t.result[paid.result]}
      {paid.result === 'win' ? ` ${short(paid.won)}` : ''}
    </span>
  );
}

function SpotButton({ spot, odds }: { spot: Spot; odds: string }) {
  const t = words();
  const { wager, name, least, most } = spot;
  const stake = shown.value[wager] ?? 0;
  const pale = stake !== (accepted.value[wager] ?? 0);
  const title = wagerName(wager, name);
  const fate = fateOf(wager);
  const side = wager.startsWith('player') ? 'p' : wager.startsWith('banker') ? 'b' : wager === 'tie' ? 't' : '';
  const label =
    `${title}, ${t.odds} ${odds}, ${t.minimum} ${money(least)}, ${t.maximum} ${money(most)}` +
    (stake > 0 ? `, ${t.yourStake} ${money(stake)}${pale ? `, ${t.waiting}` : ''}` : '');
  return (
    <button
      type="button"
      class={`spot ${main.includes(wager) ? 'main' : ''} ${side}${isOpen.value ? '' : ' shut'}`}
      aria-label={label}
      data-wager={wager}
      onClick={() => add(wager)}
    >
      <span class="name">{title}</span>
      <span class="odds">{odds}</span>
      {fate ?? (
        <span class="range">
          {short(least)}–{short(most)}
        </span>
      )}
      {stake > 0 && (
        <span class={pale ? 'chip stake pale' : 'chip stake'} data-stake={stake}>
          {short(stake)}
        </span>
      )}
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
  return (
    <>
      <div class="spots mains" role="group" aria-label={t.mainWagers}>
        {main.flatMap(spotOf).map(button)}
      </div>
      {others.length > 0 && (
        <div class={others.length > 12 ? 'spots sides many' : 'spots sides'} role="group" aria-label={t.sideWagers}>
          {others.map(button)}
        </div>
      )}
    </>
  );
}

/** Every line of every wager, with its clause, in the words of the rules. */
export function PayTable() {
  const t = words();
  const { layout, game } = view.value!;
  const data = gameOf(game.version);
  if (data === undefined) return null;
  return (
    <details class="panel pays">
      <summary>{t.payTable}</summary>
      {layout.map(({ wager, name }) => (
        <table key={wager}>
          <caption>{wagerName(wager, name)}</caption>
          <tbody lang="en">
            {payRows(data.wagers[wager]!).map(([when, pays, by]) => (
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
