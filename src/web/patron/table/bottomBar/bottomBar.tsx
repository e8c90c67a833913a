import { formatMoney } from '../../../../base/formatMoney.ts';
import { ChipFace } from '../../../shared/chips/chips.tsx';
import { Icon, type IconName } from '../../../shared/widgets/icons.tsx';
import {
  acceptedSlip,
  repeatLastBet,
  enabledBettingActions,
  selectedChipIndex,
  clearSlip,
  doubleSlip,
  bettingBlockReason,
  visibleStakes,
  slipTotal,
  undoSlipAction,
  wantedSlip,
} from '../../app/slipSignals.ts';
import { connectionState, terminalViewSignal, terminalId } from '../../app/state.ts';
import { shortcutKeys } from '../../app/shortcuts.ts';
import { unusableChipReason } from './unusableChip.ts';
import { offeredSpots, roundNumber, tableIdSignal, totalMinimumSignal, chipTray } from '../viewSignals.ts';
import { viewMode, showNextViewMode } from '../scene.ts';
import { isWinCounting, isNetWin, shownWinCents } from './winCounter.ts';
import { tableScreenStrings } from '../strings.ts';

// The rail at the bottom of the screen: meters, chips and keys, and the IDs that a patron must name in a complaint.

/**
 * A meter for an amount. A screen reader announces a live output whenever it changes. So only a meter that changes by
 * the patron's own action is live.
 */
function Meter({
  mark,
  name,
  cents,
  note,
  live = 'off',
  state = '',
}: {
  mark: string;
  name: string;
  cents: number;
  note?: string | undefined;
  live?: 'polite' | 'off';
  /** CSS classes for the state of the meter. */
  state?: string;
}) {
  return (
    <div class={`meter meter-${mark} ${state}`}>
      <span class="meter-label">
        {name}
        {note === undefined ? null : <small>{note}</small>}
      </span>
      <output class="meter-value" data-meter={mark} aria-label={name} aria-live={live}>
        {/* A new `key` replaces the whole number at once, so that its digits do not shift. */}
        <span key={cents}>{formatMoney(cents)}</span>
      </output>
    </div>
  );
}

function Win() {
  const state = `${isNetWin.value ? 'is-up' : ''}${isWinCounting.value ? ' is-counting' : ''}`;
  return <Meter mark="win" name={tableScreenStrings().win} cents={shownWinCents.value} state={state} />;
}

/** The meters show amounts that the server has accepted. The label of BET also shows the chips not accepted yet. */
function Meters() {
  const t = tableScreenStrings();
  const acceptedCents = slipTotal(acceptedSlip.value);
  const more = slipTotal(visibleStakes.value) - acceptedCents;
  const isLost = connectionState.value !== 'open';
  const moreText = `${more < 0 ? '−' : '+'}${formatMoney(Math.abs(more))}`;
  return (
    <div class="meters">
      <Meter
        mark="bet"
        name={t.bet}
        cents={acceptedCents}
        note={wantedSlip.value === null || more === 0 ? undefined : isLost ? `${moreText} ?` : moreText}
        live="polite"
      />
      <Meter
        mark="credit"
        name={t.credit}
        cents={terminalViewSignal.value?.credit ?? 0}
        note={isLost ? t.lastRecorded : undefined}
      />
      <Win />
    </div>
  );
}

/** The chips that a patron can select. A chip above the maximum of every spot, or above the credit, is disabled. */
function Tray() {
  const t = tableScreenStrings();
  return (
    <div class="tray" role="group" aria-label={t.chips}>
      {chipTray.value.map((amount, n) => {
        const reason = unusableChipReason(amount);
        return (
          <button
            key={amount}
            type="button"
            class={`chip-key${selectedChipIndex.value === n ? ' is-chosen' : ''}`}
            aria-pressed={selectedChipIndex.value === n}
            aria-disabled={reason !== null || !enabledBettingActions.value.add}
            aria-label={`${t.chip} ${formatMoney(amount)}${reason === null ? '' : `, ${t[reason]}`}`}
            aria-keyshortcuts={String(n + 1)}
            data-chip={amount}
            onClick={() => {
              if (reason === null && bettingBlockReason.value === null) selectedChipIndex.value = n;
            }}
          >
            <ChipFace value={amount} />
          </button>
        );
      })}
    </div>
  );
}

