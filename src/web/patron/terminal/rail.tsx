import { money } from '../../../rules/money.ts';
import { ChipFace } from '../../shared/chips.tsx';
import { Icon, type IconName } from '../../shared/icons.tsx';
import { accepted, again, can, chip, clear, double, idle, onFelt, totalOf, undo, wanted } from '../slip.ts';
import { link, own, terminal, view } from '../state.ts';
import { keys } from '../keys.ts';
import { deadBy } from './dead.ts';
import { outcome, sight, swapView } from './scene.ts';
import { words } from './words.ts';

// What a patron has in hand: meters, chips and keys, and what a complaint has to name.

/** An output is read out when it changes; only what the patron has just done is worth that. */
function Meter({
  mark,
  name,
  cents,
  note,
  live = 'off',
  isUp = false,
}: {
  mark: string;
  name: string;
  cents: number;
  note?: string | undefined;
  live?: 'polite' | 'off';
  isUp?: boolean;
}) {
  return (
    <div class={`meter meter-${mark}${isUp ? ' is-up' : ''}`}>
      <span class="meter-label">
        {name}
        {note === undefined ? null : <small>{note}</small>}
      </span>
      <output class="meter-value" data-meter={mark} aria-label={name} aria-live={live}>
        {money(cents)}
      </output>
    </div>
  );
}

/** The meters show what stands in the record, nothing else. */
function Meters() {
  const t = words();
  const stands = totalOf(accepted.value);
  const more = totalOf(onFelt.value) - stands;
  const isLost = link.value !== 'open';
  const way = `${more < 0 ? '−' : '+'}${money(Math.abs(more))}`;
  const won = outcome.value?.won ?? 0;
  return (
    <div class="meters">
      <Meter
        mark="bet"
        name={t.bet}
        cents={stands}
        note={wanted.value === null || more === 0 ? undefined : isLost ? `${way} ?` : way}
        live="polite"
      />
      <Meter mark="credit" name={t.credit} cents={own.value?.credit ?? 0} note={isLost ? t.lastRecorded : undefined} />
      <Meter mark="win" name={t.win} cents={won} isUp={won > 0 && outcome.value!.net > 0} />
    </div>
  );
}

/** Chips that no spot or no credit would take are dead. */
function Tray() {
  const t = words();
  const { tray } = view.value!;
  return (
    <div class="tray" role="group" aria-label={t.chips}>
      {tray.map((amount, n) => {
        const why = deadBy(amount);
        return (
          <button
            key={amount}
            type="button"
            class={`chip-key${chip.value === n ? ' is-chosen' : ''}`}
            aria-pressed={chip.value === n}
            aria-disabled={why !== null || !can.value.add}
            aria-label={`${t.chip} ${money(amount)}${why === null ? '' : `, ${t[why]}`}`}
            aria-keyshortcuts={String(n + 1)}
            data-chip={amount}
            onClick={() => {
              if (why === null && idle.value === null) chip.value = n;
            }}
          >
            <ChipFace value={amount} />
          </button>
        );
      })}
    </div>
  );
}

/** A key that does nothing now keeps its place and its focus. */
function Key({
  mark,
  icon,
  text,
  name,
  able,
  shortcut,
  act,
}: {
  mark: string;
  icon: IconName | 'x2';
  text: string;
  name?: string;
  able: boolean;
  shortcut: string;
  act: () => void;
}) {
  return (
    <button
      type="button"
      class={`key key-rail key-${mark}`}
      aria-disabled={!able}
      aria-keyshortcuts={shortcut}
      {...(name === undefined ? {} : { 'aria-label': name })}
      onClick={() => {
        if (able) act();
      }}
    >
      {icon === 'x2' ? <b class="key-x">x2</b> : <Icon name={icon} />}
      <span>{text}</span>
    </button>
  );
}

function Keys() {
  const t = words();
  const may = can.value;
  return (
    <div class="keys" role="group" aria-label={t.keys}>
      <Key mark="undo" icon="undo" text={t.undo} able={may.undo} shortcut={keys.undo} act={undo} />
      <Key mark="clear" icon="clear" text={t.clear} able={may.clear} shortcut={keys.clear} act={clear} />
      <Key
        mark="double"
        icon="x2"
        text={t.double}
        name={t.doubleName}
        able={may.double}
        shortcut={keys.double}
        act={double}
      />
      <Key mark="again" icon="rebet" text={t.again} able={may.again} shortcut={keys.again} act={again} />
      <Key
        mark="swap"
        icon="swap"
        text={t.swap}
        name={t.swapName[sight.value]}
        able
        shortcut={keys.swap}
        act={swapView}
      />
    </div>
  );
}

/** The least and the most on Player and Banker, and on the others where that is another. */
function limitsOf(): { readonly least: number; readonly most: number; readonly sides: number | null } {
  const { layout } = view.value!;
  const isSide = (wager: string): boolean => wager !== 'player' && wager !== 'banker';
  const most = (all: typeof layout): number => Math.max(0, ...all.map((spot) => spot.most));
  const sides = most(layout.filter(({ wager }) => isSide(wager)));
  const mains = most(layout.filter(({ wager }) => !isSide(wager)));
  const least = Math.min(...layout.map((spot) => spot.least));
  return {
    least,
    most: mains === 0 ? sides : mains,
    sides: mains === 0 || sides === mains || sides === 0 ? null : sides,
  };
}

function Legend() {
  const t = words();
  const { table, round, totalMinimum } = view.value!;
  const { least, most, sides } = limitsOf();
  return (
    <p class="legend ids">
      <span class="legend-must">{t.malfunction}</span>
      <span>{t.inform}</span>
      <span>
        {t.tableLabel} <b data-testid="table">{table}</b>
      </span>
      <span>
        {t.tid}
        <b data-testid="tid">{terminal.value ?? '–'}</b>
      </span>
      <span class="least">
        {t.totalMinimum} <b>{money(totalMinimum)}</b>
      </span>
      <span>
        {t.minBet} <b>{money(least)}</b>
      </span>
      <span>
        {t.maxBet} <b>{money(most)}</b>
        {sides === null ? null : (
          <>
            {' '}
            {t.side} <b>{money(sides)}</b>
          </>
        )}
      </span>
      <span>
        {t.game}
        <b data-testid="game">{round?.number ?? '–'}</b>
      </span>
      <span class="legend-demo">{t.demoNotice}</span>
    </p>
  );
}

export function Rail() {
  return (
    <footer class="rail">
      <Meters />
      <Tray />
      <Keys />
      <Legend />
    </footer>
  );
}
