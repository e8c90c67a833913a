import { money, shortMoney } from '../../rules/money.ts';
import { accepted, again, canUndo, chip, clear, double, free, onFelt, totalOf, undo, wanted } from './slip.ts';
import { isOpen, now, own, terminal, view } from './state.ts';
import { words } from './words.ts';

function Tray() {
  const t = words();
  return (
    <div class="tray" role="group" aria-label={t.chips}>
      {view.value!.tray.map((amount, n) => {
        const dear = amount > free.value;
        return (
          <button
            key={amount}
            type="button"
            class={`chip pick c${n % 5}${dear ? ' dear' : ''}`}
            aria-pressed={chip.value === n}
            aria-label={`${t.chip} ${money(amount)}${dear ? `, ${t.notAfforded}` : ''}`}
            onClick={() => {
              chip.value = n;
            }}
          >
            {shortMoney(amount)}
          </button>
        );
      })}
    </div>
  );
}

/** A key that does nothing now keeps its place and its focus. */
function Key({ text, name, able, act }: { text: string; name?: string; able: boolean; act: () => void }) {
  return (
    <button
      type="button"
      aria-disabled={!able}
      {...(name === undefined ? {} : { 'aria-label': name })}
      onClick={() => {
        if (able) act();
      }}
    >
      {text}
    </button>
  );
}

function Keys() {
  const t = words();
  const open = isOpen.value;
  const some = Object.keys(onFelt.value).length > 0;
  const repeat = Object.keys(own.value?.again ?? {}).length > 0;
  return (
    <div class="keys">
      <Key text={t.undo} able={open && canUndo.value} act={undo} />
      <Key text={t.clear} able={open && some} act={clear} />
      <Key text={t.double} name={t.doubleName} able={open && some} act={double} />
      <Key text={t.again} able={open && repeat} act={again} />
    </div>
  );
}

/** An output is read out when it changes; only what the patron has just done is worth that. */
function Meter({
  name,
  cents,
  mark,
  live = 'off',
}: {
  name: string;
  cents: number;
  mark: string;
  live?: 'polite' | 'off';
}) {
  const t = words();
  return (
    <div class={`meter ${mark}`}>
      <span class="label">
        {name} <small>{t.demo}</small>
      </span>
      <output
        class={mark === 'bet' && wanted.value !== null ? 'pale' : ''}
        data-meter={mark}
        aria-label={`${name}, ${t.demo}`}
        aria-live={live}
      >
        {money(cents)}
      </output>
    </div>
  );
}

/** What a complaint has to name, and the time of day. */
function Ids() {
  const t = words();
  const { round, totalMinimum } = view.value!;
  return (
    <p class="ids">
      <span>
        {t.game} <b data-testid="game">{round?.number ?? '–'}</b>
      </span>
      <span>
        {t.tid} <b data-testid="tid">{terminal.value ?? '–'}</b>
      </span>
      <span class="least">
        {t.totalMinimum} {money(totalMinimum)}
      </span>
      <time>{new Date(now.value).toTimeString().slice(0, 5)}</time>
    </p>
  );
}

/** Chips, keys and meters. The meters show what stands in the record, nothing else. */
export function Controls() {
  const t = words();
  const won = own.value?.paid?.reduce((sum, paid) => sum + paid.won, 0) ?? 0;
  return (
    <footer class="controls">
      <Tray />
      <Keys />
      <Ids />
      <div class="meters">
        <Meter name={t.bet} cents={totalOf(accepted.value)} mark="bet" live="polite" />
        <Meter name={t.credit} cents={own.value?.credit ?? 0} mark="credit" />
        <Meter name={t.win} cents={won} mark="win" />
      </div>
    </footer>
  );
}