/** A key of the rail. While it is disabled it keeps its position and its focus. */
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
  const t = tableScreenStrings();
  const may = enabledBettingActions.value;
  return (
    <div class="keys" role="group" aria-label={t.keys}>
      <Key
        mark="undo"
        icon="undo"
        text={t.undo}
        able={may.undoSlipAction}
        shortcut={shortcutKeys.undo}
        act={undoSlipAction}
      />
      <Key
        mark="clear"
        icon="clear"
        text={t.clear}
        able={may.clearSlip}
        shortcut={shortcutKeys.clear}
        act={clearSlip}
      />
      <Key
        mark="double"
        icon="x2"
        text={t.double}
        name={t.doubleName}
        able={may.doubleSlip}
        shortcut={shortcutKeys.double}
        act={doubleSlip}
      />
      <Key
        mark="again"
        icon="rebet"
        text={t.again}
        able={may.repeatLastBet}
        shortcut={shortcutKeys.again}
        act={repeatLastBet}
      />
      <Key
        mark="swap"
        icon="swap"
        text={t.swap}
        name={t.swapName[viewMode.value]}
        able
        shortcut={shortcutKeys.swap}
        act={showNextViewMode}
      />
    </div>
  );
}

/**
 * Limits for the rail. `minimum`: the lowest minimum of all spots. `maximum`: the highest maximum of Player and Banker.
 * `sides`: the highest maximum of the other spots, or null if `sides` and `maximum` would be equal.
 */
function limitsOnOffer(): { readonly minimum: number; readonly maximum: number; readonly sides: number | null } {
  const all = offeredSpots.value;
  const isSide = (wager: string): boolean => wager !== 'player' && wager !== 'banker';
  const maximum = (spots: typeof all): number => Math.max(0, ...spots.map((spot) => spot.maximum));
  const sides = maximum(all.filter(({ wager }) => isSide(wager)));
  const mains = maximum(all.filter(({ wager }) => !isSide(wager)));
  const minimum = Math.min(...all.map((spot) => spot.minimum));
  return {
    minimum,
    maximum: mains === 0 ? sides : mains,
    sides: mains === 0 || sides === mains || sides === 0 ? null : sides,
  };
}

function Legend() {
  const t = tableScreenStrings();
  const { minimum, maximum, sides } = limitsOnOffer();
  return (
    <p class="legend ids">
      <span class="legend-must">{t.malfunction}</span>
      <span>{t.inform}</span>
      <span>
        {t.tableLabel} <b data-testid="table">{tableIdSignal.value}</b>
      </span>
      <span>
        {t.tid}
        <b data-testid="tid">{terminalId.value ?? '–'}</b>
      </span>
      <span class="least">
        {t.totalMinimum} <b>{formatMoney(totalMinimumSignal.value)}</b>
      </span>
      <span>
        {t.minBet} <b>{formatMoney(minimum)}</b>
      </span>
      <span>
        {t.maxBet} <b>{formatMoney(maximum)}</b>
        {sides === null ? null : (
          <>
            {' '}
            {t.side} <b>{formatMoney(sides)}</b>
          </>
        )}
      </span>
      <span>
        {t.game}
        <b data-testid="game">{roundNumber.value ?? '–'}</b>
      </span>
      <span class="legend-demo">{t.demoNotice}</span>
    </p>
  );
}

export function BottomBar() {
  return (
    <footer class="rail">
      <Meters />
      <Tray />
      <Keys />
      <Legend />
    </footer>
  );
}
