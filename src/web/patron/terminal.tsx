import { money } from '../../rules/money.ts';
import { Controls } from './controls.tsx';
import { Hands, winnerWords } from './hands.tsx';
import { gameName, wagerName } from '../shared/names.ts';
import { checked } from './proof.ts';
import { BeadPlate, BigRoad } from '../shared/roads.tsx';
import { roadsFrom } from '../shared/results.ts';
import { PayTable, Spots } from './spots.tsx';
import { isOpen, link, own, secondsTo, view } from './state.ts';
import { Header, Lamp, Refusal, RoundNotice } from './frame.tsx';
import { Help } from './help.tsx';
import { type Paid } from '../../wire/views.ts';
import { standstill, words } from './words.ts';

/** The phase in the words of the table. */
function callWords(): string {
  const t = words();
  const { phase, stopped, shoe, round } = view.value!;
  if (stopped) return standstill(stopped.kind);
  if (isOpen.value) {
    // Without a link nobody here knows what the table has done since its time was up.
    return link.value !== 'open' && secondsTo(round?.closesAt ?? 0) === 0 ? t.waitingForLink : t.placeBets;
  }
  if (phase === 'closing' || phase === 'dealing' || phase === 'result') return t.noMoreBets;
  if (phase === 'paying') return t.paying;
  if (phase === 'closed') return t.phases.closed;
  return shoe?.ready && shoe.roundsLeft !== 0 ? t.shuffling : t.newShoe;
}

function Phase() {
  const t = words();
  const { round } = view.value!;
  const open = isOpen.value;
  const left = open && round ? secondsTo(round.deadline ?? round.closesAt) : null;
  return (
    <div class={open ? 'phase open' : 'phase'}>
      <Lamp />
      <strong data-testid="call">{callWords()}</strong>
      {left !== null && (
        <span
          class={left <= 5 ? 'count soon' : 'count'}
          role="timer"
          aria-label={`${left} ${t.seconds}`}
          data-testid="count"
        >
          {left}
        </span>
      )}
    </div>
  );
}

/** Read out when it changes: the phase, the result and what it meant for the patron. */
function Spoken() {
  const t = words();
  const { phase, round } = view.value!;
  const over = round !== null && (phase === 'result' || phase === 'idle' || phase === 'paying');
  const won = own.value?.paid?.reduce((sum, paid) => sum + paid.won, 0) ?? 0;
  const result =
    over && round.winner !== null
      ? ` ${winnerWords()}. ${t.player} ${round.player.total}, ${t.banker} ${round.banker.total}.`
      : '';
  return (
    <p class="spoken" role="status" aria-live="polite">
      {callWords()}.{result}
      {won > 0 ? ` ${t.win} ${money(won)}.` : ''}
    </p>
  );
}

type Staked = Pick<Paid, 'wager' | 'stake'>;

/** What was won is at the top. */
const order = { win: 0, push: 1, void: 1, lose: 2 } as const;

/** What became of each bet, and by which clause. */
function YourBets() {
  const t = words();
  const { layout, round } = view.value!;
  const nameOf = (wager: string): string =>
    wagerName(wager, layout.find((spot) => spot.wager === wager)?.name ?? wager);
  const rows: readonly (Paid | Staked)[] =
    own.value?.paid?.toSorted((one, other) => order[one.result] - order[other.result]) ??
    Object.entries(own.value?.slip ?? {}).map(([wager, stake]) => ({ wager, stake }));
  return (
    <section class="panel bets">
      <h2>{t.yourBets}</h2>
      {rows.length === 0 || round === null ? (
        <p class="quiet">{t.noBets}</p>
      ) : (
        <ul tabIndex={0} aria-label={t.yourBets}>
          {rows.map((row) => (
            <li key={row.wager} data-outcome={row.wager}>
              <span>{nameOf(row.wager)}</span>
              <span class="amount">{money(row.stake)}</span>
              {'result' in row && (
                <span class={`fate ${row.result}`}>
                  {t.result[row.result]}
                  {row.result === 'win' ? ` ${money(row.won)}` : ''}
                  {row.commission > 0 ? ` (${t.commission} ${money(row.commission)})` : ''}
                </span>
              )}
              {'result' in row && <span class="clause">{row.by}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Shoe() {
  const t = words();
  const { shoe } = view.value!;
  const known = checked.value.filter((fits) => fits !== undefined);
  const bad = known.includes(false);
  return (
    <section class="panel shoe">
      <h2>{t.shoe}</h2>
      {shoe === null ? (
        <p class="quiet">{t.newShoe}</p>
      ) : (
        <p class="root">
          {t.commitment} <code data-testid="root">{shoe.root}</code>
          {shoe.turn !== null && ` · ${t.turn} ${shoe.turn} · ${t.cardsOut} ${shoe.out}/${shoe.cards}`}
        </p>
      )}
      {known.length > 0 && (
        <p class={bad ? 'alert' : 'good'} data-testid="checked">
          {bad ? `✗ ${t.checkFailed}` : `✓ ${known.length} ${t.checked}`}
        </p>
      )}
    </section>
  );
}

function Foot() {
  const t = words();
  return (
    <div class="foot">
      <span>{t.malfunction}</span>
      <span>{t.demoNotice}</span>
    </div>
  );
}

export function Terminal() {
  const t = words();
  const shown = view.value;
  if (shown === null) {
    return (
      <>
        <Header title={t.title} back />
        <main class="empty">
          <p>{link.value === 'open' ? t.joining : t.lost}</p>
          <Refusal />
        </main>
      </>
    );
  }
  const roads = roadsFrom(shown.results);
  return (
    <div class="terminal">
      <Header title={gameName(shown.game.version, shown.game.name)} back>
        <Phase />
      </Header>
      <RoundNotice />
      <main class="felt">
        <h1 class="spoken">{gameName(shown.game.version, shown.game.name)}</h1>
        <Spoken />
        <div class={shown.layout.length > 15 ? 'play' : 'play roomy'}>
          <Hands />
          <Spots />
        </div>
        <aside class="side" aria-label={t.yourBets}>
          <YourBets />
          <section class="panel roads">
            <h2>{t.bigRoad}</h2>
            <BigRoad roads={roads} columns={20} />
            <h2>{t.bead}</h2>
            <BeadPlate roads={roads} columns={18} />
            <p class="quiet">{t.roadNotice}</p>
          </section>
          <Shoe />
          <div class="more">
            <PayTable />
            <Help />
          </div>
        </aside>
      </main>
      <Refusal />
      <Controls />
      <Foot />
    </div>
  );
}
