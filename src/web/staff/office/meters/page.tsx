import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Control, controlOf } from '../../../../odds/control.ts';
import { formatMoney, shortMoney } from '../../../../base/formatMoney.ts';
import { type GameMeters, type WagerTotal } from '../../../../wire/staff/roundTypes.ts';
import { gameOf } from '../../../shared/text/oddsText.ts';
import { shortName, wagerName } from '../../../shared/text/gameNames.ts';
import { language } from '../../../shared/text/language.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { Frame } from '../parts/pageFrame.tsx';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { sumMoney } from '../../kit/text/signedMoney.ts';
import { usePageKeys } from '../parts/usePageKeys.ts';
import { csvOf } from './metersCsv.ts';
import { Daily, Plot, zText } from './controlChart.tsx';
import { type Theory, startExpectedReturn, theories } from './expectedReturn.ts';
import { metersStrings } from './strings.ts';

const chosenGame = signal('');
const chosenWager = signal('');
const nameOf = ({ game, decks }: GameMeters): string => `${game}/${decks}`;

export type MeterRow = {
  readonly wager: string;
  readonly name: string;
  readonly weighed: WagerTotal;
  readonly control: Control | undefined;
};

/** What each wager gave back against its exact odds, with control bands. */
export function Page() {
  const t = metersStrings();
  const found = useQuery<{ readonly games: readonly GameMeters[] }>('meters', {}, 15_000);
  const games = found.state === 'there' ? found.data.games : [];
  const game = games.find((one) => nameOf(one) === chosenGame.value) ?? games[0];
  const theory = game && theories.value.get(nameOf(game));
  useEffect(() => {
    if (game) startExpectedReturn(game.game, game.decks);
  }, [game && nameOf(game)]);
  const rows = game ? rowsOf(game, theory) : [];
  const one = rows.find(({ wager }) => wager === chosenWager.value) ?? rows[0];
  useMeterKeys(rows, one, () => game && download(csvOf(game, rows), `${game.game}-${game.decks}.csv`));
  return (
    <Frame name="meters">
      <h1 class="spoken">{kitWords().nav['meters']}</h1>
      <section class="panel query" aria-label={t.games}>
        {games.map((each) => {
          const known = gameOf(each.game);
          const isOn = each === game;
          return (
            <button
              key={nameOf(each)}
              type="button"
              class={`fchip${isOn ? ' on' : ''}`}
              aria-pressed={isOn}
              title={t.tables(each.tables.join(', '))}
              onClick={() => (chosenGame.value = nameOf(each))}
            >
              <b>{shortName(each.game.split('@', 1)[0]!, known?.name ?? each.game)[language.value]}</b>,{' '}
              {t.decks(each.decks)}
            </button>
          );
        })}
        <span class="grow" />
        <span class="legend2">
          <span>
            <i class="dot" />
            {t.actual}
          </span>
          <span>
            <i class="two" />
            {t.two}
          </span>
          <span>
            <i class="three" />
            {t.three}
          </span>
        </span>
        <button
          type="button"
          class="btn small"
          disabled={game === undefined}
          onClick={() => game && download(csvOf(game, rows), `${game.game}-${game.decks}.csv`)}
        >
          {t.csv} <Kbd>X</Kbd>
        </button>
      </section>
      <section class="panel list" tabIndex={0} aria-label={t.bands}>
        <table class="g met">
          <thead>
            <tr>
              <th>{t.wager}</th>
              <th class="num">{t.stakes}</th>
              <th class="num">{t.coinIn}</th>
              <th class="num">{t.theory}</th>
              <th class="num">{t.found}</th>
              <th class="mid">{t.bands}</th>
              <th class="num">{t.deviations}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.wager} row={row} isChosen={row === one} />
            ))}
          </tbody>
        </table>
        {found.state === 'there' && rows.length === 0 && <p class="q pad-in">{t.none}</p>}
        {rows.length > 0 && theory === undefined && <p class="q pad-in">{t.counting}</p>}
      </section>
      <div class="stack">
        {game && one && theory?.[one.wager] && <Daily game={game} row={one} odds={theory[one.wager]!} />}
        {game && <Grow meters={game.meters} />}
      </div>
    </Frame>
  );
}

/** The wagers in the order of their game. */
function rowsOf({ game, wagers }: GameMeters, theory: Theory | undefined): readonly MeterRow[] {
  const known = gameOf(game);
  const order = Object.keys(known?.wagers ?? wagers);
  return order
    .filter((wager) => Object.hasOwn(wagers, wager))
    .map((wager) => ({
      wager,
      name: wagerName(wager, known?.wagers[wager]?.name ?? wager),
      weighed: wagers[wager]!,
      control: theory?.[wager] && controlOf(wagers[wager]!, theory[wager]),
    }));
}

function useMeterKeys(rows: readonly MeterRow[], one: MeterRow | undefined, save: () => void): void {
  usePageKeys((key) => {
    const by = key === 'J' || key === 'ArrowDown' ? 1 : key === 'K' || key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) {
      const place = rows.findIndex((row) => row === one) + by;
      chosenWager.value = rows[Math.max(0, Math.min(place, rows.length - 1))]?.wager ?? '';
    } else if (key === 'X') save();
    else return false;
    return true;
  });
}

function download(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

const percent = (part: number): string => (100 * part).toFixed(2);

function Row({ row, isChosen }: { readonly row: MeterRow; readonly isChosen: boolean }) {
  const { wager, name, weighed, control } = row;
  return (
    <tr class={isChosen ? 'on' : ''} onClick={() => (chosenWager.value = wager)}>
      <td>
        <b>{name}</b>
      </td>
      <td class="num q">{weighed.stakes}</td>
      <td class="num">{shortMoney(weighed.staked)}</td>
      <td class="num q">{control ? percent(control.theory) : '–'}</td>
      <td class="num">
        <b>{control ? percent(control.actual) : '–'}</b>
      </td>
      <td class="mid">{control && <Plot control={control} />}</td>
      <td class={`num zz${control && Math.abs(control.z) > 2 ? ' out' : ''}`}>{control ? zText(control.z) : '–'}</td>
    </tr>
  );
}

function Grow({ meters }: { readonly meters: GameMeters['meters'] }) {
  const t = metersStrings();
  const { coinIn, voided, coinOut, reversed } = meters;
  return (
    <section class="panel">
      <header>
        <h2>{t.grow}</h2>
      </header>
      <table class="g">
        <tbody>
          {(Object.keys(t.meters) as (keyof typeof t.meters)[]).map((name) => (
            <tr key={name}>
              <td class="q">{t.meters[name]}</td>
              <td class="num">{formatMoney(meters[name])}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>
              {t.house} <span class="qq">{t.how}</span>
            </td>
            <td class="num">{sumMoney(coinIn - voided - coinOut + reversed)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
